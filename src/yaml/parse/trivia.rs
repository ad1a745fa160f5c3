//! What stands between two tokens: blanks, line breaks and comments.

use std::ops::Range;

use super::ParseError;

/// Skips blanks, line breaks and comments.
pub(crate) fn skip_trivia(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') if is_comment_start(text, at) => {
                at = memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |to| at + to);
            }
            _ => return at,
        }
    }
}

/// Whether a `#` here begins a comment: at the start of the text (a byte order mark
/// does not count) and behind blanks.
fn is_comment_start(text: &str, at: usize) -> bool {
    match at.checked_sub(1) {
        None => true,
        Some(before) => {
            matches!(text.as_bytes()[before], b' ' | b'\t' | b'\n' | b'\r')
                || text.get(..at) == Some("\u{feff}")
        }
    }
}

/// Where Kubernetes' reader takes a tab in front of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tabs {
    /// Anywhere.
    Anywhere,
    /// Behind other text of its line.
    BehindText,
    /// Nowhere: a key could begin here.
    Nowhere,
}

/// Refuses a tab where Kubernetes' reader does not take one. Behind a plain scalar,
/// which takes the blanks and line breaks that follow it, `plain_indent` is the
/// column from which on they may be tabs.
pub(super) fn check_tabs(
    text: &str,
    trivia: Range<usize>,
    tabs: Tabs,
    mut plain_indent: Option<usize>,
) -> Result<(), ParseError> {
    let bytes = text.as_bytes();
    let starts_line = trivia.start > 0 && is_line_break(bytes[trivia.start - 1]);
    let mut line_start = starts_line.then_some(trivia.start);
    let mut in_comment = false;
    for at in trivia {
        match bytes[at] {
            b'\t' if !in_comment => {
                let fine = match (plain_indent, line_start) {
                    (Some(indent), Some(start)) => at - start >= indent,
                    (None, Some(_)) => tabs == Tabs::Anywhere,
                    (_, None) => tabs != Tabs::Nowhere,
                };
                if !fine {
                    let problem = "a tab stands where the line's indentation or a key could be";
                    return Err(ParseError::new(at, problem).with_help("indent with spaces"));
                }
            }
            b'#' => {
                in_comment = true;
                plain_indent = None;
            }
            byte if is_line_break(byte) => {
                in_comment = false;
                line_start = Some(at + 1);
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
