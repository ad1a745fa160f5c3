//! `docs/rules/` has a page for each rule that ships, made from the rule and from the examples of
//! the other tests, and an index by profile (`GERM_UPDATE=1` writes them anew).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use germ_post::profile::embedded;
use germ_post::profile::file::{ProfileFile, RuleFile};
use germ_post::profile::load::{self, LoadedFile};
use germ_post::report::explain;
use serde_json::Value;

use super::examples::{self, Example};
use crate::support::page::{Page, keep, update};

/// Sections of an explanation that are prose, the others are shown as they are.
const PROSE: &[&str] = &["What to do", "What it refuses", "If it misses"];

fn shipped() -> Vec<LoadedFile> {
    let names: Vec<String> = embedded::names().map(str::to_owned).collect();
    load::load(&names, &|path| panic!("{} is asked for", path.display())).unwrap().files
}

/// The profiles that a profile is composed of, itself among them.
fn parts<'f>(file: &'f ProfileFile, all: &'f [LoadedFile]) -> BTreeSet<&'f str> {
    let mut names = BTreeSet::from([file.name.as_str()]);
    for name in &file.extends {
        let name = name.split('@').next().unwrap();
        let part = all.iter().find(|other| other.file.name == name).unwrap();
        names.extend(parts(&part.file, all));
    }
    names
}

/// The profiles, in alphabetical order, whose `check` runs those of another.
fn checked_by<'f>(name: &str, all: &'f [LoadedFile]) -> Vec<&'f str> {
    let brings = |part: &&str| {
        let part = all.iter().find(|other| other.file.name == **part).unwrap();
        part.file.checks.iter().any(|checks| checks == name)
    };
    let files = all.iter().map(|file| &file.file);
    files.filter(|file| parts(file, all).iter().any(brings)).map(|file| file.name.as_str()).collect()
}

#[test]
fn every_rule_has_its_page() {
    let files = shipped();
    let examples = examples::all();
    let mut pages = BTreeSet::from(["docs/rules/README.md".to_owned()]);
    let mut without = Vec::new();
    for file in &files {
        for rule in &file.file.rules {
            let name = format!("docs/rules/{}.md", rule.id);
            let mut example = examples.get(&rule.id).cloned();
            // What a check shows of a rule are its edits, not what it adds.
            if example.is_none() || rule.emit.is_some() {
                example = examples::difference(&rule.id).or(example);
            }
            if example.is_none() {
                without.push(rule.id.as_str());
            }
            keep(&name, &page(file, rule, example.as_ref(), &files));
            pages.insert(name);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in walkdir::WalkDir::new(root.join("docs/rules")).into_iter().map(Result::unwrap) {
        let name = entry.path().strip_prefix(root).unwrap().to_str().unwrap();
        if entry.file_type().is_file() && !pages.contains(name) {
            assert!(update(), "{name} is of no rule; GERM_UPDATE=1 removes it");
            fs::remove_file(entry.path()).unwrap();
        }
    }
    assert!(
        without.is_empty(),
        "these rules are shown by no example: {without:?}; add one to tests/docs/samples"
    );
}

#[test]
fn the_index_has_every_rule() {
    keep("docs/rules/README.md", &index(&shipped()));
}

#[test]
fn the_book_lists_every_rule() {
    let mut groups: std::collections::BTreeMap<String, BTreeSet<String>> = std::collections::BTreeMap::new();
    for file in &shipped() {
        for rule in &file.file.rules {
            let (group, _) = rule.id.split_once('/').unwrap();
            groups.entry(group.to_owned()).or_default().insert(rule.id.clone());
        }
    }
    let mut list = String::new();
    for (group, ids) in groups {
        writeln!(list, "  - [{group}]()").unwrap();
        for id in ids {
            writeln!(list, "    - [{id}](rules/{id}.md)").unwrap();
        }
    }
    // The marks are indented, or mdBook would end the list at them.
    list.push_str("  ");
    Page::read("docs/SUMMARY.md").keep_part("rules", &list);
}

/// A rule's page.
fn page(file: &LoadedFile, rule: &RuleFile, example: Option<&Example>, all: &[LoadedFile]) -> String {
    let mut out = format!(
        "<!-- Made from profiles/{}.yaml by tests/docs/rules.rs. -->\n\n# {}\n\n",
        file.file.name, rule.id
    );
    writeln!(out, "{}.\n", rule.title).unwrap();
    let mut facts = vec![
        ("severity", word(&serde_json::to_value(rule.severity).unwrap())),
        ("does", faces(rule).join(", ")),
        ("in", contained_in(&file.file, all)),
    ];
    if !file.file.tested.is_empty() {
        let tested: Vec<String> =
            file.file.tested.iter().map(|(chart, range)| format!("{chart} {range}")).collect();
        facts.push(("tested with", format!("`{}`", tested.join("`, `"))));
    }
    out.push_str("| | |\n|---|---|\n");
    for (name, fact) in facts {
        writeln!(out, "| {name} | {fact} |").unwrap();
    }
    writeln!(out, "\n## Why\n\n{}\n", prose(&rule.why)).unwrap();
    for source in rule.source.iter().flat_map(|source| source.iter()) {
        match source.strip_prefix("docs/") {
            Some(page) => writeln!(out, "- [{source}](../../{page})").unwrap(),
            None => writeln!(out, "- <{source}>").unwrap(),
        }
    }
    if let Some(example) = example {
        let made = if example.language == "yaml" { "" } else { " made" };
        let text = &example.text;
        write!(out, "\n## Seen at work\n\n{}\n\n```{}{made}\n{text}```\n", example.intro, example.language)
            .unwrap();
    }
    // What `germ-post explain` says, without what is above.
    let explained = explain::rule(file, rule);
    for section in explained.trim_end().split("\n\n").skip(2) {
        let (title, body) = section.split_once('\n').unwrap();
        write!(out, "\n## {}\n\n", title.replace('`', "")).unwrap();
        let lines = body.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
        if PROSE.contains(&title) {
            let text = prose(&lines.collect::<Vec<_>>().join(" "));
            let end = if text.ends_with('.') { "" } else { "." };
            writeln!(out, "{}{end}", capital(&text)).unwrap();
        } else if title.starts_with("Where to look") {
            lines.for_each(|line| writeln!(out, "{}", prose_line(line)).unwrap());
        } else {
            out.push_str("```text made\n");
            lines.for_each(|line| writeln!(out, "{line}").unwrap());
            out.push_str("```\n");
        }
    }
    out
}

/// What a rule is for, in words.
fn faces(rule: &RuleFile) -> Vec<&'static str> {
    let all = [
        (rule.rewrites(), "rewrites"),
        (!rule.check.is_empty(), "checks"),
        (!rule.danger.is_empty(), "warns of a change"),
        (!rule.values.is_empty(), "says chart values"),
    ];
    all.iter().filter(|(has, _)| *has).map(|(_, face)| *face).collect()
}

fn contained_in(file: &ProfileFile, all: &[LoadedFile]) -> String {
    let link = |name: &str| format!("[{name}](../README.md#{name})");
    let own = format!("{} {}", link(&file.name), file.version.as_deref().unwrap_or_default());
    if file.name.starts_with("dangers-") {
        return format!("{own}, which `germ-post diff` always reads");
    }
    if file.name == "checks-suppressions" {
        return format!("{own}, which `germ-post check` always reads");
    }
    let (verb, others) = if file.name.starts_with("checks-") {
        ("checked under", checked_by(&file.name, all))
    } else {
        let others = all.iter().map(|other| &other.file).filter(|other| other.name != file.name);
        let others = others.filter(|other| parts(other, all).contains(file.name.as_str()));
        ("and so in", others.map(|other| other.name.as_str()).collect())
    };
    match others.as_slice() {
        [] => own,
        others => {
            format!("{own}, {verb} {}", others.iter().map(|name| link(name)).collect::<Vec<_>>().join(", "))
        }
    }
}

fn index(files: &[LoadedFile]) -> String {
    let mut out = String::from(
        "<!-- Made from profiles/ by tests/docs/rules.rs. -->\n\n# Rules\n\n\
         Every rule that ships, by profile. The address of a page is the rule's id: an error that names\n\
         `talos/cgroup` is explained by `rules/talos/cgroup.md`, and by `germ-post explain talos/cgroup`.\n\n\
         - [Profiles](../profiles.md) says how rules are written, and how to leave one out.\n\
         - [Checks](../check.md) says how findings are suppressed.\n\
         - [What a change does](../diff.md) says what dangers are.\n",
    );
    let order = |file: &ProfileFile| {
        let kind = ["checks-", "dangers-"].iter().position(|start| file.name.starts_with(start));
        kind.map_or(0, |kind| kind + 1)
    };
    let mut files: Vec<&LoadedFile> = files.iter().collect();
    files.sort_by_key(|file| (order(&file.file), file.file.name.clone()));
    for file in files.iter().map(|file| &file.file) {
        let version = file.version.as_deref().unwrap_or_default();
        let about = prose(file.about.as_deref().unwrap_or_default());
        write!(out, "\n## {}\n\nVersion {version}. {about}\n", file.name).unwrap();
        let named = |names: &[String]| {
            let names = names.iter().map(|name| name.split('@').next().unwrap());
            names.map(|name| format!("[{name}](#{name})")).collect::<Vec<_>>().join(", ")
        };
        if !file.extends.is_empty() {
            write!(out, "\nComposed of {}.\n", named(&file.extends)).unwrap();
        }
        if !file.checks.is_empty() {
            write!(out, "\n`germ-post check` brings along {}.\n", named(&file.checks)).unwrap();
        }
        if !file.params.is_empty() {
            out.push_str("\n| parameter | default | meaning |\n|---|---|---|\n");
            for (name, param) in &file.params {
                let default =
                    param.default.as_ref().map_or("unset".to_owned(), |value| format!("`{}`", word(value)));
                let fact = if param.fact { "A fact. " } else { "" };
                let about = prose(&param.about).replace('|', "\\|");
                writeln!(out, "| `{name}` | {} | {fact}{about} |", default.replace('|', "\\|")).unwrap();
            }
        }
        if !file.rules.is_empty() {
            out.push_str("\n| rule | severity | does | |\n|---|---|---|---|\n");
            for rule in &file.rules {
                let severity = word(&serde_json::to_value(rule.severity).unwrap());
                let (id, title) = (&rule.id, rule.title.replace('|', "\\|"));
                writeln!(out, "| [{id}]({id}.md) | {severity} | {} | {title} |", faces(rule).join(", "))
                    .unwrap();
            }
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Text in one paragraph, with what Markdown would read as HTML made harmless.
fn prose(text: &str) -> String {
    prose_line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn prose_line(text: &str) -> String {
    let outside = |(index, part): (usize, &str)| match index % 2 {
        0 => part.replace('<', "\\<").replace('*', "\\*"),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(outside).collect::<Vec<_>>().join("`")
}
