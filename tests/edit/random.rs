//! Random patches on the hand-written documents.

use germ_post::edit::{EditError, Operation};
use germ_post::yaml::parse;
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

use crate::checks::check;
use crate::documents::DOCUMENTS;
use crate::patches::Seed;

/// How many times the usual number of cases: 1, or what `GERM_EFFORT` says.
pub fn effort() -> u32 {
    std::env::var("GERM_EFFORT").ok().and_then(|effort| effort.parse().ok()).unwrap_or(1)
}

pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: cases * effort(),
        rng_seed: RngSeed::Fixed(6901 + u64::from(effort())),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct("tests/edit/regressions.txt"))),
        ..ProptestConfig::default()
    }
}

pub fn seed() -> impl Strategy<Value = Seed> {
    (any::<u32>(), any::<u8>(), any::<u32>(), any::<u32>()).prop_map(|(place, deed, value, detail)| Seed {
        place,
        deed,
        value,
        detail,
    })
}

/// Makes the operations one by one, each for what the ones before it made.
pub fn patch(text: &str, seeds: &[Seed]) -> Vec<Operation> {
    let mut value = parse(text).unwrap().read().unwrap();
    let mut out = Vec::new();
    for seed in seeds {
        let Some(operation) = seed.operation(&value) else {
            continue;
        };
        let patch: json_patch::Patch =
            serde_json::from_value(serde_json::json!([operation.to_json_patch()])).unwrap();
        json_patch::patch(&mut value, &patch).unwrap();
        out.push(operation);
    }
    out
}

/// Refusals are for documents that ask for them.
fn refused(name: &str, error: &EditError) {
    use germ_post::edit::Refusal::*;
    let fair = match error.kind {
        Shared { .. } => matches!(name, "anchors" | "merge keys"),
        Inherited => name == "merge keys",
        CommentInFlow => name == "flow with comments",
        OpenBlockScalar => name == "block scalar, then nothing",
        UnknownForm => matches!(name, "flow" | "properties on lines"),
        UnsafeKey | CommentWouldBecomeText => false,
        _ => false,
    };
    assert!(fair, "{name}: {error}");
}

#[test]
fn the_documents_are_readable() {
    for (name, text) in DOCUMENTS {
        let tree = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        tree.read().unwrap();
    }
}

proptest! {
    #![proptest_config(config(6000))]
    #[test]
    fn one_operation(document in 0..DOCUMENTS.len(), seed in seed()) {
        let (name, text) = DOCUMENTS[document];
        let operations = patch(text, &[seed]);
        if let Err(error) = check(text, &operations) {
            refused(name, &error);
        }
    }
}

proptest! {
    #![proptest_config(config(3000))]
    #[test]
    fn several_operations(document in 0..DOCUMENTS.len(), seeds in prop::collection::vec(seed(), 2..7)) {
        let (name, text) = DOCUMENTS[document];
        let operations = patch(text, &seeds);
        if let Err(error) = check(text, &operations) {
            refused(name, &error);
        }
    }
}
