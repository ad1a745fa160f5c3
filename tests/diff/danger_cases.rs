//! The files in `dangers/`: for every shipped rule that knows a danger, changes that
//! hurt, with what is said of them, and changes that only look like it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use germ_post::profile::{embedded, load};
use serde::Deserialize;

use super::found::{Found, diff_with, word};

#[derive(Deserialize)]
struct Case {
    /// What is said; the change hurts.
    hurts: Option<String>,
    /// Why it does not hurt.
    calm: Option<String>,
    /// The old side; nothing if left out.
    #[serde(default)]
    old: String,
    /// The new side.
    #[serde(default)]
    new: String,
}

/// Something that both sides have, so that none is empty.
const BESIDE: &str = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: beside}\n";

fn said(found: &Found, rule: &str) -> Vec<String> {
    let dangers = found.group()["dangers"].as_array().unwrap().iter();
    dangers
        .filter(|danger| danger["rule"] == rule)
        .map(|danger| word(&danger["message"]).to_owned())
        .collect()
}

#[test]
fn every_danger_is_found_and_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/dangers");
    let mut covered = BTreeSet::new();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let rule = file.file_stem().unwrap().to_string_lossy().replacen('.', "/", 1);
        let cases: Vec<Case> = serde_saphyr::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(cases.iter().any(|case| case.hurts.is_some()), "{rule} is never found");
        assert!(cases.iter().any(|case| case.calm.is_some()), "{rule} is never calm");
        for (index, case) in cases.iter().enumerate() {
            let side = |text: &str| format!("{text}{BESIDE}");
            let found = diff_with("danger", &side(&case.old), &side(&case.new), &[]);
            let name = format!("{rule}, case {}", index + 1);
            match (&case.hurts, &case.calm) {
                (Some(message), None) => assert_eq!(said(&found, &rule), [message.as_str()], "{name}"),
                (None, Some(reason)) => assert_eq!(said(&found, &rule), [""; 0], "{name}: {reason}"),
                _ => panic!("{name} either hurts or is calm"),
            }
        }
        covered.insert(rule);
    }
    let mut shipped = BTreeSet::new();
    for (name, text) in embedded::PROFILES {
        let (file, _) = load::parse(name, text).unwrap();
        shipped.extend(file.rules.into_iter().filter(|rule| !rule.danger.is_empty()).map(|rule| rule.id));
    }
    assert_eq!(covered, shipped);
}

#[test]
fn dangers_are_found_in_what_is_ignored_and_come_first() {
    let config = |ipam: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: cilium-config}}\ndata: {{ipam: {ipam}}}\n"
        )
    };
    let args = ["--ignore=data.ipam"];
    let found = diff_with("danger-ignored", &config("kubernetes"), &config("cluster-pool"), &args);
    assert_eq!(said(&found, "cilium/ipam-changed"), ["`ipam` goes from kubernetes to cluster-pool"]);
    assert_eq!(found.objects(), [""; 0]);
}

#[test]
fn a_profile_may_know_dangers_of_its_own() {
    let folder = super::found::folder("danger-own");
    let profile = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nrules:\n- id: own/colour\n  title: The colour changes\n  why: Nobody likes it.\n  danger: [{match: {kind: ConfigMap}, find: data.colour, was: green, message: 'from {old} to {new}'}]\n";
    fs::write(folder.join("own.yaml"), profile).unwrap();
    let side = |colour: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata: {{colour: {colour}}}\n")
    };
    let found = super::found::read(&super::found::run(
        &folder,
        &side("green"),
        &side("red"),
        &["--format=json", "--profile=./own.yaml"],
    ));
    assert_eq!(said(&found, "own/colour"), ["from green to red"]);
    let secret = |value: &str| side(value).replace("ConfigMap", "Secret").replace("data", "stringData");
    fs::write(
        folder.join("own.yaml"),
        profile.replace("ConfigMap", "Secret").replace("data.", "stringData."),
    )
    .unwrap();
    let run = super::found::run(&folder, &secret("green"), &secret("hunter"), &["--profile=./own.yaml"]);
    let text = run.expect_ok();
    assert!(text.contains("from ‹masked ") && !text.contains("hunter"), "{text}");
}
