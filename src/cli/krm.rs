//! `germ-post krm`, and the post-renderer where a `ResourceList` comes in: a KRM
//! function for kustomize and kpt.

use std::process::ExitCode;

use germ_post::diagnostic::{Class, Diagnostic};
use germ_post::krm::{self, FunctionConfig};
use germ_post::rewrite;
use serde_json::Value;

use super::args::Choice;
use super::{choice, say, stdin};

/// Reads the list from stdin.
pub fn run(choice: &Choice) -> ExitCode {
    let input = match stdin::read() {
        Ok(input) => input,
        Err(error) => return say::answer(Err(error)),
    };
    match krm::resource_list(&input) {
        Some(list) => function(choice, &input, &list),
        None => say::answer(Err(Diagnostic::input(
            "not-a-resource-list",
            "stdin is not a ResourceList of config.kubernetes.io",
        )
        .help("without `krm`, germ-post rewrites a stream of manifests"))),
    }
}

/// Rewrites the items of a list. Whatever happens, a list is printed: as the
/// specification has it, errors are results of it, and make the exit code 1.
pub fn function(choice: &Choice, input: &[u8], list: &Value) -> ExitCode {
    let chosen = krm::function_config(list).and_then(|config| choice::locked(&merged(choice, config)));
    let (output, results, diagnostics) = match chosen {
        Ok(chosen) => {
            let run = rewrite::run(input, &chosen.request);
            let results = match &run.output {
                Some(_) => krm::of_run(&run.report, &run.diagnostics, list),
                None => krm::of_errors(&run.diagnostics, list),
            };
            (run.output.map(|output| output.text()), results, run.diagnostics)
        }
        Err(error) => (None, krm::of_errors(std::slice::from_ref(&error), list), vec![error]),
    };
    say::diagnostics(&diagnostics);
    let has_failed = diagnostics.iter().any(|diagnostic| diagnostic.class > Class::Warning);
    let text = String::from_utf8_lossy(input);
    let answered = say::answer(krm::answer(&text, output.as_deref(), &results));
    if has_failed { ExitCode::from(1) } else { answered }
}

/// What the command line says, overruled by what the function is told.
fn merged(choice: &Choice, config: FunctionConfig) -> Choice {
    let mut out = choice.clone();
    let FunctionConfig { profile, target, params, only, skip } = config;
    if !profile.is_empty() {
        out.profile = profile;
    }
    out.target = target.or(out.target);
    out.set.extend(params.into_iter().map(|(name, value)| format!("{name}={value}")));
    out.only.extend(only);
    out.skip.extend(skip);
    out
}
