//! New children of a block collection, written like the ones beside them.

use crate::yaml::{Content, NodeId};

use super::draft::Draft;
use super::emit::Emitter;
use super::opened::{Child, Origin};
use super::operation::NewValue;
use super::render::{BlockWriter, FlowStyle, Line};
use super::scalar_text::Surroundings;
use super::slot::{Slot, SlotKind};

impl Emitter<'_, '_> {
    /// New children of the block collection `node`, whose children begin at
    /// `column`, in the style of the child at index `near`.
    pub(super) fn inserted_lines(
        &self,
        node: NodeId,
        column: usize,
        near: usize,
        inserted: &[&Child],
    ) -> Vec<Line> {
        let slot = Slot {
            kind: SlotKind::Item,
            head: self.child_start(node, near).unwrap_or(0),
            column,
            surroundings: Surroundings::Block,
            mapping: Some(node),
        };
        let writer =
            BlockWriter { layout: self.layout(), place: self.place(&slot), gap: self.gap_of(node, near) };
        let flow = self.flow_item(node, near);
        inserted
            .iter()
            .flat_map(|child| {
                let Draft::New(new) = &child.value else {
                    return Vec::new();
                };
                match (&child.origin, flow) {
                    (Origin::Inserted { name: Some(name) }, _) => writer.entry(name, &new.value, column),
                    (_, Some(style)) if is_filled(&new.value) => {
                        let blanks = " ".repeat(writer.gap - 1);
                        vec![Line { column, text: format!("-{blanks}{}", style.value(&new.value)) }]
                    }
                    _ => writer.item(&new.value, column),
                }
            })
            .collect()
    }

    /// Columns from the dash of item `index` to its content, 2 if that stands elsewhere.
    fn gap_of(&self, sequence: NodeId, index: usize) -> usize {
        let Content::Sequence { items, .. } = &self.tree.node(sequence).content else {
            return 2;
        };
        let Some((dash, node)) = items.get(index).and_then(|item| Some((item.dash?, item.node))) else {
            return 2;
        };
        let content = self.tree.node(node).outer_start();
        let between = self.lines.slice(dash + 1, content);
        let blanks = !between.is_empty() && between.bytes().all(|byte| byte == b' ');
        if blanks { between.len() + 1 } else { 2 }
    }

    /// The style of item `index`, if it is a flow collection with content.
    fn flow_item(&self, sequence: NodeId, index: usize) -> Option<FlowStyle> {
        let Content::Sequence { items, .. } = &self.tree.node(sequence).content else {
            return None;
        };
        let item = items.get(index)?.node;
        match &self.tree.node(item).content {
            Content::Mapping { flow: true, entries } if !entries.is_empty() => {}
            Content::Sequence { flow: true, items } if !items.is_empty() => {}
            _ => return None,
        }
        Some(self.flow_style(item, false))
    }
}

/// Whether the value is a collection with content.
fn is_filled(value: &NewValue) -> bool {
    match value {
        NewValue::Sequence(items) => !items.is_empty(),
        NewValue::Mapping(entries) => !entries.is_empty(),
        NewValue::Plain(_) | NewValue::Str { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, check};
    use serde_json::json;

    #[test]
    fn a_new_item_takes_the_gap_of_its_neighbour() {
        check("-   {p: 1}\n", add("/-", json!({"p": 2})), "-   {p: 1}\n-   {p: 2}\n");
        check("-   [x]\n", add("/-", json!("a,b")), "-   [x]\n-   a,b\n");
        check("-\n    p: 1\n", add("/-", json!({"q": 2})), "-\n    p: 1\n- q: 2\n");
        check("-     # c\n", add("/-", json!("w")), "-     # c\n- w\n");
        check("-     \n", add("/-", json!("w")), "-     \n- w\n");
    }

    #[test]
    fn an_empty_collection_is_no_example_of_flow_style() {
        check("- {}\n", add("/-", json!({"p": 1})), "- {}\n- p: 1\n");
        check("- []\n", add("/-", json!([1])), "- []\n- - 1\n");
    }
}
