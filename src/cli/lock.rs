//! `germ-post profiles lock`: the hashes of the resolved rules, written into
//! `germ-post.yaml` by the same editor that edits manifests.

use std::process::ExitCode;

use germ_post::diagnostic::Diagnostic;
use germ_post::edit::{self, Action, NewValue, Operation, Quotes};
use germ_post::profile::lock::{self, Lock};
use germ_post::report::human;
use germ_post::yaml;

use super::args::Choice;
use super::choice::{self, Chosen};
use super::config::Config;
use super::{lock_file, report_file, say};

/// Writes the lock, or checks it.
pub fn run(choice: &Choice, check: bool) -> ExitCode {
    let chosen = match choice::resolve(choice) {
        Ok(chosen) => chosen,
        Err(error) => return say::answer(Err(error)),
    };
    let Chosen { config: Some(config), rules, lock, .. } = &chosen else {
        return say::answer(Err(Diagnostic::input(
            "no-config",
            "there is no germ-post.yaml to keep the lock in",
        )
        .help("write one, or name it with --config")));
    };
    let differences = match &config.lock {
        Some(locked) => lock::differences(locked, lock),
        None => vec![format!("not locked yet: {}", human::counted(lock.len(), "rule"))],
    };
    for difference in &differences {
        say::line(&format!("germ-post: {difference}"));
    }
    if check {
        return ExitCode::from(if differences.is_empty() { 0 } else { 3 });
    }
    if differences.is_empty() {
        say::line("germ-post: the lock is up to date");
        return ExitCode::SUCCESS;
    }
    let written = write(config, lock).and_then(|()| lock_file::write(config, rules));
    say::answer(written.map(|()| String::new()))
}

fn write(config: &Config, lock: &Lock) -> Result<(), Diagnostic> {
    let shown_as = config.path.display().to_string();
    let failed = |reason: String| {
        Diagnostic::input("lock-failed", format!("cannot write the lock to {shown_as}: {reason}"))
    };
    let mut path: Vec<String> = match &config.target {
        Some(target) => vec!["targets".to_owned(), target.clone()],
        None => Vec::new(),
    };
    path.push("lock".to_owned());
    let text = |text: &String| NewValue::Str { text: text.clone(), quotes: Quotes::Double };
    let value = NewValue::Mapping(lock.iter().map(|(id, hash)| (id.clone(), text(hash))).collect());
    let tree = yaml::parse(&config.text).map_err(|error| failed(error.message))?;
    let action = match tree.locate(&path) {
        Some(_) => Action::Replace { value },
        None => Action::Add { value, after: Vec::new() },
    };
    let splices =
        edit::splices(&tree, &[Operation { path, action }]).map_err(|error| failed(error.to_string()))?;
    let new = edit::apply(&config.text, &splices);
    report_file::write(&config.path, &new).map_err(|error| failed(error.to_string()))
}
