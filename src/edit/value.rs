//! One value in the place of another: scalars on their line, collections on
//! lines of their own, the comment of the line kept where it is.

use std::ops::Range;

use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, NodeId, ScalarStyle};

use super::block_scalar::BlockScalar;
use super::draft::New;
use super::emit::{Emitter, Slot, SlotKind};
use super::error::{EditError, Refusal};
use super::operation::NewValue;
use super::render::{BlockWriter, FlowStyle, Line, full_lines, joined_lines};
use super::scalar_text::{self, Surroundings};

/// How the old value lies in the text.
enum Old {
    /// Nothing is written.
    Absent,
    /// Within its line, or from line to line but ended by a character of its own.
    Inline,
    /// A block scalar.
    Text,
    /// A block collection that begins on a line of its own.
    Below,
    /// A block collection that begins behind a dash.
    Beside,
}

impl Emitter<'_, '_> {
    /// Writes `new` in the place of `node`.
    pub(super) fn replace(&mut self, slot: &Slot, node: NodeId, new: &New) -> Result<(), EditError> {
        let value = &new.value;
        let place = self.tree.node(node).outer_start();
        if slot.kind == SlotKind::Root && !is_collection(value) {
            return Err(self.refuse(new.operation, place, Refusal::WholeDocument));
        }
        if slot.surroundings.is_flow() {
            self.replace_in_flow(slot, node, value);
            return Ok(());
        }
        if slot.kind == SlotKind::BareKey {
            return Err(self.refuse(new.operation, place, Refusal::UnknownForm));
        }
        if let Some(()) = self.replace_block_scalar(node, value) {
            return Ok(());
        }
        let replaced = scalar_text::quotes_of(self.tree, node);
        match scalar_text::inline(value, replaced, Surroundings::Block) {
            Some(text) => self.replace_by_text(slot, node, &text, is_collection(value)),
            None if slot.kind == SlotKind::Key => self.replace_below(slot, node, value),
            None => self.replace_beside(slot, node, value),
        }
        Ok(())
    }

    fn replace_in_flow(&mut self, slot: &Slot, node: NodeId, value: &NewValue) {
        let replaced = scalar_text::quotes_of(self.tree, node);
        let text = scalar_text::inline(value, replaced, slot.surroundings)
            .unwrap_or_else(|| FlowStyle::plain(slot.surroundings == Surroundings::Json).value(value));
        let (range, anchor) = self.replaced_range(node, is_collection(value));
        let range_is_empty = range.is_empty();
        let text = match slot.kind {
            SlotKind::BareKey => format!(": {text}"),
            _ if range_is_empty => format!(" {text}"),
            _ => format!("{anchor}{text}"),
        };
        self.splice(range, text);
    }

    /// The bytes that a new value takes over, and what of them must be written
    /// again. A tag goes, since it says how the old text was read; an anchor
    /// stays with a scalar.
    fn replaced_range(&self, node: NodeId, by_collection: bool) -> (Range<usize>, String) {
        let node = self.tree.node(node);
        let scalars = !by_collection && matches!(node.content, Content::Scalar { .. });
        match (&node.tag, &node.anchor) {
            (None, None) => (node.span.clone(), String::new()),
            (None, Some(_)) if scalars => (node.span.clone(), String::new()),
            (Some(_), Some(anchor)) if scalars => {
                let anchor = self.lines.slice(anchor.start, anchor.end);
                (node.outer_start()..node.span.end, format!("{anchor} "))
            }
            _ => (node.outer_start()..node.span.end, String::new()),
        }
    }

    fn old(&self, node: NodeId) -> Old {
        let node = self.tree.node(node);
        match &node.content {
            Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. } => Old::Text,
            Content::Scalar { .. } if node.span.is_empty() => Old::Absent,
            Content::Mapping { flow: false, .. } | Content::Sequence { flow: false, .. } => {
                if self.lines.is_first_on_line(node.span.start) { Old::Below } else { Old::Beside }
            }
            _ => Old::Inline,
        }
    }

    /// New text for a block scalar, where it can stay one.
    fn replace_block_scalar(&mut self, node: NodeId, value: &NewValue) -> Option<()> {
        let id = node;
        let node = self.tree.node(id);
        let NewValue::Str { text, .. } = value else {
            return None;
        };
        let Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, value: Scalar::Str(old) } =
            &node.content
        else {
            return None;
        };
        if node.tag.is_some() {
            return None;
        }
        let scalar = BlockScalar::new(self.tree.source(id));
        let line_break = self.lines.line_break(node.span.end);
        let (indicators, body) = scalar.rewritten(old, text, line_break)?;
        let start = node.span.start;
        let header = start..start + scalar.indicators_len();
        if self.lines.slice(header.start, header.end) != indicators {
            self.splice(header, indicators);
        }
        self.splice(node.span.end - scalar.body_len()..node.span.end, body);
        Some(())
    }

    /// A value that is written on one line.
    fn replace_by_text(&mut self, slot: &Slot, id: NodeId, text: &str, is_collection: bool) {
        let node = self.tree.node(id);
        let (range, anchor) = self.replaced_range(id, is_collection);
        let text = format!("{anchor}{text}");
        match self.old(id) {
            Old::Absent if range.is_empty() => self.append(range.start, &text),
            Old::Absent | Old::Inline => self.splice(range, text),
            Old::Text => {
                let scalar = BlockScalar::new(self.tree.source(id));
                let header = node.span.start + scalar.indicators_len();
                self.splice(range.start..header, text);
                let body = node.span.end - scalar.body_len();
                self.splice(body..self.lines.end_of_node(node.span.end).max(body), "");
            }
            Old::Beside => {
                let end = self.lines.before_break(self.lines.end_of_node(node.span.end));
                self.splice(range.start..end, text);
            }
            Old::Below => {
                let properties = self.behind_properties(slot, id);
                if slot.kind == SlotKind::Root {
                    let region = self.region_below(slot, id);
                    let line = Line { column: slot.column, text };
                    let line_break = self.lines.line_break(region.end);
                    self.splice(region, full_lines(&[line], line_break));
                    return;
                }
                let properties_start = node.outer_start().min(properties);
                if properties_start < node.span.start && properties > slot.head {
                    self.splice(properties_start..properties, text);
                } else {
                    self.append(slot.head, &text);
                }
                let region = self.region_below(slot, id);
                self.splice(region, "");
            }
        }
    }

    /// The lines of a block collection that begins on a line of its own, with
    /// the comments that belong to its first child.
    fn region_below(&self, slot: &Slot, id: NodeId) -> Range<usize> {
        let node = self.tree.node(id);
        let floor = match slot.kind {
            SlotKind::Root => 0,
            _ => self.lines.end(self.behind_properties(slot, id)),
        };
        let line = self.lines.start(node.span.start);
        let start = self.lines.comments_above(line.max(floor), self.lines.column(node.span.start), floor);
        start..self.lines.end_of_node(node.span.end)
    }

    fn writer(&self, slot: &Slot) -> BlockWriter<'_> {
        BlockWriter { layout: self.layout(), place: self.place(slot), gap: 2 }
    }

    /// A collection under a key: its lines follow the line of the key.
    fn replace_below(&mut self, slot: &Slot, id: NodeId, value: &NewValue) {
        let node = self.tree.node(id);
        let lines = self.writer(slot).below(value, slot.column);
        let line_break = self.lines.line_break(self.lines.end(slot.head));
        let text = full_lines(&lines, line_break);
        let start = node.outer_start();
        match self.old(id) {
            Old::Absent => {
                self.cut(slot.head, node.span.end);
                let end = self.lines.end_of_node(node.span.end);
                self.splice(end..end, text);
            }
            Old::Inline if self.lines.start(start) <= slot.head => {
                self.cut(slot.head, node.span.end);
                let end = self.lines.end_of_node(node.span.end);
                self.splice(end..end, text);
            }
            Old::Inline => {
                // The old value stands on a line of its own; a comment behind it
                // stays in front of the new lines.
                let kept = self.comment_behind(node.span.end).map(str::to_owned);
                let column = self.lines.column(start);
                let kept =
                    kept.map(|text| full_lines(&[Line { column, text }], line_break)).unwrap_or_default();
                let region = self.lines.start(start)..self.lines.end_of_node(node.span.end);
                self.splice(region, format!("{kept}{text}"));
            }
            Old::Text => {
                let scalar = BlockScalar::new(self.tree.source(id));
                self.cut(slot.head, node.span.start + scalar.indicators_len());
                let body = node.span.end - scalar.body_len();
                self.splice(body..self.lines.end_of_node(node.span.end).max(body), text);
            }
            Old::Below | Old::Beside => {
                let properties = self.behind_properties(slot, id);
                if properties > slot.head {
                    self.cut(slot.head, properties);
                }
                let region = self.region_below(slot, id);
                self.splice(region, text);
            }
        }
    }

    /// A collection behind a dash (or as the document): its first line begins
    /// where the old value did.
    fn replace_beside(&mut self, slot: &Slot, id: NodeId, value: &NewValue) {
        let node = self.tree.node(id);
        let start = node.outer_start();
        let old = self.old(id);
        let column = match old {
            Old::Absent => slot.column + 2,
            _ => self.lines.column(start),
        };
        let lines = self.writer(slot).value(value, column);
        let Some((first, rest)) = lines.split_first() else {
            return;
        };
        let end = self.lines.end_of_node(node.span.end);
        let line_break = self.lines.line_break(end);
        let rest = full_lines(rest, line_break);
        match old {
            Old::Absent => {
                if start < node.span.end {
                    self.splice(start..node.span.end, first.text.as_str());
                } else {
                    self.append(node.span.end, &first.text);
                }
                self.splice(end..end, rest);
            }
            Old::Inline => {
                self.splice(start..node.span.end, first.text.as_str());
                self.splice(end..end, rest);
            }
            Old::Text => {
                let scalar = BlockScalar::new(self.tree.source(id));
                self.splice(start..node.span.start + scalar.indicators_len(), first.text.as_str());
                let body = node.span.end - scalar.body_len();
                self.splice(body..end.max(body), rest);
            }
            Old::Below | Old::Beside => {
                let end = self.lines.before_break(end);
                self.splice(start..end, joined_lines(&lines, line_break));
            }
        }
    }
}

fn is_collection(value: &NewValue) -> bool {
    matches!(value, NewValue::Sequence(_) | NewValue::Mapping(_))
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, check, edited, set};
    use serde_json::json;

    #[test]
    fn scalars_keep_their_style_and_comment() {
        check("a: x # c\n", set("/a", json!("y z")), "a: y z # c\n");
        check("a: \"x\"\n", set("/a", json!("v")), "a: \"v\"\n");
        check("a: 'x'\n", set("/a", json!("it's")), "a: 'it''s'\n");
        check("a: 'x'\n", set("/a", json!("p\nq")), "a: \"p\\nq\"\n");
        check("a: x\n", set("/a", json!("no")), "a: \"no\"\n");
        check("a: \"x\"\n", set("/a", json!(true)), "a: true\n");
        check("a:\tx\t# c\n", set("/a", json!(null)), "a:\tnull\t# c\n");
        check("a: &k x\n", set("/a", json!("y z")), "a: &k y z\n");
        check("a: !!str &k 1\n", set("/a", json!(2)), "a: &k 2\n");
        check("a:\n  \"x\n  y\"\nb: 1\n", set("/a", json!(2)), "a:\n  2\nb: 1\n");
    }

    #[test]
    fn an_absent_value_is_filled_in() {
        check("a:\nb: 1\n", set("/a", json!(2)), "a: 2\nb: 1\n");
        check("a: # c\n", set("/a", json!(2)), "a: 2 # c\n");
        check("a: # c\nb: 1\n", set("/a", json!({"x": [1, 2]})), "a: # c\n  x:\n  - 1\n  - 2\nb: 1\n");
        check("a:", set("/a", json!([1])), "a:\n- 1");
        check("-\n- b\n", set("/0", json!({"x": 1, "z": 2})), "- x: 1\n  z: 2\n- b\n");
        check("- # c\n- b\n", set("/0", json!({"x": 1, "z": 2})), "- x: 1 # c\n  z: 2\n- b\n");
    }

    #[test]
    fn an_empty_collection_opens_in_block_style() {
        check("a: {} # c\nb: 1\n", add("/a/x", json!(1)), "a: # c\n  x: 1\nb: 1\n");
        check(
            "a:\n    b: []\n    c:\n        d: 1\n",
            add("/a/b/-", json!(1)),
            "a:\n    b:\n    - 1\n    c:\n        d: 1\n",
        );
        check("- {}\n", add("/0/x", json!([1])), "- x:\n  - 1\n");
        check("{}\n", add("/x", json!(1)), "x: 1\n");
        check("a: []", add("/a/-", json!(1)), "a:\n- 1");
    }

    #[test]
    fn collections_and_scalars_take_each_others_place() {
        check("a: # c\n  # own\n  x: 1 # x\n\n# d\nb: 1\n", set("/a", json!(2)), "a: 2 # c\n\n# d\nb: 1\n");
        check("a: x # c\nb: 1\n", set("/a", json!({"k": 1})), "a: # c\n  k: 1\nb: 1\n");
        check("a:\n- 1\nb: 1\n", set("/a", json!({"k": 1})), "a:\n  k: 1\nb: 1\n");
        check("- x: 1\n  z: 2\n- 1\n", set("/0", json!("t")), "- t\n- 1\n");
        check("- x # c\n", set("/0", json!({"p": {"q": 1}, "r": 2})), "- p: # c\n    q: 1\n  r: 2\n");
        check("a: [1]\n", set("/a", json!({"k": 1})), "a:\n  k: 1\n");
        check("a: &x\n  b: 1\n", set("/a", json!(1)), "a: 1\n");
        check("a: !!map\n  b: 1\n", set("/a", json!([1])), "a:\n- 1\n");
        check("a:\n  x # c\nb: 1\n", set("/a", json!([1])), "a:\n  # c\n- 1\nb: 1\n");
        check("{\"a\": 1}\n", set("/a", json!({"b": ["x"]})), "{\"a\": {\"b\": [\"x\"]}}\n");
    }

    #[test]
    fn a_block_scalar_stays_one_if_it_can() {
        check("a: | # c\n   x\nb: 1\n", set("/a", json!("y\nz\n")), "a: | # c\n   y\n   z\nb: 1\n");
        check("a: | # c\n   x\nb: 1\n", set("/a", json!("v")), "a: v # c\nb: 1\n");
        check("a: |\n  x", set("/a", json!("y\nz\n")), "a: \"y\\nz\\n\"");
        check("- |\n  x\n- 1\n", set("/0", json!({"p": 1, "q": 2})), "- p: 1\n  q: 2\n- 1\n");
        check("a: |\n  x\nb: 1\n", set("/a", json!([1])), "a:\n- 1\nb: 1\n");
        check("a: |\r\n  x\r\nb: 1\r\n", set("/a", json!("y\nz\n")), "a: |\r\n  y\r\n  z\r\nb: 1\r\n");
    }

    #[test]
    fn what_is_so_already_is_left_alone() {
        for (text, value) in
            [("a: 0644\n", json!(420)), ("a: 'x'\n", json!("x")), ("a: {b: [1.0]}\n", json!({"b": [1]}))]
        {
            assert_eq!(edited(text, json!([set("/a", value)])).unwrap(), text);
        }
    }

    #[test]
    fn the_document_cannot_become_a_scalar() {
        assert!(edited("a: 1\n", json!([set("", json!(1))])).is_err());
        check("a: 1\nb: 2\n", set("", json!({"b": 3})), "b: 3\n");
    }
}
