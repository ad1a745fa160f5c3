//! Every shipped check has a folder that shows what it finds and what it does not.
//!
//! `cases/<group>.<name>/` is about the rule `<group>/<name>`. Each `fail*.yaml` is
//! checked by itself, and the rule must find something on just those lines that end
//! in `# bad`; in a `pass*.yaml` it finds nothing. `fail.node.yaml` is a node's
//! configuration that goes with `fail.yaml` or stands alone, `fail.config.yaml` the
//! configuration of germ-post. `args` holds further arguments.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use germ_post::profile::{embedded, load};

use super::found::{Found, check};

const CHECKS: &str =
    "--profile=checks-kubernetes,checks-cilium,checks-policy,checks-platform,checks-talos,checks-k3s";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/cases")
}

/// The ids of all rules that ship and check something.
fn shipped() -> BTreeSet<String> {
    let files = embedded::PROFILES.iter().map(|(name, text)| load::parse(name, text).unwrap().0);
    files.flat_map(|file| file.rules).filter(|rule| !rule.check.is_empty()).map(|rule| rule.id).collect()
}

/// The examples of a folder: `fail`, `fail-2`, `pass`, …
fn examples(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    files
        .filter(|file| file.ends_with(".yaml"))
        .map(|file| file.split('.').next().unwrap().to_owned())
        .collect()
}

fn run(folder: &Path, example: &str) -> Found {
    let file = |end: &str| Some(format!("{example}{end}")).filter(|file| folder.join(file).is_file());
    let mut args = vec![CHECKS.to_owned()];
    args.extend(file(".yaml"));
    args.extend(file(".node.yaml").map(|file| format!("--node-config={file}")));
    args.extend(file(".config.yaml").map(|file| format!("--config={file}")));
    let more = fs::read_to_string(folder.join("args")).unwrap_or_default();
    args.extend(more.split_whitespace().map(str::to_owned));
    check(folder, &args, "")
}

/// `file:line` of every line that is marked.
fn marked(folder: &Path, example: &str) -> Vec<String> {
    let mut out = Vec::new();
    for end in [".yaml", ".node.yaml", ".config.yaml"] {
        let name = format!("{example}{end}");
        let text = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        let lines = text.lines().enumerate().filter(|(_, line)| line.ends_with("# bad"));
        out.extend(lines.map(|(index, _)| format!("{name}:{}", index + 1)));
    }
    out.sort();
    out
}

#[test]
fn every_check_finds_what_it_is_for_and_nothing_else() {
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    for entry in fs::read_dir(folder()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let rule = name.replacen('.', "/", 1);
        let examples = examples(&entry.path());
        for example in &examples {
            let wanted = marked(&entry.path(), example);
            if wanted.is_empty() == example.starts_with("fail") {
                wrong.push(format!("{name}/{example}: marks {} lines", wanted.len()));
            }
            let found = run(&entry.path(), example);
            if found.json.is_null() {
                wrong.push(format!("{name}/{example}: exit {}\n{}", found.code, found.stderr));
            } else if found.lines("findings", &rule) != wanted {
                let lines = found.lines("findings", &rule);
                wrong.push(format!("{name}/{example}: found {lines:?}, wanted {wanted:?}"));
            }
        }
        if examples.contains("fail") && examples.contains("pass") {
            shown.insert(rule);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(shown, shipped(), "each shipped check has a fail.yaml and a pass.yaml, and no other");
}
