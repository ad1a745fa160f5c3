//! Our own cases: every folder beside this file.

use std::path::Path;

use crate::case::{Case, folders};
use crate::check::check;
use crate::support::parallel;

#[test]
fn every_own_case_comes_out_as_it_says() {
    let cases = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    assert!(cases.len() >= 80, "only {} cases", cases.len());
    let failures: Vec<String> = parallel::map(&cases, |folder| {
        let verdict = Case::read(folder).and_then(|case| check(&case));
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        verdict.err().map(|error| format!("{name}: {error}"))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report("own cases", cases.len(), &failures);
}
