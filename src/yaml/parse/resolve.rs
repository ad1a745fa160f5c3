//! The meaning of a scalar event, with its tag taken into account.

use std::borrow::Cow;

use super::ParseError;
use crate::yaml::scalar::{self, Scalar, ScalarError};
use crate::yaml::tree::ScalarStyle;

/// Resolves the text of a scalar at `offset`.
pub(super) fn resolve<'s>(
    text: Cow<'s, str>,
    style: ScalarStyle,
    tag: Option<&granit_parser::Tag>,
    offset: usize,
) -> Result<Scalar<'s>, ParseError> {
    let resolved = match tag {
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
            ScalarError::Timestamp => "`!!timestamp` is not read here; leave the tag out".to_owned(),
            ScalarError::BadBinary => "`!!binary` is not followed by base64 of UTF-8 text".to_owned(),
        };
        ParseError::new(offset, message)
    })
}

/// Which of the tags with a meaning this is, as `!!int` or in full.
fn tag_kind(tag: &granit_parser::Tag) -> scalar::Tag {
    const PREFIX: &str = "tag:yaml.org,2002:";
    let name = match tag.handle() {
        PREFIX => Some(tag.suffix()),
        "" => tag.suffix().strip_prefix(PREFIX),
        _ => None,
    };
    match name {
        Some("str") => scalar::Tag::Str,
        Some("bool") => scalar::Tag::Bool,
        Some("int") => scalar::Tag::Int,
        Some("float") => scalar::Tag::Float,
        Some("null") => scalar::Tag::Null,
        Some("timestamp") => scalar::Tag::Timestamp,
        Some("binary") => scalar::Tag::Binary,
        _ => scalar::Tag::Other,
    }
}
