#!/usr/bin/env bash
# Clones what is committed into an empty folder with an empty HOME and types the README's two commands.
set -euo pipefail
source=$(git rev-parse --show-toplevel)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
settings=$(npm config get userconfig)

git clone --quiet "$source" "$place/signoff"
mkdir "$place/home"
cd "$place/signoff"
# npm's own settings (proxy, registry) belong to the machine; everything else of the user is absent.
export HOME="$place/home" npm_config_userconfig="$settings" npm_config_cache="${npm_config_cache:-$place/cache}"
npm ci
npx signoff demo | tee "$place/demo.txt"
grep -q "Approved" "$place/demo.txt"
echo "fresh clone: the README's two commands work"
