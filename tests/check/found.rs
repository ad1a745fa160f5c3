//! A run of `germ-post check` with its findings read back from JSON.

use std::path::Path;

use serde_json::Value;

use crate::support::run::germ_post_in;

/// The day on which tests judge suppressions.
pub const TODAY: &str = "2026-11-30";

/// What a run found.
#[derive(Debug)]
pub struct Found {
    pub code: i32,
    pub stderr: String,
    pub json: Value,
}

/// Runs a check whose result is read.
pub fn check<S: AsRef<str>>(folder: &Path, args: &[S], stdin: &str) -> Found {
    let mut all = vec!["check", "--format=json", "--today", TODAY];
    all.extend(args.iter().map(AsRef::as_ref));
    let run = germ_post_in(folder, &all, stdin.as_bytes());
    let json = serde_json::from_slice(&run.stdout).unwrap_or(Value::Null);
    Found { code: run.code, stderr: run.stderr, json }
}

impl Found {
    /// The findings, or the suppressed ones.
    pub fn list(&self, list: &str) -> &[Value] {
        let items = self.json[list].as_array();
        items.unwrap_or_else(|| panic!("no findings came of it: exit {} {}", self.code, self.stderr))
    }

    /// `file:line` of each finding of a rule, in order.
    pub fn lines(&self, list: &str, rule: &str) -> Vec<String> {
        let of_rule = self.list(list).iter().filter(|finding| finding["rule"] == rule);
        let mut lines: Vec<String> = of_rule
            .map(|finding| {
                let place = &finding["location"];
                format!("{}:{}", place["file"].as_str().unwrap_or("?"), place["line"])
            })
            .collect();
        lines.sort();
        lines
    }

    /// The rules that found something, each once.
    pub fn rules(&self) -> Vec<&str> {
        let mut rules: Vec<&str> =
            self.list("findings").iter().filter_map(|finding| finding["rule"].as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}
