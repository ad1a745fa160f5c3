//! A tree → the JSON value that Kubernetes gets: aliases expanded, merge keys
//! applied in `sigs.k8s.io/yaml`'s order, the last of duplicate keys kept.

use serde_json::{Map, Value};

use super::tree::{Content, Key, NodeId, Tree};

/// How many nodes reading one document may make. Aliases multiply nodes; a
/// document without them can never reach this.
pub const MAX_NODES: usize = 4_000_000;

/// A document that cannot be read as one JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The value of `<<` is neither a mapping nor a list of mappings.
    BadMerge {
        /// Byte offset of the value.
        offset: usize,
    },
    /// Aliases expand to more than [`MAX_NODES`] nodes.
    TooLarge {
        /// Byte offset of the alias where the limit was reached.
        offset: usize,
    },
}

impl Tree<'_> {
    /// The value of the whole document; `null` for an empty one.
    pub fn read(&self) -> Result<Value, ReadError> {
        self.root().map_or(Ok(Value::Null), |root| self.read_node(root))
    }

    /// The value of one node.
    pub fn read_node(&self, id: NodeId) -> Result<Value, ReadError> {
        let mut budget = MAX_NODES;
        self.value(id, &mut budget)
    }

    fn value(&self, id: NodeId, budget: &mut usize) -> Result<Value, ReadError> {
        let node = self.node(id);
        *budget = budget.checked_sub(1).ok_or(ReadError::TooLarge { offset: node.span.start })?;
        match &node.content {
            Content::Scalar { value, .. } => Ok(value.to_json()),
            Content::Sequence { items, .. } => items
                .iter()
                .map(|item| self.value(item.node, budget))
                .collect::<Result<_, _>>()
                .map(Value::Array),
            Content::Mapping { .. } => {
                let mut map = Map::new();
                self.fill(id, &mut map, budget)?;
                Ok(Value::Object(map))
            }
            Content::Alias { target } => self.value(*target, budget),
        }
    }

    /// Puts the entries of a mapping into `map` in place, the way go-yaml v2
    /// does: a merge key overrides what stands before it.
    fn fill(&self, id: NodeId, map: &mut Map<String, Value>, budget: &mut usize) -> Result<(), ReadError> {
        let Content::Mapping { entries, .. } = &self.node(id).content else {
            return Err(ReadError::BadMerge { offset: self.node(id).span.start });
        };
        for entry in entries {
            match &entry.name {
                Key::Name(name) => {
                    let value = self.value(entry.value, budget)?;
                    map.insert(name.as_ref().to_owned(), value);
                }
                Key::Merge => self.merge(entry.value, map, budget)?,
            }
        }
        Ok(())
    }

    fn merge(&self, id: NodeId, map: &mut Map<String, Value>, budget: &mut usize) -> Result<(), ReadError> {
        let offset = self.node(id).span.start;
        *budget = budget.checked_sub(1).ok_or(ReadError::TooLarge { offset })?;
        match &self.node(self.resolve(id)).content {
            Content::Mapping { .. } => self.fill(self.resolve(id), map, budget),
            // In a list the first mapping has the last word. go-yaml takes the
            // list itself only in place, not behind an alias.
            Content::Sequence { items, .. } if self.resolve(id) == id => {
                for item in items.iter().rev() {
                    let target = self.resolve(item.node);
                    if !matches!(self.node(target).content, Content::Mapping { .. }) {
                        return Err(ReadError::BadMerge { offset: self.node(item.node).span.start });
                    }
                    *budget = budget.checked_sub(1).ok_or(ReadError::TooLarge { offset })?;
                    self.fill(target, map, budget)?;
                }
                Ok(())
            }
            _ => Err(ReadError::BadMerge { offset }),
        }
    }
}
