//! Quoted scalars: where one ends, and whether both readers take its escapes.

use super::words;

/// A quoted scalar that was passed over.
#[derive(Debug, Clone, Copy)]
pub(in crate::yaml) struct Quoted {
    /// Behind the closing quote.
    pub(in crate::yaml) end: usize,
    /// What stands between the quotes is the value: one line, no escapes.
    pub(in crate::yaml) verbatim: bool,
    /// It runs over several lines.
    pub(in crate::yaml) multi_line: bool,
}

/// Passes over the quoted scalar whose opening quote is at `start`. Further
/// lines must be indented deeper than `parent`.
pub(super) fn pass(bytes: &[u8], start: usize, parent: isize) -> Option<Quoted> {
    let mut quoted = Quoted { end: start, verbatim: true, multi_line: false };
    let mut at = start + 1;
    if bytes.get(start) == Some(&b'\'') {
        loop {
            at += memchr::memchr2(b'\'', b'\n', bytes.get(at..)?)?;
            if bytes[at] == b'\n' {
                quoted.verbatim = false;
                quoted.multi_line = true;
                at = continuation(bytes, at + 1, parent)?;
            } else if bytes.get(at + 1) == Some(&b'\'') {
                quoted.verbatim = false;
                at += 2;
            } else {
                quoted.end = at + 1;
                return Some(quoted);
            }
        }
    }
    loop {
        at += memchr::memchr3(b'"', b'\\', b'\n', bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => {
                quoted.end = at + 1;
                return Some(quoted);
            }
            b'\\' => {
                quoted.verbatim = false;
                at += 1 + escape(&bytes[at + 1..])?;
            }
            _ => {
                quoted.verbatim = false;
                quoted.multi_line = true;
                at = continuation(bytes, at + 1, parent)?;
            }
        }
    }
}

/// The length of the escape that follows a backslash. A line break has length 0:
/// it is looked at as such.
fn escape(rest: &[u8]) -> Option<usize> {
    match rest.first()? {
        b'\n' => Some(0),
        b'n' | b't' | b'r' | b'"' | b'\\' | b' ' | b'0' | b'a' | b'b' | b'e' | b'f' | b'v' => Some(1),
        b'x' => hexadecimal(rest.get(1..3)?).map(|_| 3),
        // Half of a surrogate pair is no character of its own.
        b'u' => hexadecimal(rest.get(1..5)?).filter(|code| !(0xd800..0xe000).contains(code)).map(|_| 5),
        _ => None,
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |code, digit| Some(code << 4 | char::from(*digit).to_digit(16)?))
}

/// The first text of a further line, over blank lines.
fn continuation(bytes: &[u8], mut line: usize, parent: isize) -> Option<usize> {
    loop {
        let indent = words::spaces(bytes, line);
        match bytes.get(line + indent)? {
            b'\n' => line += indent + 1,
            b'\r' => line += indent + 2,
            b'\t' => return None,
            _ if indent == 0 || indent as isize <= parent => return None,
            _ => return Some(line + indent),
        }
    }
}
