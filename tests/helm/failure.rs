//! A rule that must match and does not: a chart whose agent container has
//! another name. Helm must fail and render nothing. Helm 3 shows the reason by
//! itself, Helm 4 loses it, so there the two other ways to read it are tried.

use std::{fs, path::Path};

use serde_json::Value;

use crate::support::{self, helm::Helm, replay::Chart};

const PROFILE: [&str; 1] = ["--profile=talos"];

/// Cilium whose agent container is not named as the rules expect.
fn renamed_agent() -> Option<Chart> {
    let file = support::corpus()?.join("cilium/cilium-1.20.0-vanilla.yaml");
    let vanilla = fs::read_to_string(file).unwrap();
    let renamed = vanilla.replace("- name: cilium-agent\n", "- name: agent\n");
    assert_ne!(renamed, vanilla);
    Some(Chart::replaying(&renamed))
}

/// A reason names the object, what was looked for and the rule.
fn assert_says_why(text: &str) {
    for part in ["DaemonSet", "cilium-agent", "talos/"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn helm_3_fails_and_says_why() {
    let (Some(helm), Some(chart)) = (Helm::three(), renamed_agent()) else {
        return;
    };
    assert_says_why(&helm.post_render(&chart, &PROFILE, &[]).expect_failure());
}

#[test]
fn helm_4_fails_and_the_report_says_why() {
    let (Some(mut helm), Some(chart)) = (Helm::four(), renamed_agent()) else {
        return;
    };
    let report = helm.working_directory().join("report.json");

    let by_argument = format!("--report={}", report.display());
    helm.post_render(&chart, &[PROFILE[0], &by_argument], &[]).expect_failure();
    assert_reported(&report);

    fs::remove_file(&report).unwrap();
    helm.set("GERM_POST_REPORT", &report);
    helm.post_render(&chart, &PROFILE, &[]).expect_failure();
    assert_reported(&report);
}

fn assert_reported(report: &Path) {
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    assert_eq!(report["exit"], 3);
    assert_says_why(&report["diagnostics"].to_string());
}

/// Opt-in: the reason as a document that Helm 4 refuses and prints.
#[test]
fn helm_4_can_be_made_to_show_the_reason() {
    let (Some(mut helm), Some(chart)) = (Helm::four(), renamed_agent()) else {
        return;
    };
    helm.set("GERM_POST_HELM4_ERRORS", "document");
    assert_says_why(&helm.post_render(&chart, &PROFILE, &[]).expect_failure());
}

/// The same switch left on in the environment of a Helm 3 must not turn the
/// reason into a release.
#[test]
fn helm_3_does_not_render_the_reason() {
    let (Some(mut helm), Some(chart)) = (Helm::three(), renamed_agent()) else {
        return;
    };
    helm.set("GERM_POST_HELM4_ERRORS", "document");
    assert_says_why(&helm.post_render(&chart, &PROFILE, &[]).expect_failure());
}
