//! What a target's rules come down to, as one hash a rule: when a new program or
//! profile resolves to other rules, the lock in `germ-post.yaml` tells which, and
//! no cluster is rewritten unseen. Prose is left out: it changes no byte.

use indexmap::IndexMap;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::load::{Loaded, LoadedFile};
use super::params::{ParamError, Params};
use super::rule::meant;

/// Fields of rules and adjustments that change no output.
const PROSE: &[&str] =
    &["title", "why", "source", "severity", "help", "reason", "message", "from", "until", "values"];

/// Hashes by rule id.
pub type Lock = IndexMap<String, String>;

/// The lock of a composition of profiles with these parameters.
pub fn lock(loaded: &Loaded, params: &Params) -> Lock {
    let mut out = Lock::new();
    for (position, file) in loaded.files.iter().enumerate() {
        let raw = Loaded::raw(file);
        for (index, rule) in file.file.rules.iter().enumerate() {
            let mut parts = vec![resolved(&raw["rules"][index], params)];
            // What later files adjust, and this one itself.
            for later in position..loaded.files.len() {
                parts.extend(adjustments(&loaded.files[..=later], &rule.id, params));
            }
            if let Some(text) = rule.emit.as_ref().and_then(|emit| file.emitted.get(&emit.file)) {
                parts.push(Value::from(text.as_str()));
            }
            out.insert(rule.id.clone(), hash(&Value::Array(parts), params));
        }
    }
    out
}

/// The rules that two locks disagree about, in words.
pub fn differences(locked: &Lock, now: &Lock) -> Vec<String> {
    let mut out = Vec::new();
    for (id, hash) in now {
        match locked.get(id) {
            None => out.push(format!("{id} is new")),
            Some(locked) if locked != hash => out.push(format!("{id} has changed")),
            Some(_) => {}
        }
    }
    out.extend(locked.keys().filter(|id| !now.contains_key(*id)).map(|id| format!("{id} is gone")));
    out
}

/// What the last of the files adjusts of a rule in one of them.
fn adjustments(files: &[LoadedFile], id: &str, params: &Params) -> Vec<Value> {
    let Some(file) = files.last().filter(|file| !file.file.adjust.is_empty()) else { return Vec::new() };
    let ids = || files.iter().flat_map(|file| &file.file.rules).map(|rule| rule.id.as_str());
    let raw = Loaded::raw(file);
    let concerns = |(_, adjust): &(usize, &super::file::AdjustFile)| meant(&adjust.rule, ids()).contains(&id);
    let adjusts = file.file.adjust.iter().enumerate().filter(concerns);
    adjusts.map(|(index, _)| resolved(&raw["adjust"][index], params)).collect()
}

/// A rule's value without prose, parameters filled in as far as they are known.
fn resolved(value: &Value, params: &Params) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> =
                map.iter().filter(|(key, _)| !PROSE.contains(&key.as_str())).collect();
            entries.sort_by_key(|(key, _)| key.as_str());
            entries.into_iter().map(|(key, value)| (key.clone(), resolved(value, params))).collect()
        }
        Value::Array(items) => items.iter().map(|item| resolved(item, params)).collect(),
        Value::String(text) => match params.fill_value(value) {
            Ok(filled) => filled,
            Err(ParamError::NoValue { .. }) => Value::from(text.as_str()),
            Err(_) => value.clone(),
        },
        other => other.clone(),
    }
}

fn hash(value: &Value, params: &Params) -> String {
    let text = value.to_string();
    let mut hashed = Sha256::new();
    hashed.update(&text);
    // Conditions name parameters without holding their values.
    for (name, param) in params.iter().filter(|(name, _)| text.contains(&format!("\"{name}\":"))) {
        let decided = param.is_decided();
        hashed.update(format!("{name}={:?}{decided}", param.value));
    }
    hashed.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
