//! The streams to measure on, in a folder, with the patches for the peers:
//!
//! - `release`: the release of Cilium,
//! - `chart`: kube-prometheus-stack with its CRDs,
//! - `fleet`: 100 MB, the release and then all charts of the corpus over and over,
//! - `size-N`: about N bytes of documents that are all of different objects, since
//!   kustomize takes no object twice.
//!
//! Without a corpus the example release of the repository makes all of them.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use germ_post::manifest::Identity;
use germ_post::rewrite::survey::Survey;

use super::{Args, Result, peers};

/// Bytes of the fleet.
const FLEET: u64 = 100_000_000;

/// Sizes of the series, in bytes. The fleet is one more.
pub const SIZES: [u64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The name of a stream of the series.
pub fn of_size(size: u64) -> String {
    format!("size-{size}")
}

/// The file of a stream.
pub fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("yaml")
}

/// Makes all of them.
pub fn make(args: &Args, folder: &Path) -> Result<()> {
    let sources = Sources::find();
    fs::copy(&sources.release, file(folder, "release"))?;
    if let Some(chart) = &sources.chart {
        fs::copy(chart, file(folder, "chart"))?;
    }
    fleet(&sources, &file(folder, "fleet"))?;
    let documents = different(&sources)?;
    for size in SIZES {
        fs::write(file(folder, &of_size(size)), fitting(&documents, size))?;
    }
    let for_peers = ["release".to_owned(), "chart".to_owned()].into_iter().chain(SIZES.map(of_size));
    for name in for_peers.filter(|name| file(folder, name).exists()) {
        peers::prepare(args, folder, &name)?;
    }
    Ok(())
}

struct Sources {
    release: PathBuf,
    chart: Option<PathBuf>,
    charts: Vec<PathBuf>,
}

impl Sources {
    fn find() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let corpus =
            std::env::var_os("GERM_CORPUS").map_or_else(|| here.join("../shared/corpus"), PathBuf::from);
        let example = here.join("examples/release.yaml");
        let there = |path: &str| Some(corpus.join(path)).filter(|path| path.is_file());
        let mut charts: Vec<PathBuf> = fs::read_dir(corpus.join("platform"))
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
            .collect();
        charts.sort();
        if charts.is_empty() {
            println!("There is no corpus (set GERM_CORPUS): examples/release.yaml stands in for it.");
            charts.push(example.clone());
        }
        Self {
            release: there("cilium/cilium-1.20.0-vanilla.yaml").unwrap_or(example),
            chart: there("platform/kube-prometheus-stack-88.5.3-crds.yaml"),
            charts,
        }
    }
}

fn fleet(sources: &Sources, path: &Path) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut length = append(&sources.release, &mut out)?;
    for chart in sources.charts.iter().cycle() {
        if length >= FLEET {
            break;
        }
        length += append(chart, &mut out)?;
    }
    Ok(out.flush()?)
}

/// Appends a file, as documents of their own.
fn append(path: &Path, out: &mut impl Write) -> Result<u64> {
    let mut file = File::open(path)?;
    let mut first = [0; 4];
    let read = file.read(&mut first)?;
    let mut extra = 0;
    if first.get(..read) != Some(b"---\n") {
        out.write_all(b"---\n")?;
        extra += 4;
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    file.rewind()?;
    let copied = std::io::copy(&mut file, out)?;
    if last != *b"\n" {
        out.write_all(b"\n")?;
        extra += 1;
    }
    Ok(copied + extra)
}

/// The release as one piece, then documents with one named object each, no object
/// twice.
fn different(sources: &Sources) -> Result<Vec<String>> {
    let mut seen = HashSet::new();
    let mut pieces = vec![fs::read_to_string(&sources.release)?];
    for (nth, path) in std::iter::once(&sources.release).chain(&sources.charts).enumerate() {
        let bytes = fs::read(path)?;
        let survey = Survey::new(&bytes).map_err(|_| format!("{} is not readable", path.display()))?;
        for index in 0..survey.heads.len() {
            let Ok((_, value)) = survey.parse(index) else { continue };
            let identity = Identity::of(&value);
            let is_one = !identity.name.is_empty() && !identity.kind.ends_with("List");
            // What is in no namespace is the same object whatever namespace it names.
            let key = (identity.kind.clone(), identity.name.clone());
            if is_one && seen.insert(key) && nth > 0 {
                pieces.push(format!("---\n{}\n", survey.text(index).trim_end()));
            }
        }
    }
    Ok(pieces)
}

/// As many of the pieces, in order, as fit into the size.
fn fitting(pieces: &[String], size: u64) -> String {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let mut out = String::new();
    for piece in pieces {
        if out.len() + piece.len() <= size {
            out.push_str(piece);
        }
        if out.len() * 100 >= size * 97 {
            break;
        }
    }
    out
}
