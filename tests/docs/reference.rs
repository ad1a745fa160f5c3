//! `docs/reference/profile.md` is what `profiles/schema.json` says, which is made from the types
//! that read profiles (`GERM_UPDATE=1` writes it anew).

use serde_json::{Map, Value};

use crate::support::page::Page;

#[test]
fn the_reference_is_what_the_schema_says() {
    Page::read("docs/reference/profile.md").keep_part("reference", &reference());
}

fn reference() -> String {
    let text = Page::read("profiles/schema.json").text;
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut out = String::new();
    section("Profile", &schema, &mut out);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        if definition.get("properties").is_some() {
            section(plain(name), definition, &mut out);
        }
    }
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        if let Some(words) = definition["oneOf"].as_array() {
            out.push_str(&format!(
                "\n## {}\n\n{}\n\n| word | meaning |\n|---|---|\n",
                plain(name),
                described(definition)
            ));
            for word in words {
                out.push_str(&format!("| `{}` | {} |\n", word["const"].as_str().unwrap(), described(word)));
            }
        }
    }
    out.push('\n');
    out
}

fn section(name: &str, schema: &Value, out: &mut String) {
    out.push_str(&format!(
        "\n## {name}\n\n{}\n\n| field | type | meaning |\n|---|---|---|\n",
        described(schema)
    ));
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (field, of_field) in schema["properties"].as_object().unwrap() {
        let mark = if required.contains(&Value::from(field.as_str())) { ", required" } else { "" };
        out.push_str(&format!("| `{field}` | {}{mark} | {} |\n", type_of(of_field), described(of_field)));
    }
}

fn described(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_else(|| panic!("no description: {schema}")).replace('|', "\\|")
}

/// A schema's type in words.
fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = plain(reference.trim_start_matches("#/$defs/"));
        return match name {
            "OneOrMany" => "text, or list of texts".to_owned(),
            "OneOrManyValues" => "[Values](#values), or list of them".to_owned(),
            name => format!("[{name}](#{})", name.to_lowercase()),
        };
    }
    let none = Map::new();
    let schema = schema.as_object().unwrap_or(&none);
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "text".to_owned(),
        Some("boolean") => "`true` or `false`".to_owned(),
        Some("array") => format!("list of {}", several(&schema["items"])),
        Some("object") => {
            format!("mapping to {}", type_of(schema.get("additionalProperties").unwrap_or(&Value::Null)))
        }
        Some(other) => other.to_owned(),
        None => "any value".to_owned(),
    }
}

/// The type of the items of a list.
fn several(schema: &Value) -> String {
    let one = type_of(schema);
    if one == "text" { "texts".to_owned() } else { one }
}

/// The types of the code end in what they are in it.
fn plain(name: &str) -> &str {
    name.strip_suffix("File").unwrap_or(name)
}
