//! A stream as the objects in it, for tests that compare what two programs
//! printed. Two streams are the same when they hold the same objects with the
//! same values; text, order of documents and comments are other tests' business.

use std::{collections::BTreeMap, fmt};

use germ_post::yaml::{Stream, parse};
use serde_json::{Map, Value};

/// One document that holds something.
pub struct Document {
    /// Its template, from the `# Source:` line in it or the last one before it.
    pub source: Option<String>,
    /// Its text, without the separator line in front.
    pub text: String,
    /// Its value.
    pub value: Value,
}

/// The documents of a stream that hold more than comments.
pub fn documents(stream: &str) -> Vec<Document> {
    let cut = Stream::cut(stream.as_bytes()).unwrap_or_else(|error| panic!("{error:?} in\n{stream}"));
    let mut source = None;
    let mut found = Vec::new();
    for document in cut.documents() {
        let text = cut.document_text(document);
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("# Source: ")) {
            source = Some(line.trim_end().to_owned());
        }
        let tree = parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let value = tree.read().unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
        if !value.is_null() {
            found.push(Document { source: source.clone(), text: text.to_owned(), value });
        }
    }
    found
}

/// The objects of a stream by name, the items of a `List` each on its own.
#[derive(Default)]
pub struct Objects {
    values: BTreeMap<String, Value>,
    sources: BTreeMap<String, String>,
}

impl Objects {
    /// Reads a stream. Object values are brought into the form in which they
    /// may be compared (`comparable`).
    pub fn of(stream: &str) -> Self {
        let mut objects = Self::default();
        for document in documents(stream) {
            let items = match document.value.get("items") {
                Some(Value::Array(items)) if document.value["kind"] == "List" => items.clone(),
                _ => vec![document.value],
            };
            for value in items {
                objects.add(value, document.source.as_deref());
            }
        }
        objects
    }

    fn add(&mut self, mut value: Value, source: Option<&str>) {
        let mut name = identity(&value);
        while self.values.contains_key(&name) {
            name.push_str(" (again)");
        }
        comparable(&mut value);
        self.values.insert(name.clone(), value);
        self.sources.extend(source.map(|source| (name, source.to_owned())));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// `kind/name` or `kind/namespace/name`, in alphabetical order.
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
        self.values.retain(|_, value| !is_hook(value));
        self.sources.retain(|name, _| self.values.contains_key(name));
        self
    }

    /// The places where the two differ, each with both values.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let names: std::collections::BTreeSet<_> = self.values.keys().chain(other.values.keys()).collect();
        for name in names {
            compare(name, self.values.get(name), other.values.get(name), &mut found);
        }
        found
    }

    /// Fails when the two differ, and says where.
    pub fn assert_same(&self, other: &Self, what: impl fmt::Display) {
        let differences = self.differences(other);
        let first = differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(differences.is_empty(), "{what}: {} differences, the first:\n{first}", differences.len());
        assert!(self.len() > 0, "{what}: there are no objects to compare");
    }
}

/// Whether Helm runs this object as a hook instead of keeping it in a release.
pub fn is_hook(value: &Value) -> bool {
    value.pointer("/metadata/annotations/helm.sh~1hook").is_some()
}

fn identity(value: &Value) -> String {
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
    [text("/kind"), text("/metadata/namespace"), text("/metadata/name")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("/")
}

fn compare(path: &str, left: Option<&Value>, right: Option<&Value>, found: &mut Vec<String>) {
    match (left, right) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let keys: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            for key in keys {
                compare(&format!("{path} {key}"), left.get(key), right.get(key), found);
            }
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            for index in 0..left.len().max(right.len()) {
                compare(&format!("{path} {index}"), left.get(index), right.get(index), found);
            }
        }
        _ if left == right => {}
        _ => {
            let show = |side: Option<&Value>| side.map_or("nothing".to_owned(), Value::to_string);
            found.push(format!("{path}: {} ≠ {}", show(left), show(right)));
        }
    }
}

/// Sorts the lists in which Kubernetes or Cilium give the order no meaning, and
/// takes away what Helm 4 takes away by itself and what no one can foretell.
fn comparable(object: &mut Value) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        let empty = match metadata.get("annotations") {
            Some(Value::Object(annotations)) => annotations.is_empty(),
            Some(value) => value.is_null(),
            None => false,
        };
        if empty {
            metadata.shift_remove("annotations");
        }
    }
    sort_lists(object);
}

fn sort_lists(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(sort_lists),
        Value::Object(map) => {
            // Helm hashes the text of a template that a post-renderer never sees.
            map.shift_remove("cilium.io/cilium-configmap-checksum");
            for (key, value) in map.iter_mut() {
                sort_lists(value);
                if let Value::Array(items) = value {
                    sort_list(key, items);
                }
            }
        }
        _ => {}
    }
}

fn sort_list(key: &str, items: &mut [Value]) {
    let by: &[&str] = match key {
        "env" | "volumes" => &["name"],
        "volumeMounts" => &["name", "mountPath"],
        "add" if items.iter().all(Value::is_string) => &[],
        _ => return,
    };
    items.sort_by_cached_key(|item| match item {
        Value::Object(map) => by.iter().map(|&field| field_text(map, field)).collect(),
        other => vec![other.to_string()],
    });
}

fn field_text(map: &Map<String, Value>, field: &str) -> String {
    map.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}
