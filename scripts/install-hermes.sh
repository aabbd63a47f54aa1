#!/usr/bin/env bash
# Installs the real Hermes Agent where this project's `hermes` agent looks for it: .genui-eval/hermes-VERSION (default 0.19.0).
# The interpreter's path is the last line of stdout. Running it again is quick.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=${1:-0.19.0}
exec bash "$project/src/agents/install-hermes.sh" "$version" "$project/.genui-eval/hermes-$version"
