//! `germ-post.lock.json`, beside `germ-post.yaml`: the rules behind the lock's
//! hashes, so that a mismatch can show what has changed. The hashes decide; a
//! missing or stale file only makes the message shorter.

use std::path::PathBuf;

use germ_post::diagnostic::Diagnostic;
use germ_post::profile::load::ReadFile;
use germ_post::profile::lock::{self, Lock};
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::config::Config;
use super::report_file;

/// Beside the configuration, whatever that is called.
fn path(config: &Config) -> PathBuf {
    config.path.with_extension("lock.json")
}

/// The file's value; an empty one where there is none that can be read.
fn read(config: &Config, read: ReadFile<'_>) -> Value {
    let text = read(&path(config)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_else(|_| json!({"version": 1, "targets": {}}))
}

/// The name under which a target's rules stand; the empty one without targets.
fn key(config: &Config) -> &str {
    config.target.as_deref().unwrap_or("")
}

/// Keeps the rules that a target is now locked to.
pub fn write(config: &Config, rules: &IndexMap<String, Value>) -> Result<(), Diagnostic> {
    let mut file = read(config, &|path| std::fs::read_to_string(path));
    file["targets"][key(config)] = json!(rules);
    let shown_as = path(config).display().to_string();
    report_file::write(&path(config), &format!("{file:#}\n"))
        .map_err(|error| Diagnostic::input("lock-failed", format!("cannot write {shown_as}: {error}")))
}

/// What has changed in the rules that are no longer what they were locked to.
pub fn changes(
    config: &Config,
    locked: &Lock,
    now: &IndexMap<String, Value>,
    reader: ReadFile<'_>,
) -> Vec<String> {
    let file = read(config, reader);
    let old = &file["targets"][key(config)];
    now.iter()
        .filter_map(|(id, rule)| {
            let old = old.get(id).filter(|old| Some(&lock::hash(old)) == locked.get(id))?;
            let changes = lock::changes(old, rule);
            (!changes.is_empty()).then(|| format!("in {id}:\n{}", changes.trim_end()))
        })
        .collect()
}
