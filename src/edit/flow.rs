//! Children of flow collections: `[a, b]`, `{a: 1}` and JSON. New children take
//! the spacing of the old ones, on one line or on lines of their own; a comma
//! comes or goes with each.

use std::ops::Range;

use crate::yaml::{Content, NodeId, ScalarStyle};

use super::draft::Draft;
use super::emit::{Emitter, Slot};
use super::error::{EditError, Refusal};
use super::opened::{Child, Opened, Origin};
use super::render::FlowStyle;
use super::scalar_text::Surroundings;

/// The children of a flow collection in the source.
struct Children {
    extents: Vec<Range<usize>>,
    style: FlowStyle,
    /// What stands between a comma and the next child.
    separator: String,
    /// Behind the opening bracket, and at the closing one.
    inside: Range<usize>,
}

impl Emitter<'_, '_> {
    pub(super) fn flow(&mut self, slot: &Slot, opened: &Opened) -> Result<(), EditError> {
        let node = self.tree.node(opened.node);
        let style = self.flow_style(opened.node, slot.surroundings == Surroundings::Json);
        let slot = Slot { surroundings: style.surroundings(), ..*slot };
        let bracketed = self.lines.slice(node.span.start, node.span.end).starts_with(['[', '{']);
        let extents = self.extents(opened.node);
        let separator = self.separator(&extents, style);
        let inside = node.span.start + 1..node.span.end.saturating_sub(1);
        let source = Children { extents, style, separator, inside };
        let mut previous = None;
        let mut next = 0;
        let mut inserted = Vec::new();
        for child in &opened.children {
            match child.origin {
                Origin::Inserted { .. } => inserted.push(child),
                Origin::Source(index) => {
                    self.flow_gap(&source, bracketed, previous, next..index, Some(index), &inserted, opened)?;
                    inserted.clear();
                    if let Some((slot, node)) = self.child_slot(&slot, opened.node, index) {
                        self.value(&slot, node, &child.value)?;
                    }
                    previous = Some(index);
                    next = index + 1;
                }
            }
        }
        let rest = next..source.extents.len();
        self.flow_gap(&source, bracketed, previous, rest, None, &inserted, opened)
    }

    #[allow(clippy::too_many_arguments)]
    fn flow_gap(
        &mut self,
        source: &Children,
        bracketed: bool,
        previous: Option<usize>,
        removed: Range<usize>,
        next: Option<usize>,
        inserted: &[&Child],
        opened: &Opened,
    ) -> Result<(), EditError> {
        if removed.is_empty() && inserted.is_empty() {
            return Ok(());
        }
        let operation = operation_of(opened, &removed, inserted);
        let place = self.tree.node(opened.node).span.start;
        if !bracketed {
            return Err(self.refuse(operation, place, Refusal::UnknownForm));
        }
        let texts: Vec<String> = inserted
            .iter()
            .filter_map(|child| match (&child.value, &child.origin) {
                (Draft::New(new), Origin::Inserted { name: Some(name) }) => {
                    Some(source.style.entry(name, &new.value))
                }
                (Draft::New(new), _) => Some(source.style.value(&new.value)),
                _ => None,
            })
            .collect();
        let comma = format!(",{}", source.separator);
        let start = |index: usize| source.extents.get(index).map_or(source.inside.end, |extent| extent.start);
        let end = |index: usize| source.extents.get(index).map_or(source.inside.start, |extent| extent.end);
        let (range, text) = match (previous, next) {
            (_, Some(next)) => {
                let range = start(removed.start.min(next))..start(next);
                (range, texts.iter().map(|text| format!("{text}{comma}")).collect::<String>())
            }
            (Some(previous), None) if removed.is_empty() => {
                return self.append_to_flow(source, previous, &texts, operation);
            }
            (Some(previous), None) => {
                let range = end(previous)..end(removed.end.saturating_sub(1));
                (range, texts.iter().map(|text| format!("{comma}{text}")).collect())
            }
            (None, None) if texts.is_empty() => (source.inside.clone(), String::new()),
            (None, None) => (start(0)..end(removed.end.saturating_sub(1)), texts.join(&comma)),
        };
        if self.gaps_have_comment(source, &range) {
            return Err(self.refuse(operation, range.start, Refusal::CommentInFlow));
        }
        self.splice(range, text);
        Ok(())
    }

    /// Adds behind the last child, which may have a comma and a comment.
    fn append_to_flow(
        &mut self,
        source: &Children,
        last: usize,
        texts: &[String],
        operation: usize,
    ) -> Result<(), EditError> {
        let end = source.extents.get(last).map_or(source.inside.start, |extent| extent.end);
        let tail = self.lines.slice(end, source.inside.end);
        if tail.contains('#') {
            return Err(self.refuse(operation, end, Refusal::CommentInFlow));
        }
        let comma = format!(",{}", source.separator);
        match tail.find(',') {
            None => {
                let text: String = texts.iter().map(|text| format!("{comma}{text}")).collect();
                self.splice(end..end, text);
            }
            Some(at) => {
                let at = end + at + 1;
                let text: String = texts.iter().map(|text| format!("{}{text},", source.separator)).collect();
                self.splice(at..at, text);
            }
        }
        Ok(())
    }

    /// Whether the text between children has a comment inside `range`.
    fn gaps_have_comment(&self, source: &Children, range: &Range<usize>) -> bool {
        let mut at = range.start;
        for extent in
            source.extents.iter().filter(|extent| extent.end > range.start && extent.start < range.end)
        {
            if extent.start > at && self.has_comment(at..extent.start) {
                return true;
            }
            at = at.max(extent.end);
        }
        at < range.end && self.has_comment(at..range.end)
    }

    /// What stands between a comma and the next child: a line break with the
    /// indentation of the last child that begins a line, or a blank, or nothing.
    fn separator(&self, extents: &[Range<usize>], style: FlowStyle) -> String {
        let on_own_line = extents.iter().rev().find(|extent| self.lines.is_first_on_line(extent.start));
        match on_own_line {
            // A first child at the beginning of a block line says nothing.
            Some(extent)
                if extents.len() == 1 || extent.start != extents.first().map_or(0, |first| first.start) =>
            {
                let line = self.lines.start(extent.start);
                let line_break = self.lines.line_break(line);
                format!("{line_break}{}", self.lines.slice(line, extent.start))
            }
            _ if style.comma_space => " ".to_owned(),
            _ => String::new(),
        }
    }

    /// The spacing and quoting of a flow collection. An empty one follows `json`.
    pub(super) fn flow_style(&self, id: NodeId, json: bool) -> FlowStyle {
        let node = self.tree.node(id);
        let extents = self.extents(id);
        let mut style = FlowStyle::plain(json);
        let first = extents.first().map_or(node.span.end, |extent| extent.start);
        style.padded = self.lines.slice(node.span.start + 1, first).starts_with(' ');
        if let [first, second, ..] = extents.as_slice() {
            let between = self.lines.slice(first.end, second.start);
            style.comma_space = between.find(',').is_none_or(|comma| comma + 1 < between.len());
        }
        let is_double = |id: NodeId| {
            matches!(self.tree.node(id).content, Content::Scalar { style: ScalarStyle::Double, .. })
        };
        match &node.content {
            Content::Mapping { entries, .. } if !entries.is_empty() => {
                style.json = entries.iter().all(|entry| is_double(entry.key));
                style.colon_space = entries.iter().all(|entry| {
                    let value = self.tree.node(entry.value).outer_start();
                    entry.colon.is_none_or(|colon| value > colon + 1)
                });
                if extents.len() == 1 {
                    style.comma_space = style.colon_space;
                }
            }
            Content::Sequence { items, .. } => {
                let strings = items.iter().filter(|item| self.is_string(item.node));
                let mut strings = strings.map(|item| is_double(item.node)).peekable();
                if strings.peek().is_some() {
                    style.json = strings.all(|double| double);
                }
            }
            _ => {}
        }
        style
    }

    fn is_string(&self, id: NodeId) -> bool {
        use crate::yaml::scalar::Scalar;
        matches!(self.tree.node(id).content, Content::Scalar { value: Scalar::Str(_), .. })
    }
}

/// The last of the operations that changed a gap.
fn operation_of(opened: &Opened, removed: &Range<usize>, inserted: &[&Child]) -> usize {
    let dropped =
        opened.dropped.iter().filter(|(index, _)| removed.contains(index)).map(|(_, operation)| *operation);
    let new = inserted.iter().filter_map(|child| match &child.value {
        Draft::New(new) => Some(new.operation),
        _ => None,
    });
    dropped.chain(new).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
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
    fn a_comment_is_never_cut_off_its_line() {
        assert!(edited("a: [\n  x, # c\n  y\n]\n", json!([remove("/a/0")])).is_err());
    }
}
