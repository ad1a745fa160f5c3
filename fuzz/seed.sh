#!/usr/bin/env bash
# Puts the inputs of all cases into the corpora that the fuzzers start from.
#
#   fuzz/seed.sh && cargo +nightly fuzz run render -- -dict=fuzz/yaml.dict
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for target in scan parse edit render; do
  mkdir -p "corpus/$target"
  for input in ../tests/cases/*/input.yaml ../tests/fuzz/seeds/*; do
    name=${input#../tests/}
    cp "$input" "corpus/$target/${name//\//-}"
  done
done
