//! `germ-post check`: what will hurt, on stdout and in files.

use std::process::ExitCode;

use germ_post::check::{self, Checked, Request};
use germ_post::diagnostic::Diagnostic;
use germ_post::profile::file::Severity;
use germ_post::report::check::{human, json};

use super::args::{Check, CheckFormat, CheckSeverity, FailOn};
use super::choice::{self, Chosen};
use super::{inputs, profiles, report_file, say};

/// What is checked by where nothing names a profile.
const OTHERWISE: &[&str] = &["checks-kubernetes", "checks-cilium"];

/// Checks, prints, and says by the exit code whether something was found.
pub fn run(args: &Check) -> ExitCode {
    match checked(args) {
        Ok((checked, names)) => match tell(args, &checked, &names) {
            Ok(code) => ExitCode::from(code),
            Err(error) => say::answer(Err(error)),
        },
        Err(errors) => {
            say::diagnostics(&errors);
            ExitCode::from(2)
        }
    }
}

fn checked(args: &Check) -> Result<(Checked, Vec<String>), Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let read = inputs::read(&args.inputs)?;
    let nodes = inputs::read(&args.node_config)?;
    let chosen = choice::resolve_for_check(&args.choice, OTHERWISE).map_err(one)?;
    let Chosen { names, mut request, config, .. } = chosen;
    let request = Request {
        only: std::mem::take(&mut request.only),
        rewrite: request,
        ignores: config.map(|config| config.ignores).unwrap_or_default(),
        today: args.today.clone().unwrap_or_else(profiles::today),
        allow_empty: args.allow_empty,
    };
    let mut checked = check::check(&read.inputs, &nodes.inputs, &request)?;
    checked.at_least(match args.min_severity {
        CheckSeverity::Note => Severity::Note,
        CheckSeverity::Warning => Severity::Warning,
        CheckSeverity::Error => Severity::Error,
    });
    say::diagnostics(&read.warnings);
    say::diagnostics(&checked.warnings);
    Ok((checked, names))
}

/// Prints and writes the findings; the exit code.
fn tell(args: &Check, checked: &Checked, names: &[String]) -> Result<u8, Diagnostic> {
    let fails = match args.fail_on {
        _ if args.exit_zero => false,
        FailOn::Never => false,
        FailOn::Note => checked.fails_on(Severity::Note),
        FailOn::Warning => checked.fails_on(Severity::Warning),
        FailOn::Error => checked.fails_on(Severity::Error),
    };
    let code = u8::from(fails);
    for (format, path) in &args.output {
        let text = render(*format, checked, names, code, false)?;
        report_file::write(path, &text).map_err(|error| {
            Diagnostic::input("report-failed", format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let text = render(args.format, checked, names, code, true)?;
    say::coloured(&text).map_err(|error| {
        Diagnostic::input("report-failed", format!("cannot write to stdout: {error}"))
    })?;
    Ok(code)
}

fn render(
    format: CheckFormat,
    checked: &Checked,
    names: &[String],
    exit: u8,
    colour: bool,
) -> Result<String, Diagnostic> {
    let text = match format {
        CheckFormat::Human => Ok(human::render(checked, names, colour)),
        CheckFormat::Json => json::render(checked, names, exit),
    };
    text.map_err(|error| Diagnostic::input("report-failed", format!("cannot make the report: {error}")))
}
