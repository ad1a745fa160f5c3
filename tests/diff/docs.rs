//! `docs/diff.md` is true: its example says what it says, its table of dangers is made
//! from the shipped profiles (`GERM_UPDATE=1` writes it anew), and no flag is missing.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use germ_post::profile::{embedded, load};

use super::found::{folder, run};
use crate::support::run::germ_post;

const BEGIN: &str = "<!-- dangers: begin -->\n";
const END: &str = "<!-- dangers: end -->\n";

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diff.md")
}

/// The text of the first block that is called so.
fn block(document: &str, what: &str) -> String {
    let lines =
        document.lines().skip_while(|line| !(line.starts_with("```") && line.ends_with(what))).skip(1);
    let lines: Vec<&str> = lines.take_while(|line| *line != "```").collect();
    assert!(!lines.is_empty(), "there is no {what}");
    lines.join("\n") + "\n"
}

#[test]
fn the_example_says_what_it_says() {
    let document = fs::read_to_string(path()).unwrap();
    let (old, new) = (block(&document, " old"), block(&document, " new"));
    let text = run(&folder("docs"), &old, &new, &["--format=brief"]).expect_ok();
    assert_eq!(text, block(&document, " brief"));
}

#[test]
fn the_table_is_what_ships() {
    let document = fs::read_to_string(path()).unwrap();
    let (before, rest) = document.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let mut table = String::from("\n| rule | severity | what hurts |\n|---|---|---|\n");
    for (name, text) in embedded::PROFILES {
        let (file, _) = load::parse(name, text).unwrap();
        for rule in file.rules.iter().filter(|rule| !rule.danger.is_empty()) {
            let severity = format!("{:?}", rule.severity).to_lowercase();
            writeln!(table, "| `{}` | {severity} | {} |", rule.id, rule.title).unwrap();
        }
    }
    let wanted = format!("{before}{BEGIN}{table}\n{END}{after}");
    if std::env::var_os("GERM_UPDATE").is_some() {
        fs::write(path(), &wanted).unwrap();
    }
    assert!(fs::read_to_string(path()).unwrap() == wanted, "GERM_UPDATE=1 writes the table anew");
}

#[test]
fn every_format_is_described() {
    let document = fs::read_to_string(path()).unwrap();
    for format in super::masking::FORMATS {
        assert!(document.contains(&format!("| `{format}` |")), "{format}");
    }
}

#[test]
fn every_danger_is_explained() {
    for (name, text) in embedded::PROFILES {
        for rule in load::parse(name, text).unwrap().0.rules.iter().filter(|rule| !rule.danger.is_empty()) {
            let text = germ_post(&["explain", &rule.id], b"").expect_ok();
            for wanted in [rule.title.as_str(), "What `germ-post diff` warns of", "source: https://"] {
                assert!(text.contains(wanted), "{}: `{wanted}` is not in\n{text}", rule.id);
            }
        }
    }
}
