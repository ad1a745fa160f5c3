//! The text of a new scalar: plain, single or double quoted, after the scalar
//! that it replaces, the quotes that were asked for, and what is safe to read.

use serde_json::Value;

use crate::yaml::quote::{self, Place};
use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, NodeId, ScalarStyle, Tree};

use super::operation::{NewValue, Quotes};

/// Where a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// In block style.
    Block,
    /// In flow style.
    Flow,
    /// In flow style among double-quoted keys or strings: JSON.
    Json,
}

impl Surroundings {
    pub(super) fn is_flow(self) -> bool {
        self != Surroundings::Block
    }
}

/// The text of `value` on one line; `None` for a collection with content.
/// `replaced` is the quoting of the string that stood there before.
pub(super) fn inline(
    value: &NewValue,
    replaced: Option<Quotes>,
    surroundings: Surroundings,
) -> Option<String> {
    match value {
        NewValue::Plain(Value::String(text)) => {
            Some(string(text, replaced.unwrap_or(Quotes::Local), surroundings))
        }
        // Any other JSON value in its own notation, which YAML shares.
        NewValue::Plain(value) => Some(value.to_string()),
        NewValue::Str { text, quotes } => Some(string(text, replaced.unwrap_or(*quotes), surroundings)),
        NewValue::Sequence(items) => items.is_empty().then(|| "[]".to_owned()),
        NewValue::Mapping(entries) => entries.is_empty().then(|| "{}".to_owned()),
    }
}

/// The quotes of a source string, if it has some.
pub(super) fn quotes_of(tree: &Tree<'_>, node: NodeId) -> Option<Quotes> {
    match &tree.node(node).content {
        Content::Scalar { style: ScalarStyle::Single, value: Scalar::Str(_) } => Some(Quotes::Single),
        Content::Scalar { style: ScalarStyle::Double, value: Scalar::Str(_) } => Some(Quotes::Double),
        _ => None,
    }
}

/// A string with the quotes it asks for, as far as they can hold it.
fn string(text: &str, quotes: Quotes, surroundings: Surroundings) -> String {
    let place = if surroundings.is_flow() { Place::Flow } else { Place::Block };
    match quotes {
        _ if surroundings == Surroundings::Json => quote::double(text),
        Quotes::Local if quote::plain_is_safe(text, place) => text.to_owned(),
        Quotes::Single if quote::single_is_safe(text) => quote::single(text),
        Quotes::Local | Quotes::Single | Quotes::Double => quote::double(text),
    }
}

/// The text of a new key.
pub(super) fn key(name: &str, surroundings: Surroundings) -> String {
    string(name, Quotes::Local, surroundings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn str(text: &str, quotes: Quotes) -> NewValue {
        NewValue::Str { text: text.to_owned(), quotes }
    }

    #[test]
    fn quotes_are_kept_then_asked_for_then_needed() {
        use Surroundings::{Block, Flow, Json};
        let text = |value: &NewValue, replaced, place| inline(value, replaced, place).unwrap();
        assert_eq!(text(&str("a", Quotes::Local), None, Block), "a");
        assert_eq!(text(&str("a", Quotes::Double), None, Block), "\"a\"");
        assert_eq!(text(&str("a", Quotes::Double), Some(Quotes::Single), Block), "'a'");
        assert_eq!(text(&str("yes", Quotes::Local), None, Block), "\"yes\"");
        assert_eq!(text(&str("a\nb", Quotes::Single), None, Block), "\"a\\nb\"");
        assert_eq!(text(&str("a,b", Quotes::Local), None, Block), "a,b");
        assert_eq!(text(&str("a,b", Quotes::Local), None, Flow), "\"a,b\"");
        assert_eq!(text(&str("a", Quotes::Single), Some(Quotes::Single), Json), "\"a\"");
        assert_eq!(text(&NewValue::Plain(Value::from(7)), Some(Quotes::Double), Block), "7");
        assert_eq!(text(&NewValue::Sequence(Vec::new()), None, Block), "[]");
        assert_eq!(inline(&NewValue::Sequence(vec![str("a", Quotes::Local)]), None, Flow), None);
    }
}
