//! `docs/diff.md` is true: its example says what it says, its table of dangers is made
//! from the shipped profiles (`GERM_UPDATE=1` writes it anew), and no flag is missing.

use std::fmt::Write as _;

use germ_post::profile::{embedded, load};

use super::found::{folder, run};
use crate::support::page::Page;
use crate::support::run::germ_post;

fn page() -> Page {
    Page::read("docs/diff.md")
}

#[test]
fn the_example_says_what_it_says() {
    let (old, new) = (page().block("old"), page().block("new"));
    let text = run(&folder("docs"), &old, &new, &["--format=brief"]).expect_ok();
    assert_eq!(text, page().block("brief"));
}

#[test]
fn the_table_is_what_ships() {
    let mut table = String::from("\n| rule | severity | what hurts |\n|---|---|---|\n");
    for (name, text) in embedded::PROFILES {
        let (file, _) = load::parse(name, text).unwrap();
        for rule in file.rules.iter().filter(|rule| !rule.danger.is_empty()) {
            let severity = format!("{:?}", rule.severity).to_lowercase();
            writeln!(table, "| `{}` | {severity} | {} |", rule.id, rule.title).unwrap();
        }
    }
    table.push('\n');
    page().keep_part("dangers", &table);
}

#[test]
fn every_format_is_described() {
    let document = page().text;
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
