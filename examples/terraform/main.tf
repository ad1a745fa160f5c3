# The Helm provider (3.x) has Helm 3 built in, which takes a post-renderer by its path or its name
# in PATH. It runs at plan and again at apply, so it has to be the same program with the same
# profile both times: pin the version where Terraform runs, and lock the target.
#
# Hooks and crds/ are not post-rendered, as under Helm 3. `data "helm_template"` takes no
# post-renderer, whatever its schema says.
terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 3.0"
    }
  }
}

resource "helm_release" "cilium" {
  name      = "cilium"
  namespace = "kube-system"
  chart     = "${path.module}/../../charts/stand-in/cilium"

  postrender = {
    binary_path = "germ-post"
    args        = ["--profile=talos", "--quiet"]
  }
}
