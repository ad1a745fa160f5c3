//! What the unit tests of this folder share: a document and a JSON Patch in,
//! the edited text out, checked against `json_patch` on the way.

use serde_json::{Value, json};

use super::{Action, EditError, NewValue, Operation, Quotes, apply, splices};
use crate::yaml::parse;

/// `{"op", "path", "value", "after", "quotes"}` as an operation.
pub(super) fn operation(json: &Value) -> Operation {
    let path = json["path"].as_str().unwrap();
    let unescape = |token: &str| token.replace("~1", "/").replace("~0", "~");
    let path = path.split('/').skip(1).map(unescape).collect();
    let mut value = NewValue::from(&json["value"]);
    if let (NewValue::Str { quotes, .. }, Some(wish)) = (&mut value, json["quotes"].as_str()) {
        *quotes = if wish == "'" { Quotes::Single } else { Quotes::Double };
    }
    let after = json["after"].as_array().into_iter().flatten();
    let after = after.map(|key| key.as_str().unwrap().to_owned()).collect();
    let action = match json["op"].as_str().unwrap() {
        "add" => Action::Add { value, after },
        "replace" => Action::Replace { value },
        _ => Action::Remove,
    };
    Operation { path, action }
}

/// The text after the operations; reading it must give what `json_patch` gives.
pub(super) fn edited(text: &str, operations: Value) -> Result<String, EditError> {
    let tree = parse(text).unwrap();
    let operations: Vec<Operation> = operations.as_array().unwrap().iter().map(operation).collect();
    let splices = splices(&tree, &operations)?;
    let out = apply(text, &splices);
    let mut expected = tree.read().unwrap();
    let patch: Value = operations.iter().map(Operation::to_json_patch).collect();
    let patch: json_patch::Patch = serde_json::from_value(patch).unwrap();
    json_patch::patch(&mut expected, &patch).unwrap();
    let again = parse(&out).unwrap_or_else(|error| panic!("{error} in\n{out}"));
    assert_eq!(again.read().unwrap(), expected, "{out}");
    Ok(out)
}

/// Asserts what one operation makes of a text.
#[track_caller]
pub(super) fn check(text: &str, operation: Value, expected: &str) {
    check_all(text, json!([operation]), expected);
}

/// Asserts what several operations make of a text.
#[track_caller]
pub(super) fn check_all(text: &str, operations: Value, expected: &str) {
    let out = edited(text, operations).unwrap_or_else(|error| panic!("{error} at {}", error.offset));
    assert_eq!(out, expected, "\n--- got\n{out}\n--- wanted\n{expected}");
}

/// `add` in short.
pub(super) fn add(path: &str, value: Value) -> Value {
    json!({"op": "add", "path": path, "value": value})
}

/// `replace` in short.
pub(super) fn set(path: &str, value: Value) -> Value {
    json!({"op": "replace", "path": path, "value": value})
}

/// `remove` in short.
pub(super) fn remove(path: &str) -> Value {
    json!({"op": "remove", "path": path})
}
