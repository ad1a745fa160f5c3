#!/usr/bin/env bash
# Builds the real programs that end-to-end tests need, each at the version that
# tools.tsv names, from Go modules or crates, and prints `name path` for each.
#
#   tests/tools/build.sh NAME...           build what is not in the cache yet
#   tests/tools/build.sh --where NAME...   build nothing, only say the paths
#
# The cache is outside the checkout, so that a fresh clone finds the tools that
# another one built: $GERM_CACHE, else $XDG_CACHE_HOME/germ-post, else
# ~/.cache/germ-post. A tool appears there by a rename, whole or not at all.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${GERM_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/germ-post}/tools

fail() {
  echo "build.sh: $*" >&2
  exit 2
}

# Sets `version` and `source` to what the table says about tool $1.
look_up() {
  local line
  line=$(awk -F '\t' -v name="$1" '$1 == name' "$here/tools.tsv")
  [ -n "$line" ] || fail "no tool \"$1\" in tools.tsv"
  IFS=$'\t' read -r _ version source <<<"$line"
}

# Builds one tool to file $1 from `source` at `version`.
compile() {
  local target=$1 work=$1.build
  mkdir "$work"
  case $source in
    ./*)
      # In a copy: go may want to write beside go.mod, and a checkout can be read-only.
      cp "$here/$source"/* "$work/"
      (cd "$work" && go build -mod=readonly -trimpath -ldflags "-s -w $(link_flags "$here/$source")" -o "$target" .)
      ;;
    crate:*)
      # Without its default features: the book is only built here, not served or watched.
      command -v cargo >/dev/null || fail "cargo is needed to build ${source#crate:}"
      CARGO_TARGET_DIR=$work cargo install --quiet --locked --no-default-features --root "$work/root" \
        "${source#crate:}@$version"
      mv "$work/root/bin"/* "$target"
      ;;
    *)
      # The program's file name is go's choice, so give it a folder of its own.
      GOBIN=$work GOFLAGS='' go install -trimpath -ldflags '-s -w' "$source@$version"
      mv "$work"/* "$target"
      ;;
  esac
  rm -rf "$work"
}

# What a module of ours asks the linker for: its file link.flags, if there is one.
link_flags() {
  [ ! -f "$1/link.flags" ] || tr '\n' ' ' <"$1/link.flags"
}

build() {
  local name=$1 path=$2 scratch
  # A second run waits for the first instead of compiling the same again. Without
  # flock both compile, and the later rename wins: slower, still right.
  if command -v flock >/dev/null; then
    exec 9>"$cache/.$name.lock"
    flock 9
    [ ! -x "$path" ] || return 0
  fi
  case $source in
    crate:*) ;;
    *) command -v go >/dev/null || fail "go is needed to build $name" ;;
  esac
  echo "building $name $version" >&2
  scratch=$(mktemp -d "$cache/.$name.XXXXXX")
  # shellcheck disable=SC2064 # the value of now, not of when it fires
  trap "chmod -R u+w '$scratch'; rm -rf '$scratch'" EXIT
  compile "$scratch/$name"
  mv -f "$scratch/$name" "$path"
}

only_say=
if [ "${1:-}" = --where ]; then
  only_say=1
  shift
fi
[ $# -gt 0 ] || fail "name at least one tool of tools.tsv"

for name; do
  look_up "$name"
  path=$cache/$name-$version
  if [ -z "$only_say" ] && [ ! -x "$path" ]; then
    mkdir -p "$cache"
    (build "$name" "$path")
  fi
  echo "$name $path"
done
