//! `germ-post check`: what will hurt, on stdout and in files.

use std::process::ExitCode;

use germ_post::check::{self, Checked, Request, node_config};
use germ_post::diagnostic::Diagnostic;
use germ_post::profile::file::Severity;
use germ_post::report::check::{github, gitlab, human, json, junit, sarif};

use super::args::{Check, CheckFormat, CheckSeverity, FailOn};
use super::choice::{self, Chosen};
use super::{inputs, profiles, report_file, say};

/// What is checked by where nothing names a profile.
const OTHERWISE: &[&str] = &["checks-kubernetes", "checks-cilium", "checks-policy"];

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

/// The profile with the checks of a platform.
fn checks_of(group: &str) -> Option<&'static str> {
    match group {
        node_config::TALOS => Some("checks-talos"),
        node_config::K3S => Some("checks-k3s"),
        _ => None,
    }
}

fn checked(args: &Check) -> Result<(Checked, Vec<String>), Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let read = inputs::read(&args.inputs)?;
    let nodes = inputs::read(&args.node_config)?;
    say::diagnostics(&read.warnings);
    // Whoever shows a node's configuration wants it checked, whatever the profile.
    let platforms = node_config::platforms(&nodes.inputs);
    let also: Vec<&str> = platforms.iter().filter_map(|group| checks_of(group)).collect();
    let chosen = choice::resolve_for_check(&args.choice, OTHERWISE, &also).map_err(one)?;
    let Chosen { mut names, mut request, config, .. } = chosen;
    for name in also.into_iter() {
        if !names.iter().any(|named| named == name) {
            names.push(name.to_owned());
        }
    }
    let request = Request {
        only: std::mem::take(&mut request.only),
        rewrite: request,
        ignores: config.map(|config| config.ignores).unwrap_or_default(),
        today: args.today.clone().unwrap_or_else(profiles::today),
        allow_empty: args.allow_empty,
        values: args.values,
    };
    let mut checked = check::check(&read.inputs, &nodes.inputs, &request)?;
    checked.at_least(match args.min_severity {
        CheckSeverity::Note => Severity::Note,
        CheckSeverity::Warning => Severity::Warning,
        CheckSeverity::Error => Severity::Error,
    });
    say::diagnostics(&checked.warnings);
    Ok((checked, names))
}

/// Prints and writes the findings; the exit code.
fn tell(args: &Check, checked: &Checked, names: &[String]) -> Result<u8, Diagnostic> {
    let fails_on = match args.fail_on {
        _ if args.exit_zero => None,
        FailOn::Never => None,
        FailOn::Note => Some(Severity::Note),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Error => Some(Severity::Error),
    };
    let code = u8::from(fails_on.is_some_and(|severity| checked.fails_on(severity)));
    let teller = Teller { checked, names, code, fails_on, source_root: args.source_root.as_deref() };
    for (format, path) in &args.output {
        let text = teller.render(*format, false)?;
        report_file::write(path, &text).map_err(|error| {
            Diagnostic::input("report-failed", format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let text = teller.render(args.format, true)?;
    say::coloured(&text)
        .map_err(|error| Diagnostic::input("report-failed", format!("cannot write to stdout: {error}")))?;
    if args.format == CheckFormat::Github {
        report_file::step_summary(&github::summary(checked, args.source_root.as_deref()))?;
    }
    Ok(code)
}

/// What every format is made of.
struct Teller<'t> {
    checked: &'t Checked,
    names: &'t [String],
    code: u8,
    fails_on: Option<Severity>,
    source_root: Option<&'t str>,
}

impl Teller<'_> {
    fn render(&self, format: CheckFormat, colour: bool) -> Result<String, Diagnostic> {
        let text = match format {
            CheckFormat::Human => Ok(human::render(self.checked, self.names, colour)),
            CheckFormat::Json => json::render(self.checked, self.names, self.code),
            CheckFormat::Sarif => sarif::render(self.checked, self.source_root),
            CheckFormat::Junit => Ok(junit::render(self.checked, self.fails_on, self.source_root)),
            CheckFormat::Github => Ok(github::render(self.checked, self.source_root)),
            CheckFormat::Gitlab => gitlab::render(self.checked, self.source_root),
        };
        text.map_err(|error| Diagnostic::input("report-failed", format!("cannot make the report: {error}")))
    }
}
