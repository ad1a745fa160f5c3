//! Every rendering of the corpus through `--profile talos`, once for all tests
//! of this program, and the list of those that it rightly stops.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::run::Run;
use crate::support::{self, parallel, run};

/// A rendering and what the profile talos made of it.
pub struct TalosRun {
    pub file: PathBuf,
    pub input: Vec<u8>,
    pub run: Run,
    /// What `--report` wrote.
    pub report: Value,
}

impl TalosRun {
    /// `folder/name` of the rendering.
    pub fn name(&self) -> String {
        short(&self.file)
    }
}

/// `folder/name` of a file of the corpus.
pub fn short(file: &Path) -> String {
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    format!("{}/{}", name(file.parent()), name(Some(file)))
}

/// All runs, in the order of the files.
pub fn all() -> &'static [TalosRun] {
    static RUNS: OnceLock<Vec<TalosRun>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let files = support::renderings();
        parallel::map(&files, |file| {
            let input = std::fs::read(file).unwrap();
            let report = run::scratch().join(format!("{}.json", short(file).replace('/', "-")));
            let run = run::germ_post(&["--profile", "talos", "--report", &report.to_string_lossy()], &input);
            let report = std::fs::read(report).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            TalosRun { file: file.clone(), input, run, report: report.unwrap_or_default() }
        })
    })
}

/// Renderings that the profile talos must stop, with the reason and a text that
/// stderr has to hold.
const STOPPED: &[(&str, &str, &str)] = &[];

#[test]
fn no_rendering_is_stopped_without_a_reason() {
    let runs = all();
    let mut failures = Vec::new();
    for talos in runs {
        let name = talos.name();
        match STOPPED.iter().find(|(file, _, _)| *file == name) {
            None if talos.run.code == 0 => {}
            None => failures.push(format!("{name}: {}", talos.run.summary())),
            Some((_, reason, text)) => {
                if talos.run.code != 3 || !talos.run.stdout.is_empty() || !talos.run.stderr.contains(text) {
                    failures.push(format!("{name}: must stop ({reason}): {}", talos.run.summary()));
                }
            }
        }
    }
    for (file, _, _) in STOPPED {
        if !runs.is_empty() && runs.iter().all(|talos| talos.name() != *file) {
            failures.push(format!("{file} is not in the corpus"));
        }
    }
    parallel::report("renderings", runs.len(), &failures);
}
