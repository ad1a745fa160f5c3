#!/usr/bin/env bash
# Writes the ConfigMap that a HelmRelease takes its values from:
#
#   values.sh CHART PROFILE > cilium-values.yaml
#
#   spec: {valuesFrom: [{kind: ConfigMap, name: germ-post-values, valuesKey: values.yaml}]}
set -euo pipefail
chart=$1 profile=$2
values=$(germ-post values --quiet --profile "$profile" --chart "$chart" --overlay)
cat <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: germ-post-values
  namespace: flux-system
data:
  values.yaml: |
YAML
printf '%s\n' "$values" | sed 's/^\(.\)/    \1/'
