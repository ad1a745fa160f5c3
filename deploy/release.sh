#!/usr/bin/env bash
# Makes what a release consists of, into dist/ or the folder that is named:
#
#   deploy/release.sh [--target TRIPLE] [--binary FILE] [FOLDER]
#
#   germ-post-VERSION-TRIPLE.tar.gz   program, manual pages, completions, licences, documents,
#                                     plugins for both Helms, files for Argo CD
#   germ-post-VERSION.spdx            what is in the program (SPDX 2.3)
#   SHA256SUMS                        of all of these
#
# --target builds for another platform (its toolchain has to be installed), --binary takes a
# program that was built already. The same sources and toolchain give the same archive: files
# are sorted, owned by nobody and as old as the commit.
#
# In an unpacked archive `./germ-post helm-plugin install` installs the plugins for the Helm that is
# there, without the network. Helm 4 wants plugins signed that it installs from an archive itself.
# With the key of the release:
#
#   gpg --armor --detach-sign dist/SHA256SUMS
#   helm plugin package --sign --key KEY --keyring RING deploy/helm4/germ-post   # makes the .prov
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target='' binary='' out=dist
while [ $# -gt 0 ]; do
  case $1 in
    --target) target=$2 && shift 2 ;;
    --binary) binary=$2 && shift 2 ;;
    -*) echo "release.sh: unknown option $1" >&2 && exit 2 ;;
    *) out=$1 && shift ;;
  esac
done

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
[ -n "$target" ] || target=$(rustc -vV | sed -n 's/^host: //p')
revision=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

if [ -z "$binary" ]; then
  RUSTFLAGS=$(deploy/rustflags.sh "$target") GERM_POST_REVISION=$revision \
    cargo build --release --locked --target "$target"
  binary=${CARGO_TARGET_DIR:-target}/$target/release/germ-post
  [ -e "$binary" ] || binary=$binary.exe
fi

name=germ-post-$version-$target
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/$name
mkdir -p "$root/completions" "$root/man" "$out"

cp "$binary" "$root/"
cp README.md CHANGELOG.md SECURITY.md LICENSE-APACHE LICENSE-MIT "$root/"
cp -R docs examples profiles deploy/helm3 deploy/helm4 "$root/"
[ ! -d deploy/argocd ] || cp -R deploy/argocd "$root/"

# Completions and pages are of the program, so one that runs here has to print them: for another
# platform, one of the same sources.
speaker=$binary
"$speaker" --version >/dev/null 2>&1 || speaker=${GERM_POST:-germ-post}
for shell in bash elvish fish powershell zsh; do
  "$speaker" completions "$shell" >"$root/completions/germ-post.$shell"
done
"$speaker" man --out "$root/man"

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" \
  -C "$scratch" -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"

# What the program is made of, from the lock file.
{
  printf 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\n'
  printf 'DocumentName: germ-post-%s\n' "$version"
  printf 'DocumentNamespace: https://spdx.org/spdxdocs/germ-post-%s-%s\n' "$version" "${revision:-unknown}"
  printf 'Creator: Tool: germ-post-release\nCreated: %s\n' "$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)"
  cargo tree --locked --edges normal --target "$target" --prefix none --format '{p}|{l}' |
    sed 's/ (proc-macro)//; s/ (\*)$//; s/ (\/[^)]*)//' | LC_ALL=C sort -u |
    while IFS='|' read -r package licence; do
      [ -n "$package" ] || continue
      crate=${package% v*} number=${package##* v}
      printf '\nPackageName: %s\nSPDXID: SPDXRef-%s-%s\nPackageVersion: %s\n' \
        "$crate" "${crate//_/-}" "${number//+/-}" "$number"
      printf 'PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\n'
      printf 'PackageLicenseConcluded: NOASSERTION\nPackageLicenseDeclared: %s\n' \
        "$(printf %s "${licence:-NOASSERTION}" | sed 's#/# OR #g')"
      printf 'ExternalRef: PACKAGE-MANAGER purl pkg:cargo/%s@%s\n' "$crate" "$number"
    done
} >"$out/germ-post-$version.spdx"

(cd "$out" && sha256sum "$name.tar.gz" "germ-post-$version.spdx" >SHA256SUMS)
printf '%s\n' "$out/$name.tar.gz" "$out/germ-post-$version.spdx" "$out/SHA256SUMS"
