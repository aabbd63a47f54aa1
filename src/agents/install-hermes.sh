#!/usr/bin/env bash
# Makes a virtual environment with the real Hermes Agent and prints the path of its interpreter on the last line of stdout.
# usage: install-hermes.sh VERSION FOLDER
#   VERSION  release on PyPI (0.19.0 is the last one published there)
#   FOLDER   where the environment goes
# Environment: GENUI_EVAL_PYTHON names the interpreter to build from (3.11, 3.12 or 3.13).
# Exit 0 when the environment is ready, 2 when something is missing, with one sentence that says what.
set -euo pipefail
version=$1
folder=$2
python=$folder/bin/python

works() { "$python" -I -c 'import importlib.metadata as m, sys; sys.exit(m.version("hermes-agent") != sys.argv[1])' "$version" 2>/dev/null; }

if works; then
  echo "hermes-agent $version is ready in $folder" >&2
  echo "$python"
  exit 0
fi

# An interpreter counts only when it runs and has a fitting version: a version manager may offer names that do not start.
fits() { "$1" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; }
base=
for candidate in "${GENUI_EVAL_PYTHON:-}" python3.12 python3.11 python3.13 python3; do
  if [ -n "$candidate" ] && fits "$candidate"; then base=$candidate; break; fi
done
if [ -z "$base" ]; then
  echo "Hermes Agent $version needs Python 3.11, 3.12 or 3.13 and none was found: install one, or set GENUI_EVAL_PYTHON to its path." >&2
  exit 2
fi

echo "installing hermes-agent $version into $folder (about 70 packages, one to three minutes)" >&2
mkdir -p "$folder"
# Two runs at once must not write into one environment.
exec 9>"$folder.lock"
if command -v flock >/dev/null 2>&1; then flock 9; fi
if works; then echo "$python"; exit 0; fi
rm -rf "$folder"
"$base" -m venv "$folder" >&2
if ! "$python" -m pip install --quiet --disable-pip-version-check "hermes-agent==$version" >&2; then
  rm -rf "$folder"
  echo "pip could not install hermes-agent==$version (see above): check the network, or give an interpreter that has it with hermes-python." >&2
  exit 2
fi
works || { echo "hermes-agent was installed into $folder, but it does not report version $version." >&2; exit 2; }
echo "hermes-agent $version is ready in $folder" >&2
echo "$python"
