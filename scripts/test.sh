#!/usr/bin/env bash
# Everything that must hold before a change lands. Needs nothing but a fresh clone.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
export PATH="$PWD/node_modules/.bin:$PATH"

stage() {
  local name=$1 from
  shift
  from=$(date +%s)
  printf '\n== %s\n' "$name"
  "$@"
  printf '   (%s s)\n' "$(($(date +%s) - from))"
}

stage 'format' oxfmt --check .
stage 'lint and import borders' oxlint --deny-warnings
stage 'types' tsc -p .
stage 'unused code' knip
stage 'published schemas' node scripts/write-schemas.ts --check
stage 'dist is what src builds' node scripts/check-dist.ts
stage 'README tables' node scripts/readme-tables.ts --check
stage 'regression suite proves itself' node dist/cli.js validate --suite regression --no-mutants
stage 'hermes-agent for the tests' bash scripts/install-hermes.sh
stage 'tests' node --test --test-concurrency=2 --test-timeout=600000 'test/**/*.test.ts'
