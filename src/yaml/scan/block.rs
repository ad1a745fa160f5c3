//! The scan itself: one line after another, with the stack of open block
//! collections. A line is a key, a dash, the rest of a plain scalar, or nothing.

use super::bytes::{self, LineEnds};
use super::head::Collector;
use super::levels::{Kind, Levels};
use super::sink::{Collection, Sink};
use super::{Head, flow, literal, quoted, words};
use crate::yaml::scalar::{self, Scalar};
use crate::yaml::tree::ScalarStyle;

/// Longer keys are the parser's; Kubernetes' reader refuses more than 1024
/// characters.
pub(super) const LONGEST_KEY: usize = 1000;

/// What the line before leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A key or dash without a value: a deeper line may bring it.
    Value,
    /// A plain scalar: a deeper line goes on with it.
    Plain,
    /// A plain scalar that the head has taken: a deeper line would change it.
    Field,
    /// Nothing: no deeper line may follow.
    Nothing,
}

/// The state of a scan.
pub(super) struct Scanner<'s, 'k, S> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    levels: Levels,
    open: Open,
    head: Collector<'s>,
    sink: &'k mut S,
}

/// A key that was passed over.
struct Key<'s> {
    name: &'s str,
    style: ScalarStyle,
    start: usize,
    /// Behind the name and its quotes, where the colon is.
    colon: usize,
}

impl<'s, 'k, S: Sink<'s>> Scanner<'s, 'k, S> {
    /// Scans a whole document. `None`: only the parser can tell.
    pub(super) fn run(text: &'s str, sink: &'k mut S) -> Option<Head<'s>> {
        let bytes = text.as_bytes();
        // The parser reads both line ends; so does this scan, since no `\r`
        // stands alone and every place that ends a line looks for one.
        let (LineEnds::Lf | LineEnds::SomeCrLf) = bytes::check(bytes)?;
        let (levels, head) = (Levels::new(), Collector::new());
        let mut scanner = Self { text, bytes, at: 0, levels, open: Open::Value, head, sink };
        while scanner.at < bytes.len() {
            scanner.line()?;
        }
        while scanner.levels.count() > 0 {
            scanner.close();
        }
        Some(scanner.head.finish())
    }

    fn close(&mut self) {
        self.levels.pop();
        self.sink.close(None);
    }

    fn line(&mut self) -> Option<()> {
        let column = words::spaces(self.bytes, self.at);
        let start = self.at + column;
        match self.bytes.get(start) {
            None => self.at = start,
            Some(b'\n') => self.at = start + 1,
            Some(b'\r') => self.at = start + 2,
            Some(b'\t') => return None,
            Some(b'#') => {
                self.at = words::line_feed(self.bytes, start) + 1;
                if self.open != Open::Value {
                    self.open = Open::Nothing;
                }
            }
            Some(_) if column as isize > self.levels.column() => match self.open {
                Open::Value => self.node(start, column)?,
                Open::Plain => {
                    let end = self.text_line(start)?;
                    self.sink.more_plain(start..end);
                }
                Open::Field | Open::Nothing => return None,
            },
            Some(_) => self.sibling(start, column)?,
        }
        Some(())
    }

    /// A line that belongs to a collection which is open already.
    fn sibling(&mut self, start: usize, column: usize) -> Option<()> {
        let dash = self.is_dash(start);
        if dash
            && self.open == Open::Value
            && self.levels.column() == column as isize
            && self.levels.top() == Some(Kind::Mapping)
        {
            self.levels.push(column, Kind::Indentless)?;
            self.sink.open(Collection::Sequence, false, start);
        }
        while self.levels.column() > column as isize {
            self.close();
        }
        if self.levels.top() == Some(Kind::Indentless) && !dash {
            self.close();
        }
        if self.levels.column() != column as isize {
            return None;
        }
        match self.levels.top()? {
            Kind::Mapping => {
                let key = self.key(start)?;
                self.entry(&key)
            }
            Kind::Sequence | Kind::Indentless if dash => self.item(start),
            _ => None,
        }
    }

    /// Behind the dash of an item.
    fn item(&mut self, dash: usize) -> Option<()> {
        self.head.sequence();
        self.sink.dash(dash);
        let line_start = self.at;
        let start = dash + 1 + words::spaces(self.bytes, dash + 1);
        if self.ends(start) {
            self.open = Open::Value;
            self.at = words::line_feed(self.bytes, start) + 1;
            return Some(());
        }
        self.node(start, start - line_start)
    }

    /// A node that may be a collection: at the start of a line or behind a dash.
    fn node(&mut self, start: usize, column: usize) -> Option<()> {
        self.head.has_content();
        if self.is_dash(start) {
            self.levels.push(column, Kind::Sequence)?;
            self.sink.open(Collection::Sequence, false, start);
            return self.item(start);
        }
        if let Some(key) = self.key(start) {
            self.levels.push(column, Kind::Mapping)?;
            self.sink.open(Collection::Mapping, false, start);
            return self.entry(&key);
        }
        if self.levels.count() == 0 {
            return None;
        }
        self.inline(start)
    }

    fn is_dash(&self, at: usize) -> bool {
        self.bytes.get(at) == Some(&b'-')
            && matches!(self.bytes.get(at + 1), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// Whether nothing but a comment stands at `at`. Spaces in front of it have
    /// been skipped, at least one of them.
    fn ends(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), None | Some(b'\n' | b'\r' | b'#'))
    }

    /// Whether a separator or an end marker stands here, in whatever column.
    fn is_marker(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        rest.starts_with(b"---") || rest.starts_with(b"...")
    }

    /// A key of the innermost mapping, and its value.
    #[inline]
    fn entry(&mut self, key: &Key<'s>) -> Option<()> {
        self.head.key(key.name, &self.levels);
        self.sink.key(key.name, key.style, key.start..key.colon, key.colon);
        self.value(key.colon + 1)
    }

    /// The key at `start`.
    #[inline]
    fn key(&self, start: usize) -> Option<Key<'s>> {
        let first = *self.bytes.get(start)?;
        if matches!(first, b'"' | b'\'') {
            return self.quoted_key(start);
        }
        if !begins_plain(first, self.bytes.get(start + 1).copied()) || self.is_marker(start) {
            return None;
        }
        let mut at = start;
        loop {
            at = words::text_stop(self.bytes, at);
            match self.bytes.get(at)? {
                b':' if is_blank(self.bytes.get(at + 1)) => break,
                b'#' if is_blank(self.bytes.get(at - 1)) => return None,
                b'\n' => return None,
                _ => at += 1,
            }
        }
        let name = self.text.get(start..at)?;
        let is_key = at - start <= LONGEST_KEY && is_plain_key(name);
        is_key.then_some(Key { name, style: ScalarStyle::Plain, start, colon: at })
    }

    fn quoted_key(&self, start: usize) -> Option<Key<'s>> {
        let quoted = quoted::pass(self.bytes, start, 0)?;
        let is_key = quoted.verbatim
            && quoted.end - start <= LONGEST_KEY
            && self.bytes.get(quoted.end) == Some(&b':')
            && is_blank(self.bytes.get(quoted.end + 1));
        let name = self.text.get(start + 1..quoted.end - 1)?;
        let is_double = self.bytes.get(start) == Some(&b'"');
        let style = if is_double { ScalarStyle::Double } else { ScalarStyle::Single };
        is_key.then_some(Key { name, style, start, colon: quoted.end })
    }

    /// What stands behind the colon of a key.
    #[inline]
    fn value(&mut self, colon_end: usize) -> Option<()> {
        let start = colon_end + words::spaces(self.bytes, colon_end);
        if self.ends(start) {
            self.open = Open::Value;
            self.at = words::line_feed(self.bytes, start) + 1;
            return Some(());
        }
        self.inline(start)
    }

    /// A node that can't be a block collection.
    fn inline(&mut self, start: usize) -> Option<()> {
        let parent = self.levels.column();
        match self.bytes.get(start)? {
            b'"' | b'\'' => {
                let quoted = quoted::pass(self.bytes, start, parent)?;
                if self.head.wants_value() {
                    if !quoted.verbatim {
                        return None;
                    }
                    self.head.quoted(self.text.get(start + 1..quoted.end - 1)?);
                }
                self.sink.quoted(start, &quoted)?;
                self.rest_of_line(quoted.end)
            }
            b'|' | b'>' => {
                if self.head.wants_value() {
                    return None;
                }
                let parent = usize::try_from(parent).ok()?;
                let scalar = literal::pass(self.bytes, start, parent)?;
                self.sink.block_scalar(start, &scalar, parent)?;
                self.at = scalar.end;
                self.open = Open::Nothing;
                Some(())
            }
            b'*' if S::ANCHORS && !self.head.wants_value() => {
                let end = words::name_end(self.bytes, start + 1)?;
                self.sink.alias(start..end)?;
                self.rest_of_line(end)
            }
            b'&' if S::ANCHORS && !self.head.wants_value() => self.anchored(start),
            b'[' | b'{' => {
                let end = flow::pass(self.text, start, self.sink)?;
                if end - start > 2 && self.head.wants_mapping(&self.levels) {
                    return None;
                }
                self.rest_of_line(end)
            }
            _ => self.plain(start),
        }
    }

    /// A node with an anchor, on this line or the next.
    fn anchored(&mut self, start: usize) -> Option<()> {
        let end = words::name_end(self.bytes, start + 1)?;
        self.sink.anchor(start..end);
        let next = end + words::spaces(self.bytes, end);
        match self.bytes.get(next)? {
            b'\n' => {
                self.open = Open::Value;
                self.at = next + 1;
                Some(())
            }
            b'&' | b'*' | b'#' | b'\r' => None,
            _ if next > end => self.inline(next),
            _ => None,
        }
    }

    /// Nothing but a comment may follow.
    fn rest_of_line(&mut self, end: usize) -> Option<()> {
        let blanks = words::spaces(self.bytes, end);
        match self.bytes.get(end + blanks) {
            None | Some(b'\n' | b'\r') => {}
            Some(b'#') if blanks > 0 => {}
            Some(_) => return None,
        }
        self.at = words::line_feed(self.bytes, end + blanks) + 1;
        self.open = Open::Nothing;
        Some(())
    }

    /// The first line of a plain scalar.
    #[inline]
    fn plain(&mut self, start: usize) -> Option<()> {
        let first = *self.bytes.get(start)?;
        if !begins_plain(first, self.bytes.get(start + 1).copied()) {
            return None;
        }
        let end = self.text_line(start)?;
        self.sink.plain(start..end)?;
        if !matches!(first, b'.' | b'+' | b'-') && !self.head.wants_value() {
            return Some(());
        }
        let text = self.text.get(start..end)?.trim_end_matches([' ', '\t', '\r']);
        if !self.head.wants_value() {
            return scalar::resolve_plain(text).ok().map(|_| ());
        }
        if self.open == Open::Plain {
            self.open = Open::Field;
        }
        self.head.plain(text)
    }

    /// A line of a plain scalar, from its first character on. Answers where the
    /// text ends, blanks behind it included.
    #[inline]
    fn text_line(&mut self, start: usize) -> Option<usize> {
        let mut at = start;
        self.open = Open::Plain;
        loop {
            at = words::text_stop(self.bytes, at);
            match self.bytes.get(at) {
                None | Some(b'\n') => break,
                Some(b':') if is_blank(self.bytes.get(at + 1)) => return None,
                Some(b'#') if is_blank(self.bytes.get(at - 1)) => {
                    self.open = Open::Nothing;
                    self.at = words::line_feed(self.bytes, at) + 1;
                    return Some(at);
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        Some(at)
    }
}

/// Whether a plain scalar may begin with this byte. Some that may are left to
/// the parser.
#[inline]
fn begins_plain(first: u8, second: Option<u8>) -> bool {
    match first {
        b'-' => !is_blank(second.as_ref()),
        b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%'
        | b'@' | b'`' | b'?' | b':' | b' ' | b'\t' | b'\n' | b'\r' => false,
        _ => true,
    }
}

/// Whether a plain key is a string, and none that has another meaning. Only what
/// begins like a number, a boolean or a null is resolved.
#[inline]
pub(super) fn is_plain_key(key: &str) -> bool {
    let is_string = || matches!(scalar::resolve_plain(key), Ok(Scalar::Str(_)));
    match key.as_bytes() {
        [] | [.., b' ' | b'\t'] => false,
        [b'+' | b'-' | b'.' | b'0'..=b'9' | b'~' | b'<' | b'=', ..] => key != "<<" && is_string(),
        [_] => is_string(),
        [first, second, rest @ ..] if rest.len() < 4 => match (first | 0x20, second | 0x20) {
            (b'y', b'e') | (b'n', b'o' | b'u') | (b't', b'r') | (b'f', b'a') | (b'o', b'n' | b'f') => {
                is_string()
            }
            _ => true,
        },
        _ => true,
    }
}

#[inline]
fn is_blank(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}
