//! The values face of a rule as it is written: which values of which chart say at
//! the source what the rule's edits say afterwards.

use std::fmt;

use indexmap::IndexMap;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::OneOrMany;

/// Values of a chart.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ValuesFile {
    /// The charts, `name` or `name@range`. Globs.
    pub chart: OneOrMany,
    /// Conditions on parameters.
    #[serde(default)]
    pub when: IndexMap<String, Value>,
    /// Values by path and what they must be before anything is written; anything else is
    /// an error.
    #[serde(default)]
    pub require: IndexMap<String, Value>,
    /// What to do about such an error.
    #[serde(default)]
    pub help: Option<String>,
    /// Values by path. They are written even where the chart's default is the same,
    /// so that another default of another version changes nothing.
    #[serde(default)]
    pub set: IndexMap<String, Value>,
    /// Lists by path that keep only these items; one that is not there is written whole.
    #[serde(default)]
    pub retain: IndexMap<String, Value>,
    /// Lists by path that lose these items.
    #[serde(default)]
    pub exclude: IndexMap<String, Value>,
    /// Keys wherever the charts have them.
    #[serde(default)]
    pub each: Vec<EachFile>,
    /// Keys that look like those of `each` and are left alone, each with the reason.
    #[serde(default)]
    pub leave: Vec<KeptFile>,
}

/// Keys wherever a chart has them: `set` with `value`, or `remove`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EachFile {
    /// Of these charts alone, `name` or `name@range`. Globs.
    #[serde(default)]
    pub chart: Option<OneOrMany>,
    /// The mappings to look in: keys joined by dots, `**` for any number of them; left
    /// out, the chart's values as a whole.
    #[serde(rename = "in", default)]
    pub within: Option<String>,
    /// The key in such a mapping that gets `value`, if it is there.
    #[serde(default)]
    pub set: Option<String>,
    /// Its value.
    #[serde(default)]
    pub value: Option<Value>,
    /// The key in such a mapping that goes.
    #[serde(default)]
    pub remove: Option<String>,
    /// Fields of that mapping and what they must be.
    #[serde(rename = "if", default)]
    pub condition: IndexMap<String, Value>,
    /// Written even where the chart's default is the same.
    #[serde(default)]
    pub explicit: bool,
}

/// A key that looks like one of `each` and is left alone.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct KeptFile {
    /// Of these charts alone, `name` or `name@range`. Globs.
    #[serde(default)]
    pub chart: Option<OneOrMany>,
    /// The mappings to look in, as in `each`.
    #[serde(rename = "in", default)]
    pub within: Option<String>,
    /// The key in such a mapping.
    pub key: String,
    /// Fields of that mapping and what they must be.
    #[serde(rename = "if", default)]
    pub condition: IndexMap<String, Value>,
    /// Why it is left alone.
    pub reason: String,
}

/// One or several, told apart by their shape, so that an error is about the one that
/// was meant.
pub(super) fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ValuesFile>, D::Error> {
    deserializer.deserialize_any(OneOrManyVisitor)
}

struct OneOrManyVisitor;

impl<'de> Visitor<'de> for OneOrManyVisitor {
    type Value = Vec<ValuesFile>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a mapping or a list of mappings")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        ValuesFile::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items))
    }
}

/// What the schema says of it.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, clippy::large_enum_variant)] // Only its shape is looked at.
pub(super) enum OneOrManyValues {
    One(ValuesFile),
    Many(Vec<ValuesFile>),
}
