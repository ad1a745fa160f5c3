//! Two values → the paths at which they differ, compared the way the corpus
//! asks for: lists that Kubernetes keys by name are compared by name,
//! capabilities as a set, everything else as it stands. The order of containers
//! counts, since init containers run in it.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// One path at which two objects differ; an absent side is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub path: String,
    pub left: Option<Value>,
    pub right: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |value: &Option<Value>| value.as_ref().map_or("(absent)".to_owned(), Value::to_string);
        write!(out, "{} {} -> {}", self.path, side(&self.left), side(&self.right))
    }
}

/// All differences between two values.
pub fn differences(left: &Value, right: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare("", "", left, right, &mut found);
    found
}

/// `key` is the mapping key under which the two values stand, `path` all of it.
fn compare(path: &str, key: &str, left: &Value, right: &Value, found: &mut Vec<Difference>) {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            let children = |map: &serde_json::Map<String, Value>| {
                map.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            };
            compare_named(|name| format!("{path}/{name}"), &children(a), &children(b), found);
        }
        (Value::Array(a), Value::Array(b)) => compare_lists(path, key, a, b, found),
        _ if left == right => {}
        _ => found.push(Difference {
            path: path.to_owned(),
            left: Some(left.clone()),
            right: Some(right.clone()),
        }),
    }
}

fn compare_lists(path: &str, key: &str, a: &[Value], b: &[Value], found: &mut Vec<Difference>) {
    if key == "add" && path.ends_with("/capabilities/add") {
        let sorted = |list: &[Value]| {
            let mut list = list.to_vec();
            list.sort_by_key(Value::to_string);
            list
        };
        if sorted(a) != sorted(b) {
            found.push(Difference { path: path.to_owned(), left: Some(a.into()), right: Some(b.into()) });
        }
        return;
    }
    let item = |name: &str| format!("{path}[{name}]");
    match (keyed(key, a), keyed(key, b)) {
        (Some(left), Some(right)) => {
            compare_named(item, &left.iter().cloned().collect(), &right.iter().cloned().collect(), found);
            if matches!(key, "containers" | "initContainers") {
                let common = |one: &[(String, Value)], other: &[(String, Value)]| -> Vec<String> {
                    let names = one.iter().map(|(name, _)| name.clone());
                    names.filter(|name| other.iter().any(|(found, _)| found == name)).collect()
                };
                let (a, b) = (common(&left, &right), common(&right, &left));
                if a != b {
                    let path = format!("{path}#order");
                    found.push(Difference { path, left: Some(a.into()), right: Some(b.into()) });
                }
            }
        }
        _ => {
            let indexed = |list: &[Value]| {
                list.iter().enumerate().map(|(at, value)| (format!("{at:06}"), value.clone())).collect()
            };
            let plain = |name: &str| format!("{path}[{}]", name.trim_start_matches('0').parse().unwrap_or(0));
            compare_named(plain, &indexed(a), &indexed(b), found);
        }
    }
}

/// The items of a list that Kubernetes keys, with their keys; a key that comes
/// twice is numbered, so that none is lost.
fn keyed(key: &str, list: &[Value]) -> Option<Vec<(String, Value)>> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut items = Vec::new();
    for item in list {
        let text = |field: &str| item.get(field).and_then(Value::as_str);
        let name = match key {
            "env" | "volumes" | "containers" | "initContainers" => text("name")?.to_owned(),
            "volumeMounts" => format!("{} at {}", text("name")?, text("mountPath")?),
            _ => return None,
        };
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { name } else { format!("{name} #{count}") };
        items.push((name, item.clone()));
    }
    Some(items)
}

fn compare_named(
    path: impl Fn(&str) -> String,
    left: &BTreeMap<String, Value>,
    right: &BTreeMap<String, Value>,
    found: &mut Vec<Difference>,
) {
    for (name, value) in left {
        match right.get(name) {
            Some(other) => compare(&path(name), name, value, other, found),
            None => found.push(Difference { path: path(name), left: Some(value.clone()), right: None }),
        }
    }
    for (name, value) in right.iter().filter(|(name, _)| !left.contains_key(*name)) {
        found.push(Difference { path: path(name), left: None, right: Some(value.clone()) });
    }
}
