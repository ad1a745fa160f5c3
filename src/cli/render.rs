//! The post-renderer: stdin → stdout, with the profile from the command line,
//! the environment or `germ-post.yaml`.

use std::process::ExitCode;

use germ_post::diagnostic::{Class, Diagnostic};
use germ_post::report::{human, json};
use germ_post::rewrite::{self, Report, Run};

use super::args::Render;
use super::choice::{self, Chosen};
use super::{helm4, report_file, say, stdin};

/// Runs the post-renderer.
pub fn run(args: &Render) -> ExitCode {
    let chosen = choice::locked(&args.choice);
    // Read to the end even when the profile is wrong: a renderer that stops
    // reading early is taken for a good one by both Helms.
    let input = stdin::read();
    let (names, request, input) = match (chosen, input) {
        (Ok(Chosen { names, request, .. }), Ok(input)) => (names, request, input),
        (Err(error), input) => {
            return fail(args, &[], &input.unwrap_or_default(), &Report::default(), vec![error]);
        }
        (_, Err(error)) => return fail(args, &[], &[], &Report::default(), vec![error]),
    };
    let Run { output, report, diagnostics, planned } = rewrite::run(&input, &request);
    let Some(output) = output else { return fail(args, &names, &input, &report, diagnostics) };
    if let Err(error) = keep_report(args, &report, &names, 0) {
        return fail(args, &names, &input, &report, vec![error]);
    }
    if let Err(error) = say::stream(&output) {
        say::line(&format!("error: cannot write to stdout: {error}"));
        return ExitCode::from(2);
    }
    say::diagnostics(&diagnostics);
    if !args.quiet {
        let left = human::left_alone(&report);
        if args.verbose {
            for line in &left {
                say::line(&format!("germ-post: {line}"));
            }
        }
        let tail = match left.len() {
            0 => String::new(),
            number => format!(
                ", {} left alone{}",
                human::counted(number, "object"),
                if args.verbose { "" } else { " (-v names them)" }
            ),
        };
        say::line(&format!("germ-post: {}{tail} [{}]", human::summary(&report), names.join(", ")));
    }
    // The process ends here; to free all that piece by piece takes longer than much of
    // the work did.
    std::mem::forget((request, planned, report, output));
    ExitCode::SUCCESS
}

/// Writes the report where it was asked for, and for `germ-post last`.
fn keep_report(args: &Render, report: &Report, names: &[String], exit: u8) -> Result<(), Diagnostic> {
    let text = json::render(report, names, exit)
        .map_err(|error| Diagnostic::input("report-failed", format!("cannot make the report: {error}")))?;
    report_file::keep(&text);
    match &args.report {
        Some(path) => report_file::write(path, &text).map_err(|error| {
            Diagnostic::input("report-failed", format!("cannot write the report {}: {error}", path.display()))
        }),
        None => Ok(()),
    }
}

/// Tells errors in every way that may reach somebody; stdout stays empty, but for
/// Helm 4 when it was asked to show them.
fn fail(
    args: &Render,
    names: &[String],
    input: &[u8],
    report: &Report,
    diagnostics: Vec<Diagnostic>,
) -> ExitCode {
    let class = diagnostics.iter().map(|diagnostic| diagnostic.class).max().unwrap_or(Class::Input);
    let exit = class.exit_code().max(2);
    let mut report = report.clone();
    report.diagnostics = diagnostics.iter().map(Into::into).collect();
    say::diagnostics(&diagnostics);
    if let Err(error) = keep_report(args, &report, names, exit) {
        say::diagnostics(&[error]);
    }
    if helm4::is_caller(input) {
        if helm4::wants_document() && say::result(helm4::document(&diagnostics).as_bytes()).is_ok() {
            return ExitCode::SUCCESS;
        }
        helm4::to_terminal(&diagnostics);
    }
    ExitCode::from(exit)
}
