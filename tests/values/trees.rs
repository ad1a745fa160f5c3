//! Where a rule lands in a tree of charts, as Helm reads it.

use serde_json::json;

use crate::folder::{Folder, archive, chart_yaml, read};

const CILIUM_VALUES: &str = "k8sServiceHost: \"\"\nk8sServicePort: \"\"\n";
const KUBEPRISM: [&str; 5] = ["--profile", "talos", "--only", "talos/kubeprism", "--overlay"];

fn overlay(folder: &Folder, chart: &str) -> serde_json::Value {
    let mut args = vec!["--chart", chart];
    args.extend(KUBEPRISM);
    read(&folder.values(&args).expect_ok())
}

fn pair() -> serde_json::Value {
    json!({"k8sServiceHost": "localhost", "k8sServicePort": 7445})
}

#[test]
fn an_alias_is_the_key() {
    let folder = Folder::with(&[
        (
            "top/Chart.yaml",
            &chart_yaml("top", "1.0.0", "dependencies: [{name: cilium, alias: net, version: 1.x}]\n"),
        ),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/cilium/values.yaml", CILIUM_VALUES),
    ]);
    assert_eq!(overlay(&folder, "top"), json!({"net": pair()}));
}

#[test]
fn two_versions_of_a_chart_are_told_apart_by_their_ranges() {
    let dependencies = "dependencies:\n- {name: cilium, alias: old, version: ~1.17.0}\n- {name: cilium, alias: new, version: ^1.20.0}\n";
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", dependencies)),
        ("top/charts/cilium-a/Chart.yaml", &chart_yaml("cilium", "1.20.3", "")),
        ("top/charts/cilium-a/values.yaml", "nodePort: {enabled: true}\n"),
        ("top/charts/cilium-b/Chart.yaml", &chart_yaml("cilium", "1.17.17", "")),
        ("top/charts/cilium-b/values.yaml", "nodePort: {enabled: true}\n"),
    ]);
    let args = ["--chart", "top", "--profile", "k3s-portmap", "--only", "k3s/no-own-node-ports", "--overlay"];
    // The rule is for versions below 1.19.
    assert_eq!(read(&folder.values(&args).expect_ok()), json!({"old": {"nodePort": {"enabled": false}}}));
}

#[test]
fn charts_lie_at_any_depth_in_folders_and_in_archives() {
    let inner = archive(&[
        ("net/Chart.yaml", &chart_yaml("net", "0.1.0", "dependencies: [{name: cilium, version: '*'}]\n")),
        ("net/values.yaml", "cilium: {k8sServiceHost: api.example}\n"),
        ("net/templates/x.yaml", "{{ not yaml"),
        ("net/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("net/charts/cilium/values.yaml", CILIUM_VALUES),
    ]);
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "dependencies: [{name: middle, version: 1.0.0}]\n")),
        ("top/values.yaml", "# nothing yet\n"),
        ("top/charts/README.md", "no chart"),
        ("top/charts/_hidden/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/middle/Chart.yaml", &chart_yaml("middle", "1.0.0", "")),
    ]);
    folder.write("top/charts/middle/charts/net-0.1.0.tgz", &inner);
    assert_eq!(overlay(&folder, "top"), json!({"middle": {"net": {"cilium": pair()}}}));
    let written =
        folder.values(&["--chart", "top", "--profile", "talos", "--only", "talos/kubeprism"]).expect_ok();
    assert_eq!(
        written,
        "# nothing yet\nmiddle:\n  net:\n    cilium:\n      k8sServiceHost: localhost\n      k8sServicePort: 7445\n"
    );
    // The archive itself is a chart, too.
    folder.write("net.tgz", &inner);
    assert_eq!(overlay(&folder, "net.tgz"), json!({"cilium": pair()}));
}

#[test]
fn an_old_chart_keeps_its_dependencies_in_a_file_of_their_own() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", "apiVersion: v1\nname: top\nversion: 1.0.0\n"),
        ("top/requirements.yaml", "dependencies:\n- name: cilium\n  alias: cni\n  version: 1.20.0\n"),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/cilium/values.yaml", CILIUM_VALUES),
    ]);
    assert_eq!(overlay(&folder, "top"), json!({"cni": pair()}));
}

/// The first condition that leads to a boolean decides; tags only where none does.
#[test]
fn conditions_and_tags_say_which_charts_are_rendered() {
    let chart = |values: &str, entry: &str| {
        let dependencies = format!("dependencies:\n- {{name: cilium, version: 1.20.0, {entry}}}\n");
        Folder::with(&[
            ("top/Chart.yaml", &chart_yaml("top", "1.0.0", &dependencies)),
            ("top/values.yaml", values),
            ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
            ("top/charts/cilium/values.yaml", CILIUM_VALUES),
        ])
    };
    let on = |values: &str, entry: &str| overlay(&chart(values, entry), "top") == json!({"cilium": pair()});
    assert!(on("", "condition: cilium.enabled"), "no value leaves it on");
    assert!(!on("cilium: {enabled: false}\n", "condition: cilium.enabled"));
    assert!(on("cilium: {enabled: \"false\"}\n", "condition: cilium.enabled"), "text is no boolean");
    assert!(on("a: true\nb: false\n", "condition: 'a,b'"));
    assert!(!on("b: false\n", "condition: 'a,b'"));
    assert!(!on("tags: {net: false}\n", "tags: [net]"));
    assert!(on("tags: {net: false, all: true}\n", "tags: [net, all]"));
    assert!(on("on: true\ntags: {net: false}\n", "condition: on, tags: [net]"));

    let folder = chart("cilium: {enabled: false}\n", "condition: cilium.enabled");
    let run = folder.values(&["--chart", "top", "--profile", "talos"]);
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "cilium: {enabled: false}\n");
    assert!(
        run.stderr.contains("cilium is not rendered (its condition cilium.enabled is false)"),
        "{}",
        run.stderr
    );
    // A values file may turn it on.
    folder.write("on.yaml", b"cilium: {enabled: true}\n");
    let mut args = vec!["--chart", "top", "-f", "on.yaml"];
    args.extend(KUBEPRISM);
    assert_eq!(read(&folder.values(&args).expect_ok()), json!({"cilium": pair()}));
}

#[test]
fn a_condition_of_a_chart_below_is_looked_up_from_the_top() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "dependencies: [{name: net, version: 1.0.0}]\n")),
        ("top/values.yaml", "net: {cilium: {enabled: false}}\n"),
        (
            "top/charts/net/Chart.yaml",
            &chart_yaml(
                "net",
                "1.0.0",
                "dependencies: [{name: cilium, version: 1.x, condition: cilium.enabled}]\n",
            ),
        ),
        ("top/charts/net/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/net/charts/cilium/values.yaml", CILIUM_VALUES),
    ]);
    assert_eq!(overlay(&folder, "top"), json!({}));
    assert_eq!(overlay(&folder, "top/charts/net"), json!({"cilium": pair()}));
}

/// `global` of a parent overrules that of the chart below, so it is written where it
/// counts.
#[test]
fn a_global_that_a_parent_sets_is_written_there() {
    let folder = |values: &str| {
        Folder::with(&[
            (
                "top/Chart.yaml",
                &chart_yaml("top", "1.0.0", "dependencies: [{name: argo-cd, version: '*'}]\n"),
            ),
            ("top/values.yaml", values),
            ("top/charts/argo-cd/Chart.yaml", &chart_yaml("argo-cd", "10.1.1", "")),
            ("top/charts/argo-cd/values.yaml", "global: {networkPolicy: {create: true}}\n"),
        ])
    };
    let run = |values: &str| folder(values).values(&["--chart", "top", "--profile", "talos"]).expect_ok();
    assert_eq!(run("a: 1\n"), "a: 1\nargo-cd:\n  global:\n    networkPolicy:\n      create: false\n");
    assert_eq!(
        run("global:\n  networkPolicy:\n    create: true   # for all\n"),
        "global:\n  networkPolicy:\n    create: false   # for all\n"
    );
}

/// A library renders nothing, but its values are values of the chart that uses it.
#[test]
fn a_library_and_charts_that_nobody_lists_have_keys_like_others() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "")),
        ("top/charts/common/Chart.yaml", &chart_yaml("common", "2.0.0", "type: library\n")),
        ("top/charts/common/values.yaml", "networkPolicy: {enabled: true}\n"),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/cilium/values.yaml", CILIUM_VALUES),
    ]);
    assert_eq!(overlay(&folder, "top"), json!({"cilium": pair()}));
    let args = [
        "--chart",
        "top",
        "--profile",
        "cnp-platform",
        "--set",
        "networkPolicies=all",
        "--only",
        "cnp/",
        "--overlay",
    ];
    assert_eq!(
        read(&folder.values(&args).expect_ok()),
        json!({"common": {"networkPolicy": {"enabled": false}}})
    );
}

#[test]
fn what_is_no_chart_is_refused() {
    let folder = Folder::with(&[("empty/readme", "x"), ("x.tgz", "no archive")]);
    let fails = |chart: &str, text: &str| {
        let run = folder.values(&["--chart", chart, "--profile", "talos"]);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{}", run.summary());
        assert!(run.stderr.contains(text), "{}", run.stderr);
    };
    fails("empty", "holds no Chart.yaml");
    fails("missing", "cannot read the chart missing");
    fails("x.tgz", "cannot read the chart x.tgz");
    folder.write("bad/Chart.yaml", b"name: bad\nversion: 1.0.0\n");
    folder.write("bad/values.yaml", b"a: [1\n");
    fails("bad", "bad/values.yaml cannot be read");
    folder.write("list/Chart.yaml", b"name: list\nversion: 1.0.0\n");
    folder.write("list/values.yaml", b"- a\n");
    fails("list", "it holds no mapping");
}
