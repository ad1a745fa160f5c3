//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

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
        germ-post last\n\n\
        Exit codes: 0 done, 2 usage or unreadable input, 3 a rule was missed or rules conflict, 4 the proof failed."
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
    /// Look at profiles
    #[command(subcommand)]
    Profiles(Profiles),
}

/// `germ-post profiles`.
#[derive(Debug, Subcommand)]
pub enum Profiles {
    /// List the shipped profiles
    List,
    /// Print a shipped profile
    Show {
        /// The profile's name
        name: String,
    },
}

/// The options of the post-renderer.
#[derive(Debug, clap::Args)]
pub struct Render {
    /// Profile to apply: a shipped name or a file; may be given several times
    #[arg(short, long, value_name = "NAME|FILE", env = "GERM_POST_PROFILE", value_delimiter = ',')]
    pub profile: Vec<String>,
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
