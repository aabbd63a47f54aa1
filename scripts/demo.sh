#!/usr/bin/env bash
# Installs what is missing, then shows the gate on the example plugin with the scripted model.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
exec node_modules/.bin/node scripts/demo.ts "$@"
