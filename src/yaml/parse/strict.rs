//! What the parser takes, and Kubernetes' reader (libyaml's rules, in Go) refuses
//! or reads in another way. Such a text is refused: nobody can say which reading
//! its author meant.

use std::ops::Range;

use super::ParseError;

/// Longest distance in characters from the start of a key to its colon.
const LONGEST_KEY: usize = 1024;

/// Refuses an anchor or alias (`&name`, `*name`) whose name has other characters
/// than letters, digits, `_` and `-`.
pub(super) fn anchor(text: &str, span: &Range<usize>) -> Result<(), ParseError> {
    let name = text.get(span.start + 1..span.end).unwrap_or_default();
    let touches = matches!(text.as_bytes().get(span.end), Some(b'[' | b'{'));
    if !name.is_empty() && name.bytes().all(is_word) && !touches {
        return Ok(());
    }
    let problem = "the name of an anchor or alias may have letters, digits, `_` and `-` only";
    Err(ParseError::new(span.start, problem).with_help("put a blank behind it, or quote the text"))
}

/// Refuses a tag with unusual characters, or one that touches what follows it.
pub(super) fn tag(text: &str, span: &Range<usize>) -> Result<(), ParseError> {
    let source = &text[span.clone()];
    let suffix = source.strip_prefix("!<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(source);
    let usual = suffix.bytes().all(|byte| is_word(byte) || matches!(byte, b'.' | b'/' | b':' | b'!' | b','));
    let ends = matches!(text.as_bytes().get(span.end), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
    if usual && ends {
        return Ok(());
    }
    Err(ParseError::new(span.start, "this tag is not written in a way that all readers understand"))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Refuses a plain scalar between brackets (`in_flow`) that has `?` in it or
/// begins with `:`, which are indicators there.
pub(super) fn plain(source: &str, in_flow: bool, offset: usize) -> Result<(), ParseError> {
    if in_flow && (source.starts_with(':') || source.contains('?')) {
        let problem = "a `:` or `?` between brackets is an indicator";
        return Err(ParseError::new(offset, problem).with_help("quote the text"));
    }
    Ok(())
}

/// Refuses a plain scalar with a tab in a column in front of `indent`.
pub(super) fn tabs_in_plain(source: &str, indent: usize, offset: usize) -> Result<(), ParseError> {
    let mut line_start = 0;
    for line in source.split_inclusive(['\n', '\r']) {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        if line_start > 0 && spaces < indent && line[spaces..].starts_with('\t') {
            return Err(ParseError::new(offset + line_start, "a line of the text is indented with a tab")
                .with_help("indent with spaces"));
        }
        line_start += line.len();
    }
    Ok(())
}

/// Refuses an escape in a double-quoted scalar that Go's reader does not know.
pub(super) fn escapes(source: &str, offset: usize) -> Result<(), ParseError> {
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        let escape = at + found;
        let digits = match bytes.get(escape + 1) {
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            Some(b'/') => {
                let problem = "Kubernetes' reader does not know the escape `\\/`";
                return Err(ParseError::new(offset + escape, problem).with_help("write `/`"));
            }
            _ => 0,
        };
        at = escape + 2 + digits;
        let is_character =
            |digits: &str| u32::from_str_radix(digits, 16).is_ok_and(|code| char::from_u32(code).is_some());
        if digits > 0 && !source.get(escape + 2..at).is_some_and(is_character) {
            let problem = "this escape stands for no character";
            return Err(ParseError::new(offset + escape, problem)
                .with_help("write the character itself, or `\\U` with its eight digits"));
        }
    }
    Ok(())
}

/// A key that is followed by a colon.
pub(super) struct Key {
    /// From its first byte, anchor and tag included, to the colon.
    pub(super) span: Range<usize>,
    /// A plain scalar.
    pub(super) is_plain: bool,
    /// Written without `?`.
    pub(super) is_implicit: bool,
}

/// Refuses a key that Kubernetes' reader does not take for one.
pub(super) fn key(text: &str, key: &Key) -> Result<(), ParseError> {
    let source = &text[key.span.clone()];
    let behind_colon = text.as_bytes().get(key.span.end + 1);
    let problem = if key.is_implicit && takes_lines(source) {
        "a key and its colon stand on different lines"
    } else if key.is_implicit && is_too_long(source) {
        "a key is longer than 1024 characters"
    } else if key.is_plain && !matches!(behind_colon, None | Some(b' ' | b'\t' | b'\n' | b'\r')) {
        "no blank stands behind the colon of a key"
    } else {
        return Ok(());
    };
    Err(ParseError::new(key.span.start, problem))
}

/// Whether a key of this source, anchor and tag included, can do without `?`.
pub(crate) fn may_be_implicit(source: &str) -> bool {
    !takes_lines(source) && !is_too_long(source)
}

fn takes_lines(source: &str) -> bool {
    source.contains(['\n', '\r'])
}

fn is_too_long(source: &str) -> bool {
    source.len() > LONGEST_KEY && source.chars().count() > LONGEST_KEY
}
