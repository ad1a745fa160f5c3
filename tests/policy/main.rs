//! `germ-post policy graph`, by the real program: what each file in `cases/` comes out
//! as in every format lies beside it, reviewed like code (`GERM_UPDATE=1` writes it).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use support::run::{germ_post, germ_post_in};

/// Format and the end of the file's name.
const FORMATS: &[(&str, &str)] =
    &[("text", "txt"), ("json", "json"), ("mermaid", "mmd"), ("dot", "dot"), ("svg", "svg")];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policy/cases")
}

#[test]
fn every_case_is_drawn_as_it_was_reviewed() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "yaml"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        for (format, end) in FORMATS {
            let name = file.file_name().unwrap().to_str().unwrap();
            let args = ["policy", "graph", name, "--format", format];
            let drawn = germ_post_in(&folder(), &args, b"").expect_ok();
            let kept = file.with_extension(end);
            if std::env::var_os("GERM_UPDATE").is_some() {
                fs::write(&kept, &drawn).unwrap();
            }
            let reviewed = fs::read_to_string(&kept).unwrap_or_default();
            for hunk in similar::TextDiff::from_lines(&reviewed, &drawn).unified_diff().iter_hunks() {
                eprintln!("{hunk}");
            }
            assert!(drawn == reviewed, "{} is another now; GERM_UPDATE=1 writes it anew", kept.display());
        }
    }
}

fn names(args: &[&str], stdin: &[u8]) -> Vec<String> {
    let args = [&["policy", "graph", "--format=json"], args].concat();
    let graph: Value = serde_json::from_str(&germ_post(&args, stdin).expect_ok()).unwrap();
    let nodes = graph["nodes"].as_array().unwrap();
    nodes.iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_namespace_is_drawn_with_those_it_talks_to() {
    let input = fs::read(folder().join("shop.yaml")).unwrap();
    let of_data = names(&["--namespace=data"], &input);
    assert_eq!(of_data, ["Deployment web", "StatefulSet db", "Deployment report"]);
    assert!(names(&[], &input).contains(&"DaemonSet agent".to_owned()));
    assert!(names(&["--namespace=nowhere"], &input).is_empty());
}

#[test]
fn with_a_profile_the_graph_is_of_what_it_makes() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/policy-egress-by-name");
    let input = fs::read(case.join("input.yaml")).unwrap();
    assert!(!names(&[], &input).contains(&"api.github.com".to_owned()));
    let named = names(&["--profile=talos", "--set=fqdnEgress=true"], &input);
    assert!(named.contains(&"api.github.com".to_owned()), "{named:?}");
    assert!(!named.contains(&"everybody".to_owned()), "the bundled policy is gone: {named:?}");
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let run = germ_post(&["policy", "graph"], b"a: [b\n");
    assert_eq!((run.code, run.stdout.len()), (2, 0), "{}", run.summary());
    assert!(run.stderr.contains("<stdin>:1"), "{}", run.summary());
}

/// Real charts have policies of every shape; none stops the graph.
#[test]
fn every_rendering_has_a_graph() {
    let files = support::renderings();
    support::parallel::map(&files, |file| {
        let text = germ_post(&["policy", "graph", file.to_str().unwrap()], b"").expect_ok();
        let last = text.lines().last().unwrap_or_default();
        assert!(last.contains("allowed by one side only"), "{}: {last}", file.display());
    });
}
