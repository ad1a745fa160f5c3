//! What can be typed behind `germ-post helm-plugin`.

use std::path::PathBuf;

use clap::Subcommand;

/// `germ-post helm-plugin`.
#[derive(Debug, Subcommand)]
pub enum HelmPlugin {
    /// Install the plugins of the Helm that is there; nothing is fetched
    Install(Install),
}

/// `germ-post helm-plugin install`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post helm-plugin install\n  \
    HELM_BIN=helm3 germ-post helm-plugin install\n  \
    HELM_DATA_HOME=~/.local/share/helm4 germ-post helm-plugin install\n\n\
    Helm 4 gets two: one for `--post-renderer germ-post`, one for `helm germ-post …`. Helm 3 needs the second \
    only, since it finds a post-renderer in PATH. By default both Helms look into one folder, where a plugin of \
    the form that only Helm 4 reads makes Helm 3 lose all of its plugins; that is refused.\n\n\
    `helm plugin uninstall germ-post` takes it away again, and `… germ-post-cli` the other one of Helm 4.")]
pub struct Install {
    /// The folder, instead of the one where Helm looks
    #[arg(long, value_name = "FOLDER")]
    pub into: Option<PathBuf>,
    /// Install only `helm germ-post …`, in the form that both Helms read
    #[arg(long)]
    pub for_both: bool,
    /// Install whatever is in the folder
    #[arg(long)]
    pub force: bool,
}
