//! Seeds and their mutations, the same ones in every run.

use std::path::Path;

use crate::support::mutate::{Random, mutate, soup};
use crate::support::parallel;
use crate::targets;

type Target = fn(&[u8]);

const TARGETS: [Target; 4] = [targets::scan, targets::parse, targets::edit, targets::render];

/// Mutations of each seed.
const MUTATIONS: u64 = 12;

/// The inputs of all cases, and the hostile seeds.
fn seeds() -> Vec<Vec<u8>> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<_> = walkdir::WalkDir::new(tests.join("cases"))
        .into_iter()
        .chain(walkdir::WalkDir::new(tests.join("fuzz/seeds")))
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| entry.file_name() == "input.yaml" || entry.path().starts_with(tests.join("fuzz")))
        .map(walkdir::DirEntry::into_path)
        .collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn try_all(bytes: &[u8]) {
    for target in TARGETS {
        target(bytes);
    }
}

#[test]
fn the_seeds_keep_every_promise() {
    let seeds = seeds();
    assert!(seeds.len() > 80, "only {} seeds", seeds.len());
    parallel::map(&seeds, |seed| try_all(seed));
}

#[test]
fn damaged_seeds_keep_every_promise() {
    let seeds: Vec<(usize, Vec<u8>)> = seeds().into_iter().enumerate().collect();
    parallel::map(&seeds, |(number, seed)| {
        let mut random = Random::new(4 + *number as u64);
        let text = String::from_utf8_lossy(seed);
        for _ in 0..MUTATIONS {
            let lines = 2 + random.below(60);
            try_all(mutate(&text, lines, true, &mut random).as_bytes());
        }
    });
}

#[test]
fn a_soup_of_indicators_keeps_every_promise() {
    let mut random = Random::new(2026);
    for _ in 0..5000 {
        let text = soup(&mut random);
        targets::scan(text.as_bytes());
        targets::parse(text.as_bytes());
        targets::edit(text.as_bytes());
    }
}
