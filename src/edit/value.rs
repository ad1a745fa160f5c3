//! One value in the place of another, written on one line: the comment of the
//! line stays where it is. Collections that take lines are `collection`'s.

use crate::yaml::parse::strict;
use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, NodeId, ScalarStyle};

use super::block_scalar::BlockScalar;
use super::draft::New;
use super::emit::{Emitter, Piece};
use super::error::{EditError, Refusal};
use super::operation::NewValue;
use super::render::{FlowStyle, Line, full_lines};
use super::scalar_text::{self, Surroundings};
use super::slot::{Slot, SlotKind};

/// How the old value lies in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Old {
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
        self.operation = new.operation;
        let place = self.tree.node(node).outer_start();
        self.write(slot, node, &new.value).map_err(|kind| EditError::new(new.operation, place, kind))
    }

    fn write(&mut self, slot: &Slot, node: NodeId, value: &NewValue) -> Result<(), Refusal> {
        if slot.kind == SlotKind::Root && !is_collection(value) {
            return Err(Refusal::WholeDocument);
        }
        if slot.surroundings.is_flow() {
            return self.replace_in_flow(slot, node, value);
        }
        if self.rewrite_block_scalar(node, value) {
            return Ok(());
        }
        let replaced = scalar_text::quotes_of(self.tree, node);
        match scalar_text::inline(value, replaced, Surroundings::Block) {
            Some(text) if slot.kind == SlotKind::BareKey => {
                let line = Line { column: slot.column, text: format!(": {text}") };
                self.insert_lines(slot.head, &[line]);
                Ok(())
            }
            Some(text) => self.replace_by_text(slot, node, &text, is_collection(value)),
            None => self.replace_by_lines(slot, node, value),
        }
    }

    pub(super) fn old(&self, node: NodeId) -> Old {
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

    fn replace_in_flow(&mut self, slot: &Slot, id: NodeId, value: &NewValue) -> Result<(), Refusal> {
        let node = self.tree.node(id);
        let replaced = scalar_text::quotes_of(self.tree, id);
        let text = scalar_text::inline(value, replaced, slot.surroundings)
            .unwrap_or_else(|| FlowStyle::plain(slot.surroundings == Surroundings::Json).value(value));
        let properties = self.dropped_properties(slot, id, is_collection(value))?;
        match (self.old(id), properties) {
            (Old::Absent, _) if slot.kind == SlotKind::BareKey => {
                if !self.may_take_colon(slot, id) {
                    return Err(Refusal::UnknownForm);
                }
                self.splice(node.span.clone(), format!(": {text}"));
            }
            (Old::Absent, Some(properties)) => self.splice_properties(id, properties, &text),
            (Old::Absent, None) => self.splice(node.span.clone(), format!(" {text}")),
            (_, properties) => {
                self.drop_properties(properties);
                self.splice(node.span.clone(), text);
            }
        }
        Ok(())
    }

    /// A key without a colon may be longer than one with it, and take several lines.
    fn may_take_colon(&self, slot: &Slot, value: NodeId) -> bool {
        let Some(Content::Mapping { entries, .. }) = slot.mapping.map(|id| &self.tree.node(id).content)
        else {
            return false;
        };
        entries.iter().find(|entry| entry.value == value).is_some_and(|entry| {
            let key = self.tree.node(entry.key);
            entry.question.is_some()
                || strict::may_be_implicit(&self.tree.text()[key.outer_start()..key.span.end])
        })
    }

    /// New text for a block scalar, if it can stay one.
    fn rewrite_block_scalar(&mut self, id: NodeId, value: &NewValue) -> bool {
        let node = self.tree.node(id);
        let Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, value: Scalar::Str(old) } =
            &node.content
        else {
            return false;
        };
        let (NewValue::Str { text, .. }, None) = (value, &node.tag) else {
            return false;
        };
        let scalar = BlockScalar::new(self.tree.source(id));
        let line_break = self.lines.line_break(node.span.end);
        let Some((indicators, body)) = scalar.rewritten(old, text, line_break) else {
            return false;
        };
        let start = node.span.start;
        self.splice(start..start + scalar.indicators_len(), indicators);
        let range = node.span.end - scalar.body_len()..node.span.end;
        self.pieces.push(Piece { range, text: body, operation: self.operation, is_content: true });
        true
    }

    /// A value that is written on one line.
    fn replace_by_text(
        &mut self,
        slot: &Slot,
        id: NodeId,
        text: &str,
        is_collection: bool,
    ) -> Result<(), Refusal> {
        let span = self.tree.node(id).span.clone();
        let properties = self.dropped_properties(slot, id, is_collection)?;
        match self.old(id) {
            Old::Absent => match properties {
                Some(properties) => self.splice_properties(id, properties, text),
                None => self.append(span.start, text),
            },
            Old::Inline => {
                self.drop_properties(properties);
                self.splice(span, text);
            }
            Old::Text => {
                let scalar = BlockScalar::new(self.tree.source(id));
                self.drop_properties(properties);
                self.splice(span.start..span.start + scalar.indicators_len(), text);
                let body = span.end - scalar.body_len();
                self.splice(body..self.lines.end_of_node(span.end), "");
            }
            Old::Beside => {
                let end = self.lines.before_break(self.lines.end_of_node(span.end));
                self.splice(span.start..end, text);
            }
            Old::Below => {
                let region = self.region_below(slot, id);
                if slot.kind == SlotKind::Root {
                    self.drop_properties(properties);
                    let line = Line { column: self.lines.column(span.start), text: text.to_owned() };
                    let line_break = self.lines.line_break(region.end);
                    self.splice(region, full_lines(&[line], line_break));
                    return Ok(());
                }
                match properties {
                    Some(properties) => self.splice(properties, text),
                    None => self.append(slot.head, text),
                }
                self.splice(region, "");
            }
        }
        Ok(())
    }
}

/// Whether the value is a mapping or a sequence, empty or not.
pub(super) fn is_collection(value: &NewValue) -> bool {
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
