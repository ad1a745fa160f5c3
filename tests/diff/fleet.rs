//! Every target of `germ-post.yaml` in one run.

use std::fs;

use super::found::{folder, word};
use crate::support::run::germ_post_in;

const PROFILE: &str = "\
apiVersion: germ-post.dev/v1
kind: Profile
name: own
params:
  replicas: {type: integer, default: 1, about: How many.}
rules:
  - id: own/replicas
    title: So many
    why: A test.
    match: {kind: Deployment}
    edit: [{set: spec.replicas, value: '${replicas}'}]
";

const CONFIG: &str = "\
apiVersion: germ-post.dev/v1
kind: Config
profile: ./own.yaml
targets:
  a: {params: {replicas: 2}}
  b: {params: {replicas: 2}}
  c: {profile: none}
  d: {params: {replicas: 3}}
";

const CHART: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, paused: false}\n";

fn run(name: &str, new: &str, args: &[&str]) -> crate::support::run::Run {
    let folder = folder(name);
    for (name, text) in
        [("own.yaml", PROFILE), ("germ-post.yaml", CONFIG), ("old.yaml", CHART), ("new.yaml", new)]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let mut all = vec!["diff", "--all-targets", "old.yaml", "new.yaml"];
    all.extend(args);
    germ_post_in(&folder, &all, b"")
}

#[test]
fn equal_results_are_told_once() {
    // The targets with the rule do not see it.
    let new = CHART.replace("replicas: 1", "replicas: 2");
    let found = run("fleet", &new, &["--exit-code", "--format=json"]);
    assert_eq!(found.code, 1, "{}", found.stderr);
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!((&json["targets"], &json["unchangedTargets"]), (&4.into(), &3.into()));
    let groups: Vec<String> = json["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| {
            let targets: Vec<&str> = group["targets"].as_array().unwrap().iter().map(word).collect();
            format!("{} {}", targets.join(","), group["objects"].as_array().unwrap().len())
        })
        .collect();
    assert_eq!(groups, ["c 1", "a,b,d 0"]);
    // It still changes something for one target.
    assert_eq!(json["needless"].as_array().unwrap().len(), 0);
}

#[test]
fn a_rule_is_needless_when_no_target_needs_it() {
    let folder = folder("fleet-needless");
    let config = CONFIG.replace("  d: {params: {replicas: 3}}\n", "");
    let new = CHART.replace("replicas: 1", "replicas: 2");
    for (name, text) in
        [("own.yaml", PROFILE), ("germ-post.yaml", &config), ("old.yaml", CHART), ("new.yaml", &new)]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let text = germ_post_in(&folder, &["diff", "--all-targets", "old.yaml", "new.yaml"], b"").expect_ok();
    assert!(text.contains("own/replicas is needless now"), "{text}");
    assert!(text.contains("2 of 3 targets: no change; 1 other in 1 way"), "{text}");
}

#[test]
fn a_target_that_fails_is_named() {
    let failed = run("fleet-failed", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", &[]);
    assert_eq!((failed.code, failed.stdout.len()), (3, 0), "{}", failed.stderr);
    assert!(failed.stderr.contains("for target a"), "{}", failed.stderr);
    let folder = folder("fleet-none");
    let none = germ_post_in(&folder, &["diff", "--all-targets", "--config=/nowhere.yaml", "a", "b"], b"");
    assert_eq!(none.code, 2);
}
