//! A case's run → whether it is what the folder says. A success must also be
//! quiet, settled (the output is its own output) and lossless without a profile.

use crate::case::{Case, Expect};
use crate::support::run::{self, Run};

/// What is wrong with the case's run, if anything.
pub fn check(case: &Case) -> Result<(), String> {
    let run = case.run();
    match &case.expect {
        Expect::Output(wanted) => {
            succeeds(&run)?;
            same(wanted, &run.stdout)?;
            let again = case.run_on(&run.stdout);
            if again.code != 0 || again.stdout != run.stdout {
                return Err(format!(
                    "its own output is changed again: {}",
                    again.summary()
                ));
            }
            let none = run::germ_post(&["--profile", "none"], &case.input);
            if none.code != 0 || none.stdout != case.input {
                return Err(format!(
                    "the profile none does not pass the input on: {}",
                    none.summary()
                ));
            }
            Ok(())
        }
        Expect::Error { code, texts } => fails(&run, *code, texts),
        Expect::Prose => Err("no expect.yaml, no expect.exit, and no check of its own".to_owned()),
    }
}

/// Exit 0, and stderr holds nothing that looks like an error.
pub fn succeeds(run: &Run) -> Result<(), String> {
    let looks_bad = |line: &str| {
        let line = line.trim_start().to_lowercase();
        line.starts_with("error") || line.contains("panicked")
    };
    if run.code != 0 || run.stderr.lines().any(looks_bad) {
        return Err(run.summary());
    }
    Ok(())
}

/// The exit code, an empty stdout, and all of `texts` on stderr.
pub fn fails(run: &Run, code: i32, texts: &[String]) -> Result<(), String> {
    if run.code != code {
        return Err(format!("not exit {code}: {}", run.summary()));
    }
    if !run.stdout.is_empty() {
        return Err(format!(
            "{} bytes on stdout of a failed run",
            run.stdout.len()
        ));
    }
    match texts
        .iter()
        .find(|text| !run.stderr.contains(text.as_str()))
    {
        Some(text) => Err(format!("stderr lacks `{text}`: {}", run.summary())),
        None => Ok(()),
    }
}

/// Byte equality, told by the first line that differs.
pub fn same(wanted: &[u8], got: &[u8]) -> Result<(), String> {
    if wanted == got {
        return Ok(());
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes)
            .split_inclusive('\n')
            .map(str::to_owned)
            .collect()
    };
    let (wanted, got) = (lines(wanted), lines(got));
    let at = wanted.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let line = |lines: &[String]| {
        lines
            .get(at)
            .map_or("(end)".to_owned(), |line| format!("{line:?}"))
    };
    Err(format!(
        "line {}: {} instead of {}",
        at + 1,
        line(&got),
        line(&wanted)
    ))
}
