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
    guard_deletions(&scalars, &lines, &mut pieces)?;
    end_of_text(&scalars, &lines, &mut pieces)?;
    for pair in pieces.windows(2) {
        if let [left, right] = pair
            && left.range.end > right.range.start
        {
            return Err(EditError::new(right.operation, right.range.start, Refusal::UnknownForm));
        }
    }
    for piece in &pieces {
        // At the start of a text it would be the mark of its encoding, and no
        // longer a part of the key.
        let uncovers_mark = piece.range.start == 0
            && piece.text.is_empty()
            && lines.slice(piece.range.end, tree.text().len()).starts_with('\u{feff}');
        if uncovers_mark {
            return Err(EditError::new(piece.operation, piece.range.end, Refusal::UnknownForm));
        }
        if let Some(tab) = tab_on_blank_line(tree.text(), piece.range.end) {
            return Err(EditError::new(piece.operation, tab, Refusal::TabLine));
        }
    }
    pieces.retain(|piece| lines.slice(piece.range.start, piece.range.end) != piece.text);
    Ok(pieces.into_iter().map(|piece| Splice { range: piece.range, text: piece.text }).collect())
}

/// The first tab on the blank lines that follow `at`. Kubernetes' reader takes
/// such a line behind a plain scalar and refuses it behind anything else, so what
/// stands in front of it must stay as it is.
fn tab_on_blank_line(text: &str, at: usize) -> Option<usize> {
    let mut start = at;
    for line in text.get(at..)?.split_inclusive('\n') {
        let content = line.trim_matches([' ', '\t', '\r', '\n']);
        let begins_line = start == 0 || text.as_bytes().get(start - 1) == Some(&b'\n');
        match (begins_line, content.is_empty()) {
            (true, true) => {
                if let Some(tab) = line.find('\t') {
                    return Some(start + tab);
                }
            }
            (false, true) => {}
            (_, false) => return None,
        }
        start += line.len();
    }
    None
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

/// The block scalars that stay block scalars, by their ends.
struct BlockScalars<'a, 't> {
    tree: &'a Tree<'t>,
    ends: Vec<(usize, NodeId)>,
}

impl<'a, 't> BlockScalars<'a, 't> {
    fn new(tree: &'a Tree<'t>, pieces: &[Piece]) -> Self {
        let is_touched = |span: &Range<usize>| {
            let behind = pieces.partition_point(|piece| piece.range.start < span.end);
            let last = behind.checked_sub(1).and_then(|last| pieces.get(last));
            last.is_some_and(|piece| piece.range.end > span.start && !piece.is_content)
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

    fn end(&self, id: NodeId) -> usize {
        self.tree.node(id).span.end
    }

    fn indicators(&self, id: NodeId) -> &'t str {
        BlockScalar::new(self.tree.source(id)).indicators()
    }

    /// The least indentation that makes a line text of the scalar.
    fn indent(&self, lines: &Lines<'_>, id: NodeId) -> usize {
        let node = self.tree.node(id);
        let indent = match &node.content {
            Content::Scalar { value: Scalar::Str(text), .. } => {
                BlockScalar::new(self.tree.source(id)).indent(text)
            }
            _ => None,
        };
        // One without text takes any line that is further in than its own.
        indent.unwrap_or_else(|| {
            let line = lines.start(node.span.start);
            let header = lines.slice(line, node.span.start);
            header.len() - header.trim_start_matches(' ').len() + 1
        })
    }
}

/// Lines that go may leave a block scalar beside what it would take in: blank
/// lines, if it keeps them, and comments that are indented like its text.
fn guard_deletions(
    scalars: &BlockScalars<'_, '_>,
    lines: &Lines<'_>,
    pieces: &mut [Piece],
) -> Result<(), EditError> {
    // The scalar that only blanks and deleted lines separate from the next piece.
    let mut carried = None;
    let mut previous_text_end = 0;
    for index in 0..pieces.len() {
        let Some(piece) = pieces.get(index) else {
            break;
        };
        let Range { start, end } = piece.range;
        if !piece.text.is_empty() {
            carried = None;
            if !piece.is_content {
                previous_text_end = end;
            }
            continue;
        }
        let before = scalars.before(lines, start);
        let scalar = carried.take().or(before.filter(|id| scalars.end(*id) > previous_text_end));
        let Some(scalar) = scalar else { continue };
        let blank_end = lines.skip_blank_lines(end).max(end);
        let next = pieces.get(index + 1).filter(|next| next.range.start <= blank_end);
        let next_writes = next.map(|next| !next.text.is_empty());
        let operation = piece.operation;
        if next_writes == Some(true) {
            continue;
        }
        if scalars.indicators(scalar).contains('+')
            && let Some(piece) = pieces.get_mut(index)
        {
            piece.range.end = blank_end;
        }
        if next_writes == Some(false) {
            carried = Some(scalar);
        } else if lines
            .comment_indent(blank_end)
            .is_some_and(|comment| comment >= scalars.indent(lines, scalar))
        {
            return Err(EditError::new(operation, blank_end, Refusal::CommentWouldBecomeText));
        }
    }
    Ok(())
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
        pieces.push(Piece {
            range: start..length,
            text: format!("{line_break}{text}"),
            operation,
            is_content: false,
        });
    } else if !text.is_empty() {
        pieces.push(Piece { range: start..length, text: text.to_owned(), operation, is_content: false });
    } else {
        let range = shortened(scalars, lines, pieces, start)..length;
        pieces.push(Piece { range, text: String::new(), operation, is_content: false });
    }
    Ok(())
}

/// Where the deletion of everything from `start` on must begin, so that the text
/// before it loses its line breaks; those of a block scalar are content and stay.
fn shortened(
    scalars: &BlockScalars<'_, '_>,
    lines: &Lines<'_>,
    pieces: &mut Vec<Piece>,
    mut start: usize,
) -> usize {
    while lines.start(start) == start {
        let content = lines.slice(0, start).trim_end_matches([' ', '\t', '\r', '\n']).len();
        let behind = lines.before_break(lines.end(content));
        match pieces.last_mut().filter(|last| last.range.end > behind) {
            None if scalars.before(lines, start).is_some() => return start,
            None => return behind,
            Some(last) if last.text.is_empty() => {
                start = last.range.start;
                pieces.pop();
            }
            Some(last) => {
                if !last.is_content {
                    let length = last.text.trim_end_matches(['\r', '\n']).len();
                    last.text.truncate(length);
                }
                return last.range.end;
            }
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::super::check::{add, check, check_all, edited, remove, set};
    use serde_json::json;

    #[test]
    fn what_a_tab_line_stands_behind_stays() {
        let refused = |text: &str| edited(text, json!([set("/a", json!("w"))])).unwrap_err().kind;
        assert_eq!(refused("m: 1\na: x\n \t\nb: 1\n"), Refusal::TabLine);
        assert_eq!(refused("a: x \n\n \t\n"), Refusal::TabLine);
        check("a: x \t\nb: 1\n", set("/a", json!("w")), "a: w \t\nb: 1\n");
        check("a: x\nb: 1\n \t\n", set("/a", json!("w")), "a: w\nb: 1\n \t\n");
        check(
            "- \"x\" # c\n- [a, # c\n \t\n b]\n",
            set("/1/0", json!("w")),
            "- \"x\" # c\n- [w, # c\n \t\n b]\n",
        );
    }

    #[test]
    fn a_mark_of_another_encoding_is_not_uncovered() {
        for (text, operations) in [
            ("a: 1\n\u{feff}b: 2\n", json!([remove("/a")])),
            ("a: 1\nc: 1\n\u{feff}b: 2\n", json!([remove("/a"), remove("/c")])),
        ] {
            assert_eq!(edited(text, operations).unwrap_err().kind, Refusal::UnknownForm);
        }
    }

    #[test]
    fn a_rewritten_block_scalar_keeps_its_last_line_break() {
        let operations = json!([set("/a", json!("y\nz\n")), remove("/b")]);
        check_all("a: |\n  x\nb: 1", operations.clone(), "a: |\n  y\n  z\n");
        check_all("a: |\n  x\nb: 1\n", operations, "a: |\n  y\n  z\n");
        let kept = json!([set("/a", json!("y\nz\n\n")), remove("/b")]);
        check_all("a: |+\n  x\n\nb: 1\n\nc: 2\n", kept, "a: |+\n  y\n  z\n\nc: 2\n");
    }

    #[test]
    fn a_comment_does_not_come_under_a_block_scalar() {
        let refused = |text: &str, operations| {
            assert_eq!(edited(text, operations).unwrap_err().kind, Refusal::CommentWouldBecomeText, "{text}");
        };
        refused("a: |\nb: 1\n # c\nc: 2\n", json!([remove("/b")]));
        refused("a: |\n  t\nb: 1\n  # c\nc: 2\n", json!([remove("/b")]));
        refused("a: |\n  t\nb: 1\n   # c\nc: 1\nd: 2\n", json!([remove("/b"), set("/d", json!(3))]));
        check("a: |\nb: 1\n# c\nc: 2\n", remove("/b"), "a: |\n# c\nc: 2\n");
        check("a: |\n  t\nb: 1\n # c\nc: 2\n", remove("/b"), "a: |\n  t\n # c\nc: 2\n");
        // New text stands between the two.
        check_all(
            "m:\n  a: |\n    t\nb: 1\n     # c\nc: 2\n",
            json!([add("/m/e", json!(1)), remove("/b")]),
            "m:\n  a: |\n    t\n  e: 1\n     # c\nc: 2\n",
        );
        let behind = json!({"op": "add", "path": "/x", "value": 3, "after": ["m"]});
        check_all(
            "m:\n  a: |\n    t\n  b: 1\n     # c\nc: 2\n",
            json!([remove("/m/b"), behind]),
            "m:\n  a: |\n    t\nx: 3\n     # c\nc: 2\n",
        );
    }

    #[test]
    fn the_last_lines_without_a_break_are_replaced() {
        check_all("a: 1\nb: 2", json!([remove("/b"), add("/c", json!(3))]), "a: 1\nc: 3");
    }
}
