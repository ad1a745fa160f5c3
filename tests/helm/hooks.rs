//! Hooks, the one thing on which the two Helms cannot agree: Helm 3 never shows
//! a hook to a post-renderer, Helm 4 shows all. The documentation says so; this
//! is the proof, and the day it fails a Helm has changed.

use crate::support::{
    helm::Helm,
    release::Release,
    replay::{Chart, fixture},
};

const ARGUMENTS: [&str; 2] = ["--profile=talos", "--set=networkPolicies=all"];

fn rendered(helm: &Helm, stream: &str) -> Release {
    Release::of(&helm.post_render(&Chart::of_fixture(stream), &ARGUMENTS, &[]).expect_ok())
}

#[test]
fn helm_3_keeps_hooks_from_the_post_renderer() {
    let Some(helm) = Helm::three() else { return };
    let objects = rendered(&helm, "hooks.yaml");
    assert_eq!(objects.names(), ["NetworkPolicy demo-hook", "Service demo", "Service demo-hook"]);
    assert_eq!(objects.get("Service demo")["spec"]["externalTrafficPolicy"], "Cluster");
    let before = Release::of(&fixture("hooks.yaml"));
    for hook in ["NetworkPolicy demo-hook", "Service demo-hook"] {
        assert_eq!(objects.get(hook), before.get(hook), "a hook changed");
    }
}

#[test]
fn helm_4_has_hooks_post_rendered_and_they_stay_hooks() {
    let Some(helm) = Helm::four() else { return };
    let objects = rendered(&helm, "hooks.yaml");
    assert_eq!(objects.names(), ["Service demo", "Service demo-hook"]);
    for service in objects.names() {
        assert_eq!(objects.get(service)["spec"]["externalTrafficPolicy"], "Cluster", "{service}");
    }
    assert_eq!(objects.sources()["Service demo-hook"], "demo/templates/hook-service.yaml");
    assert_eq!(objects.without_hooks().names(), ["Service demo"]);
}

/// Under Helm 3 the post-renderer is called with nothing to read here.
#[test]
fn a_chart_of_hooks_only_works_under_both() {
    for helm in Helm::both() {
        let objects = rendered(&helm, "only-hooks.yaml");
        let policy = if helm.major == 3 { "Local" } else { "Cluster" };
        assert_eq!(objects.get("Service demo-hook")["spec"]["externalTrafficPolicy"], policy);
    }
}
