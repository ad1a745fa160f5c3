//! New values as text: block style as lines with their columns, flow style as
//! one piece. What the surroundings look like is found out elsewhere.

use super::layout::{Layout, Place};
use super::operation::NewValue;
use super::scalar_text::{self, Surroundings};

/// A line to be written, without its indentation and line break.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) column: usize,
    pub(super) text: String,
}

/// Lines as one text, each with indentation and line break.
pub(super) fn full_lines(lines: &[Line], line_break: &str) -> String {
    let mut out = String::new();
    for line in lines {
        push_indented(&mut out, line);
        out.push_str(line_break);
    }
    out
}

/// Lines as one text whose first line begins in the middle of a line and whose
/// last line takes over the line break that is there.
pub(super) fn joined_lines(lines: &[Line], line_break: &str) -> String {
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            out.push_str(line_break);
            push_indented(&mut out, line);
        } else {
            out.push_str(&line.text);
        }
    }
    out
}

fn push_indented(out: &mut String, line: &Line) {
    out.extend(std::iter::repeat_n(' ', line.column));
    out.push_str(&line.text);
}

/// Writes new values in block style.
#[derive(Debug, Clone)]
pub(super) struct BlockWriter<'a> {
    pub(super) layout: &'a Layout,
    pub(super) place: Place,
    /// Columns from a dash to what stands behind it.
    pub(super) gap: usize,
}

impl BlockWriter<'_> {
    /// A value with its first line at `column`.
    pub(super) fn value(&self, value: &NewValue, column: usize) -> Vec<Line> {
        if let Some(text) = scalar_text::inline(value, None, Surroundings::Block) {
            return vec![Line { column, text }];
        }
        match value {
            NewValue::Mapping(entries) => {
                entries.iter().flat_map(|(name, value)| self.entry(name, value, column)).collect()
            }
            NewValue::Sequence(items) => items.iter().flat_map(|item| self.item(item, column)).collect(),
            // Scalars are done above.
            NewValue::Plain(_) | NewValue::Str { .. } => Vec::new(),
        }
    }

    /// `name: value` with the key at `column`.
    pub(super) fn entry(&self, name: &str, value: &NewValue, column: usize) -> Vec<Line> {
        let key = scalar_text::key(name, Surroundings::Block);
        match scalar_text::inline(value, None, Surroundings::Block) {
            Some(text) => vec![Line { column, text: format!("{key}: {text}") }],
            None => {
                let mut lines = vec![Line { column, text: format!("{key}:") }];
                lines.extend(self.below(value, column));
                lines
            }
        }
    }

    /// The lines of a collection below its key, which stands at `column`.
    pub(super) fn below(&self, value: &NewValue, column: usize) -> Vec<Line> {
        let place = Place { column, ..self.place.clone() };
        let indent = match value {
            NewValue::Sequence(_) => self.layout.dash(&place),
            _ => self.layout.step(&place),
        };
        self.inside().value(value, column + indent)
    }

    /// `- value` with the dash at `column`.
    pub(super) fn item(&self, value: &NewValue, column: usize) -> Vec<Line> {
        let mut lines = self.inside().value(value, column + self.gap);
        if let Some(first) = lines.first_mut() {
            first.column = column;
            first.text.insert_str(0, &format!("-{:1$}", "", self.gap - 1));
        }
        lines
    }

    /// The writer for what stands inside a new collection.
    fn inside(&self) -> Self {
        Self { layout: self.layout, place: Place { mapping: None, ..self.place.clone() }, gap: 2 }
    }
}

/// A document of its own in block style, indented as charts do it.
pub fn document(value: &NewValue) -> String {
    let layout = Layout::default();
    let place = Place { mapping: None, column: 0, offset: 0 };
    full_lines(&BlockWriter { layout: &layout, place, gap: 2 }.value(value, 0), "\n")
}

/// How flow collections are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FlowStyle {
    /// `{ a: 1 }` rather than `{a: 1}`.
    pub(super) padded: bool,
    /// `, ` rather than `,`.
    pub(super) comma_space: bool,
    /// `: ` rather than `:`; only double-quoted keys can do without.
    pub(super) colon_space: bool,
    /// Everything in double quotes.
    pub(super) json: bool,
}

impl FlowStyle {
    /// The style where no example says.
    pub(super) fn plain(json: bool) -> Self {
        Self { padded: false, comma_space: true, colon_space: true, json }
    }

    pub(super) fn surroundings(self) -> Surroundings {
        if self.json { Surroundings::Json } else { Surroundings::Flow }
    }

    /// A value in flow style.
    pub(super) fn value(self, value: &NewValue) -> String {
        if let Some(text) = scalar_text::inline(value, None, self.surroundings()) {
            return text;
        }
        let comma = if self.comma_space { ", " } else { "," };
        match value {
            NewValue::Mapping(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(name, value)| self.entry(name, value)).collect();
                let pad = if self.padded { " " } else { "" };
                format!("{{{pad}{}{pad}}}", entries.join(comma))
            }
            NewValue::Sequence(items) => {
                let items: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                format!("[{}]", items.join(comma))
            }
            // Scalars are done above.
            NewValue::Plain(_) | NewValue::Str { .. } => String::new(),
        }
    }

    /// `name: value` in flow style.
    pub(super) fn entry(self, name: &str, value: &NewValue) -> String {
        let key = scalar_text::key(name, self.surroundings());
        let bare = !self.colon_space && key.starts_with('"');
        let colon = if bare { ":" } else { ": " };
        format!("{key}{colon}{}", self.value(value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::Lines;
    use super::*;
    use crate::yaml::parse;
    use serde_json::json;

    fn block(value: serde_json::Value, gap: usize) -> String {
        let tree = parse("a:\n  b:\n  - 1\n").unwrap();
        let layout = Layout::new(&tree, &Lines::new(&tree));
        let place = Place { mapping: None, column: 0, offset: 0 };
        let writer = BlockWriter { layout: &layout, place, gap };
        full_lines(&writer.value(&NewValue::from(&value), 2), "\n")
    }

    #[test]
    fn block_style_nests_as_charts_do() {
        assert_eq!(
            block(json!({"a": {"b": [1, {"c": "no", "d": [[1, 2], []]}]}, "e": {}}), 2),
            "  a:\n    b:\n    - 1\n    - c: \"no\"\n      d:\n      - - 1\n        - 2\n      - []\n  e: {}\n"
        );
        assert_eq!(block(json!([{"a": 1, "b": 2}]), 4), "  -   a: 1\n      b: 2\n");
    }

    #[test]
    fn a_new_document_reads_as_its_value() {
        let value = json!({"kind": "A", "n": "5", "l": [{"a": {"b": []}}, "yes"], "e": {"f": {"g": null}}});
        let text = document(&NewValue::from(&value));
        assert_eq!(parse(&text).unwrap().read().unwrap(), value, "{text}");
    }

    #[test]
    fn flow_style_follows_its_spacing() {
        let value = NewValue::from(&json!({"a": [1, "x, y"], "b": {}}));
        assert_eq!(FlowStyle::plain(false).value(&value), "{a: [1, \"x, y\"], b: {}}");
        let json = FlowStyle { comma_space: false, colon_space: false, ..FlowStyle::plain(true) };
        assert_eq!(json.value(&value), "{\"a\":[1,\"x, y\"],\"b\":{}}");
        let padded = FlowStyle { padded: true, ..FlowStyle::plain(false) };
        assert_eq!(padded.value(&value), "{ a: [1, \"x, y\"], b: {} }");
    }
}
