//! Nothing that is said shows the value of a Secret: not an error, not a report.

use std::fs;

use tempfile::tempdir;

use crate::program::{germ_post, run};

const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: hunter2\n  other: hunter3\n";

const PROFILE: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: mine\nrules:\n- id: my/secret\n  title: t\n  why: w\n  match: {kind: Secret}\n  edit:\n  - {set: stringData.password, value: swordfish, was: WAS}\n  - {remove: stringData.other}\n";

fn said(was: &str, input: &str) -> (Option<i32>, String) {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("mine.yaml"), PROFILE.replace("WAS", was)).unwrap();
    let mut command = germ_post(folder.path());
    command.args(["--profile", "mine.yaml", "-v", "--report", "report.json"]);
    let output = run(&mut command, input);
    let report = fs::read_to_string(folder.path().join("report.json")).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr + &report)
}

#[test]
fn edits_of_secrets_are_reported_without_values() {
    let (code, said) = said("hunter2", SECRET);
    assert_eq!(code, Some(0), "{said}");
    for value in ["hunter2", "hunter3", "swordfish"] {
        assert!(!said.contains(value), "{value} is in\n{said}");
    }
    assert!(said.contains("/stringData/password") && said.contains("‹masked›"), "{said}");
}

#[test]
fn a_missed_rule_on_a_secret_shows_no_line_of_it() {
    let (code, said) = said("something-else", SECRET);
    assert_eq!(code, Some(3), "{said}");
    for value in ["hunter2", "hunter3"] {
        assert!(!said.contains(value), "{value} is in\n{said}");
    }
    assert!(said.contains("Secret s") && said.contains("stringData.password"), "{said}");
}

#[test]
fn a_secret_in_a_list_is_a_secret() {
    let item: String = SECRET
        .lines()
        .enumerate()
        .map(|(n, line)| format!("{}{line}\n", if n == 0 { "- " } else { "  " }))
        .collect();
    let list = format!("apiVersion: v1\nkind: List\nitems:\n{item}");
    let (code, said) = said("something-else", &list);
    assert_eq!(code, Some(3), "{said}");
    assert!(!said.contains("hunter"), "{said}");
}
