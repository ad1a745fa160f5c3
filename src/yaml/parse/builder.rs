//! Events → nodes. The spans of the events become exact (block scalars start at
//! their indicator, absent values lie behind their colon), and each node is hung
//! into the collection that is open.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, ScalarStyle as EventStyle, StructureStyle};

use super::position::{Position, Properties, Skipped};
use super::resolve::resolve;
use super::trivia::skip_trivia;
use super::{ParseError, block_scalar, key, strict};
use crate::yaml::tree::{Content, Entry, Item, Node, NodeId, ScalarStyle};

/// A collection that is still open.
pub(super) enum Open {
    Sequence { node: NodeId, flow: bool },
    Mapping { node: NodeId, flow: bool, pending: Option<PendingKey> },
}

impl Open {
    fn node(&self) -> NodeId {
        match self {
            Open::Sequence { node, .. } | Open::Mapping { node, .. } => *node,
        }
    }
}

pub(super) struct PendingKey {
    pub(super) question: Option<usize>,
    key: NodeId,
}

pub(super) struct Builder<'s> {
    pub(super) text: &'s str,
    pub(super) nodes: Vec<Node<'s>>,
    root: Option<NodeId>,
    documents: usize,
    pub(super) open: Vec<Open>,
    /// The block collections among those that are open.
    pub(super) blocks: Vec<NodeId>,
    /// Everything before this offset has been accounted for.
    pub(super) cursor: usize,
    anchors: HashMap<usize, NodeId>,
    /// The plain scalar that came last.
    pub(super) plain: Option<Plain>,
    /// What was skipped last: many absent values may stand in front of it.
    pub(super) skipped: Cell<Option<Skipped>>,
}

/// A plain scalar that Kubernetes' reader goes on with over blanks and line breaks.
#[derive(Clone, Copy)]
pub(super) struct Plain {
    pub(super) end: usize,
    /// The block collection that sets its indentation.
    pub(super) block: Option<NodeId>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        // A separator behind a byte order mark is no separator line to the stream.
        let cursor = match text.strip_prefix('\u{feff}') {
            Some(rest) if rest.strip_prefix("---").is_some_and(starts_blank) => '\u{feff}'.len_utf8() + 3,
            Some(_) => '\u{feff}'.len_utf8(),
            None => 0,
        };
        Self {
            text,
            nodes: Vec::new(),
            root: None,
            documents: 0,
            open: Vec::new(),
            blocks: Vec::new(),
            skipped: Cell::new(None),
            cursor,
            anchors: HashMap::new(),
            plain: None,
        }
    }

    pub(super) fn event(&mut self, event: Event<'s>, span: Range<usize>) -> Result<(), ParseError> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let mut error = ParseError::new(
                        skip_trivia(self.text, span.start),
                        "content after the document end marker `...` is ignored by Kubernetes",
                    );
                    error.help =
                        Some("start the next document with a `---` line, or remove the text".to_owned());
                    return Err(error);
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor_id, tag) => {
                self.scalar(text, style, &Properties { anchor_id, tag: tag.as_deref() }, span)
            }
            Event::Alias(anchor_id) => self.alias(anchor_id, span),
            Event::SequenceStart(style, anchor_id, tag) => {
                let flow = style == StructureStyle::Flow;
                let node = self.collection(
                    flow,
                    &Properties { anchor_id, tag: tag.as_deref() },
                    span,
                    Content::Sequence { flow, items: Vec::new() },
                )?;
                self.open.push(Open::Sequence { node, flow });
                Ok(())
            }
            Event::MappingStart(style, anchor_id, tag) => {
                let flow = style == StructureStyle::Flow;
                let node = self.collection(
                    flow,
                    &Properties { anchor_id, tag: tag.as_deref() },
                    span,
                    Content::Mapping { flow, entries: Vec::new() },
                )?;
                self.open.push(Open::Mapping { node, flow, pending: None });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: Cow<'s, str>,
        style: EventStyle,
        properties: &Properties<'_>,
        span: Range<usize>,
    ) -> Result<(), ParseError> {
        let absent = span.is_empty() && style == EventStyle::Plain;
        let position = self.position(properties, absent)?;
        if !absent && span.end < position.content {
            return Err(self.lost(position.content));
        }
        let (style, span, text) = match style {
            EventStyle::Plain if absent => {
                (ScalarStyle::Plain, position.content..position.content, Cow::Borrowed(""))
            }
            EventStyle::Plain => (ScalarStyle::Plain, span, text),
            EventStyle::SingleQuoted => (ScalarStyle::Single, span, text),
            EventStyle::DoubleQuoted => (ScalarStyle::Double, span, text),
            EventStyle::Literal | EventStyle::Folded => {
                let (style, indicator) = match style {
                    EventStyle::Literal => (ScalarStyle::Literal, b'|'),
                    _ => (ScalarStyle::Folded, b'>'),
                };
                if self.text.as_bytes().get(position.content) != Some(&indicator) {
                    return Err(self.lost(position.content));
                }
                let parent = self.indent(self.block()).saturating_sub(1);
                (style, block_scalar::span(self.text, position.content, span.end, parent), text)
            }
        };
        if !absent && span.start != position.content {
            return Err(self.lost(position.content));
        }
        match style {
            ScalarStyle::Plain => {
                let source = &self.text[span.clone()];
                strict::plain(source, self.in_flow(), span.start)?;
                if source.contains('\t') {
                    strict::tabs_in_plain(source, self.indent(self.block()), span.start)?;
                }
                self.plain = Some(Plain { end: span.end, block: self.block() }).filter(|_| !absent);
            }
            ScalarStyle::Double => strict::escapes(&self.text[span.clone()], span.start)?,
            ScalarStyle::Literal | ScalarStyle::Folded => {
                block_scalar::check(self.text, &span, self.open.is_empty())?;
            }
            ScalarStyle::Single => {}
        }
        let value = resolve(text, style, properties.tag, span.start)?;
        self.cursor = span.end;
        let node = Node {
            span,
            anchor: position.anchor.clone().map(Box::new),
            tag: position.tag.clone().map(Box::new),
            content: Content::Scalar { style, value },
        };
        let id = self.add(node, properties.anchor_id);
        self.attach(id, &position)
    }

    fn alias(&mut self, anchor_id: usize, span: Range<usize>) -> Result<(), ParseError> {
        let position = self.position(&Properties { anchor_id: 0, tag: None }, false)?;
        if span.start != position.content {
            return Err(self.lost(position.content));
        }
        strict::anchor(self.text, &span)?;
        let Some(&target) = self.anchors.get(&anchor_id) else {
            return Err(ParseError::new(span.start, "the alias has no anchor"));
        };
        // Nodes are opened in the order of their numbers.
        if self.open.binary_search_by_key(&target, Open::node).is_ok() {
            return Err(ParseError::new(span.start, "the alias stands inside the node it stands for"));
        }
        self.cursor = span.end;
        let id = self.add(Node { span, anchor: None, tag: None, content: Content::Alias { target } }, 0);
        self.attach(id, &position)
    }

    fn collection(
        &mut self,
        flow: bool,
        properties: &Properties<'_>,
        span: Range<usize>,
        content: Content<'s>,
    ) -> Result<NodeId, ParseError> {
        if let Some(tag) = properties.tag {
            let known = matches!(tag.core_suffix(), Some("map" | "seq")) || tag.core_suffix().is_none();
            if !known {
                return Err(ParseError::new(span.start, "a collection has the tag of a scalar"));
            }
        }
        let block_sequence = !flow && matches!(content, Content::Sequence { .. });
        let position = self.position(properties, false)?;
        let bracketed = flow
            && matches!(self.text.as_bytes().get(position.content), Some(b'[' | b'{'))
            && span.start == position.content
            && !span.is_empty();
        if flow && !span.is_empty() && !bracketed {
            return Err(self.lost(position.content));
        }
        if block_sequence && self.text.as_bytes().get(position.content) != Some(&b'-') {
            return Err(self.lost(position.content));
        }
        self.cursor = if bracketed { position.content + 1 } else { position.content };
        let id = self.add(
            Node {
                span: position.content..position.content,
                anchor: position.anchor.clone().map(Box::new),
                tag: position.tag.clone().map(Box::new),
                content,
            },
            properties.anchor_id,
        );
        self.attach(id, &position)?;
        if !flow {
            self.blocks.push(id);
        }
        Ok(id)
    }

    fn close(&mut self, span: Range<usize>) -> Result<(), ParseError> {
        if self.in_flow() {
            self.skip_behind_node()?;
        }
        let Some(open) = self.open.pop() else {
            return Err(self.lost(span.start));
        };
        let (node, flow) = match open {
            Open::Sequence { node, flow } => (node, flow),
            Open::Mapping { node, flow, pending: None } => (node, flow),
            Open::Mapping { .. } => return Err(self.lost(span.start)),
        };
        if !flow {
            self.blocks.pop();
        }
        let start = self.nodes[node.index()].span.start;
        let end = if flow && !span.is_empty() { span.end } else { self.cursor };
        self.cursor = end;
        self.nodes[node.index()].span = start..end;
        Ok(())
    }

    fn add(&mut self, node: Node<'s>, anchor_id: usize) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        if anchor_id != 0 {
            self.anchors.insert(anchor_id, id);
        }
        id
    }

    /// Hangs a node into the collection that is open.
    fn attach(&mut self, id: NodeId, position: &Position) -> Result<(), ParseError> {
        match self.open.last_mut() {
            None => {
                if self.root.replace(id).is_some() {
                    return Err(self.lost(position.content));
                }
            }
            Some(Open::Sequence { node, .. }) => {
                let node = *node;
                if let Content::Sequence { items, .. } = &mut self.nodes[node.index()].content {
                    items.push(Item { dash: position.dash, node: id });
                }
            }
            Some(Open::Mapping { pending: pending @ None, .. }) => {
                *pending = Some(PendingKey { question: position.question, key: id });
            }
            Some(Open::Mapping { node, pending, .. }) => {
                let node = *node;
                let Some(PendingKey { question, key }) = pending.take() else {
                    return Err(self.lost(position.content));
                };
                let name = key::name(self.text, &self.nodes, key)?;
                if let Some(colon) = position.colon {
                    let node = &self.nodes[key.index()];
                    let is_plain = matches!(node.content, Content::Scalar { style: ScalarStyle::Plain, .. });
                    let is_implicit = question.is_none();
                    let span = node.outer_start()..colon;
                    strict::key(self.text, &strict::Key { span, is_plain, is_implicit })?;
                }
                if let Content::Mapping { entries, .. } = &mut self.nodes[node.index()].content {
                    entries.push(Entry { name, question, key, colon: position.colon, value: id });
                }
            }
        }
        Ok(())
    }

    /// The nodes and the root, when nothing but trivia is left of the text.
    pub(super) fn finish(self) -> Result<(Vec<Node<'s>>, Option<NodeId>), ParseError> {
        let rest = self.skip_behind_node()?;
        if self.root.is_none() && rest < self.text.len() {
            return Err(ParseError::new(rest, "an end marker or a directive, but no content"));
        }
        key::check_names(&self.nodes)?;
        Ok((self.nodes, self.root))
    }

    /// Whether the flow mapping was opened by `{` (a pair inside `[…]` was not).
    pub(super) fn has_brace(&self, node: NodeId) -> bool {
        self.text.as_bytes().get(self.nodes[node.index()].span.start) == Some(&b'{')
    }

    pub(super) fn lost(&self, offset: usize) -> ParseError {
        if self.text.get(offset..).is_some_and(|rest| rest.starts_with('\u{feff}')) {
            return ParseError::new(offset, "a byte order mark stands inside the document")
                .with_help("remove it; it would become part of the text behind it");
        }
        let mut error = ParseError::new(
            offset.min(self.text.len()),
            "this YAML is written in a way that germ-post cannot place in the text",
        );
        error.help = Some("write it in plain block style; please report it as well".to_owned());
        error
    }
}

fn starts_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t', '\n', '\r'])
}
