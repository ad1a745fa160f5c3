//! germ-post reads as Kubernetes reads: what it takes a document to be equals
//! what `sigs.k8s.io/yaml` takes it to be, or it refuses the document.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "../support/mod.rs"]
mod support;

mod aliases;
mod go;
mod limits;
mod scalars;
mod suite;
mod verdict;

use support::mutate::{Random, mutate, soup};
use verdict::compare;

/// What germ-post refuses of the official suite although Kubernetes reads all of it.
const SUITE: &[(&str, usize)] = &[
    ("`!!binary` is not followed by base64 of UTF-8 text", 1),
    ("a `:` or `?` between brackets is an indicator", 2),
    ("comments must be separated from other tokens by whitespace", 4),
    ("no blank stands behind the colon of a key", 1),
    ("plain scalar cannot start with '-' followed by ,[]{}", 2),
    ("tabs disallowed within this context (block indentation)", 1),
    ("the name of an anchor or alias may have letters, digits, `_` and `-` only", 1),
    ("this YAML is written in a way that germ-post cannot place in the text", 1),
    ("while parsing a quoted scalar, found unknown escape character", 1),
    ("while scanning a tag, did not find expected whitespace or line break", 1),
    ("wrongly indented line in block scalar", 1),
];

/// The same for scalars. A colon at the end of a word between brackets is text to
/// Kubernetes and the end of a key to YAML 1.2.
const SCALARS: &[(&str, usize)] = &[
    ("`!!binary` is not followed by base64 of UTF-8 text", 21),
    ("`!!timestamp` is not read here; leave the tag out", 7),
    ("`.inf` and `.nan` cannot be sent to Kubernetes, which speaks JSON", 9),
    ("a `:` or `?` between brackets is an indicator", 1),
    ("a collection has the tag of a scalar", 70),
    ("a key is negative zero", 2),
    ("comments must be separated from other tokens by whitespace", 5),
    ("no blank stands behind the colon of a key", 281),
    ("plain scalar cannot start with '-' followed by ,[]{}", 58),
    ("this tag is not written in a way that all readers understand", 192),
    ("while parsing a quoted scalar, found unknown escape character", 7),
    ("while scanning a tag, did not find expected whitespace or line break", 108),
];

/// The same for small documents made to collide: chance decides which key counts.
/// With merges germ-post looks at all keys of a document together.
const ALIASES: &[(&str, usize)] =
    &[("a key is null", 50), ("two keys of different types have one name in JSON", 4000)];

/// The same for documents that nest deeper than germ-post reads.
const LIMITS: &[(&str, usize)] = &[("recursion limit exceeded", 4), ("TooLarge", 1)];

/// The same for damaged documents: about twice what is seen.
const DAMAGED: &[(&str, usize)] = &[
    ("`!!binary` is not followed by base64 of UTF-8 text", 20),
    ("`.inf` and `.nan` cannot be sent to Kubernetes, which speaks JSON", 10),
    ("a `:` or `?` between brackets is an indicator", 60),
    ("a byte order mark stands inside the document", 5),
    ("a collection has the tag of a scalar", 20),
    ("a key and its colon stand on different lines", 5),
    ("a tab stands where the line's indentation or a key could be", 5),
    ("an end marker or a directive, but no content", 5),
    ("comments must be separated from other tokens by whitespace", 150),
    ("no blank stands behind the colon of a key", 30),
    ("plain scalar cannot start with '-' followed by ,[]{}", 40),
    ("tabs disallowed within this context (block indentation)", 30),
    ("the name of an anchor or alias may have letters, digits, `_` and `-` only", 30),
    ("the text of a block scalar is not indented", 10),
    ("this YAML is written in a way that germ-post cannot place in the text", 40),
    ("this tag is not written in a way that all readers understand", 40),
    ("while parsing a quoted scalar, found unknown escape character", 30),
    ("while parsing a tag, did not find expected tag URI", 10),
    ("while scanning a tag, did not find expected whitespace or line break", 60),
    ("wrongly indented line in block scalar", 40),
    ("simple key expected ':'", 30),
    ("while parsing a flow mapping, did not find expected ',' or '}'", 5),
    ("mismatched bracket '{' closed by ']'", 5),
];

#[test]
fn real_documents() {
    let streams = support::renderings().into_iter().map(|file| std::fs::read_to_string(file).unwrap());
    if let Some(tally) = compare(streams) {
        tally.assert_sound("corpus", &[]);
    }
}

#[test]
fn handed_cases() {
    let Some(folder) = support::handed_cases() else { return };
    let inputs = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
    let yaml = inputs.filter(|entry| entry.path().extension().is_some_and(|end| end == "yaml"));
    if let Some(tally) = compare(yaml.map(|entry| std::fs::read_to_string(entry.path()).unwrap())) {
        tally.assert_sound("cases", &[]);
    }
}

#[test]
fn the_official_test_suite() {
    if let Some(tally) = compare(suite::streams()) {
        tally.assert_sound("suite", SUITE);
    }
}

#[test]
fn scalars_in_every_spelling() {
    if let Some(tally) = compare(scalars::documents()) {
        tally.assert_sound("scalars", SCALARS);
    }
}

#[test]
fn aliases_merges_and_colliding_keys() {
    if let Some(tally) = compare(aliases::tangles(20_000).chain(aliases::multiplied())) {
        tally.assert_sound("aliases", ALIASES);
    }
}

#[test]
fn limits() {
    if let Some(tally) = compare(limits::documents()) {
        tally.assert_sound("limits", LIMITS);
    }
}

#[test]
fn damaged_documents() {
    let real = support::sample_documents(3000);
    let odd = suite::streams();
    let mut documents = Vec::new();
    // Each kind with numbers of its own, so that none changes when another is missing.
    for (texts, lines, seed) in [(real, 25, 7), (odd, 40, 8)] {
        let mut random = Random::new(seed);
        documents
            .extend(texts.iter().cycle().take(12_000).map(|text| mutate(text, lines, true, &mut random)));
    }
    let mut random = Random::new(9);
    documents.extend((0..12_000).map(|_| soup(&mut random)));
    if let Some(tally) = compare(documents) {
        tally.assert_sound("damaged", DAMAGED);
    }
}
