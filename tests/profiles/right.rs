//! Every profile of `right/` loads, and its own tests pass.

use std::fs;
use std::path::Path;

use crate::support::run::germ_post_in;

#[test]
fn profiles_do_what_their_tests_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profiles/right");
    let mut failures = Vec::new();
    let mut passed = 0;
    for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
        let name = entry.file_name().into_string().unwrap();
        let run = germ_post_in(&folder, &["profiles", "test", &name], b"");
        passed += run.stderr.lines().filter(|line| line.starts_with("ok ")).count();
        if run.code != 0 || run.stderr.contains("holds no tests") {
            failures.push(format!("{name}: exit {}\n{}", run.code, run.stderr));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(passed >= 20, "only {passed} tests of profiles have run");
}
