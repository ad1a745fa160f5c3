//! `docs/check.md` is true: its example finds what it says, and its table is made from
//! the shipped profiles (`GERM_UPDATE=1` writes it anew).

use std::fmt::Write as _;
use std::fs;

use germ_post::profile::{embedded, load};

use super::found::check;
use crate::support::page::Page;
use crate::support::run::{germ_post, scratch};

fn page() -> Page {
    Page::read("docs/check.md")
}

#[test]
fn the_example_finds_what_it_says() {
    let page = page();
    let folder = scratch().join("check-docs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("profile.yaml"), page.block("profile")).unwrap();
    fs::write(folder.join("input.yaml"), page.block("input")).unwrap();
    let found = check(&folder, &["--profile=./profile.yaml", "input.yaml"], "");
    let mut text = String::new();
    for finding in found.list("findings") {
        let word = |field: &str| finding[field].as_str().unwrap().to_owned();
        let place = &finding["location"];
        let file = place["file"].as_str().unwrap();
        writeln!(text, "{file}:{} {} {}", place["line"], word("rule"), word("message")).unwrap();
    }
    assert_eq!(text, page.block("finds"));
}

#[test]
fn the_table_is_what_ships() {
    let mut table = String::new();
    for (name, text) in embedded::PROFILES.iter().filter(|(name, _)| name.starts_with("checks-")) {
        let (file, _) = load::parse(name, text).unwrap();
        let about = file.about.unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(table, "\n### {name}\n\n{about}\n\n| rule | severity | what is found |\n|---|---|---|")
            .unwrap();
        for rule in &file.rules {
            let severity = format!("{:?}", rule.severity).to_lowercase();
            writeln!(table, "| `{}` | {severity} | {} |", rule.id, rule.title).unwrap();
        }
    }
    table.push('\n');
    page().keep_part("checks", &table);
}

#[test]
fn rules_cover_checks_that_ship() {
    let rules: Vec<_> =
        embedded::PROFILES.iter().flat_map(|(name, text)| load::parse(name, text).unwrap().0.rules).collect();
    let covered: Vec<&String> = rules.iter().flat_map(|rule| &rule.covers).collect();
    assert!(!covered.is_empty());
    for id in covered {
        assert!(rules.iter().any(|rule| rule.id == *id && !rule.check.is_empty()), "{id}");
    }
}

#[test]
fn every_shipped_check_is_explained() {
    for (name, text) in embedded::PROFILES {
        for rule in load::parse(name, text).unwrap().0.rules.iter().filter(|rule| !rule.check.is_empty()) {
            let text = germ_post(&["explain", &rule.id], b"").expect_ok();
            for wanted in [
                rule.title.as_str(),
                "What `germ-post check` looks for",
                "To suppress it",
                "germ-post: ignore[",
            ] {
                assert!(text.contains(wanted), "{}: `{wanted}` is not in\n{text}", rule.id);
            }
            assert!(!text.contains("What it edits"), "{text}");
            let source = rule.source.as_ref().and_then(|source| source.iter().next().map(str::to_owned));
            assert!(source.is_some_and(|source| text.contains(&source)), "{} has a source", rule.id);
        }
    }
}
