//! Finding the keys of a pattern in a chart's values.

use serde_json::{Map, Value};

use super::section::Section;
use crate::edit::Path;
use crate::profile::glob;
use crate::profile::path::get;
use crate::profile::values_face::Keys;

/// A key of a pattern that is there.
#[derive(Debug)]
pub struct Found {
    /// The mapping, in the section.
    pub mapping: Path,
    /// The key itself, in the section.
    pub keys: Path,
    /// Its value.
    pub value: Value,
    /// Whether the conditions hold.
    pub holds: bool,
}

/// Every place of a section where the key of a pattern is. Charts below are left out:
/// they have sections of their own.
pub fn find(section: &Section<'_>, keys: &Keys) -> Vec<Found> {
    let mut mappings = Vec::new();
    let within: Vec<&str> = keys.within.iter().map(String::as_str).collect();
    walk(&section.values, &within, &section.below, &mut Vec::new(), &mut mappings);
    let mut out: Vec<Found> = Vec::new();
    for (mapping, values) in mappings {
        let value = Value::Object(values.clone());
        let Some(found) = get(&value, &keys.key) else { continue };
        let path: Path = mapping.iter().chain(&keys.key).cloned().collect();
        if out.iter().any(|other| other.keys == path) || leads_below(&path, &section.below) {
            continue;
        }
        let holds = keys.conditions.iter().all(|(field, test)| {
            let values = field.values("", &value);
            match values.as_slice() {
                [] => test.holds(None),
                all => all.iter().all(|value| test.holds(Some(value))),
            }
        });
        out.push(Found { mapping, keys: path, value: found.clone(), holds });
    }
    out
}

fn leads_below(path: &[String], below: &[String]) -> bool {
    path.first().is_some_and(|key| below.contains(key))
}

/// The mappings that a way leads to.
fn walk<'v>(
    at: &'v Map<String, Value>,
    way: &[&str],
    below: &[String],
    keys: &mut Path,
    out: &mut Vec<(Path, &'v Map<String, Value>)>,
) {
    let Some((step, rest)) = way.split_first() else {
        out.push((keys.clone(), at));
        return;
    };
    if *step == "**" {
        walk(at, rest, below, keys, out);
    }
    for (key, value) in at {
        let Value::Object(map) = value else { continue };
        if keys.is_empty() && below.contains(key) {
            continue;
        }
        keys.push(key.clone());
        if *step == "**" {
            walk(map, way, below, keys, out);
        } else if glob::matches(step, key) {
            walk(map, rest, below, keys, out);
        }
        keys.pop();
    }
}
