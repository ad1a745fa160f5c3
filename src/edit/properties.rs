//! Anchors and tags in front of a value. A tag says how the old text was read and
//! goes with it; an anchor stays with a scalar that nothing else refers to.

use std::ops::Range;

use crate::yaml::{Content, NodeId};

use super::emit::Emitter;
use super::error::Refusal;
use super::slot::{Slot, SlotKind};

impl Emitter<'_, '_> {
    /// Behind the indicator and the properties of a node.
    pub(super) fn behind_properties(&self, slot: &Slot, node: NodeId) -> usize {
        let node = self.tree.node(node);
        let properties = [&node.anchor, &node.tag].into_iter().flatten();
        properties.fold(slot.head, |at, property| at.max(property.end))
    }

    /// The first line on which a comment can belong to the first child of a
    /// block collection.
    pub(super) fn floor(&self, slot: &Slot, node: NodeId) -> usize {
        let behind = self.behind_properties(slot, node);
        if slot.kind == SlotKind::Root && behind == slot.head { 0 } else { self.lines.end(behind) }
    }

    /// The properties that must go when `node` gets another value.
    pub(super) fn dropped_properties(
        &self,
        slot: &Slot,
        node: NodeId,
        by_collection: bool,
    ) -> Result<Option<Range<usize>>, Refusal> {
        let node = self.tree.node(node);
        let keeps_anchor = !by_collection && matches!(node.content, Content::Scalar { .. });
        let anchor = if keeps_anchor { None } else { node.anchor.clone() };
        let range = match (anchor, node.tag.clone()) {
            (Some(anchor), Some(tag)) => anchor.start.min(tag.start)..anchor.end.max(tag.end),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return Ok(None),
        };
        // On lines of their own, they could have comments around them.
        if self.lines.slice(slot.head, range.end).contains('\n') {
            return Err(Refusal::UnknownForm);
        }
        Ok(Some(range))
    }

    /// Puts text in the place of properties that no value follows; an anchor that
    /// stays and stands behind them comes in front of it.
    pub(super) fn splice_properties(&mut self, node: NodeId, properties: Range<usize>, text: &str) {
        match &self.tree.node(node).anchor {
            Some(anchor) if anchor.start >= properties.end => {
                let kept = self.lines.slice(anchor.start, anchor.end);
                self.splice(properties.start..anchor.end, format!("{kept} {text}"));
            }
            _ => self.splice(properties, text),
        }
    }

    /// Takes properties out with the blanks between them and what follows.
    pub(super) fn drop_properties(&mut self, properties: Option<Range<usize>>) {
        let Some(Range { mut start, end }) = properties else {
            return;
        };
        let rest = self.lines.slice(end, self.lines.before_break(self.lines.end(end)));
        let content = rest.trim_start_matches([' ', '\t']);
        if content.is_empty() {
            let before = self.lines.slice(self.lines.start(start), start);
            start -= before.len() - before.trim_end_matches([' ', '\t']).len();
        }
        self.splice(start..end + rest.len() - content.len(), "");
    }
}
