//! The pages of `docs/commands/`, one for each command, made from the same description of the
//! command line as `--help`; `GERM_UPDATE=1` writes them anew. What stands outside of the marks on
//! a page is written by hand and stays.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory};

use super::args::Args;

const BEGIN: &str = "<!-- command: begin, made from the command line -->\n";
const END: &str = "<!-- command: end -->\n";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// The program and its commands, with the names of their pages.
fn commands() -> Vec<(String, Command)> {
    let mut program = Args::command();
    program.build();
    let shown =
        program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let mut all: Vec<(String, Command)> =
        shown.map(|command| (command.get_name().to_owned(), command.clone())).collect();
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all.insert(0, ("germ-post".to_owned(), program));
    all
}

/// Replaces what stands between two marks, or holds it against what is made.
fn keep(path: &Path, otherwise: &str, begin: &str, end: &str, made: &str) {
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let text = if kept.is_empty() { otherwise } else { kept.as_str() };
    let (before, rest) = text.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let wanted = format!("{before}{begin}{made}{end}{after}");
    if std::env::var_os("GERM_UPDATE").is_some() && wanted != kept {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &wanted).unwrap();
        return;
    }
    assert!(kept == wanted, "{} is not what --help says; GERM_UPDATE=1 writes it anew", path.display());
}

#[test]
fn every_command_has_a_page() {
    let folder = docs().join("commands");
    let mut pages = vec!["README.md".to_owned()];
    let mut list = String::from("\n| command | what it does |\n|---|---|\n");
    for (name, command) in commands() {
        let title = title(&name);
        let page = format!("{name}.md");
        let otherwise = format!("# {title}\n\n{BEGIN}{END}");
        keep(&folder.join(&page), &otherwise, BEGIN, END, &body(&name, &command));
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(list, "| [`{title}`]({page}) | {} |", prose(&about)).unwrap();
        pages.push(page);
    }
    list.push('\n');
    keep(&folder.join("README.md"), &format!("# Commands\n\n{BEGIN}{END}"), BEGIN, END, &list);
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(pages.contains(&name), "docs/commands/{name} is of no command");
    }
}

#[test]
fn the_book_lists_every_command() {
    let mut list = String::new();
    for (name, _) in commands() {
        writeln!(list, "  - [{}](commands/{name}.md)", title(&name)).unwrap();
    }
    let (begin, end) = ("  <!-- commands: begin -->\n", "  <!-- commands: end -->\n");
    keep(&docs().join("SUMMARY.md"), "", begin, end, &list);
}

fn title(name: &str) -> String {
    if name == "germ-post" { name.to_owned() } else { format!("germ-post {name}") }
}

/// What a page says between the marks: a command, and those below it.
fn body(name: &str, command: &Command) -> String {
    let mut out = String::new();
    describe(command, &mut out, "#");
    if name != "germ-post" {
        for below in
            command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
        {
            write!(out, "\n## {} {}\n", title(name), below.get_name()).unwrap();
            describe(below, &mut out, "##");
        }
    }
    out.push('\n');
    out
}

fn describe(command: &Command, out: &mut String, heading: &str) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    for paragraph in about.split("\n\n") {
        let end = if paragraph.ends_with(['.', ':']) { "" } else { "." };
        write!(out, "\n{}{end}\n", prose(paragraph)).unwrap();
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n");
    write!(out, "\n```text made\n{usage}\n```\n").unwrap();
    let mut shown: Vec<&Arg> = command.get_positionals().filter(|arg| !arg.is_hide_set()).collect();
    list("Arguments", &shown, out, heading);
    shown = command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_positional()).collect();
    shown.retain(|arg| arg.get_id() != "help" && arg.get_id() != "version");
    let mut headings: Vec<&str> = Vec::new();
    for arg in &shown {
        let of_arg = arg.get_help_heading().unwrap_or("Options");
        if !headings.contains(&of_arg) {
            headings.push(of_arg);
        }
    }
    for of_args in headings {
        let own: Vec<&Arg> = shown
            .iter()
            .copied()
            .filter(|arg| arg.get_help_heading().unwrap_or("Options") == of_args)
            .collect();
        list(of_args, &own, out, heading);
    }
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        afterwards(&after.to_string(), out);
    }
}

/// Arguments, an item each.
fn list(title: &str, args: &[&Arg], out: &mut String, heading: &str) {
    if args.is_empty() {
        return;
    }
    write!(out, "\n{heading}# {title}\n\n").unwrap();
    for arg in args {
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let mut more = Vec::new();
        let takes_value = arg.get_action().takes_values();
        if let Some(env) = arg.get_env().filter(|_| takes_value) {
            more.push(format!("environment: `{}`", env.to_string_lossy()));
        }
        if takes_value && !arg.get_default_values().is_empty() {
            let defaults: Vec<_> = arg
                .get_default_values()
                .iter()
                .map(|value| format!("`{}`", value.to_string_lossy()))
                .collect();
            more.push(format!("default: {}", defaults.join(", ")));
        }
        let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join("; ")) };
        writeln!(out, "- `{}`: {}{more}", written(arg), prose(&help)).unwrap();
        for value in arg.get_possible_values().iter().filter(|value| takes_value && !value.is_hide_set()) {
            let help =
                value.get_help().map(|help| format!(": {}", prose(&help.to_string()))).unwrap_or_default();
            writeln!(out, "  - `{}`{help}", value.get_name()).unwrap();
        }
    }
}

/// An argument as it is typed: `-p, --profile <NAME|FILE>`.
fn written(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let values: Vec<String> = arg
        .get_value_names()
        .filter(|_| arg.get_action().takes_values())
        .into_iter()
        .flatten()
        .map(|name| format!("<{name}>"))
        .collect();
    let parts = [names.join(", "), values.join(" ")];
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// What `--help` ends with: paragraphs, and indented lines that can be typed.
fn afterwards(text: &str, out: &mut String) {
    let mut typed = false;
    for line in text.lines() {
        let is_typed = line.starts_with("  ");
        if is_typed != typed {
            out.push_str(if is_typed { "\n```sh place\n" } else { "```\n" });
            typed = is_typed;
        }
        if is_typed {
            writeln!(out, "{}", line.strip_prefix("  ").unwrap_or(line)).unwrap();
        } else if !line.trim().is_empty() {
            write!(out, "\n{}\n", prose(line)).unwrap();
        }
    }
    if typed {
        out.push_str("```\n");
    }
}

/// Text in one line, in which nothing is taken for HTML or emphasis.
fn prose(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let outside = |(index, part): (usize, &str)| match index % 2 {
        0 => part.replace('<', "\\<").replace('*', "\\*").replace('|', "\\|"),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(outside).collect::<Vec<_>>().join("`")
}
