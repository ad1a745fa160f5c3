//! What can be typed behind `germ-post argocd`. Argo CD itself types no flags: what an
//! application says comes in the environment, what the operator says stands in
//! `plugin.yaml` or in the sidecar's environment.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Subcommand, ValueEnum};

use super::template::Hooks;

/// What is to know of the commands that Argo CD runs.
macro_rules! by_argocd {
    () => {
        "Run by Argo CD in an application's folder. What the application says is read from \
         ARGOCD_APP_PARAMETERS and ARGOCD_ENV_GERM_POST_…; docs/argocd.md lists the parameters."
    };
}

/// `germ-post argocd`.
#[derive(Debug, Subcommand)]
pub enum Argocd {
    /// Print an application's manifests: its chart rendered by Helm and post-rendered
    #[command(after_help = concat!("Examples:\n  germ-post argocd generate --target prod-fra\n\n", by_argocd!()))]
    Generate(Operator),
    /// Print the parameters that an application can set
    #[command(after_help = concat!("Examples:\n  germ-post argocd parameters --profile talos\n\n", by_argocd!()))]
    Parameters(Operator),
    /// Fetch the charts that an application's chart depends on, if charts/ lacks some
    #[command(after_help = concat!("Examples:\n  germ-post argocd init\n\n", by_argocd!()))]
    Init(Operator),
    /// Print plugin.yaml, the plugin's configuration
    PluginConfig(PluginConfig),
    /// Print the sidecar of the repo-server that runs the plugin
    Sidecar(Sidecar),
}

/// What the operator of Argo CD decides. None of it can be set by an application.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Operator {
    /// Profile for applications that name none
    #[arg(short, long, value_name = "NAME|FILE", env = "GERM_POST_PROFILE", value_delimiter = ',')]
    pub profile: Vec<String>,
    /// Target for applications that name none
    #[arg(short, long, value_name = "NAME", env = "GERM_POST_TARGET")]
    pub target: Option<String>,
    /// A germ-post.yaml for all applications, which none can override
    #[arg(long, value_name = "FILE", env = "GERM_POST_PINNED", conflicts_with = "profile")]
    pub pinned: Option<PathBuf>,
    /// A parameter of the profile that applications can set all the same
    #[arg(
        long = "open-param",
        value_name = "NAME",
        env = "GERM_POST_OPEN_PARAMS",
        value_delimiter = ',',
        requires = "pinned"
    )]
    pub open_params: Vec<String>,
    /// Whether rules see hooks: as under Helm 4, or as under Helm 3
    #[arg(long, value_name = "HOW", env = "GERM_POST_HOOKS")]
    pub hooks: Option<Hooks>,
    /// Fetch nothing: charts/ has to hold what a chart depends on
    #[arg(long, env = "GERM_POST_OFFLINE", value_parser = FalseyValueParser::new())]
    pub offline: bool,
}

/// `germ-post argocd plugin-config`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post argocd plugin-config > plugin.yaml\n  \
    germ-post argocd plugin-config --name germ-post-prod --discover")]
pub struct PluginConfig {
    /// The plugin's name, by which applications ask for it
    #[arg(long, value_name = "NAME", default_value = "germ-post")]
    pub name: String,
    /// Take applications that name no plugin, too, if a germ-post.yaml is beside their chart
    #[arg(long)]
    pub discover: bool,
}

/// `germ-post argocd sidecar`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post argocd sidecar --image registry.example.org/germ-post-argocd:0.1.0 > sidecar.yaml\n  \
    germ-post argocd sidecar --image registry.example.org/germ-post-argocd:0.1.0 --as helm-values")]
pub struct Sidecar {
    /// Which plugin
    #[command(flatten)]
    pub plugin: PluginConfig,
    /// An image with germ-post and Helm in its PATH
    #[arg(long, value_name = "IMAGE")]
    pub image: String,
    /// The ConfigMap with a germ-post.yaml that no application can override
    #[arg(long, value_name = "CONFIGMAP")]
    pub pinned: Option<String>,
    /// What to print
    #[arg(long = "as", value_name = "FORM", default_value = "patch")]
    pub form: SidecarForm,
}

/// The ways to install a sidecar.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SidecarForm {
    /// A strategic merge patch of the Deployment argocd-repo-server
    Patch,
    /// Values of the chart argo-cd, the plugin's configuration among them
    HelmValues,
}
