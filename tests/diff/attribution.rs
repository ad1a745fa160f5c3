//! Who made a change: the chart or a rule, and which rules have nothing to do any more.

use std::fs;

use super::found::{Found, folder, read, word};
use crate::support::run::germ_post_in;

const PROFILE: &str = "\
apiVersion: germ-post.dev/v1
kind: Profile
name: own
rules:
  - id: own/replicas
    title: Two of everything
    why: A test.
    match: {kind: Deployment}
    edit: [{set: spec.replicas, value: 2}]
    expect: any
  - id: own/mirror
    title: Images from the mirror
    why: A test.
    match: {kind: Deployment}
    edit: [{replace: 'spec.template.spec.containers[*].image', from: quay.io/, to: mirror.example/, optional: true}]
    expect: any
  - id: own/no-policies
    title: No policies
    why: A test.
    match: {kind: NetworkPolicy}
    edit: [{drop: object}]
    expect: any
  - id: own/extra
    title: A note
    why: A test.
    when: {object: {kind: Deployment}}
    emit: {object: {apiVersion: v1, kind: ConfigMap, metadata: {name: extra}, data: {a: b}}}
";

const CHART: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  paused: false
  template: {spec: {containers: [{name: web, image: quay.io/web:1}]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: all}
spec: {podSelector: {}}
";

fn diff(name: &str, old: &str, new: Option<&str>) -> Found {
    let folder = folder(name);
    fs::write(folder.join("own.yaml"), PROFILE).unwrap();
    fs::write(folder.join("old.yaml"), old).unwrap();
    let mut args = vec!["diff", "--format=json", "--profile=./own.yaml", "old.yaml"];
    if let Some(new) = new {
        fs::write(folder.join("new.yaml"), new).unwrap();
        args.push("new.yaml");
    }
    read(&germ_post_in(&folder, &args, b""))
}

#[test]
fn one_rendering_shows_what_the_profile_does() {
    let found = diff("one", CHART, None);
    assert_eq!(
        found.origins(),
        [
            "spec.replicas [own/replicas]",
            "spec.template.spec.containers[name=web].image [own/mirror]",
            "ConfigMap extra [own/extra]",
            "NetworkPolicy all [own/no-policies]",
        ]
    );
    assert_eq!(found.group()["rules"][0]["title"], "Two of everything");
}

#[test]
fn the_charts_changes_are_told_from_the_rules() {
    let new = CHART.replace("web:1", "web:2").replace("paused: false", "paused: true");
    let found = diff("two", CHART, Some(&new));
    // The rule edits the image on both sides; that it is another one is the chart's doing.
    assert_eq!(
        found.origins(),
        ["spec.paused [chart]", "spec.template.spec.containers[name=web].image [chart, own/mirror]"]
    );
    let moved = diff("moved-image", CHART, Some(&CHART.replace("quay.io/web:1", "mirror.example/web:1")));
    assert!(moved.origins().is_empty(), "the profile had made it so already");
    assert_eq!(moved.group()["summary"]["undone"], 1);
}

#[test]
fn what_the_profile_takes_away_is_no_change() {
    let new = CHART.replace("replicas: 1", "replicas: 5").replace("podSelector: {}", "podSelector: {a: b}");
    let found = diff("undone", CHART, Some(&new));
    assert!(found.origins().is_empty());
    // The replicas and the selector of a policy that is dropped.
    assert_eq!(found.group()["summary"]["undone"], 2);
}

#[test]
fn rules_that_are_needless_now_are_named() {
    let new = CHART.replace("replicas: 1", "replicas: 2").split("---").next().unwrap().to_owned();
    let found = diff("needless", CHART, Some(&new));
    let needless = found.json["needless"].as_array().unwrap();
    let lines: Vec<String> =
        needless.iter().map(|rule| format!("{} {}", word(&rule["rule"]), rule["already"])).collect();
    assert_eq!(lines, ["own/replicas true", "own/no-policies false"]);
}

#[test]
fn the_talos_profile_tells_its_rules_on_real_text() {
    let Some(corpus) = crate::support::corpus() else { return };
    let file = corpus.join("cilium/cilium-1.20.0-vanilla.yaml");
    let args = ["diff", "--format=json", "--profile=talos", file.to_str().unwrap()];
    let found = read(&germ_post_in(&folder("talos"), &args, b""));
    let mut rules: Vec<&str> =
        found.group()["rules"].as_array().unwrap().iter().map(|rule| word(&rule["id"])).collect();
    rules.sort_unstable();
    assert_eq!(rules, ["talos/capabilities", "talos/cgroup", "talos/ipam", "talos/kubeprism"]);
    assert!(found.origins().iter().all(|origin| !origin.contains("chart")), "{:?}", found.origins());
    assert_eq!(found.origins().len(), 21);
}
