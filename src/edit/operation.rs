//! What is asked of a document: RFC 6902 operations with what JSON cannot say
//! beside them — how a new string is quoted, and which key a new one follows.

use serde_json::{Map, Value};

/// A path into the document: unescaped RFC 6901 tokens. A sequence index is in
/// decimal, `-` is the place behind the last item.
pub type Path = Vec<String>;

/// One operation. In a list of them each is meant for the document that the
/// ones before it made, as in RFC 6902.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Where.
    pub path: Path,
    /// What.
    pub action: Action,
}

/// The operations that plans are made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// RFC 6902 `add`: a new key (or another value for a key that is there), or
    /// a new item in front of the one at that index.
    Add {
        /// What is added.
        value: NewValue,
        /// For a new mapping key: stand behind the first of these keys that is
        /// there; at the end if none is.
        after: Vec<String>,
    },
    /// RFC 6902 `remove`.
    Remove,
    /// RFC 6902 `replace`.
    Replace {
        /// The new value.
        value: NewValue,
    },
}

/// The quotes a new string asks for. They are kept when the place allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    /// As the place suggests: the style of the scalar that is replaced, else
    /// plain where that is safe, else double.
    Local,
    /// `'…'`.
    Single,
    /// `"…"`.
    Double,
}

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub enum NewValue {
    /// `null`, a boolean or a number.
    Plain(Value),
    /// A string.
    Str {
        /// The text.
        text: String,
        /// The quotes it asks for.
        quotes: Quotes,
    },
    /// A sequence.
    Sequence(Vec<NewValue>),
    /// A mapping, in writing order.
    Mapping(Vec<(String, NewValue)>),
}

impl NewValue {
    /// The JSON value.
    pub fn to_json(&self) -> Value {
        match self {
            NewValue::Plain(value) => value.clone(),
            NewValue::Str { text, .. } => Value::from(text.as_str()),
            NewValue::Sequence(items) => items.iter().map(NewValue::to_json).collect(),
            NewValue::Mapping(entries) => Value::Object(
                entries.iter().map(|(key, value)| (key.clone(), value.to_json())).collect::<Map<_, _>>(),
            ),
        }
    }
}

impl From<&Value> for NewValue {
    /// The value with no wish for quotes.
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => NewValue::Str { text: text.clone(), quotes: Quotes::Local },
            Value::Array(items) => NewValue::Sequence(items.iter().map(NewValue::from).collect()),
            Value::Object(entries) => NewValue::Mapping(
                entries.iter().map(|(key, value)| (key.clone(), NewValue::from(value))).collect(),
            ),
            other => NewValue::Plain(other.clone()),
        }
    }
}

impl Operation {
    /// The operation in RFC 6902's JSON.
    pub fn to_json_patch(&self) -> Value {
        let mut out = Map::new();
        let (op, value) = match &self.action {
            Action::Add { value, .. } => ("add", Some(value)),
            Action::Remove => ("remove", None),
            Action::Replace { value } => ("replace", Some(value)),
        };
        out.insert("op".to_owned(), Value::from(op));
        out.insert("path".to_owned(), Value::from(pointer(&self.path)));
        if let Some(value) = value {
            out.insert("value".to_owned(), value.to_json());
        }
        Value::Object(out)
    }
}

/// The RFC 6901 text of a path.
pub fn pointer(path: &[String]) -> String {
    let mut out = String::new();
    for token in path {
        out.push('/');
        out.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_what_has_a_meaning_in_it() {
        let path = ["a/b~c", "", "~1", "0"].map(str::to_owned);
        assert_eq!(pointer(&path), "/a~1b~0c//~01/0");
        assert_eq!(pointer(&[]), "");
    }
}
