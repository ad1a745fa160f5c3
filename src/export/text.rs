//! How other tools are written to: values as block YAML, by the same writer that edits
//! manifests, and read back; names as regular expressions.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::edit::{self, Action, NewValue, Operation};
use crate::yaml;

/// A value as block YAML.
pub(super) fn write(value: &Value) -> Result<String, Diagnostic> {
    let empty = if value.is_array() { "[]\n" } else { "{}\n" };
    let tree = yaml::parse(empty).map_err(|_| unwritable())?;
    let replace = Operation { path: Vec::new(), action: Action::Replace { value: NewValue::from(value) } };
    let splices = edit::splices(&tree, &[replace]).map_err(|_| unwritable())?;
    Ok(edit::apply(empty, &splices))
}

/// Objects as a stream of documents. What is written is read back.
pub(super) fn stream(objects: &[Value]) -> Result<String, Diagnostic> {
    let mut out = String::new();
    for object in objects {
        let text = write(object)?;
        if yaml::parse(&text).ok().and_then(|tree| tree.read().ok()).as_ref() != Some(object) {
            return Err(unwritable());
        }
        out.push_str("---\n");
        out.push_str(&text);
    }
    Ok(out)
}

pub(super) fn unwritable() -> Diagnostic {
    Diagnostic::contract("export-impossible", "what is exported cannot be written as YAML")
}

/// A text as a regular expression for it and nothing else.
pub(super) fn literally(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
