//! A collection of the source whose children may be dropped, changed or joined
//! by new ones. It keeps the source index of every child, which is what tells
//! the writer later which bytes stay.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::yaml::{Content, Key, NodeId, Tree};

use super::draft::{Draft, New};
use super::effective;

/// A mapping or sequence of the source with its children to come.
#[derive(Debug)]
pub(super) struct Opened {
    /// The source collection, never an alias.
    pub(super) node: NodeId,
    /// The children in order; those that come from the source are in source order.
    pub(super) children: Vec<Child>,
    /// The operation that dropped it, by source index.
    pub(super) dropped: BTreeMap<usize, usize>,
}

/// An entry or item of an opened collection.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) origin: Origin,
    pub(super) value: Draft,
}

/// Where a child comes from.
#[derive(Debug)]
pub(super) enum Origin {
    /// The entry or item of this index in the source.
    Source(usize),
    /// Inserted, with its key if in a mapping.
    Inserted { name: Option<String> },
}

/// What a child is called.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name<'o> {
    Key(&'o str),
    Merge,
    Item,
}

impl<'o> Name<'o> {
    /// The key, unless this is an item or a merge.
    pub(super) fn key(&self) -> Option<&'o str> {
        match self {
            Name::Key(key) => Some(key),
            Name::Merge | Name::Item => None,
        }
    }
}

impl Opened {
    /// Opens a collection of the source; `None` for any other node.
    pub(super) fn new(tree: &Tree<'_>, node: NodeId) -> Option<Self> {
        let values: Vec<NodeId> = match &tree.node(node).content {
            Content::Mapping { entries, .. } => entries.iter().map(|entry| entry.value).collect(),
            Content::Sequence { items, .. } => items.iter().map(|item| item.node).collect(),
            Content::Scalar { .. } | Content::Alias { .. } => return None,
        };
        let children = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| Child { origin: Origin::Source(index), value: Draft::Source(value) })
            .collect();
        Some(Self { node, children, dropped: BTreeMap::new() })
    }

    pub(super) fn is_mapping(&self, tree: &Tree<'_>) -> bool {
        matches!(tree.node(self.node).content, Content::Mapping { .. })
    }

    /// What a child is called, or [`Name::Item`] in a sequence.
    pub(super) fn name<'o>(&self, tree: &'o Tree<'_>, child: &'o Child) -> Name<'o> {
        match (&child.origin, &tree.node(self.node).content) {
            (Origin::Inserted { name: Some(name) }, _) => Name::Key(name),
            (Origin::Source(index), Content::Mapping { entries, .. }) => {
                match entries.get(*index).map(|e| &e.name) {
                    Some(Key::Name(name)) => Name::Key(name),
                    Some(Key::Merge) => Name::Merge,
                    None => Name::Item,
                }
            }
            _ => Name::Item,
        }
    }

    /// The child that sets `name`, as `sigs.k8s.io/yaml` reads the mapping: the last.
    pub(super) fn setter(&self, tree: &Tree<'_>, name: &str) -> Option<Setter> {
        self.children.iter().enumerate().rev().find_map(|(index, child)| match self.name(tree, child) {
            Name::Key(key) => (key == name).then_some(Setter::Own(index)),
            Name::Merge => self.merged(tree, child, name).map(Setter::Merged),
            Name::Item => None,
        })
    }

    fn merged(&self, tree: &Tree<'_>, child: &Child, name: &str) -> Option<NodeId> {
        match child.value {
            Draft::Source(merge) => effective::merged(tree, merge, name),
            _ => None,
        }
    }

    /// The inherited value for `name`, whether or not an explicit entry overrides it.
    pub(super) fn inherited(&self, tree: &Tree<'_>, name: &str) -> Option<NodeId> {
        self.children.iter().rev().find_map(|child| match self.name(tree, child) {
            Name::Merge => self.merged(tree, child, name),
            _ => None,
        })
    }

    /// Behind the first of `keys` that is there.
    fn behind_any(&self, tree: &Tree<'_>, keys: &[String]) -> Option<usize> {
        keys.iter().find_map(|key| {
            let at = self.children.iter().rposition(|child| self.name(tree, child) == Name::Key(key))?;
            Some(at + 1)
        })
    }

    /// Where a new key goes: behind one of `after`, unless a merge key stands
    /// behind that, else to the end. In front of a merge key a reader that goes by
    /// the order may take what the merge brings.
    pub(super) fn place_for_key(&self, tree: &Tree<'_>, after: &[String]) -> usize {
        let merge = self.children.iter().rposition(|child| self.name(tree, child) == Name::Merge);
        let behind_merges = merge.map_or(0, |merge| merge + 1);
        self.behind_any(tree, after).filter(|at| *at >= behind_merges).unwrap_or(self.children.len())
    }

    pub(super) fn insert(&mut self, at: usize, name: Option<&str>, new: New) {
        let origin = Origin::Inserted { name: name.map(str::to_owned) };
        self.children.insert(at.min(self.children.len()), Child { origin, value: Draft::New(new) });
    }

    pub(super) fn drop_child(&mut self, at: usize, operation: usize) {
        if at < self.children.len()
            && let Origin::Source(index) = self.children.remove(at).origin
        {
            self.dropped.insert(index, operation);
        }
    }

    /// Drops every entry of that name.
    pub(super) fn drop_named(&mut self, tree: &Tree<'_>, name: &str, operation: usize) {
        for at in (0..self.children.len()).rev() {
            if self.name(tree, &self.children[at]) == Name::Key(name) {
                self.drop_child(at, operation);
            }
        }
    }
}

/// One thing met on the way through the children, in order.
#[derive(Debug)]
pub(super) enum Step<'o> {
    /// A child of the source stays; its value may differ.
    Kept { index: usize, child: &'o Child },
    /// Children go or come between two that stay.
    Gap(Gap<'o>),
}

/// What differs between two children that stay.
#[derive(Debug)]
pub(super) struct Gap<'o> {
    /// The source index of the child in front that stays.
    pub(super) previous: Option<usize>,
    /// The source index of the child behind that stays.
    pub(super) next: Option<usize>,
    /// The source indices of the children that go.
    pub(super) removed: Range<usize>,
    /// The children that come.
    pub(super) inserted: Vec<&'o Child>,
}

impl Opened {
    /// The way through the children; `length` is their number in the source.
    pub(super) fn steps(&self, length: usize) -> Vec<Step<'_>> {
        let mut steps = Vec::with_capacity(self.children.len());
        let mut previous = None;
        let mut inserted = Vec::new();
        for child in &self.children {
            match child.origin {
                Origin::Inserted { .. } => inserted.push(child),
                Origin::Source(index) => {
                    let inserted = std::mem::take(&mut inserted);
                    push_gap(&mut steps, previous, Some(index), length, inserted);
                    steps.push(Step::Kept { index, child });
                    previous = Some(index);
                }
            }
        }
        push_gap(&mut steps, previous, None, length, inserted);
        steps
    }

    /// The last of the operations that made a gap.
    pub(super) fn operation_of(&self, gap: &Gap<'_>) -> usize {
        let dropped = self.dropped.range(gap.removed.clone());
        let inserted = gap.inserted.iter().filter_map(|child| child.value.operation());
        dropped.map(|(_, operation)| *operation).chain(inserted).max().unwrap_or(0)
    }
}

fn push_gap<'o>(
    steps: &mut Vec<Step<'o>>,
    previous: Option<usize>,
    next: Option<usize>,
    length: usize,
    inserted: Vec<&'o Child>,
) {
    let removed = previous.map_or(0, |previous| previous + 1)..next.unwrap_or(length);
    if !removed.is_empty() || !inserted.is_empty() {
        steps.push(Step::Gap(Gap { previous, next, removed, inserted }));
    }
}

/// Where the value for a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setter {
    /// The mapping's own child of this index.
    Own(usize),
    /// A merge key, which brings this source value.
    Merged(NodeId),
}
