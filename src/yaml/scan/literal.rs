//! Block scalars, `|` and `>`: their header, their indentation, their end.

use super::words;

/// A block scalar that was passed over.
#[derive(Debug, Clone, Copy)]
pub(in crate::yaml) struct BlockScalar {
    /// The column in which its text begins; none where it has no text.
    pub(in crate::yaml) indent: Option<usize>,
    /// `+` or `-`, what becomes of the line breaks at its end.
    pub(in crate::yaml) chomping: Option<u8>,
    /// The line behind its header.
    pub(in crate::yaml) first: usize,
    /// The line behind it.
    pub(in crate::yaml) end: usize,
}

/// Passes over the block scalar whose indicator is at `start`, inside a
/// collection in column `parent`.
pub(super) fn pass(bytes: &[u8], start: usize, parent: usize) -> Option<BlockScalar> {
    let (explicit, chomping, first) = header(bytes, start + 1)?;
    let (indent, mut line) = match explicit {
        Some(step) => (parent + step, first),
        None => match first_text(bytes, first, parent)? {
            (Some(indent), line) => (indent, line),
            (None, end) => return Some(BlockScalar { indent: None, chomping, first, end }),
        },
    };
    let passed = |end| Some(BlockScalar { indent: Some(indent), chomping, first, end });
    while line < bytes.len() {
        let spaces = words::spaces(bytes, line);
        let text = line + spaces;
        if spaces < indent {
            match bytes.get(text) {
                None | Some(b'\n' | b'\r') => {}
                Some(b'\t') => return None,
                // Between the indentations: the parser refuses even a comment there.
                Some(_) if spaces > parent => return None,
                Some(_) => return passed(line),
            }
        }
        line = words::line_feed(bytes, text) + 1;
    }
    passed(bytes.len())
}

/// The explicit indentation, the chomping and the start of the line behind the header.
fn header(bytes: &[u8], mut at: usize) -> Option<(Option<usize>, Option<u8>, usize)> {
    let mut indent = None;
    let mut chomping = None;
    loop {
        match bytes.get(at) {
            Some(chomp @ (b'+' | b'-')) if chomping.is_none() => chomping = Some(*chomp),
            Some(digit @ b'1'..=b'9') if indent.is_none() => indent = Some(usize::from(digit - b'0')),
            _ => break,
        }
        at += 1;
    }
    let blanks = words::spaces(bytes, at);
    match bytes.get(at + blanks) {
        None | Some(b'\n' | b'\r') => {}
        Some(b'#') if blanks > 0 => {}
        Some(_) => return None,
    }
    Some((indent, chomping, words::line_feed(bytes, at) + 1))
}

/// The indentation that the first line with text sets, and that line's start.
/// No indentation when the scalar ends before it has text.
fn first_text(bytes: &[u8], mut line: usize, parent: usize) -> Option<(Option<usize>, usize)> {
    let mut longest_blank = 0;
    loop {
        let spaces = words::spaces(bytes, line);
        match bytes.get(line + spaces) {
            None => return Some((None, bytes.len())),
            Some(b'\n') => line += spaces + 1,
            Some(b'\r') => line += spaces + 2,
            Some(b'\t') => return None,
            Some(_) if spaces <= parent => return Some((None, line)),
            // A blank line that is longer than the indentation sets it, too.
            Some(_) if longest_blank > spaces => return None,
            Some(_) => return Some((Some(spaces), line)),
        }
        longest_blank = longest_blank.max(spaces);
    }
}
