//! The minimal values file: what the rules want and nothing else, each key with the
//! rule that wants it and the reason.

use indexmap::IndexMap;
use serde_json::Value;

use super::model::Pin;
use super::wish::{added_value, is_so, untouchable};
use crate::edit::{self, NewValue};
use crate::profile::path::get;
use crate::profile::rule::Rule;

/// Columns that a comment may take.
const WIDTH: usize = 88;

/// One key of the file.
enum Node {
    Mapping(IndexMap<String, Node>),
    Value { value: NewValue, rules: Vec<usize> },
}

/// The file's text and how many values it has. `header` is its first line. Without a
/// chart, `file` tells which keys there are.
pub fn overlay(header: &str, pins: &[Pin], rules: &[Rule], file: Option<&Value>) -> (String, usize) {
    let mut root = IndexMap::new();
    let mut count = 0;
    for pin in pins {
        let is_there = file.is_none_or(|file| get(file, &pin.keys).is_some());
        let have = pin.effective.as_ref();
        if !is_there || have.and_then(untouchable).is_some() {
            continue;
        }
        let Some(value) = added_value(pin) else { continue };
        if !pin.explicit && have.is_some_and(|have| is_so(have, &value.to_json())) {
            continue;
        }
        if insert(&mut root, &pin.keys, Node::Value { value, rules: pin.rules.clone() }) {
            count += 1;
        }
    }
    let mut out = format!("# {header}\n");
    if count == 0 {
        out.push_str("{}\n");
    }
    let mut told = Vec::new();
    write(&root, 0, rules, &mut told, &mut out);
    (out, count)
}

fn insert(at: &mut IndexMap<String, Node>, keys: &[String], node: Node) -> bool {
    match keys {
        [] => false,
        [key] => at.insert(key.clone(), node).is_none(),
        [key, rest @ ..] => {
            let below = at.entry(key.clone()).or_insert_with(|| Node::Mapping(IndexMap::new()));
            match below {
                Node::Mapping(below) => insert(below, rest, node),
                Node::Value { .. } => false,
            }
        }
    }
}

fn write(
    nodes: &IndexMap<String, Node>,
    indent: usize,
    rules: &[Rule],
    told: &mut Vec<usize>,
    out: &mut String,
) {
    let margin = " ".repeat(indent);
    for (key, node) in nodes {
        match node {
            Node::Mapping(below) => {
                let line =
                    edit::document(&NewValue::Mapping(vec![(key.clone(), NewValue::Plain(Value::Null))]));
                let key = line.trim_end().trim_end_matches("null").trim_end();
                out.push_str(&format!("{margin}{key}\n"));
                write(below, indent + 2, rules, told, out);
            }
            Node::Value { value, rules: wanted } => {
                for rule in wanted {
                    let reason = reason(&rules[*rule], !told.contains(rule));
                    told.push(*rule);
                    for line in wrapped(&reason, WIDTH.saturating_sub(indent + 2)) {
                        out.push_str(&format!("{margin}# {line}\n"));
                    }
                }
                let text = edit::document(&NewValue::Mapping(vec![(key.clone(), value.clone())]));
                for line in text.lines() {
                    out.push_str(&format!("{margin}{line}\n"));
                }
            }
        }
    }
}

/// The rule and its reason; at length where it is named for the first time.
fn reason(rule: &Rule, at_length: bool) -> String {
    let why = if at_length { rule.why.as_str() } else { "" };
    let point = if why.is_empty() { "" } else { ". " };
    format!("{}: {}{point}{why}", rule.id, rule.title)
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
