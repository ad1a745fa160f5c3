//! A tree → types of ours, by serde, without a value in between: every run reads a
//! profile. What needs more than the tree as it stands (merge keys, aliases beyond
//! measure) is left to [`Tree::read`].

use std::cell::Cell;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::scalar::Scalar;
use super::tree::{Content, Entry, Item, Key, NodeId, Tree};

/// How many aliases are followed, those behind an alias again for each alias.
const ALIASES: usize = 200;

/// That a tree is not of the wanted shape; or that it may be, but has merge keys or too
/// many aliases. What is wrong, and where, is for a slower reader to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherShape;

impl std::fmt::Display for OtherShape {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the document is of another shape")
    }
}

impl std::error::Error for OtherShape {}

impl de::Error for OtherShape {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'s> Tree<'s> {
    /// The document as a type of ours.
    pub fn deserialize<T: de::Deserialize<'s>>(&self) -> Result<T, OtherShape> {
        let aliases = Cell::new(ALIASES);
        NodeOf { tree: self, aliases: &aliases, id: self.root().ok_or(OtherShape)? }
            .behind_alias()
            .and_then(T::deserialize)
    }
}

/// A node that is to be deserialized.
#[derive(Clone, Copy)]
struct NodeOf<'t, 's> {
    tree: &'t Tree<'s>,
    /// How many aliases may still be followed.
    aliases: &'t Cell<usize>,
    id: NodeId,
}

impl<'t, 's> NodeOf<'t, 's> {
    /// Another node of the tree, or what it stands for.
    fn at(self, id: NodeId) -> Result<Self, OtherShape> {
        Self { id, ..self }.behind_alias()
    }

    fn behind_alias(self) -> Result<Self, OtherShape> {
        let Content::Alias { target } = self.content() else { return Ok(self) };
        self.aliases.set(self.aliases.get().checked_sub(1).ok_or(OtherShape)?);
        Ok(Self { id: *target, ..self })
    }

    fn content(self) -> &'t Content<'s> {
        &self.tree.node(self.id).content
    }

    fn is_null(self) -> bool {
        matches!(self.content(), Content::Scalar { value: Scalar::Null, .. })
    }
}

impl<'de> Deserializer<'de> for NodeOf<'_, 'de> {
    type Error = OtherShape;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OtherShape> {
        match self.content() {
            Content::Scalar { value, .. } => match value {
                Scalar::Null => visitor.visit_unit(),
                Scalar::Bool(value) => visitor.visit_bool(*value),
                Scalar::Int(value) => match u64::try_from(*value) {
                    Ok(value) => visitor.visit_u64(value),
                    Err(_) => visitor.visit_i64(*value),
                },
                Scalar::UInt(value) => visitor.visit_u64(*value),
                // One without a fraction is an integer to Kubernetes.
                Scalar::Float(_) => Err(OtherShape),
                Scalar::Str(text) => visitor.visit_str(text),
            },
            Content::Sequence { items, .. } => visitor.visit_seq(Items { of: self, items: items.iter() }),
            Content::Mapping { entries, .. } => {
                visitor.visit_map(Entries { of: self, entries: entries.iter(), value: None })
            }
            // What an alias stands for is no alias.
            Content::Alias { .. } => Err(OtherShape),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OtherShape> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, OtherShape> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, OtherShape> {
        match self.content() {
            // A word; no type of ours has variants with more to them.
            Content::Scalar { value: Scalar::Str(text), .. } => {
                let word: StrDeserializer<'_, OtherShape> = text.as_ref().into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(OtherShape),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'t, 's> {
    of: NodeOf<'t, 's>,
    items: std::slice::Iter<'t, Item>,
}

impl<'s> SeqAccess<'s> for Items<'_, 's> {
    type Error = OtherShape;

    fn next_element_seed<T: DeserializeSeed<'s>>(&mut self, seed: T) -> Result<Option<T::Value>, OtherShape> {
        let Some(item) = self.items.next() else { return Ok(None) };
        seed.deserialize(self.of.at(item.node)?).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Entries<'t, 's> {
    of: NodeOf<'t, 's>,
    entries: std::slice::Iter<'t, Entry<'s>>,
    value: Option<NodeId>,
}

impl<'s> MapAccess<'s> for Entries<'_, 's> {
    type Error = OtherShape;

    fn next_key_seed<K: DeserializeSeed<'s>>(&mut self, seed: K) -> Result<Option<K::Value>, OtherShape> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(entry.value);
        match &entry.name {
            Key::Name(name) => {
                let name: StrDeserializer<'_, OtherShape> = name.as_ref().into_deserializer();
                seed.deserialize(name).map(Some)
            }
            Key::Merge => Err(OtherShape),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'s>>(&mut self, seed: V) -> Result<V::Value, OtherShape> {
        seed.deserialize(self.of.at(self.value.take().ok_or(OtherShape)?)?)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::OtherShape;
    use crate::profile::embedded;
    use crate::profile::file::ProfileFile;
    use crate::yaml;

    #[test]
    fn the_shipped_profiles_are_what_their_values_are() {
        for (name, text) in embedded::PROFILES {
            let tree = yaml::parse(text).unwrap();
            let by_value = ProfileFile::deserialize(tree.read().unwrap()).unwrap();
            let at_once: ProfileFile = tree.deserialize().unwrap();
            assert_eq!(format!("{at_once:?}"), format!("{by_value:?}"), "{name}");
        }
    }

    #[test]
    fn scalars_are_read_as_kubernetes_reads_them() {
        let read = |text: &str| {
            let tree = yaml::parse(text).unwrap();
            let value: Result<serde_json::Value, OtherShape> = tree.deserialize();
            (value, tree.read().unwrap())
        };
        for text in ["yes", "0x1f", "-7", "0b11", "~", "18446744073709551615", "'x'", "[a, {b: [c]}]", "1: x"]
        {
            let (at_once, by_value) = read(text);
            assert_eq!(at_once, Ok(by_value), "{text}");
        }
        let aliases = |number: usize| format!("- &x {{a: 1}}\n{}", "- *x\n".repeat(number));
        let (at_once, by_value) = read(&aliases(super::ALIASES));
        assert_eq!(at_once, Ok(by_value));
        for text in ["a: {<<: {b: 1}}", "1.5", &aliases(super::ALIASES + 1)] {
            assert_eq!(read(text).0, Err(OtherShape), "{text}");
        }
    }
}
