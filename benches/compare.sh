#!/usr/bin/env bash
# Compares germ-post with kustomize, yq and cat, as whole processes, and prints one
# table. Needs Rust and Go; the first run builds kustomize and yq (some minutes).
#
#   benches/compare.sh            print the table
#   benches/compare.sh --write    also put it into docs/performance.md, and the plot beside it
#   benches/compare.sh --help     more
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=$(tests/tools/build.sh kustomize yq)
where() { awk -v name="$1" '$1 == name { sub(/^[^ ]+ /, ""); print }' <<<"$tools"; }

# As it is released.
target=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS=$(deploy/rustflags.sh "$target")
export RUSTFLAGS
exec cargo bench --quiet --target "$target" --bench compare -- --kustomize "$(where kustomize)" --yq "$(where yq)" "$@"
