//! A block collection in the place of another value: under a key its lines
//! follow the line of the key, behind a dash its first line begins there.

use std::ops::Range;

use crate::yaml::NodeId;

use super::block_scalar::BlockScalar;
use super::emit::Emitter;
use super::error::Refusal;
use super::operation::NewValue;
use super::render::{BlockWriter, Line, full_lines, joined_lines};
use super::slot::{Slot, SlotKind};
use super::value::Old;

impl Emitter<'_, '_> {
    /// A value that takes lines: a collection with content.
    pub(super) fn replace_by_lines(
        &mut self,
        slot: &Slot,
        id: NodeId,
        value: &NewValue,
    ) -> Result<(), Refusal> {
        match (slot.kind, self.old(id)) {
            (SlotKind::BareKey, _) => {
                let mut lines = vec![Line { column: slot.column, text: ":".to_owned() }];
                lines.extend(self.lines_below(slot, value));
                self.insert_lines(slot.head, &lines);
                Ok(())
            }
            (SlotKind::Key, _)
            | (SlotKind::ExplicitKey, Old::Absent | Old::Inline | Old::Text | Old::Below) => {
                self.replace_below(slot, id, value)
            }
            _ => self.replace_beside(slot, id, value),
        }
    }

    fn writer(&self, slot: &Slot) -> BlockWriter<'_> {
        BlockWriter { layout: self.layout(), place: self.place(slot), gap: 2 }
    }

    /// The lines of a collection below its key.
    fn lines_below(&self, slot: &Slot, value: &NewValue) -> Vec<Line> {
        match slot.kind {
            // A sequence must stand further in than the `:` here.
            SlotKind::ExplicitKey | SlotKind::BareKey => self.writer(slot).value(value, slot.column + 2),
            _ => self.writer(slot).below(value, slot.column),
        }
    }

    /// Puts lines behind the line around `at`.
    pub(super) fn insert_lines(&mut self, at: usize, lines: &[Line]) {
        let end = self.lines.end_of_node(at);
        let text = full_lines(lines, self.lines.line_break(end));
        self.splice(end..end, text);
    }

    /// The lines of a block collection that begins on a line of its own, with
    /// the comments that belong to its first child.
    pub(super) fn region_below(&self, slot: &Slot, id: NodeId) -> Range<usize> {
        let span = &self.tree.node(id).span;
        let floor = self.floor(slot, id);
        let line = self.lines.start(span.start);
        let start = self.lines.comments_above(line, self.lines.column(span.start), floor);
        start..self.lines.end_of_node(span.end)
    }

    fn replace_below(&mut self, slot: &Slot, id: NodeId, value: &NewValue) -> Result<(), Refusal> {
        let span = self.tree.node(id).span.clone();
        let properties = self.dropped_properties(slot, id, true)?;
        let lines = self.lines_below(slot, value);
        let text = full_lines(&lines, self.lines.line_break(self.lines.end(slot.head)));
        let begins_on_line = self.lines.start(span.start) <= slot.head;
        let scalar = BlockScalar::new(self.tree.source(id));
        let header = span.start + scalar.indicators_len();
        match self.old(id) {
            Old::Absent | Old::Inline if begins_on_line => {
                self.cut(slot.head, span.end);
                self.insert_lines(span.end, &lines);
            }
            Old::Text if begins_on_line => {
                self.cut(slot.head, header);
                let body = span.end - scalar.body_len();
                self.splice(body..self.lines.end_of_node(span.end), text);
            }
            Old::Below | Old::Beside => {
                self.drop_properties(properties);
                let region = self.region_below(slot, id);
                self.splice(region, text);
            }
            old => {
                // The old value begins on a line of its own; a comment behind it
                // stays in front of the new lines.
                self.drop_properties(properties);
                let comment = self.comment_behind(if old == Old::Text { header } else { span.end });
                let column = self.lines.column(span.start);
                let kept = comment.map(|text| Line { column, text: text.to_owned() });
                let kept = full_lines(kept.as_slice(), self.lines.line_break(span.start));
                let region = self.lines.start(span.start)..self.lines.end_of_node(span.end);
                self.splice(region, format!("{kept}{text}"));
            }
        }
        Ok(())
    }

    fn replace_beside(&mut self, slot: &Slot, id: NodeId, value: &NewValue) -> Result<(), Refusal> {
        let node = self.tree.node(id);
        let span = node.span.clone();
        let properties = self.dropped_properties(slot, id, true)?;
        let begins_on_line = self.lines.start(span.start) <= slot.head;
        let column = match (self.old(id), &properties) {
            (Old::Absent, None) => slot.column + 2,
            // What takes the place of the properties begins where they do.
            (_, Some(properties)) if begins_on_line => self.lines.column(properties.start),
            _ => self.lines.column(span.start),
        };
        let lines = self.writer(slot).value(value, column);
        let Some((first, rest)) = lines.split_first() else {
            return Ok(());
        };
        match (self.old(id), properties) {
            (Old::Absent, None) => self.append(span.end, &first.text),
            (Old::Absent, Some(properties)) => self.splice(properties, first.text.as_str()),
            (Old::Inline, properties) => {
                self.drop_properties(properties);
                self.splice(span.clone(), first.text.as_str());
            }
            (Old::Text, properties) => {
                let scalar = BlockScalar::new(self.tree.source(id));
                self.drop_properties(properties);
                self.splice(span.start..span.start + scalar.indicators_len(), first.text.as_str());
                let body = span.end - scalar.body_len();
                let end = self.lines.end_of_node(span.end);
                self.splice(body..end, full_lines(rest, self.lines.line_break(end)));
                return Ok(());
            }
            (Old::Below | Old::Beside, properties) => {
                self.drop_properties(properties);
                let end = self.lines.end_of_node(span.end);
                let text = joined_lines(&lines, self.lines.line_break(end));
                self.splice(span.start..self.lines.before_break(end), text);
                return Ok(());
            }
        }
        self.insert_lines(span.end, rest);
        Ok(())
    }
}
