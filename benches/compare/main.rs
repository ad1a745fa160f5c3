//! Whole processes side by side: germ-post, `kustomize build` with the patches that
//! germ-post exports, yq with the same patches as an expression, and `cat`, on a
//! release, on a large chart and on a fleet. Run by `benches/compare.sh`, which
//! builds the peers.
//!
//! This process stays small, since the peak memory of a child is counted from that
//! of its parent on. What takes memory, making inputs and comparing outputs, is done
//! in processes of its own: this program again, with `--step`.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "it is a program")]

mod inputs;
mod means_the_same;
mod measure;
mod peers;
mod plot;
mod series;
mod table;
mod targets;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Parser, ValueEnum};

/// What goes wrong is told and ends the program.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Measures whole runs of germ-post and of other programs.
#[derive(Debug, Parser)]
#[command(name = "compare.sh")]
struct Args {
    /// The germ-post to measure.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_germ-post"))]
    germ_post: PathBuf,
    /// kustomize; left out if not given.
    #[arg(long)]
    kustomize: Option<PathBuf>,
    /// yq by Mike Farah, version 4; left out if not given.
    #[arg(long)]
    yq: Option<PathBuf>,
    /// Rounds for the smallest input; larger ones get fewer.
    #[arg(long, default_value_t = 21)]
    rounds: usize,
    /// Put the table into docs/performance.md, and the plot into docs/performance.svg.
    #[arg(long)]
    write: bool,
    /// Do not measure the series that the plot shows.
    #[arg(long, conflicts_with = "write")]
    no_plot: bool,
    /// Cargo says this when it benchmarks, and leaves it out when it tests.
    #[arg(long, hide = true)]
    bench: bool,
    /// One step of the work, in this process.
    #[arg(long, hide = true, value_names = ["STEP"], requires = "folder")]
    step: Option<Step>,
    /// Where the inputs are, for `--step`.
    #[arg(long, hide = true)]
    folder: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Step {
    Inputs,
    Check,
}

fn main() {
    let args = Args::parse();
    if !args.bench && args.step.is_none() {
        println!("run it by benches/compare.sh");
        return;
    }
    if let Err(error) = run(&args) {
        eprintln!("compare: {error}");
        std::process::exit(1);
    }
}

fn run(args: &Args) -> Result<()> {
    match (args.step, &args.folder) {
        (Some(Step::Inputs), Some(folder)) => return inputs::make(args, folder),
        (Some(Step::Check), Some(folder)) => return means_the_same::check(args, folder),
        _ => {}
    }
    let folder = tempfile::tempdir()?;
    apart(args, "inputs", folder.path())?;
    let measured = series::tables(args, folder.path())?;
    let mut text = table::text(&measured, folder.path())?;
    text.push_str(&targets::text(&measured));
    println!("{text}");
    apart(args, "check", folder.path())?;
    if !args.no_plot {
        let svg = plot::svg(&series::by_size(args, folder.path())?);
        if args.write {
            std::fs::write(document("performance.svg"), svg)?;
        }
    }
    if args.write {
        table::put_into(&document("performance.md"), &text)?;
    }
    Ok(())
}

/// A step in a process of its own.
fn apart(args: &Args, step: &str, folder: &Path) -> Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--step").arg(step).arg("--folder").arg(folder).arg("--germ-post").arg(&args.germ_post);
    for (flag, path) in [("--kustomize", &args.kustomize), ("--yq", &args.yq)] {
        command.args(path.iter().flat_map(|path| [flag.as_ref(), path.as_os_str()]));
    }
    if command.status()?.success() { Ok(()) } else { Err(format!("step {step} failed").into()) }
}

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}
