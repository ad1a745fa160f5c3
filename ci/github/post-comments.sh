#!/usr/bin/env bash
# Posts the comments of `germ-post diff --split`, each in the place of the one with the
# same marker, and deletes those that an earlier, longer run left. Needs gh. Variables:
# GH_TOKEN, REPOSITORY, NUMBER, COMMENT_ID, COMMENTS (the folder).
set -euo pipefail

marker() { # number of the part
  [ "$1" = 1 ] && echo "<!-- germ-post:$COMMENT_ID -->" || echo "<!-- germ-post:$COMMENT_ID:$1 -->"
}

# Only comments that begin with a marker of ours and were written by whoever writes now.
me="$(gh api graphql --field query='{viewer{login}}' --jq .data.viewer.login)"
known="$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments?per_page=100" \
  --jq '.[] | select(.body | startswith("<!-- germ-post:'"$COMMENT_ID"'")) | [.id, .user.login, (.body | split("\n")[0])] | @tsv')"

id_of() { # marker
  awk -F '\t' -v me="${me%\[bot\]}" -v marker="$1" \
    '{ user = $2; sub(/\[bot\]$/, "", user); if (user == me && $3 == marker) { print $1; exit } }' <<<"$known"
}

part=1
while [ -f "$COMMENTS/comment-$part.md" ]; do
  id="$(id_of "$(marker "$part")")"
  if [ -n "$id" ]; then
    gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$COMMENTS/comment-$part.md" --silent
  else
    gh api --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" --field "body=@$COMMENTS/comment-$part.md" --silent
  fi
  part=$((part + 1))
done
while id="$(id_of "$(marker "$part")")" && [ -n "$id" ]; do
  gh api --method DELETE "repos/$REPOSITORY/issues/comments/$id" --silent
  part=$((part + 1))
done
