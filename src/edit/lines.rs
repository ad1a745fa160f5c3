//! The document as lines: where a line begins and ends, what stands on it, and
//! which comments belong to a node. A last line without a line break is treated
//! as if it had one, at the offset behind the text; `finish` takes it back out.

use std::cell::Cell;

use crate::yaml::Tree;

/// Offsets and questions about the lines of one text.
#[derive(Debug, Clone)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// A place and its column: the last that was asked for. Places come mostly in
    /// the order of the text, and a line may be as long as a document.
    known: Cell<(usize, usize)>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(tree: &Tree<'t>) -> Self {
        let text = tree.text();
        Self { text, known: Cell::new((byte_order_mark(text), 0)) }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The text between two offsets; the line break that is only imagined is not in it.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start.min(self.text.len())..end.min(self.text.len())).unwrap_or("")
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Where the line around `at` begins, behind a byte order mark.
    pub(super) fn start(&self, at: usize) -> usize {
        let before = self.slice(0, at).as_bytes();
        match memchr::memrchr(b'\n', before) {
            Some(found) => found + 1,
            None => byte_order_mark(self.text).min(at),
        }
    }

    /// Behind the line break of the line around `at`.
    pub(super) fn end(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or(&[]);
        memchr::memchr(b'\n', rest).map_or(self.text.len() + 1, |found| at + found + 1)
    }

    /// Behind the last line of a node that ends at `end`. Only block scalars end
    /// behind a line break, and it is their own.
    pub(super) fn end_of_node(&self, end: usize) -> usize {
        match end.checked_sub(1).and_then(|last| self.byte(last)) {
            Some(b'\n') => end,
            _ => self.end(end),
        }
    }

    /// In front of the line break that ends at `line_end`.
    pub(super) fn before_break(&self, line_end: usize) -> usize {
        if line_end > self.text.len() {
            return self.text.len();
        }
        let line = self.slice(0, line_end);
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line).len()
    }

    /// Characters between the beginning of the line and `at`.
    pub(super) fn column(&self, at: usize) -> usize {
        let (known, column) = self.known.get();
        let column = match self.text.get(known..at) {
            Some(between) if !between.contains('\n') => column + between.chars().count(),
            _ => self.slice(self.start(at), at).chars().count(),
        };
        self.known.set((at, column));
        column
    }

    /// Whether only blanks stand in front of `at` on its line.
    pub(super) fn is_first_on_line(&self, at: usize) -> bool {
        let before = self.slice(byte_order_mark(self.text), at).trim_end_matches([' ', '\t', '\r']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether only blanks stand between `at` and the end of its line.
    pub(super) fn rest_is_blank(&self, at: usize) -> bool {
        let rest = self.slice(at, self.text.len()).trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with('\n')
    }

    /// The line break that the lines around `at` use.
    pub(super) fn line_break(&self, at: usize) -> &'static str {
        let before = self.slice(0, at);
        let last = match before.ends_with('\n') {
            true => Some(before.len() - 1),
            false => memchr::memchr(b'\n', self.slice(at, self.text.len()).as_bytes())
                .map(|found| at + found)
                .or_else(|| memchr::memrchr(b'\n', before.as_bytes())),
        };
        match last.and_then(|at| at.checked_sub(1)).and_then(|at| self.byte(at)) {
            Some(b'\r') => "\r\n",
            _ => "\n",
        }
    }

    /// The start of the unbroken comment lines directly above the line that
    /// begins at `line`, each indented by `column` spaces, none above `floor`,
    /// where a line begins, too.
    pub(super) fn comments_above(&self, line: usize, column: usize, floor: usize) -> usize {
        let mut first = line;
        while first > floor {
            let above = self.start(first - 1);
            if self.comment_indent(above) != Some(column) {
                break;
            }
            first = above;
        }
        first
    }

    /// How far the comment line that begins at `line` is indented; `None` for
    /// any other line.
    pub(super) fn comment_indent(&self, line: usize) -> Option<usize> {
        let rest = self.slice(line, self.text.len());
        let indent = rest.bytes().take_while(|byte| *byte == b' ').count();
        (rest.as_bytes().get(indent) == Some(&b'#')).then_some(indent)
    }

    /// Behind the blank lines that begin at `line`.
    pub(super) fn skip_blank_lines(&self, mut line: usize) -> usize {
        while line < self.text.len() && self.rest_is_blank(line) {
            line = self.end(line);
        }
        line
    }
}

/// How long the byte order mark in front of a text is.
fn byte_order_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Whether a piece of one line holds blanks only.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    #[test]
    fn columns_come_in_any_order() {
        at("\u{feff}é: {ö: 1, b: 2}\nc: 3", |lines| {
            let column = |text: &str| lines.column(lines.text().find(text).unwrap());
            let asked: Vec<usize> = ["b", "é", "1", "c", "2", "3"].into_iter().map(column).collect();
            assert_eq!(asked, [10, 0, 7, 0, 13, 3]);
        });
    }

    fn at<T>(text: &str, ask: impl FnOnce(Lines<'_>) -> T) -> T {
        let tree = parse(text).unwrap();
        ask(Lines::new(&tree))
    }

    #[test]
    fn the_last_line_may_lack_its_break() {
        at("a: 1\nb: 2", |lines| {
            assert_eq!(lines.end(6), 10);
            assert_eq!(lines.before_break(10), 9);
            assert_eq!(lines.end(0), 5);
            assert_eq!(lines.before_break(5), 4);
        });
    }

    #[test]
    fn comments_above_stop_at_another_indent_and_at_the_floor() {
        let text = "a: 1\n # odd\n# own\n# own\nb: 2\n";
        at(text, |lines| {
            let line = text.find("b:").unwrap();
            let first = text.find("# own").unwrap();
            assert_eq!(lines.comments_above(line, 0, 5), first);
            assert_eq!(lines.comments_above(line, 0, first + 6), first + 6);
            assert_eq!(lines.comments_above(line, 2, 5), line);
        });
    }

    #[test]
    fn a_byte_order_mark_is_not_a_column() {
        at("\u{feff}a: 1\n", |lines| {
            assert_eq!(lines.column(3), 0);
            assert!(lines.is_first_on_line(3));
        });
    }

    #[test]
    fn line_breaks_follow_the_neighbour() {
        at("a: 1\r\nb: 2\nc: 3", |lines| {
            assert_eq!(lines.line_break(6), "\r\n");
            assert_eq!(lines.line_break(11), "\n");
            assert_eq!(lines.line_break(15), "\n");
        });
    }
}
