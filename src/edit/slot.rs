//! Where a value hangs in the source, and which bytes the children of a
//! collection take.

use std::ops::Range;

use crate::yaml::{Content, Entry, Item, NodeId};

use super::emit::Emitter;
use super::scalar_text::Surroundings;

/// The place of a value in the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// What the value hangs on.
    pub(super) kind: SlotKind,
    /// Behind the `:` or `-` (or the key, if there is no colon).
    pub(super) head: usize,
    /// Column of the key or the dash.
    pub(super) column: usize,
    pub(super) surroundings: Surroundings,
    /// The mapping that holds the key.
    pub(super) mapping: Option<NodeId>,
}

/// What a value hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// Nothing: it is the document.
    Root,
    /// A key with a colon.
    Key,
    /// A key with a `?` in front and a colon on a line of its own.
    ExplicitKey,
    /// A key that has no colon (`{a}`, `? a`).
    BareKey,
    /// A dash, or nothing in a flow sequence.
    Item,
}

impl Emitter<'_, '_> {
    /// The slot of a child of `opened`, with the child's source node.
    pub(super) fn child_slot(&self, slot: &Slot, node: NodeId, index: usize) -> Option<(Slot, NodeId)> {
        match &self.tree.node(node).content {
            Content::Mapping { entries, .. } => {
                let entry = entries.get(index)?;
                let key = self.tree.node(entry.key);
                let kind = match (entry.question, entry.colon) {
                    (_, None) => SlotKind::BareKey,
                    (None, Some(_)) => SlotKind::Key,
                    (Some(_), Some(_)) => SlotKind::ExplicitKey,
                };
                let start = self.entry_start(entry);
                Some((
                    Slot {
                        kind,
                        head: entry.colon.map_or(key.span.end, |colon| colon + 1),
                        column: self.lines.column(start),
                        surroundings: slot.surroundings,
                        mapping: Some(node),
                    },
                    entry.value,
                ))
            }
            Content::Sequence { items, .. } => {
                let item = items.get(index)?;
                let start = self.item_start(item);
                Some((
                    Slot {
                        kind: SlotKind::Item,
                        head: item.dash.map_or(start, |dash| dash + 1),
                        column: self.lines.column(start),
                        surroundings: slot.surroundings,
                        mapping: None,
                    },
                    item.node,
                ))
            }
            _ => None,
        }
    }

    /// The first byte of a child, its `-` or `?` included.
    pub(super) fn child_start(&self, node: NodeId, index: usize) -> Option<usize> {
        match &self.tree.node(node).content {
            Content::Mapping { entries, .. } => entries.get(index).map(|entry| self.entry_start(entry)),
            Content::Sequence { items, .. } => items.get(index).map(|item| self.item_start(item)),
            _ => None,
        }
    }

    fn entry_start(&self, entry: &Entry<'_>) -> usize {
        entry.question.unwrap_or(self.tree.node(entry.key).outer_start())
    }

    fn item_start(&self, item: &Item) -> usize {
        item.dash.unwrap_or(self.tree.node(item.node).outer_start())
    }

    /// The bytes of each child of a source collection. A value that is absent ends
    /// behind its key, colon or dash.
    pub(super) fn extents(&self, node: NodeId) -> Vec<Range<usize>> {
        let end = |id: NodeId| self.tree.node(id).span.end;
        match &self.tree.node(node).content {
            Content::Mapping { entries, .. } => {
                entries.iter().map(|entry| self.entry_start(entry)..end(entry.value)).collect()
            }
            Content::Sequence { items, .. } => {
                items.iter().map(|item| self.item_start(item)..end(item.node)).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, remove, set};
    use serde_json::json;

    #[test]
    fn keys_without_a_colon_and_with_a_question_mark_are_edited() {
        check("? a\nb: 1\n", set("/a", json!(1)), "? a\n: 1\nb: 1\n");
        check("? a\nb: 1\n", set("/a", json!([1])), "? a\n:\n  - 1\nb: 1\n");
        check("? |\n  a\nb: 1\n", set("/a\n", json!(1)), "? |\n  a\n: 1\nb: 1\n");
        check("? a\n: 1\nb: 1\n", set("/a", json!({"k": 1})), "? a\n:\n  k: 1\nb: 1\n");
        check("? a\n: 1\nb: 1\n", remove("/a"), "b: 1\n");
        check("b: 1\n? a\n", remove("/a"), "b: 1\n");
    }

    #[test]
    fn what_stands_on_a_line_of_a_removed_value_goes() {
        check("- x: 1 # c\n- 2\n", set("/0", json!("t")), "- t\n- 2\n");
        check("# c\n\na: 1\n", set("", json!({})), "# c\n\n{}\n");
    }
}
