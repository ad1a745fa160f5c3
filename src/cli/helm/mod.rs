//! Running Helm: which one, with which environment, and what comes back. Helm is never
//! run by a shell.

mod dependencies;
mod environment;
pub mod find;
pub mod post_renderer;
mod private;
pub mod process;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::{self, Rendering, Version};

pub use environment::Homes;
use process::Ended;
pub use process::{Interrupts, Output};

/// A Helm that can be run.
#[derive(Debug)]
pub struct Helm {
    program: PathBuf,
    homes: Homes,
    interrupts: Interrupts,
}

/// The namespace that Helm was given for `helm germ-post …`: it keeps `-n` and `--namespace` of
/// every plugin's command line, and hands them over in a variable. Source: `manuallyProcessArgs`
/// in Helm 3.22 and 4.3.
pub fn namespace_of_plugin() -> Option<String> {
    let plugin = std::env::var("HELM_PLUGIN_NAME").ok()?;
    let is_ours = matches!(plugin.as_str(), "germ-post" | "germ-post-cli");
    std::env::var("HELM_NAMESPACE").ok().filter(|name| is_ours && !name.is_empty())
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

    /// The signals that ask us to end, for whoever waits for something else than Helm.
    pub fn interrupts(&self) -> &Interrupts {
        &self.interrupts
    }

    /// Runs Helm on a cluster, with all of the user's environment: credentials come by many
    /// ways. `more` is set beside it.
    pub fn on_cluster(&self, arguments: &[String], more: &[(&str, OsString)]) -> Result<Output, Diagnostic> {
        let mut command = Command::new(&self.program);
        command.args(arguments).envs(more.iter().map(|(name, value)| (name, value))).stdin(Stdio::null());
        match process::run_with_grace(&mut command, &self.interrupts, process::GRACE_OF_RELEASES) {
            Ok(Ended::ByItself(output)) => Ok(output),
            Ok(Ended::Interrupted) => Err(process::interrupted()),
            Err(error) => Err(self.not_run(&error)),
        }
    }

    /// Runs Helm on the user's terminal, with all of the user's environment; its exit code.
    pub fn in_the_foreground(
        &self,
        arguments: &[OsString],
        more: &[(&str, OsString)],
    ) -> Result<u8, Diagnostic> {
        let mut command = Command::new(&self.program);
        command.args(arguments).envs(more.iter().map(|(name, value)| (name, value)));
        process::run_in_the_foreground(&mut command, &self.interrupts, process::GRACE_OF_RELEASES)
            .map_err(|error| self.not_run(&error))
    }

    /// The folders of the user's own plugins, which may fetch charts or read secrets, as they
    /// are written in a `PATH`.
    pub fn plugin_folders(&self) -> Option<OsString> {
        let output = self.on_cluster(&["env".to_owned(), "HELM_PLUGINS".to_owned()], &[]).ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.trim().into()).filter(|text: &OsString| output.success && !text.is_empty())
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

    /// Fetches what a chart depends on by its Chart.yaml, whatever its Chart.lock says, and
    /// writes that anew.
    pub fn update(&self, chart: &Path) -> Result<(), Diagnostic> {
        dependencies::update(self, chart)
    }

    fn not_run(&self, error: &std::io::Error) -> Diagnostic {
        let program = self.program.display();
        Diagnostic::input("helm-not-run", format!("cannot run {program}: {error}"))
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
                Err(Diagnostic::input("interrupted", "germ-post was told to stop, and stopped Helm")
                    .note("nothing was rendered"))
            }
            Err(error) => Err(self.not_run(&error)),
        }
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
