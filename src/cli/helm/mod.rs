//! Running Helm: which one, with which environment, and what comes back. Helm is never
//! run by a shell.

mod dependencies;
mod environment;
mod find;
mod private;
mod process;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::{self, Rendering, Version};

pub use environment::Homes;
use process::{Ended, Interrupts, Output};

/// A Helm that can be run.
#[derive(Debug)]
pub struct Helm {
    program: PathBuf,
    homes: Homes,
    interrupts: Interrupts,
}

/// What to do when dependencies of a chart are not in its `charts/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependencies<'d> {
    /// Fetch them into it.
    Fetch {
        /// The folder that charts named by `file://` have to lie in.
        within: Option<&'d Path>,
    },
    /// Say so.
    MustBeThere,
}

impl Helm {
    /// Finds the Helm that `HELM_BIN` names, or the one in `PATH`.
    pub fn find(homes: Homes) -> Result<Self, Diagnostic> {
        let program = find::find(|name| std::env::var_os(name))?;
        Ok(Self { program, homes, interrupts: Interrupts::listen() })
    }

    /// Its version.
    pub fn version(&self) -> Result<Version, Diagnostic> {
        let output = self.run(Path::new("."), ["version", "--template={{.Version}}"])?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = Version::parse(&text).filter(|_| output.success);
        version.ok_or_else(|| {
            let program = self.program.display();
            let message = format!("{program} does not tell its version: it is no Helm 3 or 4");
            let first = String::from_utf8_lossy(&output.stderr).lines().next().map(str::to_owned);
            first.into_iter().fold(Diagnostic::input("helm-unknown", message), Diagnostic::note)
        })
    }

    /// What `helm template` prints, run in `folder`.
    pub fn template(
        &self,
        folder: &Path,
        rendering: &Rendering,
        dependencies: Dependencies<'_>,
    ) -> Result<Vec<u8>, Diagnostic> {
        let mut output = self.run(folder, rendering.arguments())?;
        if !output.success && helm::failure::misses_dependencies(&text(&output)) {
            let chart = folder.join(&rendering.chart);
            let Dependencies::Fetch { within } = dependencies else {
                return Err(dependencies::missing(&self.failure("render the chart", &output, rendering)));
            };
            dependencies::build(self, &chart, within)?;
            output = self.run(folder, rendering.arguments())?;
        }
        match output.success {
            true => Ok(output.stdout),
            false => Err(self.failure("render the chart", &output, rendering)),
        }
    }

    /// Fetches what a chart depends on, if it is not there. Whether there was
    /// something to do.
    pub fn complete(&self, chart: &Path, dependencies: Dependencies<'_>) -> Result<bool, Diagnostic> {
        let missing = dependencies::not_there(chart)?;
        if missing.is_empty() {
            return Ok(false);
        }
        let Dependencies::Fetch { within } = dependencies else {
            let message = format!("the chart's charts/ lacks {}", missing.join(", "));
            return Err(dependencies::missing(&Diagnostic::input("helm-failed", message)));
        };
        dependencies::build(self, chart, within).map(|()| true)
    }

    fn failure(&self, doing: &str, output: &Output, rendering: &Rendering) -> Diagnostic {
        helm::failure(doing, &text(output), rendering.confidential())
    }

    /// Runs Helm in a folder, to its end.
    fn run<A: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Output, Diagnostic> {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        self.homes.apply(&mut command, std::env::vars_os());
        match process::run(&mut command, &self.interrupts) {
            Ok(Ended::ByItself(output)) => Ok(output),
            Ok(Ended::Interrupted) => {
                let message = "germ-post was told to stop, and stopped Helm";
                Err(Diagnostic::input("interrupted", message).note(
                    "Argo CD does so when a rendering takes longer than its --repo-server-timeout-seconds",
                ))
            }
            Err(error) => {
                let program = self.program.display();
                Err(Diagnostic::input("helm-not-run", format!("cannot run {program}: {error}")))
            }
        }
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
