//! Values that nobody may see: those of Secrets always, others on request. What stands
//! in their place is a hash under a key that is another one every run, so that equal
//! and unequal can be told in one report, and nothing of the value, not even its
//! length.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::options::Options;
use crate::edit::Path;
use crate::manifest::Identity;

/// Annotations that hold the whole object as it was applied. Sources: kubectl's
/// `last-applied`, and the controller of k3s and Rancher.
const APPLIED: &[&str] =
    &["kubectl.kubernetes.io/last-applied-configuration", "objectset.rio.cattle.io/applied"];

/// What of a Secret may be seen.
const OPEN: &[&str] = &["apiVersion", "kind", "metadata", "type", "immutable"];

/// The places in one object that are masked.
#[derive(Debug, Clone, Default)]
pub struct Masked {
    places: Vec<Path>,
}

impl Masked {
    /// The places in an object.
    pub fn of(options: &Options, identity: &Identity, object: &Value) -> Self {
        let mut places = Vec::new();
        if identity.is_secret() {
            secret_places(object, &mut places);
        }
        for pattern in &options.mask {
            places.extend(pattern.places(&identity.kind, object));
        }
        Self { places }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a place is in one of them.
    pub fn covers(&self, at: &[String]) -> bool {
        self.places.iter().any(|place| at.starts_with(place))
    }

    /// The value at a place as it may be shown.
    pub fn show(&self, options: &Options, at: &[String], value: &Value) -> Value {
        if self.places.is_empty() {
            return value.clone();
        }
        if self.covers(at) {
            return Value::String(mark(&options.key, value));
        }
        if !self.places.iter().any(|place| place.starts_with(at)) {
            return value.clone();
        }
        let below = |token: &str| [at, &[token.to_owned()]].concat();
        match value {
            Value::Object(map) => {
                let shown = map
                    .iter()
                    .map(|(key, value)| (key.clone(), self.show(options, &below(key), value)))
                    .collect::<Map<_, _>>();
                Value::Object(shown)
            }
            Value::Array(items) => {
                let shown = items
                    .iter()
                    .enumerate()
                    .map(|(index, value)| self.show(options, &below(&index.to_string()), value));
                Value::Array(shown.collect())
            }
            other => other.clone(),
        }
    }
}

/// A Secret shows its keys and its metadata, nothing else.
fn secret_places(object: &Value, places: &mut Vec<Path>) {
    let Some(map) = object.as_object() else { return };
    for (key, value) in map.iter().filter(|(key, _)| !OPEN.contains(&key.as_str())) {
        match value.as_object().filter(|_| key == "data" || key == "stringData") {
            Some(entries) => places.extend(entries.keys().map(|entry| vec![key.clone(), entry.clone()])),
            None => places.push(vec![key.clone()]),
        }
    }
    for annotation in APPLIED {
        places.push(["metadata", "annotations", annotation].map(str::to_owned).to_vec());
    }
}

/// What stands in the place of a value.
fn mark(key: &[u8; 32], value: &Value) -> String {
    // A long key in front and a short piece of the result leave nothing to guess by.
    let digest = Sha256::new().chain_update(key).chain_update(value.to_string()).finalize();
    let short: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("‹masked {short}›")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(object: Value, key: [u8; 32]) -> Value {
        let options = Options { key, ..Options::default() };
        Masked::of(&options, &Identity::of(&object), &object).show(&options, &[], &object)
    }

    #[test]
    fn a_secret_shows_its_keys_and_no_value() {
        let object = json!({
            "apiVersion": "v1", "kind": "Secret", "type": "Opaque",
            "metadata": {"name": "a", "annotations": {
                "kubectl.kubernetes.io/last-applied-configuration": "hunter", "note": "open"}},
            "data": {"a": "hunter", "b": "hunter", "deep": {"x": "hunter"}}, "stringData": "hunter", "Data": ["hunter"],
        });
        let shown = shown(object, [7; 32]);
        assert!(!shown.to_string().contains("hunter"), "{shown}");
        assert_eq!(shown["data"]["a"], shown["data"]["b"]);
        assert_eq!(shown["metadata"]["annotations"]["note"], "open");
        assert_eq!(shown["type"], "Opaque");
    }

    #[test]
    fn another_run_has_other_marks() {
        let object = json!({"apiVersion": "v1", "kind": "Secret", "data": {"a": "x", "b": "y"}});
        let (one, other) = (shown(object.clone(), [1; 32]), shown(object, [2; 32]));
        assert_ne!(one["data"]["a"], other["data"]["a"]);
        assert_ne!(one["data"]["a"], one["data"]["b"]);
    }
}
