#!/usr/bin/env bash
# Clones what is committed into an empty folder with an empty HOME, types the README's commands and runs the tests as on
# a machine without a browser.
set -euo pipefail
source=$(git rev-parse --show-toplevel)
place=$(mktemp -d)
clone="$place/signoff"
settings=$(npm config get userconfig)

finish() {
  # The results are those of this checkout, too.
  mkdir -p "$source/dist"
  cp "$clone/dist/test-results.json" "$source/dist/" 2> /dev/null || true
  rm -rf "$place"
}
trap finish EXIT

# The network may be away for a moment.
retry() {
  "$@" || { sleep 10 && "$@"; } || { sleep 30 && "$@"; }
}

git clone --quiet "$source" "$clone"
mkdir "$place/home"
cd "$clone"
# Nothing of this checkout, which npm puts first.
export PATH="${PATH//"$source/node_modules/.bin:"/}"
# npm's own settings (proxy, registry) belong to the machine; everything else of the user is absent.
export HOME="$place/home" npm_config_userconfig="$settings" npm_config_cache="${npm_config_cache:-$place/cache}"
retry npm ci
npx signoff demo | tee "$place/demo.txt"
grep -q "Approved" "$place/demo.txt"
HIDE_BROWSER=1 npm test
echo "fresh clone: the README's commands work"
