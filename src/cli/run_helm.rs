//! `germ-post helm -- upgrade …`: Helm as its user calls it, with germ-post as its
//! post-renderer. Helm hides what a post-renderer says: all of it on success, and Helm 4 on
//! failure, too. So the post-renderer leaves it in a file, and it is told when Helm is done.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::CommandLine;

use super::args::Render;
use super::helm::{Helm, Homes, post_renderer};
use super::{choice, say};

/// Runs Helm; the exit code is its own.
pub fn run(args: &Render, words: &[OsString]) -> ExitCode {
    match ran(args, words) {
        Ok(code) => ExitCode::from(code),
        Err(error) => say::answer(Err(error)),
    }
}

fn ran(args: &Render, words: &[OsString]) -> Result<u8, Diagnostic> {
    let command = CommandLine::new(words);
    let helm = Helm::find(Homes::OfUser)?;
    if !command.is_post_rendered() {
        return helm.in_the_foreground(words, &[]);
    }
    let version = helm.version()?;
    command.check(version)?;
    // Told here, before Helm begins anything, what is wrong with the profile has its own words.
    choice::locked(&args.choice)?;
    let folder = tempfile::Builder::new().prefix("germ-post-").tempdir().map_err(|error| {
        Diagnostic::input("no-temporary-folder", format!("cannot make a temporary folder: {error}"))
            .help("set TMPDIR to a folder that can be written")
    })?;
    let said = folder.path().join("said");
    let mut arguments = post_renderer::arguments(&args.choice);
    arguments.extend(args.report.iter().map(|path| format!("--report={}", path.display())));
    arguments.extend(args.quiet.then(|| "--quiet".to_owned()));
    arguments.extend(args.verbose.then(|| "--verbose".to_owned()));
    arguments.extend(args.hold_back.iter().map(|kind| format!("--hold-back={kind}")));
    arguments.push(format!("--also-say-to={}", said.display()));
    let renderer = post_renderer::PostRenderer::new(&helm, version, arguments)?;
    let words = command.with(renderer.flags.iter().map(OsString::from));
    let code = helm.in_the_foreground(&words, &renderer.environment)?;
    // Helm 3 prints it itself when the post-renderer is what failed.
    if version.major >= 4 || code == 0 {
        tell(&said);
    }
    Ok(code)
}

/// Tells what the post-renderer said, if it was run.
fn tell(said: &Path) {
    if let Ok(text) = std::fs::read_to_string(said) {
        text.lines().for_each(say::line);
    }
}
