#!/usr/bin/env bash
# Makes a virtual environment with the real Hermes Agent and prints the path of its interpreter on the last line of stdout.
# usage: install-hermes.sh WHAT FOLDER
#   WHAT    release on PyPI (0.19.0 is the last one published there), or the folder of a checkout, which is installed editable
#   FOLDER  where the environment goes
# Environment: GENUI_EVAL_PYTHON names the interpreter to build from (3.11, 3.12 or 3.13; for a checkout, what its pyproject.toml wants).
# Exit 0 when the environment is ready, 2 when something is missing, with one sentence that says what.
set -euo pipefail
what=$1
folder=$2
python=$folder/bin/python

if [ -d "$what" ]; then
  name="the checkout $what"
  requirement=$what
  options=(--editable)
else
  name="hermes-agent $what"
  requirement="hermes-agent==$what"
  options=()
fi

# The dependencies of a checkout are in its pyproject.toml: another one needs another installation.
stamp() { "$1" -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$what/pyproject.toml" 2>/dev/null; }
works() {
  if [ -d "$what" ]; then
    [ -x "$python" ] && [ -f "$folder/installed" ] && [ "$(stamp "$python")" = "$(cat "$folder/installed")" ]
  else
    "$python" -I -c 'import importlib.metadata as m, sys; sys.exit(m.version("hermes-agent") != sys.argv[1])' "$what" 2>/dev/null
  fi
}

if works; then
  echo "$name is ready in $folder" >&2
  echo "$python"
  exit 0
fi

# An interpreter counts only when it runs and has a fitting version: a version manager may offer names that do not start.
wanted() {
  local found=
  [ ! -d "$what" ] || found=$(sed -n 's/^requires-python *= *["'"'"']\(.*\)["'"'"'].*/\1/p' "$what/pyproject.toml" 2>/dev/null | head -n 1)
  echo "${found:->=3.11,<3.14}"
}
fits() {
  "$1" - "$(wanted)" 2>/dev/null <<'PYTHON'
import re, sys, venv
version = sys.version_info[:3]
for operator, text in re.findall(r"(>=|<=|==|!=|<|>|~=)\s*([0-9.]+)", sys.argv[1]):
    bound = tuple(int(part) for part in text.strip(".").split("."))
    mine = version[: len(bound)]
    if not {">=": mine >= bound, "<=": mine <= bound, "==": mine == bound, "!=": mine != bound, "<": mine < bound, ">": mine > bound, "~=": mine >= bound}[operator]:
        sys.exit(1)
PYTHON
}
base=
for candidate in "${GENUI_EVAL_PYTHON:-}" python3.12 python3.11 python3.13 python3.14 python3; do
  if [ -n "$candidate" ] && fits "$candidate"; then base=$candidate; break; fi
done
if [ -z "$base" ]; then
  echo "Hermes Agent ($name) needs Python $(wanted) and none was found: install one, or set GENUI_EVAL_PYTHON to its path." >&2
  exit 2
fi

echo "installing $name into $folder (about 70 packages, one to three minutes)" >&2
mkdir -p "$folder"
# Two runs at once must not write into one environment.
exec 9>"$folder.lock"
if command -v flock >/dev/null 2>&1; then flock 9; fi
if works; then echo "$python"; exit 0; fi
rm -rf "$folder"
"$base" -m venv "$folder" >&2
if ! "$python" -m pip install --quiet --disable-pip-version-check ${options[@]+"${options[@]}"} "$requirement" >&2; then
  rm -rf "$folder"
  echo "pip could not install $requirement (see above): check the network, or give python an interpreter that has it." >&2
  exit 2
fi
if [ -d "$what" ]; then stamp "$python" >"$folder/installed"; fi
works || { echo "$name was installed into $folder, but it does not report the version that was asked for." >&2; exit 2; }
echo "$name is ready in $folder" >&2
echo "$python"
