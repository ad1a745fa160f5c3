#!/usr/bin/env bash
# Compares once, and leaves the comments, the page and the annotations. Variables:
# GERM_POST, ARGUMENTS, COMMENT_ID, FAIL_ON_DIFFERENCE, and those of GitHub Actions.
set -euo pipefail

folder="${RUNNER_TEMP:?}/germ-post-$COMMENT_ID"
rm -rf "$folder"
mkdir -p "$folder"
# Words, not shell: nothing in them is expanded.
read -r -d '' -a words <<<"$ARGUMENTS" || true

code=0
"$GERM_POST" diff "${words[@]}" --exit-code --format=github \
  --split="$folder/comments" --comment-id="$COMMENT_ID" --output="html=$folder/diff.html" || code=$?
if [ "$code" -gt 1 ]; then
  exit "$code"
fi
{
  echo "different=$([ "$code" = 1 ] && echo true || echo false)"
  echo "comments=$folder/comments"
  echo "report=$folder/diff.html"
} >>"${GITHUB_OUTPUT:?}"
if [ "$code" = 1 ] && [ "$FAIL_ON_DIFFERENCE" = true ]; then
  exit 1
fi
