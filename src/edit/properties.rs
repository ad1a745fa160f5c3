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
        match slot.kind {
            SlotKind::Root => 0,
            _ => self.lines.end(self.behind_properties(slot, node)),
        }
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
            (Some(one), None) | (None, Some(one)) => *one,
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

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::super::check::{check, edited, remove, set};
    use serde_json::json;

    #[test]
    fn an_anchor_that_nothing_needs_goes_with_its_collection_or_for_one() {
        check("- &x 1\n", set("/0", json!({"k": 1, "l": 2})), "- k: 1\n  l: 2\n");
        check("[&x 1]\n", set("/0", json!({})), "[{}]\n");
        check("[&x {}]\n", set("/0", json!(1)), "[1]\n");
        check("[&x 1]\n", set("/0", json!(2)), "[&x 2]\n");
    }

    #[test]
    fn a_tag_goes_with_the_text_that_it_is_for() {
        check("a: !!str |\n  1\nb: 1\n", set("/a", json!(2)), "a: 2\nb: 1\n");
        check("[!!str 1]\n", set("/0", json!(2)), "[2]\n");
        check("a: !!map &x\n  b: 1\n", remove("/a/b"), "a: !!map &x {}\n");
        check("a: &x !!map\n  b: 1\n", remove("/a/b"), "a: &x !!map {}\n");
        check("# c\n!!map\n# d\na: 1\nb: 2\n", remove("/a"), "# c\n!!map\nb: 2\n");
        check("!!map\na: 1\n", set("", json!({})), "\n{}\n");
    }

    #[test]
    fn properties_on_a_line_of_their_own_stay() {
        let error = edited("a:\n  !!str\n  x\n", json!([set("/a", json!(1))])).unwrap_err();
        assert_eq!(error.kind, Refusal::UnknownForm);
    }
}
