//! The post-renderer: stdin → stdout, with the profile from the command line,
//! the environment or `germ-post.yaml`.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use germ_post::diagnostic::{Class, Diagnostic};
use germ_post::profile::embedded;
use germ_post::profile::load::{self, Loaded};
use germ_post::profile::params::{Origin, ParamError, Params};
use germ_post::report::{human, json};
use germ_post::rewrite::{self, Report, Request, Run};

use super::args::Render;
use super::config::{self, Config};
use super::{helm4, report_file, say};

/// Runs the post-renderer.
pub fn run(args: &Render) -> ExitCode {
    let prepared = prepare(args);
    // Read to the end even when the profile is wrong: a renderer that stops
    // reading early is taken for a good one by both Helms.
    let input = if say::stdin_is_terminal() { Err(terminal()) } else { read_stdin() };
    let (names, request, input) = match (prepared, input) {
        (Ok((names, request)), Ok(input)) => (names, request, input),
        (Err(error), input) => {
            return fail(args, &[], &input.unwrap_or_default(), &Report::default(), vec![error]);
        }
        (_, Err(error)) => return fail(args, &[], &[], &Report::default(), vec![error]),
    };
    let Run { output, report, diagnostics } = rewrite::run(&input, &request);
    let Some(output) = output else { return fail(args, &names, &input, &report, diagnostics) };
    if let Err(error) = keep_report(args, &report, &names, 0) {
        return fail(args, &names, &input, &report, vec![error]);
    }
    if let Err(error) = say::result(output.bytes()) {
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
    ExitCode::SUCCESS
}

fn read_stdin() -> Result<Vec<u8>, Diagnostic> {
    let mut input = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut input) {
        Ok(_) => Ok(input),
        Err(error) => Err(Diagnostic::input("stdin-unreadable", format!("cannot read stdin: {error}"))),
    }
}

fn terminal() -> Diagnostic {
    Diagnostic::input(
        "stdin-is-terminal",
        "stdin is a terminal; germ-post reads rendered manifests from a pipe",
    )
    .help("helm template RELEASE CHART | germ-post --profile talos")
    .help("`germ-post --help` lists what else it does")
}

/// Profiles, parameters and rule filters, checked.
fn prepare(args: &Render) -> Result<(Vec<String>, Request), Diagnostic> {
    let (names, config) = profiles(args)?;
    let folder =
        config.as_ref().and_then(|config| config.path.parent()).map(Path::to_path_buf).unwrap_or_default();
    let located: Vec<String> = names
        .iter()
        .map(|name| match &config {
            // Paths in the configuration are relative to it.
            Some(_) if load::is_path(name) => folder.join(name).display().to_string(),
            _ => name.clone(),
        })
        .collect();
    let loaded = load::load(&located, &|path| std::fs::read_to_string(path))?;
    let params = params(args, &loaded, config.as_ref())?;
    Ok((names, Request { loaded, params, only: args.only.clone(), skip: args.skip.clone() }))
}

/// The profiles' names, and the configuration where that names them.
fn profiles(args: &Render) -> Result<(Vec<String>, Option<Config>), Diagnostic> {
    let named: Vec<String> = args.profile.iter().filter(|name| !name.is_empty()).cloned().collect();
    if !named.is_empty() && args.config.is_none() {
        return Ok((named, None));
    }
    let path = match &args.config {
        Some(path) => Some(path.clone()),
        None => std::env::current_dir().ok().and_then(|folder| config::discover(&folder)),
    };
    let config = path.map(|path| config::read(&path)).transpose()?;
    if !named.is_empty() {
        return Ok((named, config));
    }
    match config {
        Some(config) => match &config.file.profile {
            Some(profile) => Ok((profile.iter().map(str::to_owned).collect(), Some(config))),
            None => {
                Err(Diagnostic::input("no-profile", format!("{} names no profile", config.path.display()))
                    .help("add `profile: talos`, or give --profile"))
            }
        },
        None => Err(Diagnostic::input("no-profile", "no profile is given")
            .note(format!("shipped profiles: {}", embedded::names().collect::<Vec<_>>().join(", ")))
            .help("give --profile NAME, set GERM_POST_PROFILE, or write a germ-post.yaml")),
    }
}

/// Parameters: environment, then configuration, then command line.
fn params(args: &Render, loaded: &Loaded, config: Option<&Config>) -> Result<Params, Diagnostic> {
    let mut params = loaded.params()?;
    let from_environment: Vec<(String, String)> = params
        .iter()
        .filter(|(_, param)| !param.is_decided())
        .filter_map(|(name, param)| Some((name.to_owned(), param.declared.env.clone()?)))
        .collect();
    for (name, variable) in from_environment {
        if let Ok(text) = std::env::var(&variable) {
            params
                .set_text(&name, &text, Origin::Environment(variable.clone()))
                .map_err(|error| param_error(&error, &format!("environment variable {variable}")))?;
        }
    }
    if let Some(config) = config {
        let origin = config.path.display().to_string();
        for (name, value) in config.file.facts.iter().chain(&config.file.params) {
            params
                .set(name, value, Origin::Config(origin.clone()))
                .map_err(|error| param_error(&error, &origin))?;
        }
    }
    for set in &args.set {
        let Some((name, value)) = set.split_once('=') else {
            return Err(Diagnostic::input("bad-argument", format!("`--set {set}` is not NAME=VALUE")));
        };
        params.set_text(name, value, Origin::CommandLine).map_err(|error| param_error(&error, "--set"))?;
    }
    Ok(params)
}

fn param_error(error: &ParamError, origin: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::input("bad-parameter", error.to_string()).note(format!("it was set by {origin}"));
    error.help().into_iter().fold(diagnostic, Diagnostic::help)
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
