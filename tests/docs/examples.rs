//! What a rule does, seen at work on the examples that the other tests have: what it edits in a
//! stream, what it says of one, what it finds, or what it warns of. `samples/` has streams for
//! rules that no other test shows well; their first line holds the arguments.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use germ_post::yaml;
use serde_json::Value;

use crate::support::parallel;
use crate::support::run::{germ_post_in, scratch};

/// An example as a page shows it: what stands above the block, its language, its text.
#[derive(Debug, Clone)]
pub struct Example {
    pub intro: &'static str,
    pub language: &'static str,
    pub text: String,
}

const CHECKS: &str =
    "--profile=checks-kubernetes,checks-cilium,checks-policy,checks-platform,checks-talos,checks-k3s";

fn tests(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// The folders and files of a folder, in order.
fn entries(folder: PathBuf) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Examples of all rules that have one, by rule.
pub fn all() -> BTreeMap<String, Example> {
    let mut found = BTreeMap::new();
    edits(&mut found);
    checks(&mut found);
    dangers(&mut found);
    found
}

/// A stream that rules edit, and the arguments that choose the rules.
fn streams() -> Vec<(PathBuf, Vec<String>)> {
    let args = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let talos = || args("--profile talos");
    let mut streams = vec![(tests("../examples/release.yaml"), talos())];
    for file in entries(tests("docs/samples")) {
        let first = text(&file).lines().next().unwrap_or_default().to_owned();
        let own = first.strip_prefix("# args: ").unwrap_or_else(|| panic!("{} has no args", file.display()));
        streams.push((file, args(own)));
    }
    for folder in entries(tests("cases")) {
        let own = args(&text(&folder.join("args")));
        if folder.join("input.yaml").is_file() && !own.iter().any(|word| word == "profile.yaml") {
            let own = if own.is_empty() { talos() } else { own };
            streams.push((folder.join("input.yaml"), own));
        }
    }
    streams
}

/// Of the streams that a rule edits, the first that was written to show it, else the one with the
/// shortest diff. A rule that edits nothing anywhere shows what it says, or how it ends a run.
fn edits(found: &mut BTreeMap<String, Example>) {
    let mut shown_on_purpose: BTreeMap<String, bool> = BTreeMap::new();
    let mut said = BTreeMap::new();
    let streams = streams();
    let run = |stream: &(PathBuf, Vec<String>), more: &[&str]| {
        let (file, args) = stream;
        let mut all = vec!["check", file.file_name().unwrap().to_str().unwrap()];
        all.extend(args.iter().map(String::as_str).chain(more.iter().copied()));
        germ_post_in(file.parent().unwrap(), &all, b"").stdout
    };
    let all = parallel::map(&streams, |stream| run(stream, &["--format=json"]));
    for (stream, found_there) in streams.iter().zip(all) {
        let on_purpose = !stream.0.starts_with(tests("cases"));
        let json: Value = serde_json::from_slice(&found_there).unwrap_or(Value::Null);
        let mut here: BTreeMap<String, Example> = BTreeMap::new();
        for finding in json["findings"].as_array().into_iter().flatten() {
            let rule = finding["rule"].as_str().unwrap();
            match (edit(finding), here.get_mut(rule)) {
                (Some(more), Some(example)) => example.text.push_str(&more.text),
                (Some(example), None) => drop(here.insert(rule.to_owned(), example)),
                (None, _) => {
                    said.entry(rule.to_owned()).or_insert_with(|| Example {
                        intro: "What it says, for example:",
                        language: "text",
                        text: first_finding(&run(stream, &["--only", rule]), rule),
                    });
                }
            }
        }
        for (rule, example) in here {
            let better = match (shown_on_purpose.get(&rule), found.get(&rule)) {
                (Some(true), _) => false,
                (_, Some(known)) => on_purpose || example.text.len() < known.text.len(),
                _ => true,
            };
            if better {
                shown_on_purpose.insert(rule.clone(), on_purpose);
                found.insert(rule, example);
            }
        }
    }
    for (rule, example) in said {
        found.entry(rule).or_insert(example);
    }
}

/// A finding's fix, if the rule edits something there.
fn edit(finding: &Value) -> Option<Example> {
    let word = |field: &str| finding["object"][field].as_str().unwrap_or_default();
    if finding["fix"]["drops"] == true {
        let text = format!(
            "-apiVersion: {}\n-kind: {}\n-metadata:\n-  name: {}\n-…\n",
            word("apiVersion"),
            word("kind"),
            word("name")
        );
        return Some(Example { intro: "For example, it takes out:", language: "diff", text });
    }
    let diff = finding["fix"]["diff"].as_str().unwrap_or_default();
    let text: String = diff.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    (!text.is_empty()).then_some(Example { intro: "For example:", language: "diff", text })
}

/// What a rule does to the first stream written to show it: the difference between what comes of
/// it without the rule and with it.
pub fn difference(rule: &str) -> Option<Example> {
    streams().iter().filter(|(file, _)| !file.starts_with(tests("cases"))).find_map(|(file, args)| {
        let stream = fs::read(file).unwrap();
        let run = |more: &[&str]| {
            let all: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
            germ_post_in(file.parent().unwrap(), &all, &stream)
        };
        let (without, with) = (run(&["--quiet", "--skip", rule]), run(&["--quiet"]));
        if without.stderr.contains("[rule-unknown]") || with.code != 0 {
            return None;
        }
        // Where another rule stops the run without this one, the stream as it came stands in.
        let without = if without.code == 0 { without.stdout } else { stream.clone() };
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (without, with) = (text(without), text(with.stdout));
        let diff = similar::TextDiff::from_lines(&without, &with);
        let text = diff.unified_diff().context_radius(3).to_string();
        (!text.is_empty()).then_some(Example { intro: "For example:", language: "diff", text })
    })
}

/// The first finding of a rule as people see it, without the marks that tests have.
fn first_finding(stdout: &[u8], rule: &str) -> String {
    let text = String::from_utf8_lossy(stdout).into_owned();
    let all = text.split("\n\n").find(|finding| finding.contains(&format!("[{rule}]"))).unwrap_or_default();
    let lines = all.trim_matches('\n').lines().map(|line| line.trim_end_matches("# bad").trim_end());
    lines.map(|line| format!("{line}\n")).collect()
}

fn checks(found: &mut BTreeMap<String, Example>) {
    for folder in entries(tests("check/cases")) {
        let rule = folder.file_name().unwrap().to_str().unwrap().replacen('.', "/", 1);
        let file = |end: &str| Some(format!("fail{end}")).filter(|file| folder.join(file).is_file());
        let mut args = vec!["check".to_owned(), "--today=2026-11-30".to_owned(), CHECKS.to_owned()];
        args.extend(file(".yaml"));
        args.extend(file(".node.yaml").map(|file| format!("--node-config={file}")));
        args.extend(file(".config.yaml").map(|file| format!("--config={file}")));
        args.extend(text(&folder.join("args")).split_whitespace().map(str::to_owned));
        let said = first_finding(&germ_post_in(&folder, &args, b"").stdout, &rule);
        let example = Example { intro: "What is found, for example:", language: "text", text: said };
        if !example.text.is_empty() {
            found.insert(rule, example);
        }
    }
}

fn dangers(found: &mut BTreeMap<String, Example>) {
    let folder = tempfile::tempdir_in(scratch()).unwrap();
    for file in entries(tests("diff/dangers")) {
        let rule = file.file_stem().unwrap().to_str().unwrap().replacen('.', "/", 1);
        let cases = yaml::parse(&text(&file)).unwrap().read().unwrap();
        let case = cases.as_array().unwrap().iter().find(|case| case.get("hurts").is_some()).unwrap();
        for side in ["old", "new"] {
            let beside = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: beside}\n";
            let text = format!("{}{beside}", case[side].as_str().unwrap_or_default());
            fs::write(folder.path().join(format!("{side}.yaml")), text).unwrap();
        }
        let run = germ_post_in(folder.path(), &["diff", "old.yaml", "new.yaml"], b"");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        let at = said.find(&format!("[{rule}]")).unwrap_or_else(|| panic!("{rule}: {said}"));
        let begin = said[..at].rfind('\n').map_or(0, |at| at + 1);
        let text: String =
            said[begin..].split("\n\n").next().unwrap().lines().map(|l| format!("{l}\n")).collect();
        found.insert(rule, Example { intro: "What is said, for example:", language: "text", text });
    }
}
