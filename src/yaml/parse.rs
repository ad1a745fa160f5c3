//! One document's text → a [`Tree`]. The events come from `granit-parser`; this
//! file turns its spans into exact ones (block scalars start at their indicator,
//! absent values lie behind their colon), finds the indicators that have no
//! event (`-`, `?`, `:`), and refuses what Kubernetes' reader refuses.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Options, Parser, ScalarStyle as EventStyle, StructureStyle};

use super::scalar::{self, Scalar, ScalarError};
use super::tree::{Content, Entry, Item, Key, Node, NodeId, ScalarStyle, Tree};

/// Deepest nesting that is read. Kubernetes' reader allows 10,000; no manifest
/// comes near either.
pub const MAX_DEPTH: usize = 1000;

/// A text that Kubernetes' reader does not read as one value, or that this
/// program does not dare to edit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// Byte offset in the document's text.
    pub offset: usize,
    /// What is wrong, without any text of the document.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl ParseError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None }
    }
}

/// Parses one document: the text between two separator lines.
pub fn parse(text: &str) -> Result<Tree<'_>, ParseError> {
    let mut options = Options::default();
    options.bom_inside_document_as_content = true;
    options.block_scalar_eof_without_line_feed = true;
    options.block_nesting_limit = MAX_DEPTH;
    options.flow_nesting_limit = MAX_DEPTH;
    options.set_emit_comments(false);
    let mut builder = Builder::new(text);
    let mut parser = Parser::new_from_str_with_options(text, options);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| {
            let offset = error.marker().byte_offset().unwrap_or(0);
            ParseError::new(offset.min(text.len()), error.info().to_owned())
        })?;
        let (start, end) = match (span.start.byte_offset(), span.end.byte_offset()) {
            (Some(start), Some(end)) => (start, end),
            _ => return Err(ParseError::new(0, "the parser gave no byte offsets")),
        };
        builder.event(event, start..end)?;
    }
    Ok(Tree { text, nodes: builder.nodes, root: builder.root, foreign_breaks: has_foreign_line_breaks(text) })
}

/// Looks for the three characters that YAML 1.1 takes for line breaks.
pub fn has_foreign_line_breaks(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memmem::find(bytes, "\u{85}".as_bytes()).is_some()
        || memchr::memmem::find(bytes, "\u{2028}".as_bytes()).is_some()
        || memchr::memmem::find(bytes, "\u{2029}".as_bytes()).is_some()
}

/// A collection that is still open.
enum Open {
    Sequence { node: NodeId, flow: bool },
    Mapping { node: NodeId, flow: bool, pending: Option<PendingKey> },
}

struct PendingKey {
    question: Option<usize>,
    key: NodeId,
}

struct Builder<'s> {
    text: &'s str,
    nodes: Vec<Node<'s>>,
    root: Option<NodeId>,
    documents: usize,
    open: Vec<Open>,
    /// Everything before this offset has been accounted for.
    cursor: usize,
    anchors: HashMap<usize, NodeId>,
}

/// The properties of a node as the event tells them.
struct Properties<'t> {
    anchor_id: usize,
    tag: Option<&'t granit_parser::Tag>,
}

/// Where a node stands, found by scanning the bytes in front of it.
struct Position {
    dash: Option<usize>,
    question: Option<usize>,
    colon: Option<usize>,
    anchor: Option<Range<usize>>,
    tag: Option<Range<usize>>,
    /// First byte of the content, or where it would be.
    content: usize,
}

impl<'s> Builder<'s> {
    fn new(text: &'s str) -> Self {
        let cursor = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            text,
            nodes: Vec::new(),
            root: None,
            documents: 0,
            open: Vec::new(),
            cursor,
            anchors: HashMap::new(),
        }
    }

    fn event(&mut self, event: Event<'s>, span: Range<usize>) -> Result<(), ParseError> {
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
        let (style, span, text) = match style {
            EventStyle::Plain if absent => {
                (ScalarStyle::Plain, position.content..position.content, Cow::Borrowed(""))
            }
            EventStyle::Plain => (ScalarStyle::Plain, span, text),
            EventStyle::SingleQuoted => (ScalarStyle::Single, span, text),
            EventStyle::DoubleQuoted => (ScalarStyle::Double, span, text),
            EventStyle::Literal | EventStyle::Folded => {
                let style =
                    if style == EventStyle::Literal { ScalarStyle::Literal } else { ScalarStyle::Folded };
                (style, block_scalar_span(self.text, position.content, span.end), text)
            }
        };
        if !absent && span.start != position.content {
            return Err(self.lost(position.content));
        }
        if style == ScalarStyle::Plain && self.in_flow() {
            self.check_plain_in_flow(&span)?;
        }
        let value = self.resolve(text, style, properties, span.start)?;
        self.cursor = span.end;
        let node = Node {
            span,
            anchor: position.anchor.clone(),
            tag: position.tag.clone(),
            content: Content::Scalar { style, value },
        };
        let id = self.add(node, properties.anchor_id);
        self.attach(id, &position)
    }

    fn in_flow(&self) -> bool {
        matches!(self.open.last(), Some(Open::Sequence { flow: true, .. } | Open::Mapping { flow: true, .. }))
    }

    /// Between brackets go-yaml ends a plain scalar at a `?`, and begins none with a `:`.
    fn check_plain_in_flow(&self, span: &Range<usize>) -> Result<(), ParseError> {
        let source = &self.text[span.clone()];
        if source.contains('?') || source.starts_with(':') {
            return Err(disputed(
                span.start,
                "between brackets, Kubernetes' reader takes no plain text with a `?` or with a `:` in front",
                "put the text in quotes",
            ));
        }
        Ok(())
    }

    /// Between brackets go-yaml takes the colon of a plain key for text unless a
    /// blank follows.
    fn check_colon_in_flow(&self, key: NodeId, colon: usize) -> Result<(), ParseError> {
        let node = &self.nodes[key.index()];
        let plain = matches!(node.content, Content::Scalar { style: ScalarStyle::Plain, .. });
        let next = self.text.as_bytes().get(colon + 1);
        if plain && node.span.end == colon && matches!(next, Some(b',' | b'[' | b']' | b'{' | b'}')) {
            return Err(disputed(
                colon,
                "between brackets, Kubernetes' reader takes a `:` with no blank behind it for text",
                "put a blank behind the `:`",
            ));
        }
        Ok(())
    }

    fn resolve(
        &self,
        text: Cow<'s, str>,
        style: ScalarStyle,
        properties: &Properties<'_>,
        offset: usize,
    ) -> Result<Scalar<'s>, ParseError> {
        let resolved = match properties.tag {
            Some(tag) => scalar::resolve_tagged(text, tag_kind(tag)),
            None if style == ScalarStyle::Plain => match text {
                Cow::Borrowed(text) => scalar::resolve_plain(text),
                // A plain scalar over several lines.
                Cow::Owned(text) => scalar::resolve_plain(&text).map(|scalar| match scalar {
                    Scalar::Str(text) => Scalar::Str(Cow::Owned(text.into_owned())),
                    Scalar::Null => Scalar::Null,
                    Scalar::Bool(value) => Scalar::Bool(value),
                    Scalar::Int(value) => Scalar::Int(value),
                    Scalar::UInt(value) => Scalar::UInt(value),
                    Scalar::Float(value) => Scalar::Float(value),
                }),
            },
            None => Ok(Scalar::Str(text)),
        };
        resolved.map_err(|error| {
            let message = match error {
                ScalarError::NotFinite => {
                    "`.inf` and `.nan` cannot be sent to Kubernetes, which speaks JSON".to_owned()
                }
                ScalarError::WrongType { tag } => format!("the text is not what its tag `{tag}` says"),
                ScalarError::BadBinary => "`!!binary` is not followed by base64 of UTF-8 text".to_owned(),
            };
            ParseError::new(offset, message)
        })
    }

    fn alias(&mut self, anchor_id: usize, span: Range<usize>) -> Result<(), ParseError> {
        let position = self.position(&Properties { anchor_id: 0, tag: None }, false)?;
        if span.start != position.content {
            return Err(self.lost(position.content));
        }
        let Some(&target) = self.anchors.get(&anchor_id) else {
            return Err(ParseError::new(span.start, "the alias has no anchor"));
        };
        let open = self.open.iter().any(|open| match open {
            Open::Sequence { node, .. } | Open::Mapping { node, .. } => *node == target,
        });
        if open {
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
                anchor: position.anchor.clone(),
                tag: position.tag.clone(),
                content,
            },
            properties.anchor_id,
        );
        self.attach(id, &position)?;
        Ok(id)
    }

    fn close(&mut self, span: Range<usize>) -> Result<(), ParseError> {
        let Some(open) = self.open.pop() else {
            return Err(self.lost(span.start));
        };
        let (node, flow) = match open {
            Open::Sequence { node, flow } => (node, flow),
            Open::Mapping { node, flow, pending: None } => (node, flow),
            Open::Mapping { .. } => return Err(self.lost(span.start)),
        };
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
                let name = self.key_name(key)?;
                if let (true, Some(colon)) = (self.in_flow(), position.colon) {
                    self.check_colon_in_flow(key, colon)?;
                }
                if let Content::Mapping { entries, .. } = &mut self.nodes[node.index()].content {
                    entries.push(Entry { name, question, key, colon: position.colon, value: id });
                }
            }
        }
        Ok(())
    }

    /// The JSON spelling of a key (`convertToJSONableObject` of sigs.k8s.io/yaml).
    fn key_name(&self, key: NodeId) -> Result<Key<'s>, ParseError> {
        let node = &self.nodes[key.index()];
        let target = match node.content {
            Content::Alias { target } => &self.nodes[target.index()],
            _ => node,
        };
        let offset = node.span.start;
        match &target.content {
            Content::Scalar { value, style } => match value {
                Scalar::Str(text) if text == "<<" && is_merge(target, *style, self.text) => Ok(Key::Merge),
                Scalar::Str(text) => Ok(Key::Name(text.clone())),
                Scalar::Bool(value) => Ok(Key::Name(Cow::Borrowed(if *value { "true" } else { "false" }))),
                Scalar::Int(value) => Ok(Key::Name(Cow::Owned(value.to_string()))),
                Scalar::Float(value) => Ok(Key::Name(Cow::Owned(go_float_key(*value)))),
                Scalar::UInt(_) => Err(ParseError::new(offset, "a key is a number above 64 signed bits")),
                Scalar::Null => Err(ParseError::new(offset, "a key is null")),
            },
            _ => Err(ParseError::new(offset, "a key is not a scalar")),
        }
    }

    /// Scans from the cursor to where the next node's content begins, over blanks,
    /// comments, one indicator and the node's own properties. An absent scalar
    /// lies right behind the indicator or its properties.
    fn position(&self, properties: &Properties<'_>, absent: bool) -> Result<Position, ParseError> {
        let bytes = self.text.as_bytes();
        let mut position =
            Position { dash: None, question: None, colon: None, anchor: None, tag: None, content: 0 };
        let mut in_flow = false;
        let mut at = self.cursor;
        match self.open.last() {
            None => {}
            Some(Open::Sequence { flow, .. }) => {
                in_flow = *flow;
                let next = skip_trivia(self.text, at);
                if *flow {
                    if bytes.get(next) == Some(&b',') {
                        at = next + 1;
                    }
                } else if bytes.get(next) == Some(&b'-') {
                    position.dash = Some(next);
                    at = next + 1;
                } else {
                    return Err(self.lost(next));
                }
            }
            Some(Open::Mapping { flow, pending: None, node }) => {
                in_flow = *flow;
                let mut next = skip_trivia(self.text, at);
                if *flow && bytes.get(next) == Some(&b',') && self.has_brace(*node) {
                    at = next + 1;
                    next = skip_trivia(self.text, at);
                }
                if bytes.get(next) == Some(&b'?') && is_blank_or_end(bytes.get(next + 1)) {
                    position.question = Some(next);
                    at = next + 1;
                }
            }
            Some(Open::Mapping { flow, pending: Some(_), .. }) => {
                in_flow = *flow;
                let next = skip_trivia(self.text, at);
                if bytes.get(next) == Some(&b':') {
                    position.colon = Some(next);
                    at = next + 1;
                }
            }
        }
        let mut wants_anchor = properties.anchor_id != 0;
        let mut wants_tag = properties.tag.is_some();
        let behind_indicator = at;
        let mut next = skip_trivia(self.text, at);
        while (wants_anchor && bytes.get(next) == Some(&b'&'))
            || (wants_tag && bytes.get(next) == Some(&b'!'))
        {
            let end = property_end(bytes, next, in_flow);
            if bytes[next] == b'&' {
                position.anchor = Some(next..end);
                wants_anchor = false;
            } else {
                position.tag = Some(next..end);
                wants_tag = false;
            }
            at = end;
            next = skip_trivia(self.text, at);
        }
        if wants_anchor || wants_tag {
            return Err(self.lost(behind_indicator));
        }
        position.content = if absent { at } else { next };
        Ok(position)
    }

    /// Whether the flow mapping was opened by `{` (a pair inside `[…]` was not).
    fn has_brace(&self, node: NodeId) -> bool {
        self.text.as_bytes().get(self.nodes[node.index()].span.start) == Some(&b'{')
    }

    fn lost(&self, offset: usize) -> ParseError {
        let mut error = ParseError::new(
            offset.min(self.text.len()),
            "this YAML is written in a way that germ-post cannot place in the text",
        );
        error.help = Some("write it in plain block style; please report it as well".to_owned());
        error
    }
}

/// Text that YAML 1.2 and Kubernetes' reader take differently.
fn disputed(offset: usize, message: &str, help: &str) -> ParseError {
    let mut error = ParseError::new(offset, message);
    error.help = Some(help.to_owned());
    error
}

fn tag_kind(tag: &granit_parser::Tag) -> scalar::Tag {
    match (tag.handle(), tag.suffix()) {
        ("tag:yaml.org,2002:", suffix) => match suffix {
            "str" => scalar::Tag::Str,
            "bool" => scalar::Tag::Bool,
            "int" => scalar::Tag::Int,
            "float" => scalar::Tag::Float,
            "null" => scalar::Tag::Null,
            "timestamp" => scalar::Tag::Timestamp,
            "binary" => scalar::Tag::Binary,
            _ => scalar::Tag::Other,
        },
        _ => scalar::Tag::Other,
    }
}

/// `<<` is a merge key when plain, or when tagged `!!merge`.
fn is_merge(node: &Node<'_>, style: ScalarStyle, text: &str) -> bool {
    match &node.tag {
        None => style == ScalarStyle::Plain,
        Some(tag) => matches!(&text[tag.clone()], "!!merge" | "!<tag:yaml.org,2002:merge>"),
    }
}

/// Go's `strconv.FormatFloat(key, 'g', -1, 32)`.
fn go_float_key(value: f64) -> String {
    let narrow = value as f32;
    let scientific = format!("{narrow:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        _ => format!("{narrow}"),
    }
}

/// From the block scalar's indicator to behind its last line. `event_end` may lie
/// in the indentation of the next token and behind blank lines.
fn block_scalar_span(text: &str, start: usize, event_end: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut end = event_end.min(bytes.len());
    let line_start = memchr::memrchr(b'\n', &bytes[start..end]).map_or(start, |at| start + at + 1);
    if bytes[line_start..end].iter().all(|b| matches!(b, b' ' | b'\t')) {
        end = line_start;
    }
    let header_end = memchr::memchr2(b'\n', b'#', &bytes[start..]).map_or(bytes.len(), |at| start + at);
    if !bytes[start..header_end].contains(&b'+') {
        // Clip and strip drop the blank lines at the end: they are not content.
        while let Some(before) = end.checked_sub(1).filter(|last| bytes[*last] == b'\n') {
            let line = memchr::memrchr(b'\n', &bytes[start..before]).map(|at| start + at + 1);
            match line {
                Some(line) if bytes[line..before].iter().all(|b| matches!(b, b' ' | b'\t' | b'\r')) => {
                    end = line
                }
                _ => break,
            }
        }
    }
    start..end
}

fn property_end(bytes: &[u8], start: usize, in_flow: bool) -> usize {
    if bytes[start..].starts_with(b"!<") {
        return memchr::memchr(b'>', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
    }
    let length = bytes[start..]
        .iter()
        .take_while(|b| {
            !matches!(b, b' ' | b'\t' | b'\n' | b'\r')
                && !(in_flow && matches!(b, b',' | b'[' | b']' | b'{' | b'}'))
        })
        .count();
    start + length
}

fn is_blank_or_end(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}

/// Skips blanks, line breaks and comments.
pub(crate) fn skip_trivia(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') if at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'\r') => {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |to| at + to);
            }
            _ => return at,
        }
    }
}
