//! What a source node means: which value counts for a key once duplicates and
//! merge keys are applied, and a whole node written out as a new value with its
//! aliases and merges expanded. The order is that of [`Tree::read`].

use std::collections::{HashMap, HashSet};

use crate::yaml::read::ReadError;
use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, Key, NodeId, ScalarStyle, Tree};

use super::error::Refusal;
use super::operation::{NewValue, Quotes};

/// The refusal that stands for a reading error, with its place.
pub(super) fn unreadable(error: ReadError) -> (usize, Refusal) {
    match error {
        ReadError::BadMerge { offset } => (offset, Refusal::BadMerge),
        ReadError::TooLarge { offset } => (offset, Refusal::TooLarge),
    }
}

/// The value that the value of a merge key brings for `name`.
pub(super) fn merged(tree: &Tree<'_>, merge: NodeId, name: &str) -> Option<NodeId> {
    Search { tree, name, fruitless: HashSet::new() }.in_merge(merge)
}

/// The value that counts for `name` in a mapping, merge keys included.
pub(super) fn lookup(tree: &Tree<'_>, mapping: NodeId, name: &str) -> Option<NodeId> {
    Search { tree, name, fruitless: HashSet::new() }.in_mapping(tree.resolve(mapping))
}

/// Looks for one name. Mappings that are merged many times over are searched once.
struct Search<'a, 's> {
    tree: &'a Tree<'s>,
    name: &'a str,
    fruitless: HashSet<NodeId>,
}

impl Search<'_, '_> {
    /// The last entry that sets the name counts, be it a key or a merge.
    fn in_mapping(&mut self, mapping: NodeId) -> Option<NodeId> {
        let Content::Mapping { entries, .. } = &self.tree.node(mapping).content else {
            return None;
        };
        if self.fruitless.contains(&mapping) {
            return None;
        }
        let found = entries.iter().rev().find_map(|entry| match &entry.name {
            Key::Name(name) => (name == self.name).then_some(entry.value),
            Key::Merge => self.in_merge(entry.value),
        });
        if found.is_none() {
            self.fruitless.insert(mapping);
        }
        found
    }

    /// In a list of mappings the first one counts.
    fn in_merge(&mut self, merge: NodeId) -> Option<NodeId> {
        let target = self.tree.resolve(merge);
        match &self.tree.node(target).content {
            Content::Sequence { items, .. } => {
                items.iter().find_map(|item| self.in_mapping(self.tree.resolve(item.node)))
            }
            _ => self.in_mapping(target),
        }
    }
}

/// A source node as a new value: what it reads as, strings with the quotes that
/// they have in the source.
pub(super) fn written_out(tree: &Tree<'_>, node: NodeId) -> Result<NewValue, (usize, Refusal)> {
    // Reading first bounds what the aliases may expand to.
    tree.read_node(node).map_err(unreadable)?;
    Ok(expand(tree, node))
}

fn expand(tree: &Tree<'_>, id: NodeId) -> NewValue {
    let id = tree.resolve(id);
    match &tree.node(id).content {
        Content::Scalar { value: Scalar::Str(text), style } => {
            let quotes = match style {
                ScalarStyle::Single => Quotes::Single,
                ScalarStyle::Double => Quotes::Double,
                _ => Quotes::Local,
            };
            NewValue::Str { text: text.as_ref().to_owned(), quotes }
        }
        Content::Scalar { value, .. } => NewValue::Plain(value.to_json()),
        Content::Sequence { items, .. } => {
            NewValue::Sequence(items.iter().map(|item| expand(tree, item.node)).collect())
        }
        Content::Mapping { .. } => {
            let mut names = Vec::new();
            names_of(tree, id, &mut names, &mut HashSet::new());
            let mut values = HashMap::new();
            values_of(tree, id, &mut values);
            let entries = names
                .into_iter()
                .filter_map(|name| Some((*values.get(name.as_str())?, name)))
                .map(|(value, name)| (name, expand(tree, value)))
                .collect();
            NewValue::Mapping(entries)
        }
        // Aliases point at anchored nodes, which are never aliases themselves.
        Content::Alias { .. } => NewValue::Plain(serde_json::Value::Null),
    }
}

/// The value that counts for each name of a mapping.
fn values_of<'t>(tree: &'t Tree<'_>, id: NodeId, values: &mut HashMap<&'t str, NodeId>) {
    let Content::Mapping { entries, .. } = &tree.node(tree.resolve(id)).content else { return };
    for entry in entries {
        match &entry.name {
            Key::Name(name) => {
                values.insert(name, entry.value);
            }
            Key::Merge => match &tree.node(tree.resolve(entry.value)).content {
                Content::Sequence { items, .. } => {
                    items.iter().rev().for_each(|item| values_of(tree, item.node, values));
                }
                _ => values_of(tree, entry.value, values),
            },
        }
    }
}

/// The names of a mapping in the order in which they first come up.
fn names_of(tree: &Tree<'_>, id: NodeId, names: &mut Vec<String>, seen: &mut HashSet<String>) {
    match &tree.node(tree.resolve(id)).content {
        Content::Mapping { entries, .. } => {
            for entry in entries {
                match &entry.name {
                    Key::Name(name) => {
                        if seen.insert(name.as_ref().to_owned()) {
                            names.push(name.as_ref().to_owned());
                        }
                    }
                    Key::Merge => names_of(tree, entry.value, names, seen),
                }
            }
        }
        Content::Sequence { items, .. } => {
            for item in items {
                names_of(tree, item.node, names, seen);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, check, edited};
    use super::*;
    use crate::yaml::parse;
    use serde_json::json;

    const MERGES: &str = "\
a: &a {x: 1, v: 1}
b: &b {x: 2, z: 2}
late: {x: 0, <<: *a}
early: {<<: *a, x: 0}
list: {<<: [*a, *b]}
twice: {x: 1, x: 3}
nested: {k: &n {<<: [*b, *a]}, <<: *n}
";

    fn value(tree: &Tree<'_>, key: &str, name: &str) -> Option<serde_json::Value> {
        let mapping = tree.entry(tree.root().unwrap(), key).unwrap().value;
        lookup(tree, mapping, name).map(|id| tree.read_node(id).unwrap())
    }

    #[test]
    fn lookup_agrees_with_reading() {
        let tree = parse(MERGES).unwrap();
        let read = tree.read().unwrap();
        for key in ["a", "b", "late", "early", "list", "twice", "nested"] {
            for name in ["x", "v", "z", "none"] {
                assert_eq!(value(&tree, key, name).as_ref(), read[key].get(name), "{key}.{name}");
            }
        }
    }

    #[test]
    fn writing_out_expands_and_keeps_quotes() {
        let tree =
            parse("a: &a {x: 'p', v: \"q\", z: [r, 0644]}\nb:\n  w: *a\n  <<: *a\n  x: \"0\"\n").unwrap();
        let b = tree.entry(tree.root().unwrap(), "b").unwrap().value;
        let out = written_out(&tree, b).unwrap();
        assert_eq!(out.to_json(), tree.read_node(b).unwrap());
        let NewValue::Mapping(entries) = &out else { panic!() };
        assert_eq!(entries.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["w", "x", "v", "z"]);
        assert_eq!(entries[1].1, NewValue::Str { text: "0".to_owned(), quotes: Quotes::Double });
        assert_eq!(entries[2].1, NewValue::Str { text: "q".to_owned(), quotes: Quotes::Double });
    }

    #[test]
    fn a_tower_of_merges_is_searched_once() {
        let mut text = "a0: &a0 {k: 1}\n".to_owned();
        for level in 1..60 {
            let below = level - 1;
            text.push_str(&format!("a{level}: &a{level} {{<<: [*a{below}, *a{below}]}}\n"));
        }
        let tree = parse(&text).unwrap();
        let top = tree.entry(tree.root().unwrap(), "a59").unwrap().value;
        assert_eq!(lookup(&tree, top, "missing"), None);
        assert!(lookup(&tree, top, "k").is_some());
    }

    #[test]
    fn of_merged_mappings_the_first_one_counts() {
        let text = "a: &a {x: 1}\nb: &b {x: 2, p: 'p'}\nc: &c\n  <<: [*a, *b]\nd: *c\n";
        let out = text.replace("d: *c\n", "d:\n  x: 1\n  p: 'p'\n  z: 3\n");
        check(text, add("/d/z", json!(3)), &out);
    }

    #[test]
    fn what_expands_without_end_is_not_written_out() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..5 {
            let below = format!("*a{}", level - 1);
            text.push_str(&format!("a{level}: &a{level} [{}]\n", [below.as_str(); 10].join(", ")));
        }
        let error = edited(&format!("{text}b: *a4\n"), json!([add("/b/-", json!(1))])).unwrap_err();
        assert_eq!(error.kind, Refusal::TooLarge);
    }
}
