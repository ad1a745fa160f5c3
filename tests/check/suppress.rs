//! Suppressions: by annotation, comment and configuration; what each covers, and
//! what is reported of those that do nothing.

use std::fs;

use super::found::{Found, check};
use crate::support::run::scratch;

const RULE: &str = "cilium/host-port-in-node-port-range";

/// A workload with two bad ports; `{}` are an annotation and what stands in front of
/// and behind the first port.
fn workload(annotation: &str, above: &str, behind: &str) -> String {
    let annotations =
        if annotation.is_empty() { String::new() } else { format!("  annotations: {{{annotation}}}\n") };
    let above = if above.is_empty() { String::new() } else { format!("            {above}\n") };
    format!(
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: mirror\n  namespace: registry\n{annotations}\
         spec:\n  template:\n    spec:\n      containers:\n        - name: mirror\n          ports:\n{above}\
         \x20           - containerPort: 1\n              hostPort: 31100{behind}\n            - hostPort: 31200\n"
    )
}

fn run(stream: &str, args: &[&str]) -> Found {
    let mut all = vec!["--profile=checks-cilium"];
    all.extend(args);
    check(&scratch(), &all, stream)
}

/// How many findings count, how many are suppressed, and what is said of
/// suppressions.
fn outcome(found: &Found) -> (usize, usize, Vec<&str>) {
    let said = found.rules().into_iter().filter(|rule| rule.starts_with("suppression/")).collect();
    (found.lines("findings", RULE).len(), found.lines("suppressed", RULE).len(), said)
}

#[test]
fn an_annotation_covers_its_object() {
    let annotation = format!("germ-post.dev/ignore.{}: \"a Service is in front\"", RULE.replace('/', "."));
    let found = run(&workload(&annotation, "", ""), &[]);
    assert_eq!(outcome(&found), (0, 2, vec![]));
    assert_eq!(found.code, 0);
    let suppressed = &found.list("suppressed")[0]["suppressed"];
    assert_eq!(
        (suppressed["by"].as_str(), suppressed["reason"].as_str()),
        (Some("annotation"), Some("a Service is in front"))
    );
    let other = annotation.replace("range", "rang");
    assert_eq!(outcome(&run(&workload(&other, "", ""), &[])), (2, 0, vec!["suppression/unknown-rule"]));
    // Of a rule that this profile does not run, nothing can be said.
    let foreign = "germ-post.dev/ignore.talos.sys-module: why";
    assert_eq!(outcome(&run(&workload(foreign, "", ""), &[])), (2, 0, vec![]));
}

#[test]
fn keeping_an_object_from_rules_keeps_their_findings_away() {
    for annotation in ["germ-post.dev/keep", "germ-post.dev/keep.cilium.host-port-in-node-port-range"] {
        let found = run(&workload(&format!("{annotation}: because"), "", ""), &[]);
        assert_eq!(outcome(&found), (0, 2, vec![]), "{annotation}");
    }
    let service = |annotations: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a, annotations: {{{annotations}}}}}\n\
             spec: {{type: LoadBalancer, externalTrafficPolicy: Local}}\n"
        )
    };
    let of = |annotations: &str| {
        check(&scratch(), &["--profile=lb-l2"], &service(annotations))
            .lines("findings", "lb/external-traffic-policy")
            .len()
    };
    assert_eq!(of(""), 1);
    assert_eq!(of("germ-post.dev/keep.lb.external-traffic-policy: because"), 0);
    assert_eq!(of("germ-post.dev/ignore.lb.external-traffic-policy: because"), 0);
}

#[test]
fn a_comment_covers_what_it_stands_at() {
    let comment = format!("# germ-post: ignore[{RULE}] it moves soon");
    let behind = run(&workload("", "", &format!(" {comment}")), &[]);
    assert_eq!(outcome(&behind), (1, 1, vec![]));
    let above = run(&workload("", &comment, ""), &[]);
    assert_eq!(outcome(&above), (1, 1, vec![]));
    let whole = run(&format!("{comment}\n{}", workload("", "", "")), &[]);
    assert_eq!(outcome(&whole), (0, 2, vec![]));
    // One document's comment is not another's.
    let two = format!("{comment}\n{0}---\n{0}", workload("", "", ""));
    assert_eq!(outcome(&run(&two, &[])), (2, 2, vec![]));
    let other = run(&workload("", "", " # germ-post: ignore[cilium/pool-overlap] it moves soon"), &[]);
    assert_eq!(outcome(&other), (2, 0, vec!["suppression/unused"]));
}

#[test]
fn an_entry_of_the_configuration_covers_what_it_names() {
    let folder = scratch().join("check-suppress-config");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git")).unwrap();
    let with = |entry: &str| {
        let config = format!(
            "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: checks-cilium\nignore:\n  - {entry}\n"
        );
        fs::write(folder.join("germ-post.yaml"), config).unwrap();
        let found = check(&folder, &[] as &[&str], &workload("", "", ""));
        let (counted, suppressed, said) = outcome(&found);
        (counted, suppressed, said.join(" "))
    };
    let entry = |more: &str| format!("{{rule: {RULE}, reason: moves soon{more}}}");
    let all = (0, 2, String::new());
    let none = |said: &str| (2, 0, said.to_owned());
    assert_eq!(with(&entry("")), all);
    assert_eq!(with(&entry(", kind: Daemon*, namespace: registry, name: mirror, group: apps")), all);
    assert_eq!(with("{rule: \"cilium/*\", reason: moves soon}"), all);
    assert_eq!(with(&entry(", name: other")), none("suppression/unused"));
    assert_eq!(with(&entry(", until: \"2026-11-30\"")), all);
    assert_eq!(with(&entry(", until: \"2026-11-29\"")), none("suppression/expired"));
    assert_eq!(with(&format!("{{rule: {RULE}}}")), (0, 2, "suppression/without-reason".to_owned()));
    assert_eq!(with("{rule: cilium/host-port, reason: x}"), none("suppression/unknown-rule"));
    // It counts beside a profile that is named, as well.
    fs::write(
        folder.join("germ-post.yaml"),
        format!("apiVersion: germ-post.dev/v1\nkind: Config\nignore: [{}]\n", entry("")),
    )
    .unwrap();
    let named = check(&folder, &["--profile=checks-cilium"], &workload("", "", ""));
    assert_eq!(outcome(&named), (0, 2, vec![]));
    let bare = check(&folder, &[] as &[&str], &workload("", "", ""));
    assert_eq!(outcome(&bare), (0, 2, vec![]), "without a profile, the common checks run");
    fs::write(
        folder.join("germ-post.yaml"),
        format!("apiVersion: germ-post.dev/v1\nkind: Config\nignore: [{}]\n", entry(", until: soon")),
    )
    .unwrap();
    let wrong = check(&folder, &[] as &[&str], &workload("", "", ""));
    assert!(wrong.code == 2 && wrong.stderr.contains("`until` is not a date"), "{}", wrong.stderr);
}
