//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Rewrite rendered Kubernetes manifests for a target platform: stdin to stdout,
/// touching only the bytes that a rule of the profile asks for.
#[derive(Debug, Parser)]
#[command(
    name = "germ-post",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
        helm template cilium cilium/cilium | germ-post --profile talos\n  \
        helm upgrade --install cilium cilium/cilium --post-renderer germ-post --post-renderer-args --profile=talos\n  \
        germ-post explain talos/cgroup\n  \
        germ-post last\n\n\
        Exit codes: 0 done, 1 findings or failed profile tests, 2 usage or unreadable input, \
        3 a rule was missed or rules conflict, 4 the proof failed."
)]
pub struct Args {
    /// What to do instead of post-rendering.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Post-rendering.
    #[command(flatten)]
    pub render: Render,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the report of the last run
    Last,
    /// Look at, check, test and lock profiles
    #[command(subcommand)]
    Profiles(Profiles),
    /// Explain a rule: why, source, edits, the value that makes it needless
    Explain(Explain),
    /// Write the plan for a stream as patches for another tool
    Export(Export),
    /// Ask a live cluster once and write the facts to germ-post.yaml
    Init(Init),
}

/// `germ-post profiles`.
#[derive(Debug, Subcommand)]
pub enum Profiles {
    /// List the shipped profiles
    List,
    /// Print a profile, or the rules that it comes down to
    Show {
        /// A shipped name or a file
        name: String,
        /// Print every rule with what it extends, parameters and adjustments applied
        #[arg(long)]
        resolved: bool,
        /// Set a parameter of the profile
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
    },
    /// Print the JSON Schema of profiles
    Schema,
    /// Check a profile: errors, passed dates, rules without a source
    Lint {
        /// The profile's file, or a shipped name
        file: String,
    },
    /// Run the tests that a profile holds
    Test {
        /// The profile's file, or a shipped name
        file: String,
    },
    /// Write the hashes of the resolved rules to germ-post.yaml
    Lock {
        /// Which configuration and target
        #[command(flatten)]
        choice: Choice,
        /// Write nothing; fail if the lock is not up to date
        #[arg(long)]
        check: bool,
    },
}

/// `germ-post explain`.
#[derive(Debug, clap::Args)]
pub struct Explain {
    /// The rule's id, or a prefix of ids
    pub rule: String,
    /// Look in this profile as well
    #[arg(short, long, value_name = "NAME|FILE")]
    pub profile: Vec<String>,
}

/// `germ-post export`.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The tool to write for
    #[arg(long = "as", value_name = "TOOL")]
    pub format: ExportFormat,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
}

/// The tools to export to.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ExportFormat {
    /// A kustomization.yaml for the stream in rendered.yaml
    Kustomize,
    /// The postRenderers of a Flux HelmRelease
    Flux,
}

/// `germ-post init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    /// The kubectl context to ask
    #[arg(long, value_name = "CONTEXT")]
    pub context: String,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "germ-post.yaml")]
    pub output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// Which profile, with which parameters and rules.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Choice {
    /// Profile to apply: a shipped name or a file; may be given several times
    #[arg(short, long, value_name = "NAME|FILE", env = "GERM_POST_PROFILE", value_delimiter = ',')]
    pub profile: Vec<String>,
    /// Target of germ-post.yaml to use
    #[arg(short, long, value_name = "NAME", env = "GERM_POST_TARGET")]
    pub target: Option<String>,
    /// Set a parameter of the profile
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Apply only these rules: ids or prefixes of ids
    #[arg(long, value_name = "RULE")]
    pub only: Vec<String>,
    /// Leave these rules out: ids or prefixes of ids
    #[arg(long, value_name = "RULE")]
    pub skip: Vec<String>,
    /// Read this configuration instead of looking for germ-post.yaml
    #[arg(long, value_name = "FILE", env = "GERM_POST_CONFIG")]
    pub config: Option<PathBuf>,
}

/// The options of the post-renderer.
#[derive(Debug, clap::Args)]
pub struct Render {
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
    /// Write a report of every rule, as JSON
    #[arg(long, value_name = "FILE", env = "GERM_POST_REPORT")]
    pub report: Option<PathBuf>,
    /// Say nothing on success
    #[arg(short, long)]
    pub quiet: bool,
    /// Name every object that a rule left as it is
    #[arg(short, long)]
    pub verbose: bool,
}
