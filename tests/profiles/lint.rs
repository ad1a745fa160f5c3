//! `profiles lint` and `profiles test`: findings, and that dates change nothing.

use super::folder::{Folder, MAP, fails, setter};

fn with_dates(from: &str, until: &str) -> String {
    format!(
        "{}adjust:\n  - rule: p/x\n    unless: {{name: other}}\n    reason: for now\n    from: \"{from}\"\n    until: \"{until}\"\n",
        setter("p", "x", "\"2\"")
    )
}

#[test]
fn dates_are_reported_and_never_acted_on() {
    let folder = Folder::with(&[
        ("past.yaml", &with_dates("2020-01-01", "2020-02-01")),
        ("future.yaml", &with_dates("2999-01-01", "2999-02-01")),
        ("bad.yaml", &with_dates("soon", "2999-02-01")),
        ("ports.yaml", &with_dates("2020-01-01", "2999-02-01")),
    ]);
    let stream = format!("{MAP}---\n{}", MAP.replace("name: a", "name: other"));
    let outputs = ["past", "future", "bad", "ports"]
        .map(|name| folder.run(&["--quiet", "--profile", &format!("./{name}.yaml")], &stream).expect_ok());
    assert!(outputs.iter().all(|output| *output == outputs[0] && *output != stream));

    let lint = |name: &str| folder.run(&["profiles", "lint", &format!("./{name}.yaml")], "");
    fails(
        &lint("past"),
        1,
        &["the exception to p/x has ended", "a date never changes what", "2020-02-01", "^"],
    );
    fails(&lint("future"), 1, &["the exception to p/x is not due yet", "2999-01-01"]);
    fails(&lint("bad"), 1, &["`from` is not a date such as 2027-03-01"]);
    assert!(!lint("ports").stderr.contains("exception to"));
}

#[test]
fn lint_finds_what_loads_but_is_not_good() {
    let profile = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: p\n\
        params: {nobody: {type: string, about: Unused.}}\n\
        rules:\n\
        \x20 - {id: p/empty, title: x, why: x, source: https://example.com}\n\
        \x20 - id: p/any\n    title: x\n    why: x\n\
        \x20   parts:\n      - match: {kind: A}\n        edit: [{set: data.x, value: 1}]\n";
    let folder = Folder::with(&[("p.yaml", profile)]);
    let findings = [
        "no rule uses the parameter nobody",
        "rule p/empty does nothing",
        "rule p/any names no source",
        "rule p/any replaces whatever is there",
    ];
    fails(&folder.run(&["profiles", "lint", "p.yaml"], ""), 1, &findings);
}

#[test]
fn failing_tests_of_a_profile_are_told_with_a_diff() {
    let tests = "tests:\n  - name: right\n    input: &i |\n      {kind: ConfigMap, apiVersion: v1, metadata: {name: a}, data: {x: a}}\n    \
        output: |\n      {kind: ConfigMap, apiVersion: v1, metadata: {name: a}, data: {x: b}}\n  \
        - name: wrong\n    input: *i\n    output: *i\n  \
        - name: does not fail\n    input: *i\n    error: anything\n";
    let folder = Folder::with(&[
        ("p.yaml", &format!("{}{tests}", setter("p", "x", "b"))),
        ("none.yaml", &setter("p", "x", "b")),
    ]);
    let run = folder.run(&["profiles", "test", "p.yaml"], "");
    let said = [
        "ok      right",
        "FAILED  wrong",
        "+{kind: ConfigMap",
        "it was to fail, and did not",
        "1 passed, 2 failed",
    ];
    fails(&run, 1, &said);
    assert_eq!(folder.run(&["profiles", "test", "none.yaml"], "").code, 0);
}

#[test]
fn a_test_fails_when_a_second_run_would_change_more() {
    let growing = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: p\nrules:\n  - id: p/grows\n    title: x\n    why: x\n    \
        match: {kind: ConfigMap, fields: {data.x: a}}\n    expect: any\n    edit: [{set: data.x, value: b, was: a}]\n  \
        - id: p/grows-on\n    title: x\n    why: x\n    match: {kind: ConfigMap, fields: {data.x: b}}\n    expect: any\n    \
        edit: [{set: data.x, value: c, was: b}]\ntests:\n  - name: once\n    \
        input: \"{kind: ConfigMap, apiVersion: v1, metadata: {name: a}, data: {x: a}}\"\n    \
        output: \"{kind: ConfigMap, apiVersion: v1, metadata: {name: a}, data: {x: b}}\"\n";
    let folder = Folder::with(&[("p.yaml", growing)]);
    fails(&folder.run(&["profiles", "test", "p.yaml"], ""), 1, &["a second run changes the output"]);
}
