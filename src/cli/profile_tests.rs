//! `germ-post profiles test`: the tests that a profile holds, run through the
//! whole way of a stream.

use std::path::Path;
use std::process::ExitCode;

use germ_post::diagnostic::Diagnostic;
use germ_post::profile::file::TestFile;
use germ_post::profile::load::Loaded;
use germ_post::profile::params::Origin;
use germ_post::report::human;
use germ_post::rewrite::{self, Request};
use similar::TextDiff;

use super::{choice, say};

/// Runs every test of the named profile's own file.
pub fn run(name: &str) -> ExitCode {
    let loaded = match choice::load(&[name.to_owned()]) {
        Ok(loaded) => loaded,
        Err(error) => return say::answer(Err(error)),
    };
    let Some(file) = loaded.files.last() else { return ExitCode::from(2) };
    let folder = file.folder.clone().unwrap_or_default();
    let (mut passed, mut failed) = (0, 0);
    for (index, test) in file.file.tests.iter().enumerate() {
        let name =
            test.name.clone().or(test.stdin.clone()).unwrap_or_else(|| format!("number {}", index + 1));
        match run_test(&loaded, test, &folder) {
            Ok(()) => {
                passed += 1;
                say::line(&format!("ok      {name}"));
            }
            Err(reason) => {
                failed += 1;
                say::line(&format!("FAILED  {name}\n{reason}"));
            }
        }
    }
    say::line(&format!("{passed} passed, {failed} failed"));
    if passed + failed == 0 {
        say::line("germ-post: the profile holds no tests");
    }
    ExitCode::from(u8::from(failed > 0))
}

fn run_test(loaded: &Loaded, test: &TestFile, folder: &Path) -> Result<(), String> {
    let text = |file: &Option<String>, inline: &Option<String>| match (file, inline) {
        (Some(file), None) => {
            let path = folder.join(file);
            std::fs::read_to_string(&path)
                .map(Some)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))
        }
        (None, inline) => Ok(inline.clone()),
        (Some(_), Some(_)) => Err("a test has its text either in a file or in place".to_owned()),
    };
    let input = text(&test.stdin, &test.input)?.ok_or("the test has neither `stdin` nor `input`")?;
    let expected = text(&test.expect, &test.output)?;
    let shown = |error: &Diagnostic| human::diagnostic(error, false);
    let mut params = loaded.params().map_err(|error| shown(&error))?;
    for (name, value) in &test.set {
        params.set(name, value, Origin::CommandLine).map_err(|error| error.to_string())?;
    }
    let request = Request { loaded: loaded.clone(), params, ..Request::default() };
    let run = rewrite::run(input.as_bytes(), &request);
    let errors: Vec<String> = run.diagnostics.iter().map(shown).collect();
    match (run.output, &test.error) {
        (Some(_), Some(_)) => Err("it was to fail, and did not".to_owned()),
        (None, None) => Err(errors.join("\n")),
        (None, Some(wanted)) => {
            match wanted.iter().find(|text| !errors.iter().any(|error| error.contains(text))) {
                Some(text) => Err(format!("the error does not say `{text}`:\n{}", errors.join("\n"))),
                None => Ok(()),
            }
        }
        (Some(output), None) => {
            let expected = expected.ok_or("the test has neither `expect`, `output` nor `error`")?;
            let got = output.text();
            if got != expected {
                let diff = TextDiff::from_lines(&expected, &got);
                return Err(diff.unified_diff().header("expected", "got").to_string());
            }
            unchanged(&got, &request)
        }
    }
}

/// A second run over the output has nothing left to do.
fn unchanged(output: &str, request: &Request) -> Result<(), String> {
    let again = rewrite::run(output.as_bytes(), request);
    let Some(again_output) = again.output else {
        let errors: Vec<String> =
            again.diagnostics.iter().map(|error| human::diagnostic(error, false)).collect();
        return Err(format!("a second run over the output fails:\n{}", errors.join("\n")));
    };
    let again = again_output.text();
    if again == output {
        return Ok(());
    }
    let diff = TextDiff::from_lines(output, &again);
    Err(format!("a second run changes the output:\n{}", diff.unified_diff().header("once", "twice")))
}
