//! How a string can be written so that every reader that matters takes it for
//! that string: Kubernetes' own (YAML 1.1) and the YAML 1.2 readers of other
//! tools. The choice of style is the caller's; this file knows what is safe.

use std::fmt::Write as _;

use super::scalar;

/// Where a plain scalar would stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In block style.
    Block,
    /// Between the brackets of a flow collection.
    Flow,
}

/// Whether `text` may be written without quotes at `place`, as key or value.
pub fn plain_is_safe(text: &str, place: Place) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    if first == b' ' || last == b' ' || last == b':' || text.starts_with("---") || text.starts_with("...") {
        return false;
    }
    if matches!(
        first,
        b'-' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>'
            | b'\'' | b'"' | b'%' | b'@' | b'`' | b'='
    ) && !(matches!(first, b'-' | b'?' | b':') && bytes.get(1).is_some_and(|next| {
        !matches!(next, b' ' | b'-' | b',' | b'[' | b']' | b'{' | b'}')
    }) && place == Place::Block)
    {
        return false;
    }
    if place == Place::Flow && bytes.iter().any(|b| matches!(b, b',' | b'[' | b']' | b'{' | b'}')) {
        return false;
    }
    // In flow `a:"b"` and `a:b` have been read differently by YAML 1.1 and 1.2.
    if place == Place::Flow && bytes.contains(&b':') && text.contains([':']) && !is_harmless_colon(bytes) {
        return false;
    }
    if text.contains(": ") || text.contains(" #") {
        return false;
    }
    if !text.chars().all(is_printable) || text.contains(['\t', '\n', '\r']) {
        return false;
    }
    scalar::plain_reads_as_string(text) && !reads_as_other_in_yaml_1_2(text) && text != "<<"
}

/// A colon that both YAML versions take for text in flow: a letter, digit, `/`
/// or `.` follows.
fn is_harmless_colon(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| {
        *byte != b':'
            || bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, b'/' | b'.'))
    })
}

/// Printable for go-yaml without an escape.
fn is_printable(c: char) -> bool {
    matches!(c, '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
        && c != '\u{feff}'
}

/// Texts that are strings to Kubernetes' reader but numbers, dates or base-60
/// numbers to another one: quoted when written, so that all agree.
fn reads_as_other_in_yaml_1_2(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !bytes[0].is_ascii_digit() && !matches!(bytes[0], b'+' | b'-' | b'.') {
        return false;
    }
    let looks_like_number = bytes.iter().all(|b| {
        b.is_ascii_hexdigit() || matches!(b, b'_' | b'.' | b'+' | b'-' | b':' | b'x' | b'o' | b'T' | b'Z')
    });
    // `10.0.0.0/8` and `1.2.3-rc` are not, `2024-01-01` and `12:30` are.
    looks_like_number && bytes.iter().any(u8::is_ascii_digit) && !is_dotted(text)
}

/// Two dots or more make a version or an address, which no reader resolves.
fn is_dotted(text: &str) -> bool {
    text.bytes().filter(|b| *b == b'.').count() > 1 && !text.contains(':')
}

/// Whether `text` can be written between single quotes on one line.
pub fn single_is_safe(text: &str) -> bool {
    !text.contains(['\n', '\r', '\t']) && text.chars().all(is_printable)
}

/// `text` between single quotes. Only for texts of [`single_is_safe`].
pub fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// `text` between double quotes, on one line, with JSON's escapes where one is
/// needed, so that the result is valid in JSON documents too.
pub fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_printable(c) => out.push(c),
            c => {
                let mut units = [0u16; 2];
                let units = c.encode_utf16(&mut units);
                if units.len() == 1 {
                    // Writing into a String cannot fail.
                    let _ = write!(out, "\\u{:04x}", units[0]);
                } else {
                    let _ = write!(out, "\\U{:08x}", c as u32);
                }
            }
        }
    }
    out.push('"');
    out
}
