//! Talking to people on stderr, and giving the result on stdout.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use germ_post::diagnostic::Diagnostic;
use germ_post::report::human;
use germ_post::rewrite::prove::Proved;

use super::args::Colour;
use super::stdin::file_of;

/// Decides on the colours of both streams, for the rest of the run.
pub fn colours(when: Colour) {
    match when {
        // NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM and the terminal are looked at.
        Colour::Auto => anstream::ColorChoice::Auto,
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Where lines go as well.
static ALSO: OnceLock<File> = OnceLock::new();

/// From now on lines are written to the end of a file, too, with their colours.
pub fn also_to(path: &Path) {
    if let Ok(file) = OpenOptions::new().append(true).create(true).open(path) {
        // It is asked for once in a run.
        let _ = ALSO.set(file);
    }
}

/// Prints a line on stderr. A closed stderr is nobody listening.
pub fn line(text: &str) {
    let mut out = anstream::stderr();
    let _ = writeln!(out, "{text}");
    if let Some(mut file) = ALSO.get() {
        let _ = writeln!(file, "{text}");
    }
}

/// Prints diagnostics on stderr.
pub fn diagnostics(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        // anstream strips the colours where there is no terminal for them.
        line(&human::diagnostic(diagnostic, true));
    }
}

/// Writes text to stdout in one go. A reader that has gone is no error.
pub fn result(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    unless_gone(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Writes a rewritten stream to stdout, past the line buffer that std puts there.
pub fn stream(proved: &Proved<'_>) -> std::io::Result<()> {
    let out = std::io::stdout();
    unless_gone(proved.write_to(file_of(&out)?))
}

fn unless_gone(written: std::io::Result<()>) -> std::io::Result<()> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes a result for people, its colours taken out where nothing shows them. A
/// reader that has gone is no error.
pub fn coloured(text: &str) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    unless_gone(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints a command's result, or its error; the exit code to end with.
pub fn answer(result: Result<String, Diagnostic>) -> ExitCode {
    match result {
        Ok(text) => match self::result(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                line(&format!("error: cannot write to stdout: {error}"));
                ExitCode::from(2)
            }
        },
        Err(diagnostic) => {
            let code = diagnostic.class.exit_code().max(2);
            diagnostics(&[diagnostic]);
            ExitCode::from(code)
        }
    }
}
