//! Flow collections of the simple kind: on one line, with quoted scalars and
//! words. Everything else in brackets is the parser's.

use super::block::is_plain_key;
use super::quoted::Quoted;
use super::sink::{Collection, Sink};
use super::{quoted, words};
use crate::yaml::scalar;
use crate::yaml::tree::ScalarStyle;

/// Deepest nesting of brackets that is vouched for.
const MAX_DEPTH: usize = 8;

/// Passes over the flow collection that opens at `start`; answers the place
/// behind its closing bracket.
pub(super) fn pass<'s>(text: &'s str, start: usize, sink: &mut impl Sink<'s>) -> Option<usize> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: start, sink };
    reader.value(0)?;
    Some(reader.at)
}

struct Reader<'s, 'k, S> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    sink: &'k mut S,
}

impl<'s, S: Sink<'s>> Reader<'s, '_, S> {
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
            b'*' if S::ANCHORS => {
                let start = self.at;
                self.at = words::name_end(self.bytes, start + 1)?;
                self.sink.alias(start..self.at)
            }
            b'"' | b'\'' => {
                let start = self.at;
                let quoted = self.quoted()?;
                self.sink.quoted(start, &quoted)
            }
            _ => {
                let start = self.at;
                let word = self.words()?;
                scalar::resolve_plain(word).ok()?;
                self.sink.plain(start..self.at)
            }
        }
    }

    fn collection(&mut self, close: u8, depth: usize) -> Option<()> {
        if depth == MAX_DEPTH {
            return None;
        }
        let kind = if close == b'}' { Collection::Mapping } else { Collection::Sequence };
        self.sink.open(kind, true, self.at);
        self.at += 1;
        self.skip_spaces();
        if self.takes(close) {
            self.sink.close(Some(self.at));
            return Some(());
        }
        loop {
            if close == b'}' {
                self.key()?;
            }
            self.value(depth + 1)?;
            self.skip_spaces();
            if self.takes(close) {
                self.sink.close(Some(self.at));
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
        let (name, style) = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                let quoted = self.quoted()?;
                let style = if quote == b'"' { ScalarStyle::Double } else { ScalarStyle::Single };
                (self.text.get(start + 1..quoted.end - 1).filter(|_| quoted.verbatim)?, style)
            }
            _ => (self.words()?, ScalarStyle::Plain),
        };
        if style == ScalarStyle::Plain && !is_plain_key(name) {
            return None;
        }
        let end = self.at;
        if end - start > super::block::LONGEST_KEY || !self.takes(b':') || self.byte() != Some(b' ') {
            return None;
        }
        self.sink.key(name, style, start..end, end);
        self.skip_spaces();
        Some(())
    }

    fn quoted(&mut self) -> Option<Quoted> {
        let quoted = quoted::pass(self.bytes, self.at, 0)?;
        if quoted.multi_line {
            return None;
        }
        self.at = quoted.end;
        Some(quoted)
    }

    /// A plain scalar of harmless characters, single spaces between them.
    fn words(&mut self) -> Option<&'s str> {
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
