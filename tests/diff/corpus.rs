//! Rehearsed on real bumps: for every two neighbouring versions of Cilium, what the
//! chart's own Talos values change is what the profile shows for the plain rendering.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::found::{folder, read};
use crate::support::run::germ_post_in;

/// The versions of which both sides are there, in order, by overlay (empty: none).
fn versions(corpus: &Path, overlay: &str) -> Vec<(PathBuf, PathBuf)> {
    let mut found: Vec<(Vec<u64>, PathBuf, PathBuf)> = Vec::new();
    for entry in fs::read_dir(corpus.join("cilium")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let Some(version) =
            name.strip_prefix("cilium-").and_then(|n| n.strip_suffix(&format!("-vanilla{overlay}.yaml")))
        else {
            continue;
        };
        let Some(numbers) = version.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()
        else {
            continue;
        };
        let talos = corpus.join(format!("cilium/cilium-{version}-talos{overlay}.yaml"));
        if talos.is_file() {
            found.push((numbers, entry.path(), talos));
        }
    }
    found.sort();
    found.into_iter().map(|(_, vanilla, talos)| (vanilla, talos)).collect()
}

/// What is different, without who made it and where it stands.
fn told(old: &Path, new: &Path, args: &[&str]) -> Vec<String> {
    let mut all = vec!["diff", "--format=json"];
    all.extend(args);
    all.extend([old.to_str().unwrap(), new.to_str().unwrap()]);
    let found = read(&germ_post_in(&folder("rehearsal"), &all, b""));
    let mut out = Vec::new();
    for object in found.group()["objects"].as_array().unwrap() {
        let head = format!("{} {} {}", object["state"], object["object"], object["was"]);
        let changes = object["changes"].as_array().unwrap().iter();
        out.push(format!("{head} {}", object["value"]));
        let value = |change: &Value, side: &str| change.get(side).map(sorted).unwrap_or_default();
        out.extend(changes.map(|change| {
            format!(
                "{head} {} {} {} {}",
                change["kind"],
                change["path"],
                value(change, "old"),
                value(change, "new")
            )
        }));
    }
    let dangers = found.group()["dangers"].as_array().unwrap().iter();
    out.extend(
        dangers.map(|danger| format!("{} {} {}", danger["rule"], danger["object"], danger["message"])),
    );
    out.sort();
    out
}

/// A value as text, the order of keys and of named items left out.
fn sorted(value: &Value) -> String {
    let mut value = value.clone();
    sort(&mut value);
    value.to_string()
}

fn sort(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.sort_keys();
            map.values_mut().for_each(sort);
        }
        Value::Array(items) => {
            items.iter_mut().for_each(sort);
            if items.iter().all(|item| item.get("name").is_some()) {
                items.sort_by_key(|item| item.to_string());
            }
        }
        _ => {}
    }
}

#[test]
fn a_bump_through_the_profile_is_the_bump_of_the_charts_own_values() {
    let Some(corpus) = crate::support::corpus() else { return };
    let mut pairs = 0;
    for overlay in ["", "-ipv6", "-privileged", "-extras", "-k129", "-native", "-audit"] {
        for pair in versions(&corpus, overlay).windows(2) {
            let [(old_vanilla, old_talos), (new_vanilla, new_talos)] = pair else { continue };
            let wanted = told(old_talos, new_talos, &[]);
            let found = told(old_vanilla, new_vanilla, &["--profile=talos"]);
            let missing: Vec<_> = wanted.iter().filter(|line| !found.contains(line)).collect();
            let more: Vec<_> = found.iter().filter(|line| !wanted.contains(line)).collect();
            assert!(
                missing.is_empty() && more.is_empty(),
                "{} → {}\nmissing: {missing:#?}\nmore: {more:#?}",
                old_vanilla.display(),
                new_vanilla.display()
            );
            assert!(wanted.len() > 10, "a bump changes something");
            pairs += 1;
        }
    }
    eprintln!("{pairs} bumps");
    assert!(pairs >= 10, "{pairs}");
}

#[test]
fn a_rendering_has_no_difference_to_itself() {
    for (index, file) in crate::support::renderings().into_iter().enumerate() {
        // All of them once in ten runs of the suite would be as good as never.
        if index % 5 != 0 {
            continue;
        }
        let path = file.to_str().unwrap();
        let run = germ_post_in(
            &folder("itself"),
            &["diff", "--format=brief", "--no-ignore", "--style", path, path],
            b"",
        );
        let text = run.expect_ok();
        assert!(text.starts_with("no difference in "), "{path}: {text}");
    }
}
