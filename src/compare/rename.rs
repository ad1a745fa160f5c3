//! Renames among the objects that have no partner: two of one kind that hold mostly the
//! same. A name is an object's own, so that it does not count, nor do labels and
//! annotations, which all objects of a chart share.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::side::Object;

/// How much of two objects must be the same.
const LEAST: f64 = 0.6;

/// So many of a kind on a side are compared with each other; with more, everything was
/// renamed or nothing was.
const MOST: usize = 50;

/// What is left over of one kind.
#[derive(Debug, Default)]
struct Left {
    old: Vec<usize>,
    new: Vec<usize>,
}

/// Pairs of indices that are renames, the most alike first.
pub fn find(old: &[Object], left_old: &[usize], new: &[Object], left_new: &[usize]) -> Vec<(usize, usize)> {
    let mut kinds: HashMap<(&str, &str), Left> = HashMap::new();
    for place in left_old {
        let identity = &old[*place].identity;
        kinds.entry((&identity.group, &identity.kind)).or_default().old.push(*place);
    }
    for index in left_new {
        let identity = &new[*index].identity;
        kinds.entry((&identity.group, &identity.kind)).or_default().new.push(*index);
    }
    let mut alike: Vec<(f64, usize, usize)> = Vec::new();
    for Left { old: places, new: indices } in kinds.into_values() {
        if places.is_empty() || indices.is_empty() || places.len() > MOST || indices.len() > MOST {
            continue;
        }
        let of_new: Vec<(usize, Leaves)> = indices.iter().map(|at| (*at, leaves(&new[*at]))).collect();
        for place in places {
            let of_old = leaves(&old[place]);
            for (index, of_new) in &of_new {
                let same_template =
                    old[place].template.is_some() && old[place].template == new[*index].template;
                let score = similarity(&of_old, of_new);
                // Without content only the template tells.
                let enough =
                    if of_old.is_empty() && of_new.is_empty() { same_template } else { score >= LEAST };
                if enough {
                    alike.push((score + if same_template { 0.5 } else { 0.0 }, place, *index));
                }
            }
        }
    }
    alike.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (_, place, index) in alike {
        if !out.iter().any(|(old, new)| *old == place || *new == index) {
            out.push((place, index));
        }
    }
    out
}

/// Hashes of places with their values, counted.
type Leaves = HashMap<u64, usize>;

fn leaves(object: &Object) -> Leaves {
    let mut out = Leaves::new();
    let own = object.identity.name.as_str();
    for (key, value) in object.value.as_object().into_iter().flatten() {
        if !matches!(key.as_str(), "apiVersion" | "kind" | "metadata") {
            collect(own, &mut vec![key], value, &mut out);
        }
    }
    out
}

fn collect<'v>(own: &str, path: &mut Vec<&'v str>, value: &'v Value, out: &mut Leaves) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                path.push(key);
                collect(own, path, value, out);
                path.pop();
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(own, path, item, out)),
        Value::Null => {}
        scalar => {
            let mut hasher = DefaultHasher::new();
            path.hash(&mut hasher);
            match scalar {
                Value::String(text) if !own.is_empty() => text.replace(own, "\0").hash(&mut hasher),
                other => other.to_string().hash(&mut hasher),
            }
            *out.entry(hasher.finish()).or_default() += 1;
        }
    }
}

/// Twice what both have, by what each has: 1 for the same.
fn similarity(one: &Leaves, other: &Leaves) -> f64 {
    let common: usize =
        one.iter().map(|(leaf, count)| other.get(leaf).map_or(0, |more| *count.min(more))).sum();
    let all = one.values().sum::<usize>() + other.values().sum::<usize>();
    if all == 0 { 0.0 } else { 2.0 * common as f64 / all as f64 }
}
