//! Values as lines of YAML that people read: block style, texts of several lines as
//! they are. Nothing reads these lines again.

use serde_json::Value;

use crate::edit::{NewValue, document};

/// Masked values and plain scalars in one line.
pub fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if text.starts_with("‹masked ") => text.clone(),
        other => {
            let text = document(&NewValue::from(other));
            let text = text.trim_end_matches('\n');
            if text.contains('\n') { other.to_string() } else { text.to_owned() }
        }
    }
}

/// A value in flow style, if it is flat and no longer than `most` characters.
pub fn flow(value: &Value, most: usize) -> Option<String> {
    let is_flat = |value: &Value| match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::String(text) => !text.contains('\n'),
        _ => true,
    };
    let text = match value {
        Value::Array(items) if items.iter().all(is_flat) => {
            format!("[{}]", items.iter().map(scalar).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) if map.values().all(is_flat) => {
            let entries = map.iter().map(|(key, value)| format!("{key}: {}", scalar(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        value if is_flat(value) => scalar(value),
        _ => return None,
    };
    (text.chars().count() <= most).then_some(text)
}

/// A value in block style; a text of several lines as its lines.
pub fn block(value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    match value {
        Value::String(text) if is_long_text(text) => out.extend(text.lines().map(str::to_owned)),
        Value::Object(map) if !map.is_empty() => write(value, 0, &mut out),
        Value::Array(items) if !items.is_empty() => write(value, 0, &mut out),
        other => out.push(scalar(other)),
    }
    out
}

fn is_long_text(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
}

fn write(value: &Value, indent: usize, out: &mut Vec<String>) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = scalar(&Value::String(key.clone()));
                entry(&format!("{pad}{key}:"), value, indent, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Object(map) if !map.is_empty() => {
                        // The first key stands beside the dash.
                        let start = out.len();
                        write(item, indent + 2, out);
                        if let Some(first) = out.get_mut(start) {
                            first.replace_range(indent..indent + 1, "-");
                        }
                    }
                    other => entry(&format!("{pad}-"), other, indent, out),
                }
            }
        }
        _ => {}
    }
}

/// A key or a dash with what belongs to it.
fn entry(head: &str, value: &Value, indent: usize, out: &mut Vec<String>) {
    match value {
        Value::String(text) if is_long_text(text) => {
            let chomping = if text.ends_with('\n') { "" } else { "-" };
            out.push(format!("{head} |{chomping}"));
            out.extend(text.lines().map(|line| format!("{}{line}", " ".repeat(indent + 2))));
        }
        Value::Array(items) if !items.is_empty() => {
            out.push(head.to_owned());
            write(value, if head.ends_with('-') { indent + 2 } else { indent }, out);
        }
        Value::Object(map) if !map.is_empty() => {
            out.push(head.to_owned());
            write(value, indent + 2, out);
        }
        other => out.push(format!("{head} {}", scalar(other))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_reads_like_a_manifest() {
        let value = json!({
            "a": {"b": "1", "empty": {}}, "list": [{"name": "x", "args": ["--a", "y: z"]}, [1, 2]],
            "text": "one\n  two\n", "end": "one\ntwo",
        });
        let expected = "a:\n  b: \"1\"\n  empty: {}\nlist:\n- name: x\n  args:\n  - --a\n  - \"y: z\"\n-\n  - 1\n  - 2\n\
                        text: |\n  one\n    two\nend: |-\n  one\n  two";
        assert_eq!(block(&value).join("\n"), expected);
        assert_eq!(flow(&json!({"name": "A", "value": "1"}), 80).as_deref(), Some("{name: A, value: \"1\"}"));
        assert_eq!(flow(&json!({"a": {"b": 1}}), 80), None);
        assert_eq!(flow(&json!("x".repeat(90)), 80), None);
    }
}
