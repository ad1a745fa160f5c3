//! `germ-post values`: what a profile wants, written into chart values.

use std::path::Path;
use std::process::ExitCode;

use germ_post::diagnostic::{Class, Diagnostic};
use germ_post::report::values as report;
use germ_post::values::{self, Outcome, Request};

use super::args::Values;
use super::{chart_files, choice, report_file, say, stdin};

/// The name of standard input.
const STDIN: &str = "<stdin>";

/// Works out the values and prints, writes or compares them.
pub fn run(args: &Values) -> ExitCode {
    match outcome(args).and_then(|outcome| tell(args, &outcome).map_err(|error| vec![error])) {
        Ok(code) => ExitCode::from(code),
        Err(errors) => {
            say::diagnostics(&errors);
            let class = errors.iter().map(|error| error.class).max().unwrap_or(Class::Input);
            ExitCode::from(class.exit_code().max(2))
        }
    }
}

fn outcome(args: &Values) -> Result<Outcome, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let chart = args.chart.as_deref().map(chart_files::load).transpose().map_err(one)?;
    let file = args.file.as_deref().map(read).transpose().map_err(one)?;
    let chosen = choice::resolve_for_values(&args.choice).map_err(one)?;
    let request = Request {
        rewrite: &chosen.request,
        names: &chosen.names,
        chart: chart.as_ref(),
        file: file.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
    };
    values::run(&request)
}

fn read(path: &Path) -> Result<(String, Vec<u8>), Diagnostic> {
    if path == Path::new("-") {
        return stdin::read().map(|bytes| (STDIN.to_owned(), bytes.to_vec()));
    }
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(Diagnostic::input("input-unreadable", format!("cannot read {name}: {error}"))),
    }
}

/// Prints or writes; the exit code.
fn tell(args: &Values, outcome: &Outcome) -> Result<u8, Diagnostic> {
    if let Some(error) = outcome.signed.as_ref().filter(|_| !args.overlay) {
        return Err(error.clone());
    }
    say::diagnostics(&outcome.warnings);
    let print = |text: &str| {
        say::result(text.as_bytes())
            .map_err(|error| Diagnostic::input("output-failed", format!("cannot write to stdout: {error}")))
    };
    let mut code = 0;
    if args.overlay {
        print(&outcome.overlay)?;
    } else if args.check {
        let name = match (&args.file, &args.chart) {
            (Some(file), _) if file == Path::new("-") => "stdin".to_owned(),
            (Some(file), _) => file.display().to_string(),
            (None, Some(chart)) => chart.join("values.yaml").display().to_string(),
            (None, None) => String::new(),
        };
        let diff = report::diff(outcome, name.trim_start_matches('/'), true);
        say::coloured(&diff).map_err(|error| {
            Diagnostic::input("output-failed", format!("cannot write to stdout: {error}"))
        })?;
        code = u8::from(outcome.before != outcome.after);
    } else if args.write {
        write(args, outcome)?;
    } else {
        print(&outcome.after)?;
    }
    if !args.quiet {
        let summary = match args.overlay {
            true => {
                format!("{} in the overlay", germ_post::report::human::counted(outcome.overlaid, "value"))
            }
            false => report::summary(outcome),
        };
        say::line(&format!("germ-post: {summary}"));
        report::remarks(outcome).iter().for_each(|remark| say::line(&format!("  {remark}")));
    }
    Ok(code)
}

fn write(args: &Values, outcome: &Outcome) -> Result<(), Diagnostic> {
    let path = match (&args.file, &args.chart) {
        (Some(file), _) if file == Path::new("-") => {
            return Err(Diagnostic::input(
                "bad-argument",
                "--write has no file to write: the values come from stdin",
            ));
        }
        (Some(file), _) => file.clone(),
        (None, Some(chart)) if chart.is_dir() => chart.join("values.yaml"),
        (None, _) => {
            return Err(Diagnostic::input("bad-argument", "--write does not write into an archive")
                .help("unpack the chart, or take --overlay"));
        }
    };
    if outcome.before == outcome.after {
        return Ok(());
    }
    report_file::replace(&path, &outcome.after).map_err(|error| {
        Diagnostic::input("output-failed", format!("cannot write {}: {error}", path.display()))
    })
}
