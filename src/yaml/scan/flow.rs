//! Flow collections of the simple kind: on one line, with quoted scalars and
//! words. Everything else in brackets is the parser's.

use super::block::is_plain_key;
use super::{quoted, words};
use crate::yaml::scalar;

/// Deepest nesting of brackets that is vouched for.
const MAX_DEPTH: usize = 8;

/// Passes over the flow collection that opens at `start`; answers the place
/// behind its closing bracket.
pub(super) fn pass(text: &str, start: usize) -> Option<usize> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: start };
    reader.value(0)?;
    Some(reader.at)
}

struct Reader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        self.at += words::spaces(self.bytes, self.at);
    }

    /// Whether `byte` comes next; it is passed over.
    fn takes(&mut self, byte: u8) -> bool {
        let found = self.byte() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.byte()? {
            b'[' => self.collection(b']', depth),
            b'{' => self.collection(b'}', depth),
            b'"' | b'\'' => self.quoted(),
            _ => {
                let word = self.words()?;
                scalar::resolve_plain(word).ok().map(|_| ())
            }
        }
    }

    fn collection(&mut self, close: u8, depth: usize) -> Option<()> {
        if depth == MAX_DEPTH {
            return None;
        }
        self.at += 1;
        self.skip_spaces();
        if self.takes(close) {
            return Some(());
        }
        loop {
            if close == b'}' {
                self.key()?;
            }
            self.value(depth + 1)?;
            self.skip_spaces();
            if self.takes(close) {
                return Some(());
            }
            if !self.takes(b',') {
                return None;
            }
            self.skip_spaces();
        }
    }

    fn key(&mut self) -> Option<()> {
        let start = self.at;
        if matches!(self.byte()?, b'"' | b'\'') {
            self.quoted()?;
        } else {
            let word = self.words()?;
            if !is_plain_key(word) {
                return None;
            }
        }
        if self.at - start > super::block::LONGEST_KEY || !self.takes(b':') || self.byte() != Some(b' ') {
            return None;
        }
        self.skip_spaces();
        Some(())
    }

    fn quoted(&mut self) -> Option<()> {
        let quoted = quoted::pass(self.bytes, self.at, 0)?;
        if quoted.multi_line {
            return None;
        }
        self.at = quoted.end;
        Some(())
    }

    /// A plain scalar of harmless characters, single spaces between them.
    fn words(&mut self) -> Option<&str> {
        let start = self.at;
        let first = self.byte()?;
        let second = self.bytes.get(start + 1).copied().unwrap_or(b' ');
        let begins = first.is_ascii_alphanumeric()
            || matches!(first, b'_' | b'/' | b'.' | b'$')
            || (first == b'-' && (second.is_ascii_alphanumeric() || second == b'-'));
        if !begins {
            return None;
        }
        while let Some(byte) = self.byte() {
            let inside = is_harmless(byte)
                || (byte == b' ' && self.bytes.get(self.at + 1).copied().is_some_and(is_harmless));
            if !inside {
                break;
            }
            self.at += 1;
        }
        self.text.get(start..self.at)
    }
}

fn is_harmless(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'/' | b'.' | b'-' | b'=' | b'+' | b'*' | b'$' | b'(' | b')' | b'@' | b'%')
}
