//! `germ-post --help`: the commands in groups, by what they are for. clap has groups of
//! options, and none of commands.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::{CommandFactory, FromArgMatches};

use super::Args;

/// The groups, and what is in them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Rewrite", &["template", "helm", "values", "export", "krm", "bootstrap"]),
    ("Look", &["check", "diff", "policy", "explain", "last"]),
    ("Set up", &["init", "profiles", "argocd", "helm-plugin"]),
    ("Package", &["completions", "man", "help"]),
];

/// Reads a command line.
pub fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    let mut command = grouped();
    let matches = command.try_get_matches_from_mut(colour_behind(words))?;
    Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// `germ-post --color never check` as `germ-post check --color never`: options in front of a
/// command are the post-renderer's, but this one is everybody's.
fn colour_behind(mut words: Vec<OsString>) -> Vec<OsString> {
    let count = match words.get(1).and_then(|word| word.to_str()) {
        Some("--color") => 2,
        Some(word) if word.starts_with("--color=") => 1,
        _ => return words,
    };
    let is_command = |word: &OsString| GROUPS.iter().any(|(_, names)| names.iter().any(|name| word == *name));
    if words.get(1 + count).is_some_and(is_command) {
        words[1..=1 + count].rotate_left(count);
    }
    words
}

/// The command line, with groups on its first page. The commands are hidden from the list that
/// clap would make, so that no other use than parsing is right for it.
pub fn grouped() -> clap::Command {
    let mut command = Args::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{}\n{{all-args}}{{after-help}}",
        listed(&command)
    );
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |below| below.hide(true));
    }
    command
        .override_usage("germ-post [OPTIONS] [-- <HELM COMMAND>...]\n       germ-post <COMMAND>")
        .help_template(template)
}

/// The groups as text. A command that no group names stands at the end.
fn listed(command: &clap::Command) -> String {
    let about = |name: &str| match (name, command.find_subcommand(name)) {
        (_, Some(below)) => below.get_about().map(ToString::to_string),
        ("help", None) => Some("Print this message or the help of a command".to_owned()),
        (_, None) => None,
    };
    let grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let rest: Vec<&str> =
        command.get_subcommands().map(clap::Command::get_name).filter(|name| !grouped(name)).collect();
    let groups = GROUPS.iter().map(|(title, names)| (*title, names.to_vec()));
    let mut out = String::new();
    for (title, names) in groups.chain([("More", rest)]) {
        let lines: Vec<(&str, String)> =
            names.into_iter().filter_map(|name| Some((name, about(name)?))).collect();
        if !lines.is_empty() {
            let _ = writeln!(out, " {title}:");
        }
        for (name, about) in lines {
            let _ = writeln!(out, "  {name:<11}  {about}");
        }
    }
    out
}
