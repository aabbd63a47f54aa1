#!/usr/bin/env bash
# Installs what a fresh machine lacks: npm packages (Node 24 among them), a browser, and says what it cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "setup: $*" >&2; }

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  say 'installing npm packages'
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi

have_browser() {
  for name in chromium-headless-shell google-chrome chromium chromium-browser chrome; do
    command -v "$name" >/dev/null 2>&1 && return 0
  done
  [ -n "${CHROME_BIN:-}" ] && [ -x "$CHROME_BIN" ] && return 0
  [ -d '/Applications/Google Chrome.app' ]
}

if ! have_browser; then
  if command -v apt-get >/dev/null 2>&1; then
    say 'installing a browser (chromium-headless-shell, by apt)'
    as_root=''
    [ "$(id -u)" = 0 ] || as_root='sudo'
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq chromium-headless-shell fonts-liberation >/dev/null 2>&1 ||
      DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq chromium fonts-liberation >/dev/null
  else
    say 'no Chrome or Chromium found: install one, or set CHROME_BIN to its path'
    exit 2
  fi
fi

command -v python3 >/dev/null 2>&1 || { say 'no python3 found: install Python 3.9 or newer (it hosts the plugin)'; exit 2; }
command -v git >/dev/null 2>&1 || { say 'no git found: install git'; exit 2; }
