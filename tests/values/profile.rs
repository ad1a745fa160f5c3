//! What a profile of one's own can say about values, and how adjustments limit it.

use serde_json::json;

use crate::folder::{Folder, chart_yaml, read};

fn folder(profile: &str) -> Folder {
    Folder::with(&[
        ("p.yaml", &format!("apiVersion: germ-post.dev/v1\nkind: Profile\nname: p\n{profile}")),
        ("c/Chart.yaml", &chart_yaml("demo", "2.1.0", "")),
        ("c/values.yaml", "a: {b: 1, list: [p, q, r]}\nmode: old\nnetworkPolicy: {enabled: true}\n"),
    ])
}

fn rule(id: &str, values: &str) -> String {
    format!("  - {{id: p/{id}, title: It must be so, why: Because., source: x, values: {values}}}\n")
}

const ARGS: [&str; 5] = ["--profile", "p.yaml", "--chart", "c", "--overlay"];

#[test]
fn every_part_of_the_values_face_does_what_it_says() {
    let one = |values: &str| {
        let folder = folder(&format!(
            "params:\n  on: {{type: boolean, default: true, about: x}}\nrules:\n{}",
            rule("x", values)
        ));
        read(&folder.values(&ARGS).expect_ok())
    };
    assert_eq!(one("{chart: demo, set: {a.b: 2}}"), json!({"a": {"b": 2}}));
    assert_eq!(one("{chart: demo@<2, set: {a.b: 2}}"), json!({}));
    assert_eq!(one("{chart: [other, demo@2.x], set: {a.b: 2}}"), json!({"a": {"b": 2}}));
    assert_eq!(one("{chart: demo, retain: {a.list: [r, p]}}"), json!({"a": {"list": ["p", "r"]}}));
    assert_eq!(one("{chart: demo, exclude: {a.list: [p]}}"), json!({"a": {"list": ["q", "r"]}}));
    assert_eq!(one("{chart: demo, exclude: {a.list: [s]}}"), json!({}));
    assert_eq!(
        one("[{chart: demo, when: {on: false}, set: {a.b: 2}}, {chart: demo, set: {a.c: 3}}]"),
        json!({"a": {"c": 3}})
    );
    assert_eq!(one("{chart: demo, set: {'x.\"y.z\"': 1}}"), json!({"x": {"y.z": 1}}));
}

#[test]
fn a_value_that_is_not_as_required_is_an_error() {
    let folder = folder(&format!(
        "rules:\n{}",
        rule("mode", "{chart: demo, require: {mode: [absent, new]}, help: think first, set: {mode: new}}")
    ));
    let run = folder.values(&ARGS);
    assert_eq!((run.code, run.stdout.len()), (3, 0), "{}", run.summary());
    for text in ["rule p/mode wants mode to be", "it is `\"old\"`", "think first"] {
        assert!(run.stderr.contains(text), "no {text} in {}", run.stderr);
    }
}

/// A running cluster's pod addresses must not move unasked, by values no more than by
/// manifests.
#[test]
fn pod_addresses_of_a_running_cluster_stay() {
    let folder = Folder::with(&[
        ("c/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("c/values.yaml", "ipam: {mode: cluster-pool}\n"),
    ]);
    let args =
        ["--profile", "talos", "--chart", "c", "--set", "clusterState=existing", "--only", "talos/ipam"];
    let run = folder.values(&args);
    assert_eq!((run.code, run.stdout.len()), (3, 0), "{}", run.summary());
    assert!(run.stderr.contains("--set ipam=keep"), "{}", run.stderr);
    let mut decided = args.to_vec();
    decided.extend(["--set", "ipam=kubernetes"]);
    assert_eq!(folder.values(&decided).expect_ok(), "ipam: {mode: kubernetes}\n");
}

#[test]
fn two_rules_that_want_different_things_are_an_error() {
    let folder = folder(&format!(
        "rules:\n{}{}",
        rule("one", "{chart: demo, set: {a.b: 2}}"),
        rule("two", "{chart: demo, set: {a.b: 3}}")
    ));
    let run = folder.values(&ARGS);
    assert_eq!((run.code, run.stdout.len()), (3, 0), "{}", run.summary());
    assert!(run.stderr.contains("rules p/one and p/two want different values"), "{}", run.stderr);
}

#[test]
fn adjustments_limit_values_by_chart_and_stop_them_where_they_cannot_tell() {
    let adjusted = |adjust: &str| {
        let folder = folder(&format!(
            "extends: [cnp-platform]\nset: {{networkPolicies: all}}\nadjust:\n- {{rule: cnp/drop-bundled, reason: not yet, {adjust}}}\n"
        ));
        let run = folder.values(&ARGS);
        let said = run.stderr.clone();
        (read(&run.expect_ok()), said)
    };
    let off = json!({"networkPolicy": {"enabled": false}});
    let (values, said) = adjusted("unless: {chart: demo}");
    assert_eq!(values, json!({}));
    assert!(said.contains("leaves the chart demo alone: not yet"), "{said}");
    assert_eq!(adjusted("unless: {chart: other}").0, off);
    assert_eq!(adjusted("only: {chart: demo}").0, off);
    assert_eq!(adjusted("only: {chart: other}").0, json!({}));
    let (values, said) = adjusted("unless: {name: keep-me}");
    assert_eq!(values, json!({}));
    assert!(said.contains("values cannot tell them"), "{said}");
}

#[test]
fn a_chart_of_an_untested_version_is_a_warning() {
    let folder = Folder::with(&[
        ("c/Chart.yaml", &chart_yaml("cilium", "1.99.0", "")),
        ("c/values.yaml", "k8sServiceHost: \"\"\n"),
    ]);
    let run = folder.values(&["--profile", "talos", "--chart", "c", "--check"]);
    assert!(run.stderr.contains("was tested with cilium"), "{}", run.stderr);
}

#[test]
fn a_mistake_in_a_values_face_is_shown_in_the_profile() {
    for (values, said) in [
        ("{chart: demo, sets: {a: 1}}", "did you mean `set`?"),
        ("{chart: demo, set: {'a[0]': 1}}", "keys only"),
        ("{chart: demo, retain: {a: 1}}", "a list is wanted"),
        ("{chart: demo, each: [{set: a, remove: b}]}", "either `set` with `value`, or `remove`"),
        ("{chart: 'demo@>=x', set: {a: 1}}", "not a version comparison"),
        ("{chart: demo, when: {nobody: 1}, set: {a: 1}}", "nobody"),
    ] {
        let run = folder(&format!("rules:\n{}", rule("x", values))).values(&ARGS);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{values}: {}", run.summary());
        assert!(run.stderr.contains(said) && run.stderr.contains("p.yaml:"), "{values}: {}", run.stderr);
    }
}
