//! What can be typed behind `germ-post helm`.

use std::ffi::OsString;

use super::Render;

/// `germ-post helm`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post helm --profile talos -- upgrade --install cilium charts/cilium -n kube-system\n  \
    germ-post helm --target prod-fra -- template cilium charts/cilium > rendered.yaml\n  \
    helm germ-post --profile talos -- upgrade --install cilium charts/cilium\n\n\
    Helm is the one that HELM_BIN names, else `helm` in PATH; its commands that take no post-renderer are \
    run as they are. The exit code is Helm's, or 2 or 3 if germ-post finds something wrong before Helm runs. \
    Neither Helm remembers its post-renderer: an upgrade without it undoes the rewrite.")]
pub struct RunHelm {
    /// Post-rendering
    #[command(flatten)]
    pub render: Render,
    /// Helm's command with its arguments
    #[arg(last = true, required = true, value_name = "HELM COMMAND", help_heading = "Helm")]
    pub command: Vec<OsString>,
}
