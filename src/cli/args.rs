//! What can be typed.

pub mod argocd;
pub mod bootstrap;
pub mod policy;
pub mod template;

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
        germ-post last\n\n\
        Exit codes: 0 done, 1 findings, differences (with --exit-code) or failed profile tests, 2 usage or unreadable input, \
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
    Last,
    /// Render a chart with Helm, and post-render what comes out
    Template(Box<template::Template>),
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
    /// Write the plan for a stream as patches for another tool
    Export(Export),
    /// Ask a live cluster once and write the facts to germ-post.yaml
    Init(Init),
    /// Print what a shell completes commands with
    #[command(after_help = "Example:\n  germ-post completions bash > /etc/bash_completion.d/germ-post")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write that of every command
    #[command(after_help = "Example:\n  germ-post man --out /usr/local/share/man/man1")]
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

/// `germ-post check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes, the same in every format: 0 nothing found, 1 findings at or above \
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
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: CheckFormat,
    /// Write findings to a file as well; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_parser = check_output)]
    pub output: Vec<(CheckFormat, PathBuf)>,
    /// The folder of the charts that stdin was rendered from: findings in formats for
    /// repositories name the template below it
    #[arg(long, value_name = "FOLDER")]
    pub source_root: Option<String>,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub fail_on: FailOn,
    /// End with 0 whatever was found
    #[arg(long, conflicts_with = "fail_on")]
    pub exit_zero: bool,
    /// Leave out findings that are less bad
    #[arg(long, value_name = "SEVERITY", default_value = "note")]
    pub min_severity: CheckSeverity,
    /// Say with every finding which chart values make it go away at the source
    #[arg(long)]
    pub values: bool,
    /// Take an input without any object for a good one
    #[arg(long)]
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

/// `germ-post diff`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
        germ-post diff before.yaml after.yaml\n  \
        helm template cilium cilium/cilium | germ-post diff --profile talos -\n  \
        germ-post diff --profile talos --format markdown before/ after/\n  \
        germ-post diff --chart charts/cilium --base origin/main --target prod\n  \
        germ-post diff --all-targets before.yaml after.yaml\n  \
        KUBECTL_EXTERNAL_DIFF=\"germ-post diff --exit-code\" kubectl diff -f manifests/\n\n\
        Exit codes, the same in every format: 0 done, 1 differences (with --exit-code), \
        2 usage or unreadable input, 3 a rule was missed or rules conflict, 4 the proof failed.")]
pub struct Diff {
    /// The old and the new manifests: files, folders, `-` for stdin; one alone is
    /// compared with itself after the profile
    #[arg(value_name = "FILE|FOLDER")]
    pub inputs: Vec<PathBuf>,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
    /// Render this chart as it was and as it is, instead of reading files
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "base",
        conflicts_with = "inputs",
        help_heading = "Charts"
    )]
    pub chart: Option<PathBuf>,
    /// How the chart is rendered
    #[command(flatten)]
    pub chart_flags: Option<ChartFlags>,
    /// Compare for every target of germ-post.yaml
    #[arg(long, conflicts_with = "target", help_heading = "Fleet")]
    pub all_targets: bool,
    /// How differences are printed on stdout
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub format: DiffFormat,
    /// Write differences to a file as well; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_parser = diff_output, help_heading = "Output")]
    pub output: Vec<(DiffFormat, PathBuf)>,
    /// End with 1 when something is different
    #[arg(long, visible_alias = "set-exit-code", help_heading = "Output")]
    pub exit_code: bool,
    /// Print nothing; implies --exit-code
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Lines of context
    #[arg(short = 'U', long, value_name = "LINES", default_value_t = 3, help_heading = "Output")]
    pub context: usize,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Colour,
    /// Leave out the line that names the two sides
    #[arg(long, help_heading = "Output")]
    pub omit_header: bool,
    /// The width of side-by-side, in characters; that of the terminal if not given
    #[arg(long, value_name = "CHARACTERS", help_heading = "Output")]
    pub width: Option<usize>,
    /// The folder of the charts that were rendered: formats for repositories name the
    /// template below it
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub source_root: Option<String>,
    /// The most characters of a markdown comment
    #[arg(long, value_name = "CHARACTERS", default_value_t = 65_536, help_heading = "Comments")]
    pub max_chars: usize,
    /// Write as many markdown comments as it takes into this folder, comment-1.md first
    #[arg(long, value_name = "FOLDER", help_heading = "Comments")]
    pub split: Option<PathBuf>,
    /// What the hidden marker of a comment says, so that the comment can be found again
    #[arg(long, value_name = "ID", default_value = "diff", value_parser = comment_id, help_heading = "Comments")]
    pub comment_id: String,
    /// Leave out differences at this path or JSON pointer; may be given several times
    #[arg(long, value_name = "PATH", help_heading = "What counts")]
    pub ignore: Vec<String>,
    /// Leave out these objects: KIND, KIND/NAME or KIND/NAMESPACE/NAME, with globs
    #[arg(long, value_name = "OBJECT", help_heading = "What counts")]
    pub ignore_object: Vec<String>,
    /// Show checksums, chart labels and generated certificates as well
    #[arg(long, help_heading = "What counts")]
    pub no_ignore: bool,
    /// Show what is merely written otherwise as well: quotes, order, comments
    #[arg(long, help_heading = "What counts")]
    pub style: bool,
    /// Mask the values at this path or JSON pointer, as those of Secrets always are
    #[arg(long, value_name = "PATH", help_heading = "What counts")]
    pub mask: Vec<String>,
    /// Take a side without any object for a good one
    #[arg(long, help_heading = "What counts")]
    pub allow_empty: bool,
}

/// How both sides of `germ-post diff --chart` are rendered.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Charts")]
pub struct ChartFlags {
    /// The commit, branch or tag of the old side
    #[arg(long, value_name = "REF", requires = "chart", required = false)]
    pub base: String,
    /// The commit, branch or tag of the new side; the working tree if not given
    #[arg(long, value_name = "REF", requires = "base")]
    pub head: Option<String>,
    /// A file of values; may be given several times
    #[arg(short = 'f', long, value_name = "FILE", value_delimiter = ',', requires = "base")]
    pub values: Vec<PathBuf>,
    /// Set a value of the chart, as Helm's --set does
    #[arg(long, value_name = "NAME=VALUE", requires = "base")]
    pub helm_set: Vec<String>,
    /// Set a value that is text, as Helm's --set-string does
    #[arg(long, value_name = "NAME=VALUE", requires = "base")]
    pub helm_set_string: Vec<String>,
    /// The release's name; that of the chart's folder if not given
    #[arg(long, value_name = "NAME", requires = "base")]
    pub release: Option<String>,
    /// The release's namespace
    #[arg(short, long, value_name = "NAME", requires = "base")]
    pub namespace: Option<String>,
    /// The Kubernetes version that the chart is told
    #[arg(long, value_name = "VERSION", requires = "base")]
    pub kube_version: Option<String>,
    /// An API that the chart is told of; may be given several times
    #[arg(short, long, value_name = "API", value_delimiter = ',', requires = "base")]
    pub api_versions: Vec<String>,
    /// Fetch dependencies that the chart's charts/ lacks; never into the working tree
    #[arg(long, requires = "base")]
    pub dependency_build: bool,
}

fn diff_output(text: &str) -> Result<(DiffFormat, PathBuf), String> {
    let (format, file) =
        text.split_once('=').ok_or("it is written FORMAT=FILE, as in markdown=comment.md")?;
    DiffFormat::from_str(format, false).map(|format| (format, PathBuf::from(file)))
}

fn comment_id(text: &str) -> Result<String, String> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    match !text.is_empty() && text.len() <= 100 && !text.contains("--") && text.chars().all(is_fine) {
        true => Ok(text.to_owned()),
        false => Err("it takes letters, digits, and single `-`, `_`, `.` and `/`".to_owned()),
    }
}

/// The formats of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Human,
    /// A patch of the text, for `git apply`
    Unified,
    /// One line an object
    Brief,
    /// Old on the left, new on the right
    SideBySide,
    /// A comment for a pull request
    Markdown,
    /// All there is to know, versioned
    Json,
    /// Workflow commands of GitHub Actions
    Github,
    /// GitLab's code quality
    Gitlab,
    /// One page for a browser
    Html,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// Where a terminal shows them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `germ-post values`.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").args(["chart", "file"]).multiple(true).required(true),
    after_help = "With --chart, keys that a chart below brings along are added where its values belong. \
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
    #[arg(long)]
    pub write: bool,
    /// Print what would change as a diff, and end with 1 if something would
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Print only what the profile wants, to be given to Helm as one more values file
    #[arg(long, conflicts_with_all = ["write", "check"])]
    pub overlay: bool,
    /// Say nothing on success
    #[arg(short, long)]
    pub quiet: bool,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: Choice,
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
    /// Take objects of this kind out. For `germ-post bootstrap`, which knows that they are
    /// not in the cluster yet: left out of an upgrade, Helm deletes what is there
    #[arg(long, value_name = "GROUP/KIND", hide = true)]
    pub hold_back: Vec<String>,
}
