//! What can be known of a document without building it: type, name and whether
//! it is a list. The checking scan answers for plain documents; anything else
//! is parsed and asked.

use std::borrow::Cow;

use serde_json::Value;

use crate::yaml::scan;

/// The head of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head<'s> {
    /// `apiVersion`, empty if absent.
    pub api_version: Cow<'s, str>,
    /// `kind`, empty if absent.
    pub kind: Cow<'s, str>,
    /// `metadata.name`, empty if absent.
    pub name: Cow<'s, str>,
    /// Whether the document holds anything but comments and blanks.
    pub has_content: bool,
    /// Whether objects may be nested in it, so that its own type says nothing.
    pub is_list: bool,
    /// The document's text, if every key of the document stands in it as it is read:
    /// what is not in this text is no key.
    pub plain: Option<&'s str>,
}

impl Head<'_> {
    /// Reads the head off a document's value.
    pub fn of(value: &Value) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned().into();
        Self {
            api_version: text(value.get("apiVersion")),
            kind: text(value.get("kind")),
            name: text(value.get("metadata").and_then(|metadata| metadata.get("name"))),
            has_content: !value.is_null(),
            is_list: value.get("items").is_some_and(Value::is_array),
            plain: None,
        }
    }
}

impl<'s> Head<'s> {
    /// The head of a text that the scan vouches for.
    pub fn vouched(head: scan::Head<'s>, text: &'s str) -> Self {
        Self {
            api_version: head.api_version.unwrap_or_default(),
            kind: head.kind.unwrap_or_default(),
            name: head.name.unwrap_or_default(),
            has_content: !head.empty,
            is_list: head.has_items,
            plain: Some(text),
        }
    }
}
