#!/usr/bin/env bash
# Everything that must hold before a change lands: format, lints, all tests, the
# end-to-end ones against real programs among them, and the examples in the
# documentation.
#
#   tests/run.sh
#
# Needs Rust and Go. Tests build the tools that they need, which takes fifteen
# minutes on a machine's first run; later ones find them in the cache (see
# tests/tools/build.sh). `cargo test` alone is the quick way: it skips the tests
# whose tools are not there. With GERM_CI=1 what cannot be had is a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
  printf '\n== %s\n' "$*"
  "$@"
}

need() {
  command -v "$1" >/dev/null || {
    echo "run.sh: $1 is needed: $2" >&2
    exit 1
  }
}

need cargo "install Rust"
need go "install Go; the tools of the end-to-end tests are built with it"
need cargo-fmt "rustup component add rustfmt"
need cargo-clippy "rustup component add clippy"

export GERM_BUILD_TOOLS=1

step cargo fmt --check
step cargo clippy --all-targets -- -D warnings
step cargo test --all-targets
step cargo test --doc
