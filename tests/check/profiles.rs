//! Checks in profiles: what is wrong with one is said with its place, and checks are
//! no part of rewriting.

use std::fs;
use std::path::{Path, PathBuf};

use super::found::check;
use crate::support::run::{germ_post_in, scratch};

#[test]
fn a_wrong_check_is_refused_with_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/wrong");
    let mut failures = Vec::new();
    for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        let lint = germ_post_in(&folder, &["profiles", "lint", &name], b"");
        let run = check(&folder, &["--profile", &name], "a: 1\n");
        if (lint.code, run.code) != (2, 2) {
            failures.push(format!("{name}: lint exits {}, check {}", lint.code, run.code));
        }
        let wanted = |what: &str| text.lines().find_map(|line| line.strip_prefix(what)).unwrap().to_owned();
        for stderr in [&lint.stderr, &run.stderr] {
            if !stderr.contains(&wanted("# says: ")) || !points_at(stderr, &wanted("# caret: ")) {
                failures.push(format!("{name}: {stderr}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether carets stand below this text, and no others.
fn points_at(message: &str, text: &str) -> bool {
    let lines: Vec<&str> = message.lines().collect();
    lines.windows(2).any(|pair| {
        let Some(start) = pair[1].find('^') else { return false };
        let carets = pair[1].matches('^').count();
        pair[0].chars().skip(start).take(carets).eq(text.chars())
    })
}

const OWN: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nchecks: [more.yaml]\nrules:\n\
    \x20 - {id: own/set, title: x, why: x, match: {group: '', kind: ConfigMap}, expect: any, edit: [{set: data.x, value: \"2\", was: \"1\"}]}\n\
    \x20 - {id: own/check, title: A map, why: x, check: [{match: {kind: ConfigMap}, find: data.x, is: {not: \"1\"}}]}\n";
const MORE: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: more\nrules:\n\
    \x20 - {id: more/check, title: A map, why: x, severity: note, check: [{match: {kind: ConfigMap}}]}\n";
const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: \"1\"\n";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch().join(format!("check-profiles-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git")).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

#[test]
fn rewriting_neither_runs_checks_nor_reads_profiles_of_checks() {
    let folder = folder("apart", &[("own.yaml", OWN), ("more.yaml", MORE)]);
    let rules = |folder: &Path| {
        let args = ["--profile=./own.yaml", "--report=report.json", "--quiet"];
        let output = germ_post_in(folder, &args, MAP.as_bytes()).expect_ok();
        assert_eq!(output, MAP.replace("\"1\"", "\"2\""));
        let report: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap();
        let rules = report["rules"].as_array().unwrap().iter();
        rules.map(|rule| rule["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&folder), ["own/set"]);
    let found = check(&folder, &["--profile=./own.yaml"], MAP);
    assert_eq!(found.rules(), ["more/check", "own/check", "own/set"], "a check sees what rewriting makes");
    assert_eq!(check(&folder, &["--profile=./own.yaml", "--skip=own/set"], MAP).rules(), ["more/check"]);
    fs::remove_file(folder.join("more.yaml")).unwrap();
    assert_eq!(rules(&folder), ["own/set"]);
    assert_eq!(check(&folder, &["--profile=./own.yaml"], MAP).code, 2);
}

#[test]
fn checks_are_adjusted_like_other_rules() {
    let site = |adjust: &str| {
        format!(
            "apiVersion: germ-post.dev/v1\nkind: Profile\nname: site\nextends: [own.yaml]\nadjust:\n  - {adjust}\n"
        )
    };
    let folder = folder("adjust", &[("own.yaml", OWN), ("more.yaml", MORE)]);
    let run = |adjust: &str| {
        fs::write(folder.join("site.yaml"), site(adjust)).unwrap();
        // An adjustment of a check does not stop the post-renderer.
        germ_post_in(&folder, &["--profile=./site.yaml", "--quiet"], MAP.as_bytes()).expect_ok();
        check(&folder, &["--profile=./site.yaml"], MAP)
    };
    assert_eq!(run("{rule: more/check, off: true, reason: x}").rules(), ["own/check", "own/set"]);
    assert_eq!(run("{rule: more/check, unless: {name: a}, reason: x}").rules(), ["own/check", "own/set"]);
    assert_eq!(run("{rule: more/check, only: {name: b}, reason: x}").rules(), ["own/check", "own/set"]);
    let worse = run("{rule: more/check, severity: error, reason: x}");
    let of_rule = worse.list("findings").iter().find(|finding| finding["rule"] == "more/check").unwrap();
    assert_eq!(of_rule["severity"], "error");
}

#[test]
fn no_lock_knows_a_check_and_every_edit_is_locked() {
    let config = "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: ./own.yaml\n";
    let folder = folder("lock", &[("own.yaml", OWN), ("more.yaml", MORE), ("germ-post.yaml", config)]);
    let lock = || germ_post_in(&folder, &["profiles", "lock", "--check"], b"");
    germ_post_in(&folder, &["profiles", "lock"], b"").expect_ok();
    let locked = fs::read_to_string(folder.join("germ-post.yaml")).unwrap();
    assert!(locked.contains("own/set:") && !locked.contains("/check"), "{locked}");
    fs::write(folder.join("own.yaml"), OWN.replace("find: data.x, is", "find: data.y, is")).unwrap();
    assert_eq!(lock().code, 0, "a check may change");
    let replace = |from: &str| {
        let edit = format!("edit: [{{replace: data.x, from: \"{from}\", to: \"2\"}}]");
        OWN.replace("edit: [{set: data.x, value: \"2\", was: \"1\"}]", &edit)
    };
    fs::write(folder.join("own.yaml"), replace("1")).unwrap();
    germ_post_in(&folder, &["profiles", "lock"], b"").expect_ok();
    fs::write(folder.join("own.yaml"), replace("3")).unwrap();
    assert_eq!(lock().code, 3, "what `replace` looks for is no prose");
}

#[test]
fn the_post_renderer_takes_what_is_said_to_checks() {
    let config =
        "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: lb-l2\nfacts: {dhcpRanges: [192.0.2.1]}\n";
    let own = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nextends: [lb-l2]\nset: {vips: [192.0.2.2]}\n";
    let folder = folder("said", &[("germ-post.yaml", config), ("own.yaml", own)]);
    let pool = "apiVersion: cilium.io/v2\nkind: CiliumLoadBalancerIPPool\n\
                metadata: {name: a, annotations: {argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true}}\n\
                spec: {blocks: [{cidr: 192.0.2.0/30}]}\n";
    let cases: [&[&str]; 3] = [&[], &["--profile=./own.yaml"], &["--profile=lb-l2", "--set=vips=192.0.2.3"]];
    for args in cases {
        let mut quiet = vec!["--quiet"];
        quiet.extend(args);
        assert_eq!(germ_post_in(&folder, &quiet, pool.as_bytes()).expect_ok(), pool);
        assert_eq!(check(&folder, args, pool).rules(), ["cilium/pool-overlap"], "{args:?}");
    }
    let wrong = germ_post_in(&folder, &["--profile=lb-l2", "--set=vip=192.0.2.3"], pool.as_bytes());
    assert!(wrong.code == 2 && wrong.stderr.contains("did you mean `vips`?"), "{}", wrong.stderr);
}

#[test]
fn what_a_rule_says_of_itself_no_check_says_again() {
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cilium-config}\n\
                  data: {kube-proxy-replacement: \"true\", cluster-pool-ipv4-cidr: 10.42.0.0/16, ipam: cluster-pool}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, ports: [{hostPort: 31100}]}]}\n";
    let stream = format!("{config}---\n{pod}");
    let folder = folder("covers", &[("k3s.yaml", "flannel-backend: none\n")]);
    let of = |profile: &str, rule: &str| {
        let found = check(&folder, &["--profile", profile, "--node-config=k3s.yaml"], &stream);
        found.lines("findings", rule).len()
    };
    for (own, check) in [
        ("k3s/x509", "k3s/kube-proxy-replacement-unproved"),
        ("k3s/host-port-in-node-port-range", "cilium/host-port-in-node-port-range"),
    ] {
        assert_eq!((of("k3s-kpr", own), of("k3s-kpr", check)), (1, 0), "{own}");
        assert_eq!((of("generic", own), of("generic", check)), (0, 1), "{check}");
    }
}
