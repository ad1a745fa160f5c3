//! What a path leads to in a draft, looked up without opening anything. Inside of
//! new values nothing is looked up: writing there what is there does no harm.

use serde_json::Value;

use crate::yaml::{Content, NodeId, Tree};

use super::draft::Draft;
use super::effective;
use super::error::Refusal;
use super::opened::Setter;
use super::operation::NewValue;
use super::same;
use super::written::item_index;

/// What a path leads to.
pub(super) enum Found<'d> {
    /// A node of the source.
    Source(NodeId),
    /// A part of the draft.
    Draft(&'d Draft),
}

impl Found<'_> {
    /// Whether it is a sequence with items that can be looked up.
    pub(super) fn is_sequence(&self, tree: &Tree<'_>) -> bool {
        match self {
            Found::Draft(Draft::New(_)) => false,
            Found::Draft(Draft::Opened(opened)) => !opened.is_mapping(tree),
            Found::Draft(Draft::Source(node)) | Found::Source(node) => {
                matches!(tree.node(tree.resolve(*node)).content, Content::Sequence { .. })
            }
        }
    }

    /// Whether it reads as `value` already. An opened collection is not put
    /// together to find out: its children are compared one by one later.
    pub(super) fn reads_as(&self, tree: &Tree<'_>, value: &NewValue) -> Result<bool, (usize, Refusal)> {
        let old: Value = match self {
            Found::Draft(Draft::New(new)) => new.value.to_json(),
            Found::Draft(Draft::Opened(_)) => return Ok(false),
            Found::Draft(Draft::Source(node)) | Found::Source(node) => {
                tree.read_node(*node).map_err(effective::unreadable)?
            }
        };
        Ok(same::values(&old, &value.to_json()))
    }
}

/// What stands at `path`.
pub(super) fn find<'d>(tree: &Tree<'_>, draft: &'d Draft, path: &[String]) -> Option<Found<'d>> {
    let Some((token, rest)) = path.split_first() else {
        return Some(Found::Draft(draft));
    };
    match draft {
        Draft::New(_) => None,
        Draft::Source(node) => find_in_source(tree, *node, path).map(Found::Source),
        Draft::Opened(opened) if opened.is_mapping(tree) => match opened.setter(tree, token)? {
            Setter::Own(index) => find(tree, &opened.children.get(index)?.value, rest),
            Setter::Merged(value) => find_in_source(tree, value, rest).map(Found::Source),
        },
        Draft::Opened(opened) => {
            let index = item_index(token, opened.children.len())?;
            find(tree, &opened.children.get(index)?.value, rest)
        }
    }
}

fn find_in_source(tree: &Tree<'_>, node: NodeId, path: &[String]) -> Option<NodeId> {
    path.iter().try_fold(node, |node, token| {
        let node = tree.resolve(node);
        match &tree.node(node).content {
            Content::Sequence { items, .. } => Some(items.get(item_index(token, items.len())?)?.node),
            _ => effective::lookup(tree, node, token),
        }
    })
}
