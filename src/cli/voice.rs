//! What every command owes its reader: a first line in one voice, options said alike, and
//! examples that are command lines of this program.

use std::ffi::OsString;

use clap::{Command, CommandFactory};

use super::args::{self, Args};
use super::diff_sides::in_our_order;

/// Every command with the words that call it, and whether others are below it.
fn commands() -> Vec<(String, Command)> {
    fn walk(command: &Command, name: &str, into: &mut Vec<(String, Command)>) {
        into.push((name.to_owned(), command.clone()));
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            walk(below, &format!("{name} {}", below.get_name()), into);
        }
    }
    let mut commands = Vec::new();
    walk(&Args::command(), "germ-post", &mut commands);
    commands
}

fn help_of(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

/// The lines behind `Examples:`.
fn examples(command: &Command) -> Vec<String> {
    let help = help_of(command);
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// The words of a line of shell, cut into the commands between `|`; what is redirected is left
/// out, and so are variables in front.
fn calls(line: &str) -> Vec<Vec<String>> {
    let mut words: Vec<String> = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if letter == open => quote = None,
            (None, ' ') => words.push(String::new()),
            (_, _) => words.iter_mut().last().unwrap().push(letter),
        }
    }
    let pipes = words.split(|word| word == "|");
    pipes
        .map(|call| {
            let call = call.iter().skip_while(|word| word.contains('=') && !word.starts_with('-'));
            call.take_while(|word| !matches!(word.as_str(), ">" | "<")).cloned().collect()
        })
        .collect()
}

#[test]
fn every_command_has_examples() {
    for (name, command) in commands() {
        if command.has_subcommands() && name != "germ-post" {
            continue;
        }
        let examples = examples(&command);
        assert!(!examples.is_empty(), "{name} --help has no `Examples:`");
        let called = examples.iter().filter(|line| line.contains(&name) || line.contains("helm germ-post"));
        assert!(called.count() > 0, "no example of {name} calls it: {examples:#?}");
    }
}

#[test]
fn every_example_is_a_command_line_of_ours() {
    for (name, command) in commands() {
        for line in examples(&command) {
            for call in
                calls(&line).iter().filter(|call| call.first().is_some_and(|word| word == "germ-post"))
            {
                let words: Vec<OsString> = call.iter().map(OsString::from).collect();
                if let Err(error) = args::parse(in_our_order(words)) {
                    panic!("{name}: {line}\n{error}");
                }
            }
        }
    }
}

#[test]
fn first_lines_say_what_to_do_and_end_without_a_full_stop() {
    for (name, command) in commands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(about.starts_with(|c: char| c.is_ascii_uppercase()), "{name}: {about}");
        assert!(!about.ends_with('.'), "{name}: {about}");
        let verb = about.split(' ').next().unwrap();
        assert!(!verb.ends_with("ing") && !verb.ends_with('s'), "{name}: {about}: not an imperative");
    }
}

#[test]
fn options_are_said_alike() {
    for (name, command) in commands() {
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let what = format!("{name} {}: {help}", argument.get_id());
            assert!(help.starts_with(|c: char| c.is_uppercase()), "{what}");
            assert!(!help.ends_with('.'), "{what}");
        }
    }
}

/// An option that several commands have means one thing, and is said in the same words. Helm's
/// own are another matter: there `--set` is Helm's.
#[test]
fn one_option_has_one_meaning() {
    let shared = ["profile", "target", "config", "only", "skip", "report", "quiet", "verbose", "color"];
    let every = commands();
    for option in shared {
        let mut said: Vec<(String, String)> = Vec::new();
        for (name, command) in &every {
            let Some(argument) = command.get_arguments().find(|argument| argument.get_id() == option) else {
                continue;
            };
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            said.push((name.clone(), help));
        }
        // What the operator of Argo CD gives, and what `explain` looks into, is not the run's.
        said.retain(|(name, _)| !name.contains("argocd") && !name.contains("explain"));
        if option == "quiet" {
            // Where output is all that a command has, silence is an answer by the exit code.
            said.retain(|(name, _)| name != "germ-post diff");
        }
        let Some((_, first)) = said.first() else { continue };
        assert!(said.iter().all(|(_, help)| help == first), "--{option}: {said:#?}");
    }
}

#[test]
fn the_first_page_names_every_command_once_and_with_its_group() {
    let page = args::grouped().render_help().to_string();
    let list = page.split("\n\n").find(|part| part.starts_with("Commands:")).unwrap();
    for (name, command) in commands().into_iter().filter(|(name, _)| name.split(' ').count() == 2) {
        let word = name.split(' ').nth(1).unwrap();
        let lines = list.lines().filter(|line| line.starts_with(&format!("  {word} ")));
        assert_eq!(lines.count(), 1, "{word} in\n{page}");
        assert!(page.contains(&command.get_about().unwrap().to_string()), "{page}");
    }
    assert!(!page.contains("\n More:"), "a command is in no group:\n{page}");
    for heading in ["Commands:", " Rewrite:", " Look:", "Profile:", "Output:"] {
        assert!(page.lines().any(|line| line == heading), "{heading} in\n{page}");
    }
}

#[test]
fn lines_of_shell_are_cut() {
    let cut = calls("X=\"a b\" germ-post diff --exit-code 'c d' | jq . > out");
    assert_eq!(cut, [vec!["germ-post", "diff", "--exit-code", "c d"], vec!["jq", "."]]);
}
