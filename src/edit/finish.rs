//! Splices put in order, and the ends of things looked after: the last line
//! break of a document that has none, blank lines that a block scalar would take
//! in, comments that it would take for text.

use std::ops::Range;

use crate::yaml::{Content, NodeId, ScalarStyle, Tree};

use super::Splice;
use super::block_scalar::BlockScalar;
use super::error::Refusal;
use super::lines::Lines;

/// What `finish` refuses: a place and a reason.
pub(super) type Refused = (usize, Refusal);

/// Sorts the splices and fits them to the text.
pub(super) fn finish(
    tree: &Tree<'_>,
    lines: &Lines<'_>,
    mut splices: Vec<Splice>,
) -> Result<Vec<Splice>, Refused> {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    merge_deletions(&mut splices);
    let texts = BlockTexts::new(tree, &splices);
    for splice in &mut splices {
        guard_deletion(&texts, lines, splice)?;
    }
    end_of_text(&texts, lines, &mut splices)?;
    for pair in splices.windows(2) {
        if let [left, right] = pair
            && left.range.end > right.range.start
        {
            return Err((right.range.start, Refusal::UnknownForm));
        }
    }
    splices.retain(|splice| lines.slice(splice.range.start, splice.range.end) != splice.text);
    Ok(splices)
}

/// Deletions that touch become one, so that what they leave side by side is seen.
fn merge_deletions(splices: &mut Vec<Splice>) {
    splices.dedup_by(|next, previous| {
        let touch = previous.range.end == next.range.start;
        let both = previous.text.is_empty() && next.text.is_empty();
        if touch && both {
            previous.range.end = next.range.end;
        }
        touch && both
    });
}

/// The block scalars that the splices leave alone, by their ends.
struct BlockTexts<'a, 't> {
    tree: &'a Tree<'t>,
    ends: Vec<(usize, NodeId)>,
}

impl<'a, 't> BlockTexts<'a, 't> {
    fn new(tree: &'a Tree<'t>, splices: &[Splice]) -> Self {
        let is_touched = |span: &Range<usize>| {
            let behind = splices.partition_point(|splice| splice.range.start < span.end);
            behind
                .checked_sub(1)
                .and_then(|last| splices.get(last))
                .is_some_and(|splice| splice.range.end > span.start)
        };
        let mut ends: Vec<(usize, NodeId)> = tree
            .nodes()
            .filter(|(_, node)| {
                matches!(
                    node.content,
                    Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. }
                ) && !is_touched(&node.span)
            })
            .map(|(id, node)| (node.span.end, id))
            .collect();
        ends.sort_unstable();
        Self { tree, ends }
    }

    /// The block scalar that ends at `at`, or in front of blank lines before it.
    fn before(&self, lines: &Lines<'_>, at: usize) -> Option<NodeId> {
        let behind = self.ends.partition_point(|(end, _)| *end <= at);
        let (end, id) = self.ends.get(behind.checked_sub(1)?)?;
        (lines.skip_blank_lines(*end) >= at).then_some(*id)
    }

    fn keeps_blank_lines(&self, id: NodeId) -> bool {
        self.header(id).contains('+')
    }

    fn header(&self, id: NodeId) -> &'t str {
        let source = self.tree.source(id);
        let length = BlockScalar::new(source).indicators_len();
        source.get(..length).unwrap_or("")
    }
}

/// Lines that go may leave a block scalar beside what it would take in.
fn guard_deletion(texts: &BlockTexts<'_, '_>, lines: &Lines<'_>, splice: &mut Splice) -> Result<(), Refused> {
    let range = splice.range.clone();
    if !splice.text.is_empty() || range.is_empty() || lines.start(range.start) != range.start {
        return Ok(());
    }
    let Some(scalar) = texts.before(lines, range.start) else {
        return Ok(());
    };
    if texts.keeps_blank_lines(scalar) {
        splice.range.end = lines.skip_blank_lines(range.end).max(range.end);
    }
    let next = lines.skip_blank_lines(range.end);
    let Some(comment) = lines.comment_indent(next) else {
        return Ok(());
    };
    let Content::Scalar { value, .. } = &texts.tree.node(scalar).content else {
        return Ok(());
    };
    let indent = match value.to_json() {
        serde_json::Value::String(text) => BlockScalar::new(texts.tree.source(scalar)).indent(&text),
        _ => None,
    };
    if indent.is_none_or(|indent| comment >= indent) {
        return Err((next, Refusal::CommentWouldBecomeText));
    }
    Ok(())
}

/// Takes the imagined line break behind the text out again.
fn end_of_text(
    texts: &BlockTexts<'_, '_>,
    lines: &Lines<'_>,
    splices: &mut Vec<Splice>,
) -> Result<(), Refused> {
    let length = lines.text().len();
    let imagined = splices.iter().position(|splice| splice.range.end > length);
    let Some(first) = imagined else { return Ok(()) };
    let mut last_text = String::new();
    let mut start = length;
    for (index, splice) in splices.drain(first..).enumerate() {
        if index == 0 {
            start = splice.range.start.min(length);
        }
        last_text.push_str(&splice.text);
    }
    let line_break = lines.line_break(length);
    let begins_line = lines.start(start) == start || start == 0;
    let mut range = start..length;
    if last_text.is_empty() {
        // The lines at the end go: the line before them loses its break, unless
        // it is a block scalar's, where it is content.
        if texts.before(lines, range.start).is_none() && begins_line {
            let before = lines.before_break(range.start);
            if splices.last().is_none_or(|splice| splice.range.end <= before) {
                range.start = before;
            } else if let Some(splice) = splices.last_mut().filter(|splice| splice.range.end == range.start)
                && let Some(text) = splice.text.strip_suffix(line_break)
            {
                splice.text = text.to_owned();
            }
        }
    } else {
        let text = last_text.strip_suffix(line_break).unwrap_or(&last_text);
        last_text = if range.is_empty() && !begins_line {
            if let Some(scalar) = texts.before(lines, length)
                && !texts.header(scalar).contains('-')
            {
                return Err((texts.tree.node(scalar).span.start, Refusal::OpenBlockScalar));
            }
            format!("{line_break}{text}")
        } else {
            text.to_owned()
        };
    }
    splices.push(Splice { range, text: last_text });
    Ok(())
}
