//! `values.schema.json` of a chart is respected, as Helm respects it.

use crate::folder::{Folder, chart_yaml};
use crate::support::run::Run;

fn run(schema: &str, values: &str) -> Run {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "")),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/cilium/values.yaml", values),
        ("top/charts/cilium/values.schema.json", schema),
    ]);
    folder.values(&["--profile", "talos", "--only", "talos/kubeprism", "--chart", "top"])
}

const VALUES: &str = "k8sServiceHost: \"\"\nk8sServicePort: \"\"\npassword: hunter2\n";

#[test]
fn a_value_that_the_schema_forbids_is_an_error() {
    for schema in [
        r#"{"properties": {"k8sServicePort": {"type": "string"}}}"#,
        r##"{"$ref": "#/$defs/v", "$defs": {"v": {"properties": {"k8sServicePort": {"enum": ["", 6443]}}}}}"##,
        r#"{"if": {"properties": {"k8sServiceHost": {"const": "localhost"}}}, "then": {"properties": {"k8sServicePort": {"const": ""}}}}"#,
    ] {
        let run = run(schema, VALUES);
        assert_eq!((run.code, run.stdout.len()), (3, 0), "{schema}: {}", run.summary());
        for text in [
            "the schema of the chart cilium 1.20.0 forbids",
            "cilium.k8sServicePort",
            "7445",
            "talos/kubeprism",
        ] {
            assert!(run.stderr.contains(text), "{schema}: no {text} in {}", run.stderr);
        }
        assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
    }
}

#[test]
fn a_key_that_the_schema_does_not_know_is_an_error() {
    let schema = r#"{"additionalProperties": false, "properties": {"password": {}, "k8sServiceHost": {}}}"#;
    let run = run(schema, "k8sServiceHost: \"\"\npassword: hunter2\n");
    assert_eq!((run.code, run.stdout.len()), (3, 0), "{}", run.summary());
    assert!(run.stderr.contains("forbids") && !run.stderr.contains("hunter2"), "{}", run.stderr);
}

#[test]
fn what_the_schema_allows_passes_and_so_does_what_was_wrong_before() {
    let allows = r#"{"properties": {"k8sServicePort": {"type": ["string", "integer"]}}}"#;
    run(allows, VALUES).expect_ok();
    // The user's own fault; Helm will say it.
    let wrong_before = r#"{"properties": {"password": {"type": "integer"}, "k8sServicePort": {}}}"#;
    run(wrong_before, VALUES).expect_ok();
}

#[test]
fn a_schema_that_cannot_be_used_is_a_warning() {
    let run = run("{not json", VALUES);
    assert!(run.stderr.contains("values.schema.json is not held against the values"), "{}", run.stderr);
    run.expect_ok();
}
