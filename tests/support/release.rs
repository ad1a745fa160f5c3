//! What a Helm rendered, as objects by name, each with the template that it
//! came from. Two releases are the same when their objects are: text, order of
//! documents and comments are other tests' business.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde_json::Value;

use super::{
    compare::differences,
    objects::{Object, name_of, objects},
};

/// An object and the template that a `# Source:` line says it is from: the one
/// in its document or the last before it.
pub fn with_sources(stream: &str) -> Vec<(Option<String>, Object)> {
    let mut source = None;
    let carry = |object: Object| {
        if let Some(line) = object.text.lines().find_map(|line| line.strip_prefix("# Source: ")) {
            source = Some(line.trim_end().to_owned());
        }
        (source.clone(), object)
    };
    objects(stream.as_bytes()).into_iter().map(carry).collect()
}

/// The objects of a release, the items of a `List` each on its own.
#[derive(Default)]
pub struct Release {
    values: BTreeMap<String, Value>,
    sources: BTreeMap<String, String>,
}

impl Release {
    /// Reads what Helm printed, or what it is to be compared with.
    pub fn of(stream: &str) -> Self {
        let mut release = Self::default();
        for (source, object) in with_sources(stream) {
            let items = match object.value.get("items") {
                Some(Value::Array(items)) if object.value["kind"] == "List" => items.clone(),
                _ => vec![object.value],
            };
            for value in items {
                release.add(value, source.as_deref());
            }
        }
        release
    }

    fn add(&mut self, mut value: Value, source: Option<&str>) {
        let mut name = name_of(&value);
        while self.values.contains_key(&name) {
            name.push_str(" (again)");
        }
        drop_empty_annotations(&mut value);
        self.values.insert(name.clone(), value);
        self.sources.extend(source.map(|source| (name, source.to_owned())));
    }

    /// `Kind namespace/name` of each, in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        self.values.keys().map(String::as_str).collect()
    }

    /// An object by its name; fails when it isn't there.
    pub fn get(&self, name: &str) -> &Value {
        self.values.get(name).unwrap_or_else(|| panic!("no {name} among {:?}", self.names()))
    }

    /// From which template each object says it is.
    pub fn sources(&self) -> &BTreeMap<String, String> {
        &self.sources
    }

    /// Without the objects that are Helm hooks.
    pub fn without_hooks(mut self) -> Self {
        self.values.retain(|_, value| value.pointer("/metadata/annotations/helm.sh~1hook").is_none());
        self.sources.retain(|name, _| self.values.contains_key(name));
        self
    }

    /// The places where the two differ, each with both values.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let names: BTreeSet<_> = self.values.keys().chain(other.values.keys()).collect();
        let between = |name: &String| match (self.values.get(name), other.values.get(name)) {
            (Some(left), Some(right)) => {
                differences(left, right).iter().map(|what| format!("{name} {what}")).collect()
            }
            (left, _) => {
                vec![format!("{name} is only in the {}", if left.is_some() { "first" } else { "second" })]
            }
        };
        names.into_iter().flat_map(between).collect()
    }

    /// Fails when the two differ, and says where.
    pub fn assert_same(&self, other: &Self, what: impl fmt::Display) {
        let found = self.differences(other);
        let first = &found[..found.len().min(20)];
        assert!(found.is_empty(), "{what}: {} differences, the first:\n{}", found.len(), first.join("\n"));
        assert!(!self.values.is_empty(), "{what}: there are no objects to compare");
    }
}

/// Helm 4 takes its own annotation away again, and the empty mapping with it.
fn drop_empty_annotations(value: &mut Value) {
    let annotations = value.pointer("/metadata/annotations");
    if annotations
        .is_some_and(|value| value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty))
        && let Some(metadata) = value["metadata"].as_object_mut()
    {
        metadata.shift_remove("annotations");
    }
}
