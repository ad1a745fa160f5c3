#!/usr/bin/env bash
# Prints how the program of a release is compiled for a target, as RUSTFLAGS:
#
#   RUSTFLAGS=$(deploy/rustflags.sh TRIPLE) cargo build --release --target TRIPLE
#
# On Linux it is linked statically and to a fixed address. It then runs wherever the kernel
# does, in an empty container and on Talos too, and starts in two thirds of the time: loading
# and placing three libraries takes longer than checking a release. `--target` has to be
# given, even for the machine's own: else the flags reach macros, which are libraries.
set -euo pipefail

case ${1:?usage: rustflags.sh TRIPLE} in
  *-linux-*) echo "-C target-feature=+crt-static -C relocation-model=static" ;;
  *) echo ;;
esac
