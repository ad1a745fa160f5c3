//! The scan never says "no" wrongly: the rules that match a document are the
//! same whether its head comes from the scan or from the parsed document.

use std::path::Path;

use germ_post::manifest::{Head, objects, template};
use germ_post::profile::matching::{Matcher, Neighbours, ObjectView};
use germ_post::profile::rule::Rule;
use germ_post::profile::{compile, load};
use germ_post::rewrite::survey::Survey;

use crate::support;

/// A stream in which every policy shares pods with every other.
struct Crowded;

impl Neighbours for Crowded {
    fn shares_pods(&self, _: ObjectView<'_>, _: &Matcher) -> bool {
        true
    }
}

/// The rules of all shipped profiles, and of a profile that edits nearly anything.
fn rules() -> Vec<Rule> {
    let names = ["talos", "./everything.yaml"].map(str::to_owned);
    let text = include_str!("../fuzz/everything.yaml");
    let loaded = load::load(&names, &|_| Ok(text.to_owned())).unwrap();
    compile::compile(&loaded, &loaded.params().unwrap()).unwrap()
}

/// Checks each document of a stream. Answers how many pairs of a rule's matcher
/// and an object match, and how many pairs of a matcher and a document the scan
/// says "no" to.
fn check(bytes: &[u8], rules: &[Rule], shown: &Path) -> (usize, usize) {
    let Ok(survey) = Survey::new(bytes) else { return (0, 0) };
    let (mut matched, mut denied) = (0, 0);
    for (index, scanned) in survey.heads.iter().enumerate() {
        let (_, value) = survey.parse(index).unwrap();
        let parsed = Head::of(&value);
        let is_list = Head { is_list: scanned.is_list, plain: scanned.plain, ..parsed.clone() };
        assert_eq!(*scanned, is_list, "{}, document {}", shown.display(), index + 1);
        assert!(scanned.is_list >= parsed.is_list, "{}, document {}", shown.display(), index + 1);
        let template = template::source_comment(survey.text(index));
        let objects = objects::objects(&value);
        for rule in rules {
            for matcher in rule.matchers() {
                let may_match = scanned.has_content && matcher.may_match(scanned);
                denied += usize::from(!may_match);
                let matching = objects.iter().filter(|object| {
                    let pointer = germ_post::edit::pointer(&object.at);
                    let value = value.pointer(&pointer).unwrap();
                    matcher.matches(
                        ObjectView { identity: &object.identity, value, template, release: 0 },
                        &Crowded,
                    )
                });
                let count = matching.count();
                matched += count;
                assert!(
                    may_match || count == 0,
                    "{}, document {}: rule {} matches, and the scan says no",
                    shown.display(),
                    index + 1,
                    rule.id
                );
            }
        }
    }
    (matched, denied)
}

#[test]
fn the_rules_that_match_are_those_that_match_when_all_is_parsed() {
    let rules = rules();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let inputs = [Some(cases), support::handed_cases()];
    let inputs = inputs.into_iter().flatten().flat_map(walkdir::WalkDir::new).filter_map(Result::ok);
    let inputs = inputs.map(walkdir::DirEntry::into_path).filter(|path| path.ends_with("input.yaml"));
    let (mut matched, mut denied) = (0, 0);
    for path in inputs.chain(support::renderings()) {
        let bytes = std::fs::read(&path).unwrap();
        let (more, fewer) = check(&bytes, &rules, &path);
        matched += more;
        denied += fewer;
    }
    assert!(matched > 50 && denied > 1000, "too little to compare: {matched} matches, {denied} denials");
}
