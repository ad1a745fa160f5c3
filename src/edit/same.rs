//! When two values are the same to Kubernetes, so that nothing needs writing.

use serde_json::{Number, Value};

use crate::yaml::{Content, Key, NodeId, Tree};

use super::operation::NewValue;

/// Whether two values reach the API server as the same JSON: `1.0` is `1` there.
pub(super) fn values(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => numbers(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| values(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| values(left, right)))
        }
        _ => left == right,
    }
}

fn numbers(left: &Number, right: &Number) -> bool {
    if left.is_f64() || right.is_f64() {
        return left.as_f64() == right.as_f64();
    }
    left == right
}

/// Whether `value` can be reached by editing the children of `node` one by one.
pub(super) fn is_alike(tree: &Tree<'_>, node: NodeId, value: &NewValue) -> bool {
    match (&tree.node(node).content, value) {
        (Content::Mapping { entries, .. }, NewValue::Mapping(new)) => {
            !new.is_empty() && entries.iter().all(|entry| entry.name != Key::Merge)
        }
        (Content::Sequence { .. }, NewValue::Sequence(new)) => !new.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_as_json_sends_them() {
        assert!(values(&json!({"a": [1, 2.5]}), &json!({"a": [1.0, 2.5]})));
        assert!(!values(&json!(1), &json!("1")));
        assert!(!values(&json!(9007199254740993_i64), &json!(9007199254740992_i64)));
        assert!(!values(&json!({"a": 1}), &json!({"a": 1, "b": 1})));
    }
}
