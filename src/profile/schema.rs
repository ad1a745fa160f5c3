//! The schema of profile files in `profiles/schema.json`, for editors and for the
//! reference in `docs/profiles.md`. It is made from the types that read profiles,
//! so it says what they say; `GERM_UPDATE=1` writes it anew.

use std::path::Path;

use serde_json::{Map, Value};

use super::embedded;
use super::file::ProfileFile;

#[test]
fn the_schema_is_what_the_types_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles/schema.json");
    let made = format!("{:#}\n", schema());
    if std::env::var_os("GERM_UPDATE").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == made, "profiles/schema.json is not what the types say; GERM_UPDATE=1 writes it anew");
}

#[test]
fn shipped_profiles_fit_the_schema() {
    let schema = schema();
    for (name, text) in embedded::PROFILES {
        let value = crate::yaml::parse(text).unwrap().read().unwrap();
        fits(&schema, &schema, &value).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let mut wrong = value.clone();
        wrong["ruels"] = Value::Array(Vec::new());
        assert!(fits(&schema, &schema, &wrong).is_err(), "{name} fits with an unknown field");
    }
}

fn schema() -> Value {
    let mut schema = schemars::schema_for!(ProfileFile).to_value();
    tidy(&mut schema);
    schema["title"] = Value::from("germ-post profile");
    schema
}

/// Takes away what only says that a field may be left out: the schema's
/// `required` says it already, and nobody writes `null`.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(map) => {
            if map.get("default").is_some_and(is_empty) {
                map.shift_remove("default");
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    map["type"] = only.clone();
                }
            }
            if let Some(Value::Array(any)) = map.get_mut("anyOf") {
                any.retain(|schema| schema["type"] != "null");
                if let [Value::Object(only)] = any.as_slice() {
                    let only = only.clone();
                    map.shift_remove("anyOf");
                    map.extend(only);
                }
            }
            if let Some(Value::String(text)) = map.get_mut("description") {
                *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            map.values_mut().for_each(tidy);
        }
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// Checks a value by as much of JSON Schema as the schema uses.
fn fits(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return if *schema == Value::Bool(false) { Err(format!("{value} is not allowed")) } else { Ok(()) };
    };
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        fits(root, root.pointer(reference.trim_start_matches('#')).unwrap(), value)?;
    }
    for word in ["anyOf", "oneOf"] {
        let Some(Value::Array(any)) = schema.get(word) else { continue };
        if any.iter().all(|schema| fits(root, schema, value).is_err()) {
            return Err(format!("{value} is none of {any:?}"));
        }
    }
    if schema.get("const").is_some_and(|wanted| wanted != value) {
        return Err(format!("{value} is not {}", schema["const"]));
    }
    if schema.get("enum").and_then(Value::as_array).is_some_and(|wanted| !wanted.contains(value)) {
        return Err(format!("{value} is not in {}", schema["enum"]));
    }
    let has_type = match schema.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    if !has_type {
        return Err(format!("{value} is not a {}", schema["type"]));
    }
    for item in value.as_array().into_iter().flatten() {
        fits(root, schema.get("items").unwrap_or(&Value::Bool(true)), item)?;
    }
    match value {
        Value::Object(map) => fields_fit(root, schema, map),
        _ => Ok(()),
    }
}

fn fields_fit(root: &Value, schema: &Map<String, Value>, map: &Map<String, Value>) -> Result<(), String> {
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !map.contains_key(name.as_str().unwrap()) {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, value) in map {
        let of_field = schema.get("properties").and_then(|fields| fields.get(name));
        let others = schema.get("additionalProperties");
        match of_field.or(others) {
            Some(Value::Bool(false)) => return Err(format!("there is no field {name}")),
            Some(schema) => fits(root, schema, value).map_err(|wrong| format!("{name}: {wrong}"))?,
            None => {}
        }
    }
    Ok(())
}
