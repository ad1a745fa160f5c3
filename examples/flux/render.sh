#!/usr/bin/env bash
# Renders a chart for Flux and pushes it; without a registry it only renders:
#
#   render.sh NAME CHART NAMESPACE PROFILE FOLDER [oci://registry.example.org/cilium:TAG]
#
# Needs Helm, and flux to push. The Kustomization that applies it reads an OCIRepository.
set -euo pipefail
name=$1 chart=$2 namespace=$3 profile=$4 folder=$5 artifact=${6:-}
mkdir -p "$folder"
germ-post template "$name" "$chart" --namespace "$namespace" --profile "$profile" >"$folder/rendered.yaml"
germ-post check --profile "$profile" --fail-on error "$folder/rendered.yaml" >&2
if [ -n "$artifact" ]; then
  flux push artifact "$artifact" --path "$folder" \
    --source "$(git config --get remote.origin.url)" --revision "$(git rev-parse HEAD)"
fi
