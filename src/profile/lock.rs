//! What a target's rules come down to, as one hash a rule: when a new program or
//! profile resolves to other rules, the lock in `germ-post.yaml` tells which, and
//! no cluster is rewritten unseen. Prose is left out: it changes no byte.

use indexmap::IndexMap;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use similar::{ChangeTag, TextDiff};

use super::load::{Loaded, LoadedFile};
use super::params::{ParamError, Params};
use super::rule::meant;

/// Fields of a rule that change no output.
const OF_RULE: &[&str] =
    &["title", "why", "source", "severity", "help", "values", "covers", "check", "admission"];
/// Fields of an edit that change no output.
const OF_EDIT: &[&str] = &["help", "means"];
/// Fields of an adjustment that change no output.
const OF_ADJUST: &[&str] = &["reason", "severity", "from", "until"];

/// Hashes by rule id.
pub type Lock = IndexMap<String, String>;

/// What each rule of a composition comes down to with these parameters: its own
/// text, adjustments, emitted files and the parameters that it names.
pub fn resolve(loaded: &Loaded, params: &Params) -> IndexMap<String, Value> {
    let mut out = IndexMap::new();
    let raw: Vec<Value> = loaded.files.iter().map(LoadedFile::raw).collect();
    for (position, file) in loaded.files.iter().enumerate().filter(|(_, file)| !file.only_checks) {
        for (index, rule) in file.file.rules.iter().enumerate().filter(|(_, rule)| rule.rewrites()) {
            let rule_value = resolved(&without_prose(&raw[position]["rules"][index]), params);
            // What later files adjust, and this one itself.
            let adjusted: Vec<Value> = (position..loaded.files.len())
                .flat_map(|later| adjustments(&loaded.files[..=later], &raw[later], &rule.id, params))
                .collect();
            let emitted = rule.emit.as_ref().and_then(|emit| file.emitted.get(emit.file.as_ref()?));
            let mut whole = json!({"rule": rule_value, "adjust": adjusted, "emit": emitted});
            whole["params"] = named_params(&whole.to_string(), params);
            out.insert(rule.id.clone(), whole);
        }
    }
    out
}

/// The lock of resolved rules.
pub fn lock(rules: &IndexMap<String, Value>) -> Lock {
    rules.iter().map(|(id, rule)| (id.clone(), hash(rule))).collect()
}

/// What is different between two forms of a rule, as a diff of their JSON.
pub fn changes(old: &Value, new: &Value) -> String {
    let text = |value: &Value| format!("{value:#}\n");
    let (old, new) = (text(old), text(new));
    let diff = TextDiff::from_lines(&old, &new);
    let changed = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    changed.map(|change| format!("{}{change}", change.tag())).collect()
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
fn adjustments(files: &[LoadedFile], raw: &Value, id: &str, params: &Params) -> Vec<Value> {
    let Some(file) = files.last().filter(|file| !file.file.adjust.is_empty()) else { return Vec::new() };
    let ids = || files.iter().flat_map(|file| &file.file.rules).map(|rule| rule.id.as_str());
    let concerns = |(_, adjust): &(usize, &super::file::AdjustFile)| meant(&adjust.rule, ids()).contains(&id);
    let adjusts = file.file.adjust.iter().enumerate().filter(concerns);
    adjusts.map(|(index, _)| resolved(&without(&raw["adjust"][index], OF_ADJUST), params)).collect()
}

/// A rule's value without what changes no output.
fn without_prose(rule: &Value) -> Value {
    let mut rule = without(rule, OF_RULE);
    let edits = |of: &mut Value| {
        for edit in of.get_mut("edit").and_then(Value::as_array_mut).into_iter().flatten() {
            *edit = without(edit, OF_EDIT);
        }
    };
    edits(&mut rule);
    rule.get_mut("parts").and_then(Value::as_array_mut).into_iter().flatten().for_each(edits);
    for (list, prose) in [("assert", "message"), ("only", "reason")] {
        for item in rule.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            *item = without(item, &[prose]);
        }
    }
    rule
}

fn without(value: &Value, fields: &[&str]) -> Value {
    let mut value = value.clone();
    if let Some(map) = value.as_object_mut() {
        map.retain(|key, _| !fields.contains(&key.as_str()));
    }
    value
}

/// A value in a fixed order of keys, parameters filled in as far as they are known.
fn resolved(value: &Value, params: &Params) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
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

/// Conditions name parameters without holding their values.
fn named_params(text: &str, params: &Params) -> Value {
    let named = params.iter().filter(|(name, _)| text.contains(&format!("\"{name}\":")));
    named
        .map(|(name, param)| (name.to_owned(), json!({"value": param.value, "decided": param.is_decided()})))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The hash of a resolved rule.
pub fn hash(rule: &Value) -> String {
    let digest = Sha256::digest(rule.to_string());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
