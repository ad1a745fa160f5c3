//! The post-renderer: stdin → stdout, with the profile from the command line,
//! the environment or `germ-post.yaml`; and the same for what Helm was run for. A
//! `ResourceList` is a KRM function's business.

use std::path::Path;
use std::process::ExitCode;

use germ_post::bootstrap::late;
use germ_post::diagnostic::{Class, Diagnostic};
use germ_post::krm::resource_list;
use germ_post::profile::load::load;
use germ_post::report::{human, json};
use germ_post::rewrite::outcome::RuleReport;
use germ_post::rewrite::prove::Proved;
use germ_post::rewrite::{self, Report, Run};

use super::args::Render;
use super::choice::{self, Chosen};
use super::{helm4, krm, report_file, say, stdin};

/// How a run is told of, and what it may print.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner<'m> {
    /// Where the report goes as well.
    pub report: Option<&'m Path>,
    /// Whether success is not worth a word.
    pub quiet: bool,
    /// Whether every object is named that a rule left as it is.
    pub verbose: bool,
    /// What is to be said of a result without any object; `None`: it is right.
    pub empty: Option<&'m str>,
    /// `GROUP/KIND` of the objects that are taken out of the result.
    pub hold_back: &'m [String],
    /// Whether somebody else tells people what is said.
    pub is_told: bool,
}

/// Runs the post-renderer.
pub fn run(args: &Render) -> ExitCode {
    if let Some(file) = &args.also_say_to {
        say::also_to(file);
    }
    let manner = Manner {
        report: args.report.as_deref(),
        quiet: args.quiet,
        verbose: args.verbose,
        hold_back: &args.hold_back,
        is_told: args.also_say_to.is_some(),
        ..Manner::default()
    };
    // Read to the end even when the profile is wrong: a renderer that stops
    // reading early is taken for a good one by both Helms.
    let input = stdin::read();
    if let Ok(input) = &input
        && let Some(list) = resource_list(input)
    {
        return krm::function(&args.choice, input, &list);
    }
    match (choice::locked(&args.choice), input) {
        (Ok(chosen), Ok(input)) => rewrite(chosen, &input, manner),
        (Err(error), input) => fail(manner, &[], &input.unwrap_or_default(), &Report::default(), vec![error]),
        (_, Err(error)) => fail(manner, &[], &[], &Report::default(), vec![error]),
    }
}

/// Rewrites a stream to stdout.
pub fn rewrite(chosen: Chosen, input: &[u8], manner: Manner<'_>) -> ExitCode {
    let Chosen { names, request, .. } = chosen;
    let run = rewrite::run(input, &request);
    let is_empty = manner.empty.filter(|_| run.output.is_some() && !run.leaves_objects);
    let Run { output, mut report, diagnostics, remains, .. } = run;
    let Some(mut output) = output else { return fail(manner, &names, input, &report, diagnostics) };
    let result;
    if !manner.hold_back.is_empty() {
        result = output.text();
        match hold_back(&result, manner.hold_back) {
            Ok((left, mut rules)) => {
                report.dropped += rules.iter().map(|rule| rule.objects.len()).sum::<usize>();
                report.rules.append(&mut rules);
                output = left;
            }
            Err(errors) => return fail(manner, &names, input, &report, errors),
        }
    }
    if let Some(consequence) = is_empty {
        return fail(manner, &names, input, &report, vec![empty(&report, consequence)]);
    }
    if let Err(error) = keep_report(manner, &report, &names, 0) {
        return fail(manner, &names, input, &report, vec![error]);
    }
    if let Err(error) = say::stream(&output) {
        say::line(&format!("error: cannot write to stdout: {error}"));
        return ExitCode::from(2);
    }
    say::diagnostics(&diagnostics);
    if !manner.quiet {
        let left = human::left_alone(&report);
        if manner.verbose {
            for line in &left {
                say::line(&format!("germ-post: {line}"));
            }
        }
        let tail = match left.len() {
            0 => String::new(),
            number => format!(
                ", {} left alone{}",
                human::counted(number, "object"),
                if manner.verbose { "" } else { " (-v names them)" }
            ),
        };
        say::line(&format!("germ-post: {}{tail} [{}]", human::summary(&report), names.join(", ")));
    }
    // The process ends here; to free all that piece by piece takes longer than much of
    // the work did.
    std::mem::forget((request, remains, report, output));
    ExitCode::SUCCESS
}

/// What is left of a result without the objects of some kinds, and the rules that took them
/// out.
fn hold_back<'s>(
    result: &'s str,
    kinds: &[String],
) -> Result<(Proved<'s>, Vec<RuleReport>), Vec<Diagnostic>> {
    let text = late::hold_back(kinds);
    let name = "./hold-back.yaml".to_owned();
    let loaded = load(&[name], &|_| Ok(text.clone())).map_err(|error| vec![error])?;
    let params = loaded.params().map_err(|error| vec![error])?;
    let run = rewrite::run(result.as_bytes(), &rewrite::Request { loaded, params, ..Default::default() });
    run.output.map(|output| (output, run.report.rules)).ok_or(run.diagnostics)
}

/// A result without any object, which is seldom meant.
fn empty(report: &Report, consequence: &str) -> Diagnostic {
    let message = match report.dropped {
        0 => "the chart renders no object".to_owned(),
        number => format!("no object is left: rules drop {}", human::counted(number, "object")),
    };
    let diagnostic = Diagnostic::input("empty-result", message).note(consequence);
    report
        .rules
        .iter()
        .filter(|rule| {
            rule.objects.iter().any(|object| object.state == rewrite::outcome::ObjectState::Dropped)
        })
        .fold(diagnostic, |diagnostic, rule| diagnostic.note(format!("{} drops some", rule.id)))
}

/// Writes the report where it was asked for, and for `germ-post last`.
fn keep_report(manner: Manner<'_>, report: &Report, names: &[String], exit: u8) -> Result<(), Diagnostic> {
    let text = json::render(report, names, exit)
        .map_err(|error| Diagnostic::input("report-failed", format!("cannot make the report: {error}")))?;
    report_file::keep(&text);
    match manner.report {
        Some(path) => report_file::write(path, &text).map_err(|error| {
            Diagnostic::input("report-failed", format!("cannot write the report {}: {error}", path.display()))
        }),
        None => Ok(()),
    }
}

/// Tells errors in every way that may reach somebody; stdout stays empty, but for
/// Helm 4 when it was asked to show them.
pub fn fail(
    manner: Manner<'_>,
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
    if let Err(error) = keep_report(manner, &report, names, exit) {
        say::diagnostics(&[error]);
    }
    if !manner.is_told && helm4::is_caller(input) {
        if helm4::wants_document() && say::result(helm4::document(&diagnostics).as_bytes()).is_ok() {
            return ExitCode::SUCCESS;
        }
        helm4::to_terminal(&diagnostics);
    }
    ExitCode::from(exit)
}
