//! A stream as the list of objects that Kubernetes gets from it.

use germ_post::yaml::{Stream, parse};
use serde_json::Value;

/// One document with a value.
#[derive(Debug, Clone)]
pub struct Object {
    /// `kind namespace/name`, or as much of it as is there.
    pub name: String,
    /// The value of the document.
    pub value: Value,
    /// The text of the document, without its separator line.
    pub text: String,
}

/// `kind namespace/name` of an object.
pub fn name_of(value: &Value) -> String {
    let part = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
    let kind = part("/kind").unwrap_or("?");
    let name = part("/metadata/name").unwrap_or("?");
    match part("/metadata/namespace") {
        Some(namespace) => format!("{kind} {namespace}/{name}"),
        None => format!("{kind} {name}"),
    }
}

/// The objects of a stream, in order; documents without content are left out.
pub fn objects(stream: &[u8]) -> Vec<Object> {
    let stream = Stream::cut(stream).unwrap();
    let mut objects = Vec::new();
    for document in stream.documents() {
        let text = stream.document_text(document);
        let value = parse(text).unwrap().read().unwrap();
        if !value.is_null() {
            objects.push(Object {
                name: name_of(&value),
                value,
                text: text.to_owned(),
            });
        }
    }
    objects
}

/// The object of that name.
pub fn find<'o>(objects: &'o [Object], name: &str) -> &'o Object {
    objects
        .iter()
        .find(|object| object.name == name)
        .unwrap_or_else(|| panic!("{name} is not in the stream"))
}
