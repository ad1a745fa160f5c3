//! Which new keys every reader takes for the same string.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::yaml::parse::strict;
use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, Entry, Key, Tree};

use super::operation::NewValue;
use super::scalar_text::{self, Surroundings};

/// What a document says about new keys.
pub(super) struct NewKeys<'a, 's> {
    tree: &'a Tree<'s>,
    taken: OnceCell<HashSet<&'a str>>,
}

impl<'a, 's> NewKeys<'a, 's> {
    pub(super) fn new(tree: &'a Tree<'s>) -> Self {
        Self { tree, taken: OnceCell::new() }
    }

    /// Whether a key can be called `name`: some readers take even a quoted `<<` for
    /// a merge key, and none takes a key of more than 1024 characters.
    pub(super) fn is_safe(&self, name: &str) -> bool {
        name != "<<"
            && strict::may_be_implicit(&scalar_text::key(name, Surroundings::Json))
            && !self.taken.get_or_init(|| taken(self.tree)).contains(name)
    }

    /// Whether all keys in a value are safe.
    pub(super) fn are_safe(&self, value: &NewValue) -> bool {
        match value {
            NewValue::Mapping(entries) => {
                entries.iter().all(|(name, value)| self.is_safe(name) && self.are_safe(value))
            }
            NewValue::Sequence(items) => items.iter().all(|item| self.are_safe(item)),
            NewValue::Plain(_) | NewValue::Str { .. } => true,
        }
    }
}

/// The names of keys that are no strings, where merges may bring them beside a
/// string of the same name: the parser refuses such documents.
fn taken<'a>(tree: &'a Tree<'_>) -> HashSet<&'a str> {
    let entries = || {
        tree.nodes().flat_map(|(_, node)| match &node.content {
            Content::Mapping { entries, .. } => entries.as_slice(),
            _ => &[],
        })
    };
    let is_string = |entry: &Entry<'_>| {
        let key = &tree.node(tree.resolve(entry.key)).content;
        matches!(key, Content::Scalar { value: Scalar::Str(_), .. })
    };
    if entries().any(|entry| entry.name == Key::Merge) {
        entries().filter(|entry| !is_string(entry)).filter_map(|entry| entry.name.name()).collect()
    } else {
        HashSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, edited, set};
    use super::super::{EditError, Refusal};
    use serde_json::{Value, json};

    fn kind(result: Result<String, EditError>) -> Refusal {
        result.unwrap_err().kind
    }

    #[test]
    fn a_key_that_readers_disagree_about_is_not_written() {
        let text = "m:\n  a: 1\nr: &r {k: 1}\ns: *r\n";
        let refused = |operations: &[Value]| {
            let error = edited(text, json!(operations)).unwrap_err();
            assert_eq!((error.kind, error.operation), (Refusal::UnsafeKey, operations.len() - 1));
        };
        let (long, escaped) = ("k".repeat(1023), "\u{7}".repeat(600));
        for key in ["<<", &long, &escaped] {
            let mapping = json!({ key: 1 });
            // At a place of the source, of an alias, and of a value that is new.
            for parent in ["/m", "/r", "/s"] {
                refused(&[add(&format!("{parent}/{key}"), json!(1))]);
                refused(&[set(parent, mapping.clone())]);
                refused(&[add(&format!("{parent}/x"), json!({"z": mapping}))]);
            }
            let new = add("/new", json!({"a": 1}));
            refused(&[new.clone(), add(&format!("/new/{key}"), json!(1))]);
            refused(&[new, add("/new/x", json!([mapping]))]);
        }
        let longest = "k".repeat(1022);
        assert!(edited(text, json!([add(&format!("/m/{longest}"), json!(1))])).is_ok());
    }

    #[test]
    fn an_alias_to_such_a_key_is_not_written_out() {
        let text = "a: &a {\"<<\": {x: 1}}\nb: *a\n";
        assert_eq!(kind(edited(text, json!([add("/b/z", json!(1))]))), Refusal::UnsafeKey);
        let text = "a: &a {1: x}\nb:\n  <<: *a\nc: *a\n";
        assert_eq!(kind(edited(text, json!([add("/c/z", json!(1))]))), Refusal::UnsafeKey);
    }

    #[test]
    fn a_name_that_a_merge_may_bring_with_another_type_is_taken() {
        let merges = "a: &a {1: x, yes: x}\nb:\n  <<: *a\nc: [0, 0]\n";
        let plain = "a: &a {1: x, yes: x}\nc: [0, 0]\n";
        for operation in [add("/1", json!(0)), add("/d", json!({"true": 0})), add("/c/1", json!([{"1": 0}]))]
        {
            assert_eq!(kind(edited(merges, json!([operation.clone()]))), Refusal::UnsafeKey);
            assert!(edited(plain, json!([operation])).is_ok());
        }
        let new = add("/d", json!({"e": [0, 0]}));
        assert!(edited(merges, json!([new.clone(), add("/d/e/1", json!(0))])).is_ok());
        assert_eq!(kind(edited(merges, json!([new, add("/d/1", json!(0))]))), Refusal::UnsafeKey);
        assert!(edited(merges, json!([add("/c/1", json!(0)), set("/a/1", json!("z"))])).is_err());
    }
}
