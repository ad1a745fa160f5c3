//! The shipped profiles: those in the folder are those in the program, all load
//! and lint clean, and `list`, `show` and `schema` print them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use germ_post::profile::embedded;

use super::folder::{MAP, fails};
use crate::support::run::germ_post;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles")
}

#[test]
fn the_program_ships_the_folder() {
    let mut in_folder = BTreeMap::new();
    for entry in fs::read_dir(folder()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if let Some(name) = name.strip_suffix(".yaml") {
            in_folder.insert(name.to_owned(), fs::read_to_string(entry.path()).unwrap());
        }
    }
    let shipped = embedded::PROFILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    assert_eq!(shipped.collect::<BTreeMap<_, _>>(), in_folder);
}

#[test]
fn shipped_profiles_load_lint_and_are_versioned() {
    let list = germ_post(&["profiles", "list"], b"").expect_ok();
    for (name, text) in embedded::PROFILES {
        let lint = germ_post(&["profiles", "lint", name], b"");
        assert_eq!((lint.code, lint.stderr.as_str()), (0, ""), "{name}");
        let line = list.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        // A version before 1.0 and the word stand together.
        let experimental = line.contains("Experimental");
        assert!(line.contains(if experimental { " 0." } else { " 1." }), "{line}");
        assert!(text.starts_with("# yaml-language-server: $schema=./schema.json\n"), "{name}");
        assert_eq!(germ_post(&["profiles", "show", name], b"").expect_ok(), *text);
    }
    assert_eq!(list.lines().count(), embedded::PROFILES.len());
}

#[test]
fn none_changes_nothing() {
    assert_eq!(germ_post(&["--profile=none"], MAP.as_bytes()).expect_ok(), MAP);
}

#[test]
fn show_resolved_names_rules_parameters_and_where_they_come_from() {
    let args = ["profiles", "show", "talos", "--resolved", "--set", "ipam=keep"];
    let text = germ_post(&args, b"").expect_ok();
    for wanted in [
        "ipam = \"keep\"  (--set, profile talos-os)",
        "kubePrismPort = 7445  (default, profile talos-os)",
        "ciliumVersion = unset  (unset, profile lb-l2)",
        "talos/cgroup  (talos-os)",
        "talos/ipam  (talos-os)  Pod addresses from the nodes' podCIDRs  [inactive: parameter ipam is \"keep\"",
        "remove spec.template.spec.initContainers[name=mount-cgroup]",
    ] {
        assert!(text.contains(wanted), "`{wanted}` is not in\n{text}");
    }
    fails(&germ_post(&["profiles", "show", "talso"], b""), 2, &["did you mean `talos`?"]);
    fails(
        &germ_post(&["profiles", "show", "talos", "--resolved", "--set", "imap=keep"], b""),
        2,
        &["there is no parameter `imap`", "did you mean `ipam`?"],
    );
}

#[test]
fn schema_is_the_file_beside_the_profiles() {
    let printed = germ_post(&["profiles", "schema"], b"").expect_ok();
    assert_eq!(printed, fs::read_to_string(folder().join("schema.json")).unwrap());
    let schema: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(schema["properties"]["rules"]["items"]["$ref"], "#/$defs/RuleFile");
    assert_eq!(schema["additionalProperties"], false);
}
