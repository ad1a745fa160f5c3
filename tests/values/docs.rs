//! `docs/values.md` is true: its example comes out as it says, and its profile loads.

use serde_json::json;

use crate::folder::{Folder, chart_yaml, read};
use crate::support::page::Page;

fn page() -> Page {
    Page::read("docs/values.md")
}

#[test]
fn the_example_comes_out_as_it_says() {
    let page = page();
    let folder = Folder::with(&[
        ("network/Chart.yaml", &page.block("network/Chart.yaml")),
        ("network/values.yaml", &page.block("network/values.yaml")),
        ("network/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        (
            "network/charts/cilium/values.yaml",
            "kubeProxyReplacement: \"false\"\nhubble: {enabled: false}\ncgroup: {autoMount: {enabled: true}, hostRoot: /x}\n",
        ),
    ]);
    let args = [
        "--profile",
        "talos",
        "--chart",
        "network",
        "--only",
        "talos/kube-proxy-replacement",
        "--only",
        "talos/cgroup",
    ];
    assert_eq!(folder.values(&args).expect_ok(), page.block("prints"));
    let mut overlay = args.to_vec();
    overlay.push("--overlay");
    assert_eq!(folder.values(&overlay).expect_ok(), page.block("overlay"));
}

#[test]
fn the_profile_does_what_it_says() {
    let folder = Folder::with(&[
        ("profile.yaml", &page().block("profile")),
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "")),
        ("top/charts/traefik/Chart.yaml", &chart_yaml("traefik", "41.3.0", "")),
        ("top/charts/mirror/Chart.yaml", &chart_yaml("mirror", "1.0.0", "")),
        ("top/charts/audit/Chart.yaml", &chart_yaml("audit", "1.0.0", "")),
        ("top/charts/audit/values.yaml", "a: {kind: cloud, telemetry: {enabled: true}}\n"),
        ("top/charts/app/Chart.yaml", &chart_yaml("app", "1.0.0", "")),
        (
            "top/charts/app/values.yaml",
            "a: {kind: cloud, telemetry: {enabled: true}}\nb: {kind: own, telemetry: {enabled: true}}\n",
        ),
    ]);
    let run = folder.values(&["--profile", "./profile.yaml", "--chart", "top", "--overlay"]);
    assert!(run.stderr.contains("leaves audit.a.telemetry.enabled: the auditors want it"), "{}", run.stderr);
    assert_eq!(
        read(&run.expect_ok()),
        json!({
            "traefik": {"global": {"sendAnonymousUsage": false}},
            "mirror": {"region": "eu"},
            "app": {"a": {"telemetry": {"enabled": false}}},
        })
    );
}
