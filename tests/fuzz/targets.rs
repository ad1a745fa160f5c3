//! What the fuzzers try. Each function takes any bytes and panics when a promise
//! is broken; `fuzz/` calls them under libFuzzer, `smoke.rs` on stable Rust.

use std::sync::OnceLock;

use germ_post::diagnostic::Class;
use germ_post::edit::{Action, Operation, Refusal, apply, splices};
use germ_post::profile::load;
use germ_post::report::{human, json};
use germ_post::rewrite::{self, Request};
use germ_post::yaml::{self, Stream, Tree};
use serde_json::Value;

#[path = "../edit/patches.rs"]
mod patches;
#[path = "../support/spans.rs"]
mod spans;
#[path = "../support/vouched.rs"]
mod vouched;

use patches::Seed;

/// The scanner: what it vouches for, the parser reads the same.
pub fn scan(bytes: &[u8]) {
    documents(bytes, |text| {
        vouched::vouches(text);
    });
}

/// The parser layer: every span is where it says, and the document can be read
/// or is refused with a place inside it.
pub fn parse(bytes: &[u8]) {
    documents(bytes, |text| match yaml::parse(text) {
        Ok(tree) => {
            spans::check(&tree);
            let _ = tree.read();
        }
        Err(error) => assert!(error.offset <= text.len(), "{error:?} lies outside of\n{text}"),
    });
}

/// The patcher: a patch is refused, or the new text reads as `json-patch` says.
pub fn edit(bytes: &[u8]) {
    let (text, mut choices) = choices(bytes);
    documents(text, |text| {
        let Ok(tree) = yaml::parse(text) else { return };
        let Ok(value) = tree.read() else { return };
        let mut next = || choices.next().unwrap_or(0);
        let number = 1 + next() % 4;
        let seeds: Vec<Seed> = (0..number).map(|_| Seed::new(next(), next())).collect();
        let (operations, wanted) = patch(value, &seeds);
        edited(&tree, &operations, &wanted);
    });
}

/// The whole post-render under the profile `talos`, a profile that edits nearly
/// anything, and none.
pub fn render(bytes: &[u8]) {
    let untouched = rewrite::run(bytes, request("none")).output.map(|output| output.text().into_bytes());
    if let Some(untouched) = &untouched {
        let blank = String::from_utf8_lossy(bytes).trim().is_empty();
        assert!(untouched == bytes || blank, "the profile none changed the stream");
    }
    for profile in ["talos", EVERYTHING] {
        let run = rewrite::run(bytes, request(profile));
        for diagnostic in &run.diagnostics {
            human::diagnostic(diagnostic, false);
        }
        human::summary(&run.report);
        assert!(json::render(&run.report, &[], 0).is_ok());
        assert_ne!(run.class(), Class::Proof, "the proof failed: {:#?}", run.diagnostics);
        let Some(output) = run.output.as_ref().map(|output| output.text()) else {
            assert!(run.class() > Class::Warning, "neither an output nor an error");
            continue;
        };
        assert!(run.class() <= Class::Warning, "an output beside errors: {:#?}", run.diagnostics);
        assert!(untouched.is_some(), "{profile} reads what none does not");
        assert!(!output.is_empty());
        let again = rewrite::run(output.as_bytes(), request(profile));
        let shown = || output.clone();
        let twice = again.output.unwrap_or_else(|| {
            panic!("{profile} refuses its own output: {:#?}\n{}", again.diagnostics, shown())
        });
        let second = twice.text();
        assert!(second == output, "{profile}, once:\n{}\ntwice:\n{second}", shown());
    }
}

/// The name of the profile in `everything.yaml`.
const EVERYTHING: &str = "./everything.yaml";

/// What is asked of a run, by profile.
fn request(profile: &str) -> &'static Request {
    static NONE: OnceLock<Request> = OnceLock::new();
    static TALOS: OnceLock<Request> = OnceLock::new();
    static EDITS: OnceLock<Request> = OnceLock::new();
    let slot = match profile {
        "none" => &NONE,
        "talos" => &TALOS,
        _ => &EDITS,
    };
    slot.get_or_init(|| {
        let read = |_: &std::path::Path| Ok(include_str!("everything.yaml").to_owned());
        let loaded = load::load(&[profile.to_owned()], &read).unwrap();
        let params = loaded.params().unwrap();
        Request { loaded, params, ..Request::default() }
    })
}

/// The first documents of a stream.
fn documents(bytes: &[u8], mut each: impl FnMut(&str)) {
    if let Ok(stream) = Stream::cut(bytes) {
        for document in stream.documents().iter().take(4) {
            each(stream.document_text(document));
        }
    }
}

/// The text, and the numbers that choose the patch: the bytes behind a NUL, which
/// no YAML holds, and then numbers made from all bytes.
fn choices(bytes: &[u8]) -> (&[u8], impl Iterator<Item = u64> + use<>) {
    let (text, chosen) = match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let chosen: Vec<u64> = chosen
        .chunks_exact(8)
        .map(|chunk| chunk.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        .collect();
    let mut state = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let made = std::iter::repeat_with(move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state ^ (state >> 29)
    });
    (text, chosen.into_iter().chain(made))
}

/// The operations, each for what the ones before it made, and what they make.
fn patch(mut value: Value, seeds: &[Seed]) -> (Vec<Operation>, Value) {
    let mut operations = Vec::new();
    for seed in seeds {
        let Some(operation) = seed.operation(&value) else { continue };
        let patch: json_patch::Patch =
            serde_json::from_value(Value::Array(vec![operation.to_json_patch()])).unwrap();
        json_patch::patch(&mut value, &patch).unwrap();
        operations.push(operation);
    }
    (operations, value)
}

fn edited(tree: &Tree<'_>, operations: &[Operation], wanted: &Value) {
    let text = tree.text();
    let shown = || format!("{operations:#?}\n--- source\n{text}");
    let splices = match splices(tree, operations) {
        Ok(splices) => splices,
        Err(error) => {
            use Refusal::{BadIndex, Missing, NotACollection, WholeDocument};
            let ours = matches!(error.kind, BadIndex | Missing | NotACollection | WholeDocument);
            assert!(!ours, "a valid patch is refused: {error}\n{}", shown());
            assert!(
                error.offset <= text.len() && error.operation < operations.len(),
                "{error:?}\n{}",
                shown()
            );
            return;
        }
    };
    let mut at = 0;
    for splice in &splices {
        assert!(at <= splice.range.start && splice.range.start <= splice.range.end, "order\n{}", shown());
        assert!(text.get(splice.range.clone()).is_some(), "inside of a character\n{}", shown());
        at = splice.range.end;
    }
    let out = apply(text, &splices);
    let shown = || format!("{}\n--- result\n{out}\n--- splices\n{splices:?}", shown());
    let edited = yaml::parse(&out).unwrap_or_else(|error| panic!("unreadable: {error:?}\n{}", shown()));
    let read = edited.read().unwrap_or_else(|error| panic!("unreadable: {error:?}\n{}", shown()));
    assert_eq!(read, *wanted, "another value\n{}", shown());
    let cut = Stream::cut(out.as_bytes()).unwrap_or_else(|error| panic!("{error:?}\n{}", shown()));
    assert_eq!(cut.documents().len(), 1, "more than one document\n{}", shown());
    if let [Operation { path, action: Action::Replace { value } }] = operations {
        let again = Operation { path: path.clone(), action: Action::Replace { value: value.clone() } };
        assert_eq!(
            germ_post::edit::splices(&edited, &[again]),
            Ok(Vec::new()),
            "not so already\n{}",
            shown()
        );
    }
}
