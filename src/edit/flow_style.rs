//! How a flow collection of the source is spaced and quoted, for what is written
//! into it.

use std::ops::Range;

use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, NodeId, ScalarStyle};

use super::emit::Emitter;
use super::render::FlowStyle;

impl Emitter<'_, '_> {
    /// What stands between a comma and the next child: a line break with the
    /// indentation of the last child that begins a line, or a blank, or nothing.
    pub(super) fn separator(&self, extents: &[Range<usize>], style: FlowStyle) -> String {
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
                    let behind = |colon| self.lines.slice(colon + 1, node.span.end);
                    entry.colon.is_none_or(|colon| behind(colon).starts_with([' ', '\t', '\r', '\n']))
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
        matches!(self.tree.node(id).content, Content::Scalar { value: Scalar::Str(_), .. })
    }
}
