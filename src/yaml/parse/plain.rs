//! The tree of a plain document, built while the checking scan passes over it,
//! many times faster than from events. What the scan leaves to the parser, and
//! the few forms that are not worth a second implementation, give no tree here.
//! [`super::parse`] compares each tree with the parser's wherever assertions are
//! compiled in, so in every test.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::block_scalar;
use crate::yaml::scalar::{self, Scalar};
use crate::yaml::scan::literal::BlockScalar;
use crate::yaml::scan::quoted::Quoted;
use crate::yaml::scan::scan_into;
use crate::yaml::scan::sink::{Collection, Sink};
use crate::yaml::tree::{Content, Entry, Item, Key, Node, NodeId, ScalarStyle, Tree};

/// Bytes of text for each node, about, in a manifest.
const BYTES_PER_NODE: usize = 12;

/// The tree, if the document is plain.
pub(super) fn parse(text: &str) -> Option<Tree<'_>> {
    let nodes = Vec::with_capacity(text.len() / BYTES_PER_NODE);
    let mut builder = Builder {
        text,
        nodes,
        open: Vec::new(),
        entries: Vec::new(),
        items: Vec::new(),
        folding: None,
        anchor: None,
        anchors: HashMap::new(),
        declined: false,
    };
    if !scan_into(text, &mut builder) {
        return None;
    }
    builder.end_plain();
    if builder.declined {
        return None;
    }
    builder.nodes.shrink_to_fit();
    let root = (!builder.nodes.is_empty()).then_some(NodeId(0));
    Some(Tree { text, nodes: builder.nodes, root, foreign_breaks: false })
}

/// A collection that is still open.
struct Open<'s> {
    node: usize,
    children: Children<'s>,
    /// Where it ends so far.
    end: usize,
}

/// What it holds so far lies on the builder's stacks, from `first` on.
enum Children<'s> {
    Mapping { first: usize, pending: Option<Pending<'s>> },
    Sequence { first: usize, dash: Option<usize> },
}

/// A key that waits for its value.
struct Pending<'s> {
    name: &'s str,
    key: NodeId,
    colon: usize,
}

/// A plain scalar that goes on over lines.
struct Folding {
    node: usize,
    text: String,
}

struct Builder<'s> {
    text: &'s str,
    nodes: Vec<Node<'s>>,
    open: Vec<Open<'s>>,
    /// The entries of all open mappings: a mapping gets its own when it is complete and
    /// their number is known.
    entries: Vec<Entry<'s>>,
    /// The items of all open sequences.
    items: Vec<Item>,
    folding: Option<Folding>,
    /// The anchor of the node that comes next.
    anchor: Option<Range<usize>>,
    anchors: HashMap<&'s str, NodeId>,
    /// Something was met that the parser has to read.
    declined: bool,
}

impl<'s> Builder<'s> {
    fn add(&mut self, span: Range<usize>, content: Content<'s>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let anchor = self.anchor.take();
        if let Some(name) = anchor.clone().and_then(|anchor| self.text.get(anchor.start + 1..anchor.end)) {
            self.anchors.insert(name, id);
        }
        self.nodes.push(Node { span, anchor: anchor.map(Box::new), tag: None, content });
        id
    }

    fn scalar(&mut self, span: Range<usize>, style: ScalarStyle, value: Scalar<'s>) {
        let end = span.end;
        let id = self.add(span, Content::Scalar { style, value });
        self.attach(id, end);
    }

    /// Hangs a node into the collection that is open.
    fn attach(&mut self, id: NodeId, end: usize) {
        let Some(open) = self.open.last_mut() else { return };
        open.end = end;
        match &mut open.children {
            Children::Mapping { pending, .. } => {
                if let Some(Pending { name, key, colon }) = pending.take() {
                    let name = Key::Name(Cow::Borrowed(name));
                    self.entries.push(Entry { name, question: None, key, colon: Some(colon), value: id });
                }
            }
            Children::Sequence { dash, .. } => self.items.push(Item { dash: dash.take(), node: id }),
        }
    }

    /// Nothing follows the key or dash that came last.
    fn fill_absent(&mut self) {
        let at = self.open.last().and_then(|open| match &open.children {
            Children::Mapping { pending, .. } => pending.as_ref().map(|pending| pending.colon + 1),
            Children::Sequence { dash, .. } => dash.map(|dash| dash + 1),
        });
        if let Some(at) = at {
            // An absent value lies behind its anchor, which is the parser's to say.
            self.declined |= self.anchor.is_some();
            self.scalar(at..at, ScalarStyle::Plain, Scalar::Null);
        }
    }

    /// A plain scalar of several lines is complete.
    fn end_plain(&mut self) {
        let Some(Folding { node, text }) = self.folding.take() else { return };
        match scalar::resolve_plain(&text) {
            Ok(Scalar::Str(_)) => {
                if let Content::Scalar { value, .. } = &mut self.nodes[node].content {
                    *value = Scalar::Str(Cow::Owned(text));
                }
            }
            // Nothing that breaks over lines is of another type in a manifest.
            _ => self.declined = true,
        }
    }
}

impl<'s> Sink<'s> for Builder<'s> {
    const ANCHORS: bool = true;

    fn anchor(&mut self, range: Range<usize>) {
        self.end_plain();
        // A node has one anchor.
        self.declined |= self.anchor.is_some();
        self.anchor = Some(range);
    }

    fn alias(&mut self, range: Range<usize>) -> Option<()> {
        self.end_plain();
        let target = *self.anchors.get(&self.text[range.start + 1..range.end])?;
        if self.open.iter().any(|open| open.node == target.index()) {
            return None;
        }
        let end = range.end;
        let id = self.add(range, Content::Alias { target });
        self.attach(id, end);
        Some(())
    }

    fn open(&mut self, collection: Collection, flow: bool, start: usize) {
        self.end_plain();
        let content = match collection {
            Collection::Mapping => Content::Mapping { flow, entries: Vec::new() },
            Collection::Sequence => Content::Sequence { flow, items: Vec::new() },
        };
        let id = self.add(start..start, content);
        // It is itself an entry or an item of what is around it, in front of its own.
        self.attach(id, start);
        let children = match collection {
            Collection::Mapping => Children::Mapping { first: self.entries.len(), pending: None },
            Collection::Sequence => Children::Sequence { first: self.items.len(), dash: None },
        };
        self.open.push(Open { node: id.index(), children, end: start });
    }

    fn close(&mut self, end: Option<usize>) {
        self.end_plain();
        self.fill_absent();
        let Some(open) = self.open.pop() else { return };
        let end = end.unwrap_or(open.end);
        let node = &mut self.nodes[open.node];
        node.span.end = end;
        match (&mut node.content, open.children) {
            (Content::Mapping { entries, .. }, Children::Mapping { first, .. }) => {
                *entries = self.entries.drain(first..).collect();
            }
            (Content::Sequence { items, .. }, Children::Sequence { first, .. }) => {
                *items = self.items.drain(first..).collect();
            }
            _ => {}
        }
        if let Some(parent) = self.open.last_mut() {
            parent.end = end;
        }
    }

    fn key(&mut self, name: &'s str, style: ScalarStyle, range: Range<usize>, colon: usize) {
        self.end_plain();
        self.fill_absent();
        let key = self.add(range, Content::Scalar { style, value: Scalar::Str(Cow::Borrowed(name)) });
        if let Some(Open { children: Children::Mapping { pending, .. }, .. }) = self.open.last_mut() {
            *pending = Some(Pending { name, key, colon });
        }
    }

    fn dash(&mut self, at: usize) {
        self.end_plain();
        self.fill_absent();
        if let Some(Open { children: Children::Sequence { dash, .. }, .. }) = self.open.last_mut() {
            *dash = Some(at);
        }
    }

    fn plain(&mut self, range: Range<usize>) -> Option<()> {
        self.end_plain();
        let text = self.text[range.clone()].trim_end_matches([' ', '\t', '\r']);
        let value = scalar::resolve_plain(text).ok()?;
        self.scalar(range.start..range.start + text.len(), ScalarStyle::Plain, value);
        Some(())
    }

    fn more_plain(&mut self, range: Range<usize>) {
        let text = self.text[range.clone()].trim_end_matches([' ', '\t', '\r']);
        let node = self.nodes.len().saturating_sub(1);
        let Some(Node { span, .. }) = self.nodes.last_mut() else { return };
        let breaks = memchr::memchr_iter(b'\n', &self.text.as_bytes()[span.end..range.start]).count();
        let before = &self.text[span.clone()];
        let folding = self.folding.get_or_insert_with(|| Folding { node, text: before.to_owned() });
        fold(&mut folding.text, breaks);
        folding.text.push_str(text);
        span.end = range.start + text.len();
        let end = span.end;
        if let Some(open) = self.open.last_mut() {
            open.end = end;
        }
    }

    fn quoted(&mut self, start: usize, quoted: &Quoted) -> Option<()> {
        self.end_plain();
        let inner = self.text.get(start + 1..quoted.end - 1)?;
        let is_double = self.text.as_bytes()[start] == b'"';
        let text = match (quoted.verbatim, is_double) {
            (true, _) => Cow::Borrowed(inner),
            _ if quoted.multi_line => return None,
            (false, true) => Cow::Owned(unescaped(inner)?),
            (false, false) => Cow::Owned(inner.replace("''", "'")),
        };
        let style = if is_double { ScalarStyle::Double } else { ScalarStyle::Single };
        self.scalar(start..quoted.end, style, Scalar::Str(text));
        Some(())
    }

    fn block_scalar(&mut self, start: usize, scalar: &BlockScalar, parent: usize) -> Option<()> {
        self.end_plain();
        let body = self.text.get(scalar.first..scalar.end)?;
        let folded = self.text.as_bytes()[start] == b'>';
        // A text that the end of the document cuts off has rules of its own, and so
        // have other line breaks.
        let is_usual = body.ends_with('\n') && memchr::memchr(b'\r', body.as_bytes()).is_none();
        let text = match scalar.indent.filter(|_| is_usual) {
            Some(indent) => block_text(body, indent, folded, scalar.chomping)?,
            None => return None,
        };
        let span = block_scalar::span(self.text, start, scalar.end, parent);
        let style = if folded { ScalarStyle::Folded } else { ScalarStyle::Literal };
        self.scalar(span, style, Scalar::Str(Cow::Owned(text)));
        Some(())
    }
}

/// What stands between two lines of text in YAML: a blank for one line break, one
/// break less for more.
fn fold(text: &mut String, breaks: usize) {
    match breaks {
        0 | 1 => text.push(' '),
        more => text.extend(std::iter::repeat_n('\n', more - 1)),
    }
}

/// The text of a block scalar whose lines begin in column `indent`. None for a
/// folded one with lines that are indented deeper, which do not fold.
fn block_text(body: &str, indent: usize, folded: bool, chomping: Option<u8>) -> Option<String> {
    let mut text = String::with_capacity(body.len());
    let mut breaks = 0;
    for line in body.split_terminator('\n') {
        let content = line.get(indent..).unwrap_or_default();
        if content.is_empty() {
            breaks += 1;
            continue;
        }
        if folded && content.starts_with([' ', '\t']) {
            return None;
        }
        if folded && !text.is_empty() {
            fold(&mut text, breaks);
        } else {
            text.extend(std::iter::repeat_n('\n', breaks));
        }
        text.push_str(content);
        breaks = 1;
    }
    match chomping {
        Some(b'-') => {}
        Some(_) => text.extend(std::iter::repeat_n('\n', breaks)),
        None if text.is_empty() => {}
        None => text.push('\n'),
    }
    Some(text)
}

/// The text that stands for escapes in a double-quoted scalar on one line.
fn unescaped(source: &str) -> Option<String> {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = *rest.as_bytes().get(at + 1)?;
        let digits = match escape {
            b'x' => 2,
            b'u' => 4,
            _ => 0,
        };
        let end = at + 2 + digits;
        text.push(match escape {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'0' => '\0',
            b'a' => '\x07',
            b'b' => '\x08',
            b'e' => '\x1b',
            b'f' => '\x0c',
            b'v' => '\x0b',
            b'"' | b'\\' | b' ' => char::from(escape),
            b'x' | b'u' => char::from_u32(u32::from_str_radix(rest.get(at + 2..end)?, 16).ok()?)?,
            _ => return None,
        });
        rest = rest.get(end..)?;
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// Every run begins with them.
    #[test]
    fn the_shipped_profiles_are_plain() {
        for (name, text) in crate::profile::embedded::PROFILES {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let plain = (0..=lines.len()).rev().find(|end| parse(&lines[..*end].concat()).is_some());
            let first = plain.and_then(|end| lines.get(end));
            assert_eq!(first, None, "{name}: the parser is needed from this line on");
        }
    }
}
