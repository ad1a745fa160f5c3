//! What can be typed.

pub mod argocd;
pub mod bootstrap;
mod diff;
mod groups;
mod helm;
pub mod helm_plugin;
pub mod policy;
pub mod template;

pub use diff::{ChartFlags, Colour, Diff, DiffFormat};
#[cfg(test)]
pub use groups::grouped;
pub use groups::parse;
pub use helm::RunHelm;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Rewrite rendered Kubernetes manifests for a target platform: stdin to stdout,
/// touching only the bytes that a rule of the profile asks for.
#[derive(Debug, Parser)]
#[command(
    name = "germ-post",
    version = version(),
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
        helm template cilium cilium/cilium | germ-post --profile talos\n  \
        helm upgrade --install cilium cilium/cilium --post-renderer germ-post --post-renderer-args --profile=talos\n  \
        helm template cilium cilium/cilium | germ-post check --profile talos --node-config controlplane.yaml\n  \
        germ-post diff --profile talos before.yaml after.yaml\n  \
        germ-post values --profile talos --chart charts/cilium --overlay > talos.yaml\n  \
        germ-post template cilium cilium/cilium -n kube-system --profile talos\n  \
        germ-post policy graph out/ --format svg > policies.svg\n  \
        germ-post explain talos/cgroup\n  \
        germ-post helm --profile talos -- upgrade --install cilium cilium/cilium\n  \
        germ-post last\n\n\
        Exit codes: 0 done, 1 findings, differences (with --exit-code) or failed profile tests, 2 usage or unreadable input, \
        3 a rule was missed or rules conflict, 4 the proof failed; of `helm`, Helm's own."
)]
pub struct Args {
    /// What to do instead of post-rendering.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Post-rendering.
    #[command(flatten)]
    pub render: Render,
    /// When to use colours; NO_COLOR in the environment means never
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = "Output")]
    pub color: Colour,
    /// Run this command of Helm, post-rendered, as `germ-post helm` does
    #[arg(last = true, value_name = "HELM COMMAND", help_heading = "Helm")]
    pub helm: Vec<OsString>,
}

/// The version, with the revision if it is known: `0.1.0 (0123456789ab)`.
fn version() -> &'static str {
    match env!("GERM_POST_REVISION") {
        "" => env!("CARGO_PKG_VERSION"),
        _ => concat!(env!("CARGO_PKG_VERSION"), " (", env!("GERM_POST_REVISION"), ")"),
    }
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the report of the last run
    #[command(after_help = "Examples:\n  \
        germ-post last\n  \
        germ-post last | jq --raw-output '.diagnostics[].message'\n\n\
        A run is one of the post-renderer, of `template`, `helm` or `argocd generate`. The report is JSON, \
        below $XDG_STATE_HOME/germ-post, else ~/.local/state/germ-post; on Windows below %LOCALAPPDATA%.")]
    Last,
    /// Render a chart with Helm, and post-render what comes out
    Template(Box<template::Template>),
    /// Run Helm with germ-post as its post-renderer, and say what it hides
    Helm(Box<RunHelm>),
    /// Install the plugins for Helm
    #[command(subcommand)]
    HelmPlugin(helm_plugin::HelmPlugin),
    /// Install a chart on a cluster that may have no network yet
    Bootstrap(Box<bootstrap::Bootstrap>),
    /// Be a config-management plugin of Argo CD
    #[command(subcommand)]
    Argocd(argocd::Argocd),
    /// Look at, check, test and lock profiles
    #[command(subcommand)]
    Profiles(Profiles),
    /// Say what will hurt: check manifests, and the nodes' configurations beside them
    Check(Box<Check>),
    /// Show what a change does to the cluster, and which rule did it
    Diff(Box<Diff>),
    /// Write what a profile wants into chart values, so that nothing is left to rewrite
    Values(Box<Values>),
    /// Look at network policies
    #[command(subcommand)]
    Policy(policy::Policy),
    /// Explain a rule: why, source, edits, the value that makes it needless
    Explain(Explain),
    /// Write rules, or what they make of a stream, in another tool's words
    Export(Export),
    /// Be a KRM function: rewrite the items of a ResourceList
    Krm(Box<Krm>),
    /// Ask a live cluster once and write the facts to germ-post.yaml
    Init(Init),
    /// Print what a shell completes commands with
    #[command(after_help = "Examples:\n  \
        germ-post completions bash > /etc/bash_completion.d/germ-post\n  \
        germ-post completions zsh > ~/.zfunc/_germ-post")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write that of every command
    #[command(after_help = "Examples:\n  \
        germ-post man | man -l -\n  \
        germ-post man --out /usr/local/share/man/man1")]
    Man {
        /// The folder for one page a command
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

/// `germ-post profiles`.
#[derive(Debug, Subcommand)]
pub enum Profiles {
    /// List the shipped profiles
    #[command(after_help = "Examples:\n  germ-post profiles list")]
    List,
    /// Print a profile, or the rules that it comes down to
    #[command(after_help = "Examples:\n  \
        germ-post profiles show talos-os > our-talos.yaml\n  \
        germ-post profiles show talos --resolved --set networkPolicies=all")]
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
    #[command(after_help = "Examples:\n  germ-post profiles schema > germ-post.schema.json")]
    Schema,
    /// Check a profile: errors, passed dates, rules without a source
    #[command(after_help = "Examples:\n  \
        germ-post profiles lint profiles/prod-fra.yaml\n\n\
        Exit codes: 0 nothing found, 1 something found, 2 no profile that can be read.")]
    Lint {
        /// The profile's file, or a shipped name; may be several
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
    /// Run the tests that a profile holds
    #[command(after_help = "Examples:\n  \
        germ-post profiles test profiles/prod-fra.yaml\n\n\
        Exit codes: 0 all pass, 1 one failed, 2 no profile that can be read.")]
    Test {
        /// The profile's file, or a shipped name
        file: String,
    },
    /// Write the hashes of the resolved rules to germ-post.yaml
    #[command(after_help = "Examples:\n  \
        germ-post profiles lock --target prod-fra\n  \
        germ-post profiles lock --target prod-fra --check\n\n\
        Exit codes: 0 done, 2 no configuration that can be read, 3 --check found another lock.")]
    Lock {
        /// Which configuration and target
        #[command(flatten)]
        choice: Choice,
        /// Write nothing; fail if the lock is not up to date
        #[arg(long, help_heading = "Output")]
        check: bool,
    },
}

/// `germ-post check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    helm template cilium cilium/cilium | germ-post check --profile talos\n  \
    germ-post check --node-config controlplane.yaml worker.yaml -- rendered/\n  \
    germ-post check --profile talos --output sarif=check.sarif --output junit=check.xml rendered/\n\n\
    Exit codes, the same in every format: 0 nothing found, 1 findings at or above \
    --fail-on, 2 usage or unreadable input.")]
pub struct Check {
    /// Files and folders with rendered manifests, `-` for stdin
    #[arg(value_name = "FILE|FOLDER", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// Configurations of nodes: Talos, k3s or k3d
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub node_config: Vec<PathBuf>,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
    /// How findings are printed on stdout
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub format: CheckFormat,
    /// Write findings to a file as well; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_parser = check_output, help_heading = "Output")]
    pub output: Vec<(CheckFormat, PathBuf)>,
    /// The folder of the charts that stdin was rendered from: findings in formats for
    /// repositories name the template below it
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub source_root: Option<String>,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "warning", help_heading = "What counts")]
    pub fail_on: FailOn,
    /// End with 0 whatever was found
    #[arg(long, conflicts_with = "fail_on", help_heading = "What counts")]
    pub exit_zero: bool,
    /// Leave out findings that are less bad
    #[arg(long, value_name = "SEVERITY", default_value = "note", help_heading = "What counts")]
    pub min_severity: CheckSeverity,
    /// Say with every finding which chart values make it go away at the source
    #[arg(long, help_heading = "What counts")]
    pub values: bool,
    /// Take an input without any object for a good one
    #[arg(long, help_heading = "What counts")]
    pub allow_empty: bool,
    /// The day on which suppressions are judged, YYYY-MM-DD
    #[arg(long, hide = true, value_name = "DATE")]
    pub today: Option<String>,
}

fn check_output(text: &str) -> Result<(CheckFormat, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("it is written FORMAT=FILE, as in sarif=check.sarif")?;
    CheckFormat::from_str(format, false).map(|format| (format, PathBuf::from(file)))
}

/// The formats of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Human,
    /// All there is to know, versioned
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// XML as JUnit writes it
    Junit,
    /// Workflow commands of GitHub Actions
    Github,
    /// GitLab's code quality
    Gitlab,
}

/// Severities, from bad to worse.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum CheckSeverity {
    /// Worth knowing
    Note,
    /// Will hurt some day
    Warning,
    /// Breaks the platform
    Error,
}

/// What makes a check fail.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum FailOn {
    /// Whatever is worth knowing
    Note,
    /// What will hurt some day
    Warning,
    /// What breaks the platform
    Error,
    /// Nothing
    Never,
}

/// `germ-post values`.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").args(["chart", "file"]).multiple(true).required(true),
    after_help = "Examples:\n  \
        germ-post values --profile talos --chart charts/cilium --write\n  \
        germ-post values --profile talos --chart charts/cilium --overlay > talos.yaml\n  \
        germ-post values --target prod-fra --file values.yaml --check\n\n\
        With --chart, keys that a chart below brings along are added where its values belong. \
        Without it, only keys that are there are edited.\n\n\
        Exit codes: 0 done, 1 --check found a difference, 2 usage or unreadable input, \
        3 a value cannot be set, 4 the proof failed."
)]
pub struct Values {
    /// The chart that the values are for: its folder, or its archive
    #[arg(long, value_name = "FOLDER|ARCHIVE")]
    pub chart: Option<PathBuf>,
    /// The values file to write instead of the chart's own, `-` for stdin
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Change the file in place instead of printing it
    #[arg(long, help_heading = "Output")]
    pub write: bool,
    /// Print what would change as a diff, and end with 1 if something would
    #[arg(long, conflicts_with = "write", help_heading = "Output")]
    pub check: bool,
    /// Print only what the profile wants, to be given to Helm as one more values file
    #[arg(long, conflicts_with_all = ["write", "check"], help_heading = "Output")]
    pub overlay: bool,
    /// Say nothing on success
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
}

/// `germ-post explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post explain talos/cgroup-automount\n  \
    germ-post explain talos/\n  \
    germ-post explain --profile profiles/prod-fra.yaml prod-fra/proxy")]
pub struct Explain {
    /// The rule's id, or a prefix of ids
    pub rule: String,
    /// Look in this profile as well
    #[arg(short, long, value_name = "NAME|FILE")]
    pub profile: Vec<String>,
}

/// `germ-post krm`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post krm --profile talos < list.yaml\n  \
    kustomize build --enable-alpha-plugins --enable-exec overlay\n\n\
    What the functionConfig of the list says has the last word.\n\n\
    Exit codes: 0 done, 1 the list's results hold errors, 2 stdin is no ResourceList.")]
pub struct Krm {
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
}

/// `germ-post export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    helm template cilium cilium/cilium > rendered.yaml\n  \
    germ-post export --as kustomize --profile talos < rendered.yaml > kustomization.yaml\n  \
    germ-post export --as flux --profile talos < rendered.yaml\n\n\
    Exit codes: 0 done, 2 usage or unreadable input, 3 a rule was missed or rules conflict, 4 the proof failed.")]
pub struct Export {
    /// The tool to write for
    #[arg(long = "as", value_name = "TOOL")]
    pub format: ExportFormat,
    /// Rules whose policies refuse objects rather than warn, or `all`
    #[arg(long, value_name = "RULE|all", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// Version of the cluster, for policies that mutate
    #[arg(long, value_name = "VERSION", default_value = "1.34")]
    pub kube_version: String,
    /// Name of the manifest in Talos' machine configuration
    #[arg(long, value_name = "NAME", default_value = "germ-post")]
    pub name: String,
    /// Version of Talos that the manifest is for
    #[arg(long, value_name = "VERSION", default_value = "1.12")]
    pub talos_version: String,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
}

/// The tools to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A kustomization.yaml for the stream in rendered.yaml
    Kustomize,
    /// The postRenderers of a Flux HelmRelease
    Flux,
    /// ValidatingAdmissionPolicies with bindings; reads no stream
    Vap,
    /// MutatingAdmissionPolicies with bindings; reads no stream
    Map,
    /// The rewritten stream as a manifest in Talos' machine configuration
    TalosInline,
}

/// `germ-post init`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post init --context prod-fra\n  \
    germ-post init --context prod-fra --output clusters/prod-fra/germ-post.yaml --force\n\n\
    It only asks, by kubectl, and only the context that is named. Look through what it writes before you use it.")]
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
#[command(next_help_heading = "Profile")]
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
    #[arg(long, value_name = "FILE", env = "GERM_POST_REPORT", help_heading = "Output")]
    pub report: Option<PathBuf>,
    /// Say nothing on success
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Name every object that a rule left as it is
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
    /// Take objects of this kind out. For `germ-post bootstrap`, which knows that they are
    /// not in the cluster yet: left out of an upgrade, Helm deletes what is there
    #[arg(long, value_name = "GROUP/KIND", hide = true)]
    pub hold_back: Vec<String>,
    /// Write what is said to this file as well. For `germ-post helm`, which tells it when Helm
    /// is done
    #[arg(long, value_name = "FILE", hide = true)]
    pub also_say_to: Option<PathBuf>,
}
