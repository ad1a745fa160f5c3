//! A tree → the JSON value that Kubernetes gets: aliases expanded, merge keys
//! applied in `sigs.k8s.io/yaml`'s order, the last of duplicate keys kept.

use serde_json::{Map, Value};

use super::parse::MAX_DEPTH;
use super::tree::{Content, Entry, Key, NodeId, Tree};

/// A document that cannot be read as one JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The value of `<<` is neither a mapping nor a list of mappings.
    BadMerge {
        /// Byte offset of the value.
        offset: usize,
    },
    /// Aliases expand to more nodes than Kubernetes' reader allows for what the
    /// document itself holds, or nest deeper than [`MAX_DEPTH`].
    TooLarge {
        /// Byte offset of the node where the limit was reached.
        offset: usize,
    },
}

impl Tree<'_> {
    /// The value of the whole document; `null` for an empty one.
    pub fn read(&self) -> Result<Value, ReadError> {
        self.root().map_or(Ok(Value::Null), |root| self.read_among(root, 1))
    }

    /// The value of one node.
    pub fn read_node(&self, id: NodeId) -> Result<Value, ReadError> {
        // The rest of the document counts: in it, aliases may be no more than
        // their share, while a part of it may be nothing but an alias.
        self.read_among(id, self.nodes.len())
    }

    fn read_among(&self, id: NodeId, nodes: usize) -> Result<Value, ReadError> {
        Reading { tree: self, nodes, aliased: 0, aliases: 0, depth: 0 }.value(id)
    }
}

/// One reading, with the counts that go-yaml keeps against documents whose
/// aliases multiply.
struct Reading<'t, 's> {
    tree: &'t Tree<'s>,
    /// Nodes read so far, those behind aliases again for each alias.
    nodes: usize,
    /// How many of them were read behind an alias.
    aliased: usize,
    /// How many aliases lead to the node being read.
    aliases: usize,
    /// How many nodes stand around the one being read.
    depth: usize,
}

impl Reading<'_, '_> {
    fn count(&mut self, id: NodeId) -> Result<(), ReadError> {
        self.nodes += 1;
        self.aliased += usize::from(self.aliases > 0);
        let excessive = self.aliased > 100
            && self.nodes > 1000
            && self.aliased as f64 / self.nodes as f64 > allowed_alias_ratio(self.nodes);
        if excessive || self.depth > MAX_DEPTH {
            return Err(ReadError::TooLarge { offset: self.offset(id) });
        }
        Ok(())
    }

    fn offset(&self, id: NodeId) -> usize {
        self.tree.node(id).span.start
    }

    fn value(&mut self, id: NodeId) -> Result<Value, ReadError> {
        self.count(id)?;
        self.depth += 1;
        let value = match &self.tree.node(id).content {
            Content::Scalar { value, .. } => value.to_json(),
            Content::Sequence { items, .. } => {
                items.iter().map(|item| self.value(item.node)).collect::<Result<_, _>>().map(Value::Array)?
            }
            Content::Mapping { entries, .. } => {
                let mut map = Map::with_capacity(entries.len());
                self.fill(entries, &mut map)?;
                Value::Object(map)
            }
            Content::Alias { target } => self.behind_alias(|reading| reading.value(*target))?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn behind_alias<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        self.aliases += 1;
        let result = read(self);
        self.aliases -= 1;
        result
    }

    /// Puts the entries of a mapping into `map` in place, the way go-yaml v2
    /// does: a merge key overrides what stands before it.
    fn fill(&mut self, entries: &[Entry<'_>], map: &mut Map<String, Value>) -> Result<(), ReadError> {
        for entry in entries {
            match &entry.name {
                Key::Name(name) => {
                    self.key(entry.key)?;
                    let value = self.value(entry.value)?;
                    map.insert(name.as_ref().to_owned(), value);
                }
                Key::Merge => self.merge(entry.value, map)?,
            }
        }
        Ok(())
    }

    /// A key is a node that is read, too.
    fn key(&mut self, id: NodeId) -> Result<(), ReadError> {
        self.count(id)?;
        match self.tree.node(id).content {
            Content::Alias { target } => self.behind_alias(|reading| reading.count(target)),
            _ => Ok(()),
        }
    }

    fn merge(&mut self, id: NodeId, map: &mut Map<String, Value>) -> Result<(), ReadError> {
        match &self.tree.node(id).content {
            // In a list the first mapping has the last word. go-yaml takes the
            // list itself only in place, not behind an alias.
            Content::Sequence { items, .. } => {
                items.iter().rev().try_for_each(|item| self.merge_mapping(item.node, map))
            }
            _ => self.merge_mapping(id, map),
        }
    }

    fn merge_mapping(&mut self, id: NodeId, map: &mut Map<String, Value>) -> Result<(), ReadError> {
        self.count(id)?;
        self.depth += 1;
        match &self.tree.node(id).content {
            Content::Mapping { entries, .. } => self.fill(entries, map)?,
            Content::Alias { target } => match &self.tree.node(*target).content {
                Content::Mapping { entries, .. } => self.behind_alias(|reading| {
                    reading.count(*target)?;
                    reading.fill(entries, map)
                })?,
                _ => return Err(ReadError::BadMerge { offset: self.offset(id) }),
            },
            _ => return Err(ReadError::BadMerge { offset: self.offset(id) }),
        }
        self.depth -= 1;
        Ok(())
    }
}

/// go-yaml's `allowedAliasRatio`: how much of what was read may stand behind
/// aliases.
fn allowed_alias_ratio(nodes: usize) -> f64 {
    const LOW: f64 = 400_000.0;
    const HIGH: f64 = 4_000_000.0;
    0.99 - 0.89 * ((nodes as f64 - LOW) / (HIGH - LOW)).clamp(0.0, 1.0)
}
