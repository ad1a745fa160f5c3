//! The node tree of one document. Every node keeps the byte span it came from,
//! so that an edit can be made in the source text without writing anything
//! else again. Only [`crate::yaml::parse`] makes trees.

use std::borrow::Cow;
use std::ops::Range;

use super::scalar::Scalar;

/// Index of a node in its [`Tree`]. Parents come before their children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The position of the node in the order of the source text.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarStyle {
    /// No quotes.
    Plain,
    /// `'…'`.
    Single,
    /// `"…"`.
    Double,
    /// `|`.
    Literal,
    /// `>`.
    Folded,
}

/// A mapping key as Kubernetes reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key<'s> {
    /// The key's JSON spelling: `y:` is `true`, `1:` is `1`.
    Name(Cow<'s, str>),
    /// A merge key, `<<`.
    Merge,
}

impl Key<'_> {
    /// The name, unless this is a merge key.
    pub fn name(&self) -> Option<&str> {
        match self {
            Key::Name(name) => Some(name),
            Key::Merge => None,
        }
    }
}

/// One `key: value` of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'s> {
    /// What the key means.
    pub name: Key<'s>,
    /// Byte offset of the `?` of an explicit key.
    pub question: Option<usize>,
    /// The key's node.
    pub key: NodeId,
    /// Byte offset of the `:`; absent in `{a}` and after a lone `? a`.
    pub colon: Option<usize>,
    /// The value's node. An absent value is a plain scalar with an empty span
    /// just behind the colon (or behind the key when there is no colon).
    pub value: NodeId,
}

/// One item of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Byte offset of the `-`; absent in flow sequences.
    pub dash: Option<usize>,
    /// The item's node.
    pub node: NodeId,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content<'s> {
    /// A scalar, already resolved.
    Scalar {
        /// How it is written.
        style: ScalarStyle,
        /// What it means.
        value: Scalar<'s>,
    },
    /// A mapping. `flow` is true for `{…}` and for a pair inside `[…]`.
    Mapping {
        /// Written in flow style.
        flow: bool,
        /// In source order, duplicates and merge keys included.
        entries: Vec<Entry<'s>>,
    },
    /// A sequence.
    Sequence {
        /// Written in flow style.
        flow: bool,
        /// In source order.
        items: Vec<Item>,
    },
    /// `*name`.
    Alias {
        /// The anchored node.
        target: NodeId,
    },
}

/// One node with its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'s> {
    /// The content without anchor and tag. Quotes, brackets and the `|` of a
    /// block scalar are inside. A block collection runs from the first `-`, `?`
    /// or key to the end of its last child. A block scalar ends behind a line
    /// break (or at the end of the text); the blank lines behind it are inside
    /// only where its chomping keeps them (`|+`).
    pub span: Range<usize>,
    /// `&name`.
    pub anchor: Option<Box<Range<usize>>>,
    /// `!tag`.
    pub tag: Option<Box<Range<usize>>>,
    /// What it holds.
    pub content: Content<'s>,
}

impl Node<'_> {
    /// The first byte of the node, its anchor and tag included.
    pub fn outer_start(&self) -> usize {
        let mut start = self.span.start;
        for property in [&self.anchor, &self.tag].into_iter().flatten() {
            start = start.min(property.start);
        }
        start
    }
}

/// The nodes of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree<'s> {
    pub(super) text: &'s str,
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) root: Option<NodeId>,
    pub(super) foreign_breaks: bool,
}

impl<'s> Tree<'s> {
    /// The document's text; all spans are byte offsets in it.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// The top node; `None` for a document of comments and blanks only.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// A node by id.
    pub fn node(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id.index()]
    }

    /// All nodes in source order.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node<'s>)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    /// The source text of a node's content.
    pub fn source(&self, id: NodeId) -> &'s str {
        &self.text[self.node(id).span.clone()]
    }

    /// Whether the text holds U+0085, U+2028 or U+2029, which Kubernetes'
    /// reader takes for line breaks and this tree does not. Such a document may
    /// pass untouched but must not be edited.
    pub fn has_foreign_line_breaks(&self) -> bool {
        self.foreign_breaks
    }

    /// Follows an alias to the node it stands for.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        match self.node(id).content {
            Content::Alias { target } => target,
            _ => id,
        }
    }

    /// The entry whose value counts for `name` among the mapping's own entries:
    /// the last one (as `sigs.k8s.io/yaml` reads duplicates). Merge keys are not
    /// looked into.
    pub fn entry(&self, mapping: NodeId, name: &str) -> Option<&Entry<'s>> {
        match &self.node(mapping).content {
            Content::Mapping { entries, .. } => {
                entries.iter().rev().find(|entry| entry.name.name() == Some(name))
            }
            _ => None,
        }
    }
}

impl Tree<'_> {
    /// The node at a path of keys and decimal indices, the way the document is
    /// read: last duplicates, through aliases. Keys that come from a merge are
    /// found in the merged mapping.
    pub fn locate(&self, path: &[String]) -> Option<NodeId> {
        let mut at = self.root?;
        for token in path {
            at = self.below(at, token)?;
        }
        Some(at)
    }

    /// The node that a JSON pointer token leads to from `id`.
    pub fn below(&self, id: NodeId, token: &str) -> Option<NodeId> {
        self.child(self.resolve(id), token)
    }

    /// An item of the sequence `id`.
    pub fn item(&self, id: NodeId, index: usize) -> Option<NodeId> {
        match &self.node(self.resolve(id)).content {
            Content::Sequence { items, .. } => items.get(index).map(|item| item.node),
            _ => None,
        }
    }

    fn child(&self, id: NodeId, token: &str) -> Option<NodeId> {
        match &self.node(id).content {
            Content::Sequence { items, .. } => items.get(token.parse::<usize>().ok()?).map(|item| item.node),
            // A merge overrides what stands before it, so the last entry that
            // gives the key wins.
            Content::Mapping { entries, .. } => entries.iter().rev().find_map(|entry| match &entry.name {
                Key::Name(name) => (name == token).then_some(entry.value),
                Key::Merge => self.merged_child(self.resolve(entry.value), token),
            }),
            _ => None,
        }
    }

    fn merged_child(&self, id: NodeId, token: &str) -> Option<NodeId> {
        match &self.node(id).content {
            Content::Sequence { items, .. } => {
                items.iter().find_map(|item| self.child(self.resolve(item.node), token))
            }
            Content::Mapping { .. } => self.child(id, token),
            _ => None,
        }
    }
}
