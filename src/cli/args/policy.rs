//! What can be typed behind `germ-post policy`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::Choice;

/// `germ-post policy`.
#[derive(Debug, Subcommand)]
pub enum Policy {
    /// Draw who may talk to whom according to the network policies of manifests
    Graph(Box<Graph>),
}

/// `germ-post policy graph`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post policy graph rendered/\n  \
    germ-post policy graph --format svg rendered/ > policies.svg\n  \
    germ-post policy graph --format mermaid --namespace shop rendered/\n\n\
    Exit codes: 0 done, 2 usage or unreadable input; with a profile 3 a rule was missed, 4 the proof failed.")]
pub struct Graph {
    /// Files and folders with rendered manifests, `-` for stdin
    #[arg(value_name = "FILE|FOLDER", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// How the graph is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: GraphFormat,
    /// Only what has to do with this namespace
    #[arg(short, long, value_name = "NAME")]
    pub namespace: Option<String>,
    /// A profile to rewrite the manifests by before; without one they are taken as they are
    #[command(flatten)]
    pub choice: Choice,
}

/// The formats of graphs.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum GraphFormat {
    /// For people
    Text,
    /// All there is to know, versioned
    Json,
    /// A flowchart that code hosts draw in Markdown
    Mermaid,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}
