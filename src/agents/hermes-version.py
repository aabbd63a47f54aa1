"""Prints which Hermes Agent this interpreter has, with the commit when it is a checkout: `0.19.0` or `0.21.3+0067189a4c1f`.

usage: hermes-version.py [CHECKOUT]
"""

import importlib.metadata
import importlib.util
import pathlib
import re
import subprocess
import sys


def installed_version():
    try:
        return importlib.metadata.version("hermes-agent")
    except importlib.metadata.PackageNotFoundError:
        return None


def written_version(folder):
    """The version that the source itself names; read, not imported, since importing Hermes makes folders."""
    for name, pattern in (
        ("hermes_cli/__init__.py", r"""^__version__\s*=\s*["']([^"']+)"""),
        ("pyproject.toml", r"""^version\s*=\s*["']([^"']+)"""),
    ):
        try:
            found = re.search(pattern, (folder / name).read_text("utf-8"), re.MULTILINE)
        except OSError:
            continue
        if found:
            return found.group(1)
    return None


def git(folder, *args):
    # Containers often run as another user than the one who owns the checkout.
    command = ["git", "-c", "safe.directory=*", "-C", str(folder)] + list(args)
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def commit_of(folder):
    if not (folder / ".git").exists():
        return ""
    commit = git(folder, "rev-parse", "--short=12", "HEAD")
    if commit == "":
        return ""
    return commit + (".modified" if git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!*.egg-info/*") else "")


def main():
    checkout = sys.argv[1] if len(sys.argv) > 1 else None
    if checkout is not None:
        sys.path.insert(0, checkout)
    spec = importlib.util.find_spec("run_agent")
    if spec is None or spec.origin is None:
        sys.exit("there is no run_agent module")
    if importlib.util.find_spec("openai") is None:
        sys.exit("it lacks the openai package, on which Hermes Agent is built")
    folder = pathlib.Path(spec.origin).parent
    written = written_version(folder)
    commit = commit_of(folder)
    # The metadata of an editable installation are as old as the installation; the source says what runs.
    version = (written if checkout is not None or commit else installed_version() or written) or "unknown"
    print(version + ("+" + commit if commit else ""))


if __name__ == "__main__":
    main()
