//! Which programs run on which streams.

use std::fs;
use std::path::Path;

use super::inputs::{self, SIZES, of_size};
use super::measure::{Figures, Program, in_turn};
use super::{Args, Result, peers};

/// A program's figures on a stream.
#[derive(Debug, Clone)]
pub struct Row {
    pub program: String,
    /// Bytes of its input.
    pub bytes: u64,
    /// `None`: it failed.
    pub figures: Option<Figures>,
}

impl Row {
    /// Bytes a second of CPU time, in MB.
    pub fn speed(&self) -> Option<f64> {
        self.figures.map(|figures| self.bytes as f64 / 1e3 / figures.cpu)
    }
}

/// All rows of a stream.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: &'static str,
    pub title: &'static str,
    pub rows: Vec<Row>,
}

pub const TALOS: &str = "germ-post --profile talos";
pub const NONE: &str = "germ-post --profile none";
pub const KUSTOMIZE: &str = "kustomize build";
pub const YQ: &str = "yq";

/// The programs on the three streams.
pub fn tables(args: &Args, folder: &Path) -> Result<Vec<Table>> {
    let mut out = Vec::new();
    for (name, title, share) in [
        ("release", "(a) Cilium 1.20.0", 1),
        ("chart", "(b) kube-prometheus-stack with CRDs", 2),
        ("fleet", "(c) the release and all charts of the corpus, over and over", 4),
    ] {
        if !inputs::file(folder, name).exists() {
            continue;
        }
        eprintln!("measuring: {title}");
        let rounds = (args.rounds / share).max(1);
        let mut programs = own(args, folder, name);
        programs.insert(0, Program::new("true", "true", &inputs::file(folder, name)));
        if name == "fleet" {
            // The peers would take minutes and gigabytes, and kustomize takes no
            // object twice: they get a tenth, once.
            programs.extend(of_peers(args, folder, &of_size(SIZES[4]), true));
        } else {
            programs.extend(of_peers(args, folder, name, false));
        }
        out.push(Table { name, title, rows: rows(&programs, rounds, folder)? });
    }
    Ok(out)
}

/// The programs on streams of growing size.
pub fn by_size(args: &Args, folder: &Path) -> Result<Vec<Row>> {
    let mut out = Vec::new();
    for size in SIZES {
        eprintln!("measuring: {size} bytes");
        let mut programs = own(args, folder, &of_size(size));
        programs.extend(of_peers(args, folder, &of_size(size), size > 1_000_000));
        out.extend(rows(&programs, if size > 1_000_000 { 5 } else { 9 }, folder)?);
    }
    out.extend(rows(&own(args, folder, "fleet"), 3, folder)?);
    Ok(out)
}

fn rows(programs: &[Program], rounds: usize, folder: &Path) -> Result<Vec<Row>> {
    let figures = in_turn(programs, rounds, folder)?;
    let row = |(program, figures): (&Program, Option<Figures>)| {
        Ok(Row { program: program.name.clone(), bytes: fs::metadata(&program.stdin)?.len(), figures })
    };
    programs.iter().zip(figures).map(row).collect()
}

/// `cat` and germ-post on a stream.
pub fn own(args: &Args, folder: &Path, name: &str) -> Vec<Program> {
    let stream = inputs::file(folder, name);
    vec![
        Program::new("cat", "cat", &stream),
        Program::new(NONE, &args.germ_post, &stream).args(["--profile", "none"]),
        Program::new(TALOS, &args.germ_post, &stream).args(["--profile", "talos"]),
    ]
}

/// The peers that are there, on a stream.
pub fn of_peers(args: &Args, folder: &Path, name: &str, once: bool) -> Vec<Program> {
    let stream = inputs::file(folder, name);
    let expression = peers::expression(folder, name).into_os_string();
    let kustomize = args.kustomize.iter().map(|path| {
        let folder = peers::kustomization(folder, name).into_os_string();
        Program::new(KUSTOMIZE, path, &stream).args(["build".into(), folder])
    });
    let yq = args.yq.iter().map(|path| {
        Program::new(YQ, path, &stream).args(["--from-file".into(), expression.clone(), "-".into()])
    });
    yq.chain(kustomize).map(|program| program.once(once)).collect()
}
