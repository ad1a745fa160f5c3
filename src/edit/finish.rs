//! Splices put in order, and the ends of things looked after: the last line
//! break of a document that has none, blank lines that a block scalar would take
//! in, comments that it would take for text.

use std::ops::Range;

use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, NodeId, ScalarStyle, Tree};

use super::Splice;
use super::block_scalar::BlockScalar;
use super::emit::Piece;
use super::error::{EditError, Refusal};
use super::lines::Lines;

/// Sorts the pieces and fits them to the text.
pub(super) fn finish(tree: &Tree<'_>, mut pieces: Vec<Piece>) -> Result<Vec<Splice>, EditError> {
    let lines = Lines::new(tree);
    // Pieces at one place stay in the order in which they were written: what is
    // further in comes first.
    pieces.sort_by_key(|piece| (piece.range.start, piece.range.end));
    merge_deletions(&mut pieces);
    let scalars = BlockScalars::new(tree, &pieces);
    for piece in &mut pieces {
        guard_deletion(&scalars, &lines, piece)?;
    }
    end_of_text(&scalars, &lines, &mut pieces)?;
    for pair in pieces.windows(2) {
        if let [left, right] = pair
            && left.range.end > right.range.start
        {
            return Err(EditError::new(right.operation, right.range.start, Refusal::UnknownForm));
        }
    }
    pieces.retain(|piece| lines.slice(piece.range.start, piece.range.end) != piece.text);
    Ok(pieces.into_iter().map(|piece| Splice { range: piece.range, text: piece.text }).collect())
}

/// Deletions that touch become one, so that what they leave side by side is seen.
fn merge_deletions(pieces: &mut Vec<Piece>) {
    pieces.dedup_by(|next, previous| {
        let touch = previous.range.end == next.range.start;
        let both = previous.text.is_empty() && next.text.is_empty();
        if touch && both {
            previous.range.end = next.range.end;
        }
        touch && both
    });
}

/// The block scalars that the pieces leave alone, by their ends.
struct BlockScalars<'a, 't> {
    tree: &'a Tree<'t>,
    ends: Vec<(usize, NodeId)>,
}

impl<'a, 't> BlockScalars<'a, 't> {
    fn new(tree: &'a Tree<'t>, pieces: &[Piece]) -> Self {
        let is_touched = |span: &Range<usize>| {
            let behind = pieces.partition_point(|piece| piece.range.start < span.end);
            let last = behind.checked_sub(1).and_then(|last| pieces.get(last));
            last.is_some_and(|piece| piece.range.end > span.start)
        };
        let is_block = |style| matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let mut ends: Vec<(usize, NodeId)> = tree
            .nodes()
            .filter(|(_, node)| matches!(node.content, Content::Scalar { style, .. } if is_block(style)))
            .filter(|(_, node)| !is_touched(&node.span))
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

    fn indicators(&self, id: NodeId) -> &'t str {
        BlockScalar::new(self.tree.source(id)).indicators()
    }

    /// How far the text is indented; `None` if there is none.
    fn indent(&self, id: NodeId) -> Option<usize> {
        match &self.tree.node(id).content {
            Content::Scalar { value: Scalar::Str(text), .. } => {
                BlockScalar::new(self.tree.source(id)).indent(text)
            }
            _ => None,
        }
    }
}

/// Lines that go may leave a block scalar beside what it would take in.
fn guard_deletion(
    scalars: &BlockScalars<'_, '_>,
    lines: &Lines<'_>,
    piece: &mut Piece,
) -> Result<(), EditError> {
    let range = piece.range.clone();
    if !piece.text.is_empty() || range.is_empty() || lines.start(range.start) != range.start {
        return Ok(());
    }
    let Some(scalar) = scalars.before(lines, range.start) else {
        return Ok(());
    };
    if scalars.indicators(scalar).contains('+') {
        piece.range.end = lines.skip_blank_lines(range.end).max(range.end);
    }
    let next = lines.skip_blank_lines(range.end);
    match (lines.comment_indent(next), scalars.indent(scalar)) {
        (None, _) => Ok(()),
        (Some(comment), Some(indent)) if comment < indent => Ok(()),
        _ => Err(EditError::new(piece.operation, next, Refusal::CommentWouldBecomeText)),
    }
}

/// Takes the line break that was imagined behind the text out again.
fn end_of_text(
    scalars: &BlockScalars<'_, '_>,
    lines: &Lines<'_>,
    pieces: &mut Vec<Piece>,
) -> Result<(), EditError> {
    let length = lines.text().len();
    let Some(first) = pieces.iter().position(|piece| piece.range.end > length) else {
        return Ok(());
    };
    let line_break = lines.line_break(length);
    let tail: Vec<Piece> = pieces.drain(first..).collect();
    let operation = tail.iter().map(|piece| piece.operation).max().unwrap_or(0);
    let start = tail.first().map_or(length, |piece| piece.range.start.min(length));
    let text: String = tail.into_iter().map(|piece| piece.text).collect();
    let begins_line = lines.start(start) == start;
    let text = text.strip_suffix(line_break).unwrap_or(&text);
    if !text.is_empty() && !begins_line {
        // Lines behind the last line, which gets the break that it lacks.
        if let Some(scalar) = scalars.before(lines, length)
            && !scalars.indicators(scalar).contains('-')
        {
            let offset = scalars.tree.node(scalar).span.start;
            return Err(EditError::new(operation, offset, Refusal::OpenBlockScalar));
        }
        pieces.push(Piece { range: start..length, text: format!("{line_break}{text}"), operation });
    } else if !text.is_empty() {
        pieces.push(Piece { range: start..length, text: text.to_owned(), operation });
    } else if begins_line && scalars.before(lines, start).is_none() {
        // The last lines go, and the line before them loses its break; a block
        // scalar's break is content and stays.
        let before = lines.before_break(start);
        let mut range = before..length;
        if let Some(last) = pieces.last_mut().filter(|last| last.range.end > before) {
            let shorter = last.text.strip_suffix(line_break).unwrap_or(&last.text);
            last.text = shorter.to_owned();
            range.start = start;
        }
        pieces.push(Piece { range, text: String::new(), operation });
    } else {
        pieces.push(Piece { range: start..length, text: String::new(), operation });
    }
    Ok(())
}
