//! Nodes that more than one place of the document uses. Editing one of them
//! would change the other places too, so it is refused unless those go as well.

use std::collections::HashMap;
use std::ops::Range;

use crate::yaml::{Content, NodeId, Tree};

use super::error::{EditError, Refusal};

/// What the edits do to the nodes of the source.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Ranges of node indices that go, with the operation.
    gone: Vec<(Range<usize>, usize)>,
    /// Nodes that stay but hold something that changed.
    changed: HashMap<NodeId, usize>,
}

impl Touched {
    pub(super) fn change(&mut self, node: NodeId, operation: usize) {
        self.changed.insert(node, operation);
    }

    /// The node and all below it go.
    pub(super) fn drop_node(&mut self, tree: &Tree<'_>, node: NodeId, operation: usize) {
        self.gone.push((node.index()..subtree_end(tree, node), operation));
    }

    /// An entry (with its key) or an item of `collection` goes.
    pub(super) fn drop_child(&mut self, tree: &Tree<'_>, collection: NodeId, index: usize, operation: usize) {
        let (first, last) = match &tree.node(collection).content {
            Content::Mapping { entries, .. } => match entries.get(index) {
                Some(entry) => (entry.key, entry.value),
                None => return,
            },
            Content::Sequence { items, .. } => match items.get(index) {
                Some(item) => (item.node, item.node),
                None => return,
            },
            _ => return,
        };
        self.gone.push((first.index()..subtree_end(tree, last), operation));
    }

    /// Refuses if an alias that stays refers to a node that goes or changes.
    pub(super) fn check(mut self, tree: &Tree<'_>) -> Result<(), EditError> {
        self.gone.sort_by_key(|(range, _)| range.start);
        for (id, node) in tree.nodes() {
            let Content::Alias { target } = node.content else {
                continue;
            };
            if self.gone_by(id).is_some() {
                continue;
            }
            let operation = self.gone_by(target).or_else(|| self.changed.get(&target).copied());
            if let Some(operation) = operation {
                let kind = Refusal::Shared { alias: node.span.start };
                return Err(EditError::new(operation, tree.node(target).outer_start(), kind));
            }
        }
        Ok(())
    }

    fn gone_by(&self, node: NodeId) -> Option<usize> {
        let behind = self.gone.partition_point(|(range, _)| range.start <= node.index());
        let (range, operation) = self.gone.get(behind.checked_sub(1)?)?;
        range.contains(&node.index()).then_some(*operation)
    }
}

/// Behind the last node below `node`: nodes stand in source order.
fn subtree_end(tree: &Tree<'_>, node: NodeId) -> usize {
    let mut last = node;
    loop {
        let child = match &tree.node(last).content {
            Content::Mapping { entries, .. } => entries.last().map(|entry| entry.value),
            Content::Sequence { items, .. } => items.last().map(|item| item.node),
            Content::Scalar { .. } | Content::Alias { .. } => None,
        };
        match child {
            Some(child) => last = child,
            None => return last.index() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::super::check::{add, check, check_all, edited, remove, set};
    use serde_json::json;

    fn refusal(text: &str, operation: serde_json::Value) -> Refusal {
        edited(text, json!([operation])).unwrap_err().kind
    }

    #[test]
    fn an_edit_belongs_to_the_use_of_an_alias() {
        check("a: &x 1\nb: *x\nc: *x\n", set("/b", json!(2)), "a: &x 1\nb: 2\nc: *x\n");
        check("a: &x {k: 1}\nb: *x\n", add("/b/l", json!(2)), "a: &x {k: 1}\nb:\n  k: 1\n  l: 2\n");
        check("a: &x {k: 1}\nb: [*x]\n", set("/b/0/k", json!(2)), "a: &x {k: 1}\nb: [{k: 2}]\n");
        check("a: &x {k: 1}\nb: *x\n", add("/b/k", json!(1)), "a: &x {k: 1}\nb: *x\n");
    }

    #[test]
    fn a_shared_node_is_not_edited() {
        let text = "a: &x\n  k: &z 1\nb: *x\nc: *z\n";
        assert_eq!(refusal(text, set("/a/k", json!(2))), Refusal::Shared { alias: 19 });
        assert_eq!(refusal(text, remove("/a")), Refusal::Shared { alias: 19 });
        assert_eq!(refusal(text, set("/a", json!(1))), Refusal::Shared { alias: 19 });
        check_all(text, json!([remove("/b"), remove("/c"), remove("/a/k")]), "a: &x {}\n");
        check_all(
            "a: &x [1]\nb: *x\n",
            json!([add("/a/-", json!(2)), add("/b/-", json!(2))]),
            "a: &x [1, 2]\nb:\n- 1\n- 2\n",
        );
    }

    #[test]
    fn merged_keys_are_overridden_behind_the_merge() {
        let text = "b: &b {k: 1, m: {p: 1}}\na:\n  k: 0\n  <<: *b\n  z: 3\n";
        check(text, set("/a/k", json!(2)), "b: &b {k: 1, m: {p: 1}}\na:\n  <<: *b\n  z: 3\n  k: 2\n");
        check(
            text,
            set("/a/m/p", json!(2)),
            "b: &b {k: 1, m: {p: 1}}\na:\n  k: 0\n  <<: *b\n  z: 3\n  m:\n    p: 2\n",
        );
        check(text, set("/a/z", json!(4)), "b: &b {k: 1, m: {p: 1}}\na:\n  k: 0\n  <<: *b\n  z: 4\n");
        check(text, set("/a/k", json!(1)), text);
        check(text, set("/a/m/p", json!(1)), text);
        assert_eq!(refusal(text, remove("/a/k")), Refusal::Inherited);
        let behind = "b: &b {k: 1}\na:\n  <<: *b\n  k: 2\n";
        check(behind, set("/a/k", json!(3)), "b: &b {k: 1}\na:\n  <<: *b\n  k: 3\n");
        assert_eq!(refusal(behind, remove("/a/k")), Refusal::Inherited);
    }

    #[test]
    fn a_new_key_stands_behind_all_merges() {
        let behind = |key: &str| json!({"op": "add", "path": "/a/x", "value": 2, "after": [key]});
        let text = "b: &b {k: 1}\nc: &c {k: 2}\na:\n  y: 0\n  <<: *b\n  z: 1\n  <<: *c\n";
        check(text, behind("y"), &format!("{text}  x: 2\n"));
        check(text, behind("z"), &format!("{text}  x: 2\n"));
        let error = edited(text, json!([remove("/a/k")])).unwrap_err();
        assert_eq!((error.kind, error.offset), (Refusal::Inherited, text.find("2}").unwrap()));
        let open = json!([set("/a/z", json!(3)), set("/a/k", json!(2))]);
        check_all(text, open, &text.replace("z: 1", "z: 3"));
    }

    #[test]
    fn keys_are_shared_too() {
        let kind = |text: &str, operations| edited(text, operations).unwrap_err().kind;
        let text = "&k a: 1\nb: *k\n";
        assert_eq!(kind(text, json!([remove("/a")])), Refusal::Shared { alias: 11 });
        check(text, set("/a", json!(2)), "&k a: 2\nb: *k\n");
        let late = "a: 1\nb: 2\nc: &c 3\ne: *c\n";
        assert_eq!(kind(late, json!([set("/a", json!(2)), remove("/c")])), Refusal::Shared { alias: 21 });
    }

    #[test]
    fn of_duplicate_keys_the_last_one_counts() {
        let behind = json!({"op": "add", "path": "/x", "value": 2, "after": ["a"]});
        check("a: 1\nb: 2\na: 3\nc: 4\n", behind, "a: 1\nb: 2\na: 3\nx: 2\nc: 4\n");
        check("a: 1\nb: 2\na: 3\n", set("/a", json!(4)), "a: 1\nb: 2\na: 4\n");
        check("a: 1\nb: 2\na: 3\n", remove("/a"), "b: 2\n");
    }
}
