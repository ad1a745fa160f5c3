//! What can be typed behind `germ-post template`: the flags of `helm template` that say
//! what is rendered, and those of the post-renderer.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::Choice;

/// `germ-post template`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post template cilium cilium/cilium -n kube-system -f values.yaml --profile talos\n  \
    germ-post template cilium ./charts/cilium --set operator.replicas=1 --target prod-fra > rendered.yaml\n\n\
    Helm is the one that HELM_BIN names, else `helm` in PATH. It sees no kubeconfig, and \
    nothing of the environment that would change what it renders.")]
pub struct Template {
    /// The release's name
    pub name: String,
    /// The chart: a folder, an archive, a URL, or REPOSITORY/NAME
    pub chart: String,
    /// What Helm renders
    #[command(flatten)]
    pub helm: HelmFlags,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: TemplateChoice,
    /// Whether rules see hooks: as under Helm 4, or as under Helm 3
    #[arg(long, value_name = "HOW")]
    pub hooks: Option<Hooks>,
    /// Take a rendering without any object for a good one
    #[arg(long, help_heading = "Output")]
    pub allow_empty: bool,
    /// Write a report of every rule, as JSON
    #[arg(long, value_name = "FILE", env = "GERM_POST_REPORT", help_heading = "Output")]
    pub report: Option<PathBuf>,
    /// Say nothing on success
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Name every object that a rule left as it is
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
}

/// What becomes of hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Hooks {
    /// Rules see them, as in a release of Helm 4
    Transform,
    /// They stay as they are, as in a release of Helm 3
    Leave,
}

/// Which profile, with which parameters and rules; `--set` is Helm's here.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Profile")]
pub struct TemplateChoice {
    /// Profile to apply: a shipped name or a file; may be given several times
    #[arg(short, long, value_name = "NAME|FILE", env = "GERM_POST_PROFILE", value_delimiter = ',')]
    profile: Vec<String>,
    /// Target of germ-post.yaml to use
    #[arg(short, long, value_name = "NAME", env = "GERM_POST_TARGET")]
    target: Option<String>,
    /// Set a parameter of the profile
    #[arg(long, value_name = "NAME=VALUE")]
    param: Vec<String>,
    /// Apply only these rules: ids or prefixes of ids
    #[arg(long, value_name = "RULE")]
    only: Vec<String>,
    /// Leave these rules out: ids or prefixes of ids
    #[arg(long, value_name = "RULE")]
    skip: Vec<String>,
    /// Read this configuration instead of looking for germ-post.yaml
    #[arg(long, value_name = "FILE", env = "GERM_POST_CONFIG")]
    config: Option<PathBuf>,
}

impl TemplateChoice {
    /// The same, as the other commands have it.
    pub fn choice(&self) -> Choice {
        let Self { profile, target, param, only, skip, config } = self.clone();
        Choice { profile, target, set: param, only, skip, config }
    }
}

/// Flags of `helm template`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Helm's options")]
pub struct HelmFlags {
    /// The release's namespace
    #[arg(short, long, value_name = "NAME")]
    pub namespace: Option<String>,
    /// A file of values; may be given several times
    #[arg(short = 'f', long, value_name = "FILE", value_delimiter = ',')]
    pub values: Vec<PathBuf>,
    /// Set a value of the chart
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Set a value that is text
    #[arg(long, value_name = "NAME=VALUE")]
    pub set_string: Vec<String>,
    /// Set a value from a file's content
    #[arg(long, value_name = "NAME=FILE")]
    pub set_file: Vec<String>,
    /// Set a value that is JSON
    #[arg(long, value_name = "NAME=JSON")]
    pub set_json: Vec<String>,
    /// Set a value that is text without special characters
    #[arg(long, value_name = "NAME=VALUE")]
    pub set_literal: Vec<String>,
    /// The Kubernetes version that the chart is told
    #[arg(long, value_name = "VERSION")]
    pub kube_version: Option<String>,
    /// An API that the chart is told of; may be given several times
    #[arg(short, long, value_name = "API", value_delimiter = ',')]
    pub api_versions: Vec<String>,
    /// Leave out what the chart has in crds/
    #[arg(long)]
    pub skip_crds: bool,
    /// Render crds/, which is what happens anyway
    #[arg(long, conflicts_with = "skip_crds", hide = true)]
    pub include_crds: bool,
    /// Render the chart's tests
    #[arg(long)]
    pub include_tests: bool,
    /// Leave out tests, which is what happens anyway
    #[arg(long, conflicts_with = "include_tests", hide = true)]
    pub skip_tests: bool,
    /// Leave out hooks
    #[arg(long)]
    pub no_hooks: bool,
    /// Do not hold values against the chart's schema
    #[arg(long)]
    pub skip_schema_validation: bool,
    /// Fetch dependencies that charts/ lacks, into it
    #[arg(long)]
    pub dependency_build: bool,
    /// Where the chart comes from
    #[command(flatten)]
    origin: OriginFlags,
}

/// Flags that say where a chart comes from, as Helm has them.
#[derive(Debug, clap::Args)]
struct OriginFlags {
    /// The chart's version, or a range of versions
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// The URL of the chart's repository
    #[arg(long, value_name = "URL")]
    repo: Option<String>,
    /// Take development versions, too
    #[arg(long)]
    devel: bool,
    /// Verify the chart's signature
    #[arg(long)]
    verify: bool,
    /// The public keys for --verify
    #[arg(long, value_name = "FILE")]
    keyring: Option<String>,
    /// The user's name in the repository
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// The user's password in the repository
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,
    /// Send credentials to all hosts
    #[arg(long)]
    pass_credentials: bool,
    /// Certificates that the repository's is checked by
    #[arg(long, value_name = "FILE")]
    ca_file: Option<String>,
    /// The certificate to show the repository
    #[arg(long, value_name = "FILE")]
    cert_file: Option<String>,
    /// The key to --cert-file
    #[arg(long, value_name = "FILE")]
    key_file: Option<String>,
    /// Do not check the repository's certificate
    #[arg(long)]
    insecure_skip_tls_verify: bool,
    /// Talk to the registry without TLS
    #[arg(long)]
    plain_http: bool,
}

impl HelmFlags {
    /// The flags that say where the chart comes from, each in one word.
    pub fn origin(&self) -> Vec<OsString> {
        let origin = &self.origin;
        let valued = [
            ("version", &origin.version),
            ("repo", &origin.repo),
            ("keyring", &origin.keyring),
            ("username", &origin.username),
            ("password", &origin.password),
            ("ca-file", &origin.ca_file),
            ("cert-file", &origin.cert_file),
            ("key-file", &origin.key_file),
        ];
        let switches = [
            ("devel", origin.devel),
            ("verify", origin.verify),
            ("pass-credentials", origin.pass_credentials),
            ("insecure-skip-tls-verify", origin.insecure_skip_tls_verify),
            ("plain-http", origin.plain_http),
        ];
        let valued =
            valued.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
        let switches = switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| format!("--{name}"));
        valued.chain(switches).map(OsString::from).collect()
    }
}
