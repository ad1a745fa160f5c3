//! `germ-post last`: the report of the last run, for readers of a release whose
//! Helm hid what was said.

use std::process::ExitCode;

use super::{report_file, say};

/// Prints the report.
pub fn run() -> ExitCode {
    let Some(path) = report_file::last() else {
        say::line("error: there is no folder for the state of programs (XDG_STATE_HOME and HOME are unset)");
        return ExitCode::from(2);
    };
    match std::fs::read(&path) {
        Ok(text) => match say::result(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                say::line(&format!("error: cannot write to stdout: {error}"));
                ExitCode::from(2)
            }
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            say::line("error: no run is on record yet");
            ExitCode::from(2)
        }
        Err(error) => {
            say::line(&format!("error: cannot read {}: {error}", path.display()));
            ExitCode::from(2)
        }
    }
}
