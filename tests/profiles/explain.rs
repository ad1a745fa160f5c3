//! `germ-post explain`: by id, by prefix, and what it says of a name it does not
//! know.

use super::folder::{Folder, fails};
use crate::support::run::germ_post;

#[test]
fn a_rule_is_explained_in_full() {
    let text = germ_post(&["explain", "talos/ipam"], b"").expect_ok();
    for wanted in [
        "talos/ipam: Pod addresses from the nodes' podCIDRs",
        "profile: talos-os 1.",
        "severity: error",
        "source: https://",
        "ConfigMap cilium-config",
        "set data.ipam = kubernetes was cluster-pool",
        "remove data.cluster-pool-ipv4-cidr",
        "Values of the chart cilium that make it needless",
        "ipam.mode: \"kubernetes\"",
        "If it misses",
        "germ-post.dev/keep.talos.ipam",
        "--skip talos/ipam",
    ] {
        assert!(text.contains(wanted), "`{wanted}` is not in\n{text}");
    }
    assert!(!text.contains("talos/ipam-decided"), "an exact id means no other");
}

#[test]
fn a_prefix_explains_all_that_begin_so() {
    let text = germ_post(&["explain", "lb/l2-"], b"").expect_ok();
    let ids: Vec<&str> = text.split("\n---\n\n").map(|rule| rule.split(": ").next().unwrap()).collect();
    assert_eq!(ids, ["lb/l2-node-selector", "lb/l2-interfaces", "lb/l2-policy-api-version"]);
}

#[test]
fn an_unknown_rule_is_told_with_a_suggestion() {
    let run = germ_post(&["explain", "talos/kubeprims"], b"");
    fails(
        &run,
        2,
        &["no rule is called `talos/kubeprims`", "did you mean `talos/kubeprism`?", "--profile FILE"],
    );
}

#[test]
fn rules_of_own_profiles_are_explained_too() {
    let profile = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nextends: [talos]\nrules:\n\
        \x20 - {id: own/emit, title: Adds, why: Because., emit: {file: o.yaml}}\n";
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\n";
    let folder = Folder::with(&[("own.yaml", profile), ("o.yaml", object)]);
    let text = folder.run(&["explain", "own/emit", "--profile=own.yaml"], "").expect_ok();
    assert!(text.contains("profile: own") && text.contains("adds the objects of o.yaml"), "{text}");
}
