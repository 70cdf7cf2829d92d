#!/usr/bin/env bash
# Makes a git repository with a small history from this example: make-repository.sh <folder>
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
target="${1:?give a folder that does not exist yet}"
mkdir "$target"
cd "$target"
git init --quiet --initial-branch=main
git config user.name "The bakery"
git config user.email "bakery@example.org"
export GIT_AUTHOR_DATE="2026-01-05T06:00:00Z" GIT_COMMITTER_DATE="2026-01-05T06:00:00Z"
cp "$here/signoff.yaml" .
mkdir -p signoff
cp -R "$here/signoff/gates" signoff/gates
git add . && git commit --quiet -m "Agree on twelve gates"
mkdir notes
for note in "$here"/notes/[a-m]*.md; do cp "$note" notes/; done
git add . && git commit --quiet -m "Write down what the early shift knows"
for note in "$here"/notes/[n-z]*.md; do cp "$note" notes/; done
git add . && git commit --quiet -m "Write down what the late shift knows"
