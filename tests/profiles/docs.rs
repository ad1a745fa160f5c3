//! `docs/profiles.md` is true: every wish of the tutorial is run as it stands
//! there, and the reference is what `profiles/schema.json` says (`GERM_UPDATE=1`
//! writes it anew).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::folder::{Folder, fails};

const BEGIN: &str = "<!-- reference: begin, made from profiles/schema.json -->\n";
const END: &str = "<!-- reference: end -->\n";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/profiles.md")
}

/// A fenced block: what it is (`profile`, `input`, `output`, `error`, a file's
/// name), and its text.
struct Block {
    what: String,
    text: String,
}

/// The blocks of a section that say what they are.
fn blocks(section: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some((_, what)) = info.split_once(' ') {
            out.push(Block { what: what.to_owned(), text: text.join("\n") + "\n" });
        }
    }
    out
}

#[test]
fn every_wish_comes_true() {
    let document = fs::read_to_string(path()).unwrap();
    let tutorial = document.split(BEGIN).next().unwrap();
    let mut wishes = 0;
    for section in tutorial.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap();
        let blocks = blocks(section);
        let folder = Folder::with(&[]);
        let mut input = String::new();
        let mut shown = 0;
        for block in &blocks {
            let run = |stream: &str| folder.run(&["--quiet", "--profile=./profile.yaml"], stream);
            match block.what.as_str() {
                "profile" => folder.write("profile.yaml", &block.text),
                "input" => input.clone_from(&block.text),
                "output" => {
                    let output = run(&input).expect_ok();
                    assert_eq!(output, block.text, "{title}");
                    assert_eq!(run(&output).expect_ok(), output, "{title}, twice");
                    shown += 1;
                }
                "error" => {
                    let lines: Vec<&str> = block.text.lines().collect();
                    fails(&run(&input), 3, &lines);
                    shown += 1;
                }
                file => folder.write(file, &block.text),
            }
        }
        if shown > 0 {
            wishes += 1;
            let lint = folder.run(&["profiles", "lint", "./profile.yaml"], "");
            assert_eq!(lint.code, 0, "{title}: {}", lint.stderr);
            let tests = folder.run(&["profiles", "test", "./profile.yaml"], "");
            assert_eq!(tests.code, 0, "{title}: {}", tests.stderr);
        }
    }
    assert!(wishes >= 10, "the tutorial grants {wishes} wishes");
}

#[test]
fn the_reference_is_what_the_schema_says() {
    let document = fs::read_to_string(path()).unwrap();
    let (before, rest) = document.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let made = format!("{before}{BEGIN}{}{END}{after}", reference());
    if std::env::var_os("GERM_UPDATE").is_some() {
        fs::write(path(), &made).unwrap();
    }
    let kept = fs::read_to_string(path()).unwrap();
    assert!(kept == made, "the reference is not what the schema says; GERM_UPDATE=1 writes it anew");
}

fn reference() -> String {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles/schema.json")).unwrap();
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
                "\n### {}\n\n{}\n\n| word | meaning |\n|---|---|\n",
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
        "\n### {name}\n\n{}\n\n| field | type | meaning |\n|---|---|---|\n",
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
