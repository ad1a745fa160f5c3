//! Children of flow collections: `[a, b]`, `{a: 1}` and JSON. New children take
//! the spacing of the old ones, on one line or on lines of their own; a comma
//! comes or goes with each.

use std::ops::Range;

use super::draft::Draft;
use super::emit::Emitter;
use super::error::{EditError, Refusal};
use super::opened::{Gap, Opened, Origin, Step};
use super::render::FlowStyle;
use super::scalar_text::Surroundings;
use super::slot::Slot;

/// The children of a flow collection in the source.
struct Children {
    extents: Vec<Range<usize>>,
    style: FlowStyle,
    /// A comma and what stands between it and the next child.
    comma: String,
    /// Behind the opening bracket, and at the closing one.
    inside: Range<usize>,
}

impl Children {
    fn start(&self, index: usize) -> usize {
        self.extents.get(index).map_or(self.inside.end, |extent| extent.start)
    }

    fn end(&self, index: usize) -> usize {
        self.extents.get(index).map_or(self.inside.start, |extent| extent.end)
    }
}

impl Emitter<'_, '_> {
    pub(super) fn flow(&mut self, slot: &Slot, opened: &Opened) -> Result<(), EditError> {
        let node = self.tree.node(opened.node);
        let style = self.flow_style(opened.node, slot.surroundings == Surroundings::Json);
        let slot = Slot { surroundings: style.surroundings(), ..*slot };
        let bracketed = self.lines.slice(node.span.start, node.span.end).starts_with(['[', '{']);
        let extents = self.extents(opened.node);
        let comma = format!(",{}", self.separator(&extents, style));
        let inside = node.span.start + 1..node.span.end.saturating_sub(1);
        let source = Children { extents, style, comma, inside };
        for step in opened.steps(source.extents.len()) {
            match step {
                Step::Kept { index, child } => self.kept(&slot, opened, index, child)?,
                Step::Gap(gap) => {
                    self.operation = opened.operation_of(&gap);
                    let operation = self.operation;
                    let refuse = |offset, kind| EditError::new(operation, offset, kind);
                    if !bracketed {
                        // A pair among the items of a sequence has no room for another.
                        return Err(refuse(node.span.start, Refusal::UnknownForm));
                    }
                    self.flow_gap(&source, &gap).map_err(|offset| refuse(offset, Refusal::CommentInFlow))?;
                }
            }
        }
        Ok(())
    }

    /// Tells the place of a comment that is in the way.
    fn flow_gap(&mut self, source: &Children, gap: &Gap<'_>) -> Result<(), usize> {
        let texts: Vec<String> = gap
            .inserted
            .iter()
            .filter_map(|child| match (&child.value, &child.origin) {
                (Draft::New(new), Origin::Inserted { name: Some(name) }) => {
                    Some(source.style.entry(name, &new.value))
                }
                (Draft::New(new), _) => Some(source.style.value(&new.value)),
                _ => None,
            })
            .collect();
        let comma = &source.comma;
        let last_removed = gap.removed.end.saturating_sub(1);
        let (range, text) = match (gap.previous, gap.next) {
            (_, Some(next)) => {
                let text: String = texts.iter().map(|text| format!("{text}{comma}")).collect();
                (source.start(gap.removed.start.min(next))..source.start(next), text)
            }
            (Some(previous), None) => {
                let end = self.behind_child(source.end(previous));
                let text = texts.iter().map(|text| format!("{comma}{text}")).collect();
                if gap.removed.is_empty() {
                    // A comment that follows the last child would be the new one's.
                    if self.has_comment(end..source.inside.end) {
                        return Err(end);
                    }
                    (end..end, text)
                } else {
                    (end..source.end(last_removed), text)
                }
            }
            (None, None) if texts.is_empty() => (source.inside.clone(), String::new()),
            (None, None) => (source.start(0)..source.end(last_removed), texts.join(comma)),
        };
        if self.gaps_have_comment(source, &range) {
            return Err(range.start);
        }
        self.splice(range, text);
        Ok(())
    }

    /// Whether a tag without a value ends here: a comma right behind it would be
    /// taken for a part of it.
    fn ends_in_tag(&self, end: usize) -> bool {
        let before = self.lines.slice(0, end);
        let word = before.rsplit([' ', '\t', '\n', ',', '[', '{']).next().unwrap_or_default();
        word.starts_with('!')
    }

    /// Behind the blank that ends a tag, or that makes a colon the end of a key, if
    /// `end` is right behind one.
    fn behind_child(&self, end: usize) -> usize {
        if !self.lines.slice(0, end).ends_with(':') && !self.ends_in_tag(end) {
            return end;
        }
        match self.lines.slice(end, self.lines.text().len()) {
            rest if rest.starts_with("\r\n") => end + 2,
            rest if rest.starts_with([' ', '\t', '\n']) => end + 1,
            _ => end,
        }
    }

    /// Whether the text between children has a comment inside `range`.
    fn gaps_have_comment(&self, source: &Children, range: &Range<usize>) -> bool {
        let mut at = range.start;
        let first = source.extents.partition_point(|extent| extent.end <= range.start);
        let inside = source.extents.iter().skip(first).take_while(|extent| extent.start < range.end);
        for extent in inside {
            if extent.start > at && self.has_comment(at..extent.start) {
                return true;
            }
            at = at.max(extent.end);
        }
        at < range.end && self.has_comment(at..range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::super::check::{add, check, check_all, edited, remove, set};
    use serde_json::json;

    #[test]
    fn children_come_with_the_spacing_of_their_neighbours() {
        check("a: [x, y] # c\n", add("/a/1", json!("z")), "a: [x, z, y] # c\n");
        check("a: [x,y]\n", add("/a/-", json!("a,b")), "a: [x,y,\"a,b\"]\n");
        check("a: { b: 1 }\n", add("/a/c", json!({"d": [1]})), "a: { b: 1, c: { d: [1] } }\n");
        check("{\"a\":1}\n", add("/b", json!("c")), "{\"a\":1,\"b\":\"c\"}\n");
        check(
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
            add("/c", json!("d")),
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": \"d\"\n}\n",
        );
        check("a: [\n  x,\n  y,\n]\n", add("/a/-", json!(1)), "a: [\n  x,\n  y,\n  1,\n]\n");
        check("a: [\"x\"]\n", add("/a/0", json!("y")), "a: [\"y\", \"x\"]\n");
        check("a: [[], {}]\n", add("/a/0/-", json!(1)), "a: [[1], {}]\n");
    }

    #[test]
    fn children_go_with_their_comma() {
        check("a: [x, y, z]\n", remove("/a/0"), "a: [y, z]\n");
        check("a: [x, y, z]\n", remove("/a/1"), "a: [x, z]\n");
        check("a: [x, y, z]\n", remove("/a/2"), "a: [x, y]\n");
        check("a: [x, y,]\n", remove("/a/1"), "a: [x,]\n");
        check("a: { x: 1 }\n", remove("/a/x"), "a: {}\n");
        check("{\n  \"a\": 1,\n  \"b\": 2\n}\n", remove("/b"), "{\n  \"a\": 1\n}\n");
        check_all("a: [x, y]\n", json!([remove("/a/0"), remove("/a/0"), add("/a/0", json!(1))]), "a: [1]\n");
        check_all("a: [x, y, z]\n", json!([remove("/a/0"), remove("/a/0")]), "a: [z]\n");
        check_all("a: [x, y, z]\n", json!([remove("/a/2"), add("/a/-", json!(1))]), "a: [x, y, 1]\n");
    }

    #[test]
    fn absent_values_in_flow_get_their_colon() {
        check("{a, b: , \"c\":}\n", set("/a", json!(1)), "{a: 1, b: , \"c\":}\n");
        check("{a, b: , \"c\":}\n", set("/b", json!(1)), "{a, b: 1 , \"c\":}\n");
        check("{a, b: , \"c\":}\n", set("/c", json!(1)), "{a, b: , \"c\": 1}\n");
        check("[a: 1, b]\n", set("/0/a", json!(2)), "[a: 2, b]\n");
    }

    #[test]
    fn an_anchor_stays_in_front_of_the_value_that_comes() {
        check("{a: !!str &x , b: 1}\n", set("/a", json!(2)), "{a: &x 2 , b: 1}\n");
        check("{a: &x !!str , b: 1}\n", set("/a", json!(2)), "{a: &x 2 , b: 1}\n");
        check("a: !!str &x # c\n", set("/a", json!(null)), "a: &x null # c\n");
        check("a: &x !!str # c\n", set("/a", json!(null)), "a: &x null # c\n");
        check("- !!str &x\n", set("/0", json!([1])), "- - 1\n");
    }

    #[test]
    fn a_comma_keeps_off_a_tag() {
        check("{a: !!str , b: 1, c: 2}\n", remove("/c"), "{a: !!str , b: 1}\n");
        check("{a: !!str , b: 1}\n", remove("/b"), "{a: !!str }\n");
        check("{a: !!str , b: 1}\n", remove("/a"), "{b: 1}\n");
        check("{a: !!str }\n", add("/b", json!(1)), "{a: !!str , b: 1}\n");
        check("[1, !!str , 2]\n", remove("/2"), "[1, !!str ]\n");
        check("[[!x ]]\n", add("/0/-", json!(1)), "[[!x , 1]]\n");
        check_all("{a: !!str , b: 1}\n", json!([remove("/b"), add("/c", json!([]))]), "{a: !!str , c: []}\n");
    }

    #[test]
    fn a_comment_is_never_cut_off_its_line() {
        for (text, operations) in [
            ("a: [\n  x, # c\n  y\n]\n", json!([remove("/a/0")])),
            ("a: [x,\n  # c\n  y,\n  z]\n", json!([remove("/a/0"), remove("/a/0")])),
            ("a: [x,\n  y # c\n  ]\n", json!([remove("/a/0"), remove("/a/0")])),
            ("a: [\n  x # c\n]\n", json!([add("/a/-", json!("y"))])),
            ("a: [\n  x,\n  # c\n]\n", json!([add("/a/-", json!("y"))])),
        ] {
            assert_eq!(edited(text, operations).unwrap_err().kind, Refusal::CommentInFlow, "{text}");
        }
        check("a: [\n  # c\n  x,\n  y\n]\n", remove("/a/1"), "a: [\n  # c\n  x\n]\n");
    }

    #[test]
    fn a_pair_in_a_sequence_takes_no_other() {
        let error = edited("a: [b: 1]\n", json!([add("/a/0/c", json!(1))])).unwrap_err();
        assert_eq!(error.kind, Refusal::UnknownForm);
    }

    #[test]
    fn a_colon_keeps_the_blank_behind_it() {
        check("a: {b: }\n", add("/a/c", json!(1)), "a: {b: , c: 1}\n");
        check("a: {b:\r\n  }\r\n", add("/a/c", json!(1)), "a: {b:\r\n, c: 1  }\r\n");
        check("{b: 1, \"a\":}\n", remove("/a"), "{b: 1}\n");
    }

    #[test]
    fn one_example_of_several_does_not_speak_for_all() {
        check("{\"a\": 1, b: 2}\n", add("/c", json!("x")), "{\"a\": 1, b: 2, c: x}\n");
        check("{\"a\":1, b: 2}\n", add("/c", json!("x")), "{\"a\":1, b: 2, c: x}\n");
        check("a: [\"x\", w]\n", add("/a/-", json!("z")), "a: [\"x\", w, z]\n");
    }
}
