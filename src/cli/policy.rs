//! `germ-post policy graph`: who may talk to whom, from manifests.

use std::process::ExitCode;

use germ_post::check::Input;
use germ_post::diagnostic::Diagnostic;
use germ_post::manifest::{Identity, objects};
use germ_post::policy::Network;
use germ_post::policy::graph;
use germ_post::profile::path::get;
use germ_post::report::policy::{dot, json, mermaid, svg, text};
use germ_post::rewrite;
use germ_post::rewrite::survey::Survey;
use serde_json::Value;

use super::args::policy::{Graph, GraphFormat, Policy};
use super::{choice, inputs, say};

/// Runs the subcommand.
pub fn run(command: &Policy) -> ExitCode {
    let Policy::Graph(args) = command;
    match drawn(args) {
        Ok(text) => say::answer(Ok(text)),
        Err((errors, code)) => {
            say::diagnostics(&errors);
            ExitCode::from(code)
        }
    }
}

/// What went wrong, with the exit code.
type Failure = (Vec<Diagnostic>, u8);

/// An object with its release: every input is one.
type Held = (Identity, usize, Value);

fn drawn(args: &Graph) -> Result<String, Failure> {
    let read = inputs::read(&args.inputs).map_err(|errors| (errors, 2))?;
    say::diagnostics(&read.warnings);
    let named = args.choice.profile.iter().any(|name| !name.is_empty());
    let rewrites = named || args.choice.target.is_some() || args.choice.config.is_some();
    let chosen =
        rewrites.then(|| choice::resolve(&args.choice)).transpose().map_err(|error| (vec![error], 2))?;
    let mut held: Vec<Held> = Vec::new();
    for (release, input) in read.inputs.into_iter().enumerate() {
        let input = match &chosen {
            Some(chosen) => rewritten(input, &chosen.request)?,
            None => input,
        };
        hold(&input, release, &mut held).map_err(|errors| (errors, 2))?;
    }
    let network = Network::new(
        held.iter().enumerate().map(|(id, (identity, release, value))| (id, identity, *release, value)),
    );
    let mut graph = graph::Graph::of(&network);
    if let Some(namespace) = &args.namespace {
        graph = graph.of_namespace(namespace);
    }
    match args.format {
        GraphFormat::Text => Ok(text::render(&graph)),
        GraphFormat::Json => json::render(&graph).map_err(|error| {
            let message = format!("cannot write the graph: {error}");
            (vec![Diagnostic::input("report-failed", message)], 2)
        }),
        GraphFormat::Mermaid => Ok(mermaid::render(&graph)),
        GraphFormat::Dot => Ok(dot::render(&graph)),
        GraphFormat::Svg => Ok(svg::render(&graph)),
    }
}

fn rewritten(input: Input, request: &rewrite::Request) -> Result<Input, Failure> {
    let run = rewrite::run(&input.bytes, request);
    match &run.output {
        Some(output) => Ok(Input { name: input.name.clone(), bytes: output.text().into_bytes() }),
        None => {
            let code = run.class().exit_code().max(2);
            Err((run.diagnostics.into_iter().map(|error| of_input(error, &input.name)).collect(), code))
        }
    }
}

/// Keeps the objects of an input.
fn hold(input: &Input, release: usize, held: &mut Vec<Held>) -> Result<(), Vec<Diagnostic>> {
    let fault = |errors: Vec<Diagnostic>| -> Vec<Diagnostic> {
        errors.into_iter().map(|error| of_input(error, &input.name)).collect()
    };
    let survey = Survey::new(&input.bytes).map_err(fault)?;
    for (index, head) in survey.heads.iter().enumerate() {
        // Definitions are large, and their webhooks are no edge of the graph.
        if !head.has_content || head.kind == "CustomResourceDefinition" {
            continue;
        }
        let (_, value) = survey.parse(index).map_err(|error| fault(vec![error]))?;
        for object in objects::objects(&value) {
            held.extend(
                get(&value, &object.at).map(|value| (object.identity.clone(), release, value.clone())),
            );
        }
    }
    Ok(())
}

/// A diagnostic of a stream, with the input's name in the place of stdin's.
fn of_input(mut error: Diagnostic, name: &str) -> Diagnostic {
    if let Some(place) = error.place.as_mut().filter(|place| place.file == rewrite::survey::STDIN) {
        name.clone_into(&mut place.file);
    }
    error
}
