//! What can be typed behind `germ-post diff`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Choice;

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
