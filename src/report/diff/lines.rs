//! A change as lines with `-`, `+` and what stands around them, as YAML: what the
//! formats for people show.

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::yaml_text;
use crate::compare::{Change, ChangeKind, ObjectDiff};

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// On both sides.
    Same,
    /// On the old side.
    Old,
    /// On the new side.
    New,
    /// Lines that are left out.
    Gap,
}

impl Sign {
    /// The character of a unified diff.
    pub fn as_char(self) -> char {
        match self {
            Sign::Same | Sign::Gap => ' ',
            Sign::Old => '-',
            Sign::New => '+',
        }
    }
}

/// One line, without a line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub sign: Sign,
    /// Its text.
    pub text: String,
}

/// The longest line that is shown as it is, in characters.
const LONGEST: usize = 240;

/// Characters to either side of a difference in a line that is longer.
const AROUND: usize = 60;

/// A change with so many lines of context within long values.
pub fn of_change(change: &Change, context: usize) -> Vec<Line> {
    match (&change.old, &change.new) {
        (Some(old), Some(new)) => {
            let (old, new) = match (as_json(old), as_json(new)) {
                (Some(old), Some(new)) if old != new => (old, new),
                _ => (yaml_text::block(old), yaml_text::block(new)),
            };
            if old.len() == 1 && new.len() == 1 {
                let (old, new) = shortened(&old[0], &new[0]);
                return vec![Line { sign: Sign::Old, text: old }, Line { sign: Sign::New, text: new }];
            }
            between(&old, &new, context)
        }
        (old, new) => {
            let of = |value: &Option<Value>, sign: Sign| {
                value
                    .iter()
                    .flat_map(yaml_text::block)
                    .map(|text| Line { sign, text: cut(&text) })
                    .collect::<Vec<_>>()
            };
            [of(old, Sign::Old), of(new, Sign::New)].concat()
        }
    }
}

/// An object that is new or gone, as a whole.
pub fn of_object(object: &ObjectDiff) -> Vec<Line> {
    let sign = if object.new.is_some() { Sign::New } else { Sign::Old };
    let value = object.value.as_ref();
    value.into_iter().flat_map(yaml_text::block).map(|text| Line { sign, text: cut(&text) }).collect()
}

/// The value of what is new or gone, if it is short enough for one line; empty where the
/// path says it.
pub fn in_one_line(change: &Change) -> Option<String> {
    let value = match change.kind {
        ChangeKind::Added => change.new.as_ref()?,
        ChangeKind::Removed => change.old.as_ref()?,
        _ => return None,
    };
    let text = yaml_text::flow(value, 80)?;
    Some(if change.path.ends_with(&format!("[={text}]")) { String::new() } else { text })
}

/// A text that is JSON, as lines that can be compared.
fn as_json(value: &Value) -> Option<Vec<String>> {
    let text = value.as_str().filter(|text| text.trim_start().starts_with(['{', '[']))?;
    let value: Value = serde_json::from_str(text).ok()?;
    let text = serde_json::to_string_pretty(&value).ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

fn between(old: &[String], new: &[String], context: usize) -> Vec<Line> {
    let slices = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (old, new) = (slices(old), slices(new));
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    let mut out = Vec::new();
    for (index, group) in diff.grouped_ops(context).iter().enumerate() {
        let starts_later = group.first().is_some_and(|op| op.old_range().start + op.new_range().start > 0);
        if index > 0 || starts_later {
            out.push(Line { sign: Sign::Gap, text: "…".to_owned() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => Sign::Same,
                ChangeTag::Delete => Sign::Old,
                ChangeTag::Insert => Sign::New,
            };
            out.push(Line { sign, text: cut(change.value().trim_end_matches('\n')) });
        }
    }
    if out.is_empty() {
        // The lines are the same, their end is not.
        out.push(Line { sign: Sign::Same, text: "(only line breaks at the end)".to_owned() });
    }
    out
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}… ({} characters)", &text[..at], text.chars().count()),
        None => text.to_owned(),
    }
}

/// Two lines, of which long ones are cut where they are the same.
fn shortened(old: &str, new: &str) -> (String, String) {
    if old.chars().count() <= LONGEST && new.chars().count() <= LONGEST {
        return (old.to_owned(), new.to_owned());
    }
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let front = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - front;
    let back =
        old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let show = |text: &[char]| {
        let start = front.saturating_sub(AROUND);
        let end = (text.len() - back + AROUND).min(text.len());
        let part: String = text[start..end].iter().collect();
        let (before, behind) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
        format!("{before}{}{behind}", if part.chars().count() > 4 * LONGEST { cut(&part) } else { part })
    };
    (show(&old), show(&new))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(old: Value, new: Value) -> Vec<String> {
        let change = Change {
            path: "x".to_owned(),
            kind: ChangeKind::Changed,
            old: Some(old).filter(|value| !value.is_null()),
            new: Some(new).filter(|value| !value.is_null()),
            origin: None,
            churn: None,
        };
        of_change(&change, 1)
            .into_iter()
            .map(|line| format!("{}{}", line.sign.as_char(), line.text))
            .collect()
    }

    #[test]
    fn types_are_told_apart() {
        assert_eq!(change(json!("1"), json!(1)), ["-\"1\"", "+1"]);
        assert_eq!(change(json!(null), json!({"a": "b"})), ["+a: b"]);
    }

    #[test]
    fn texts_of_several_lines_show_what_changes() {
        let old = "a\nb\nc\nd\ne\n";
        assert_eq!(change(json!(old), json!(old.replace('c', "x"))), [" …", " b", "-c", "+x", " d"]);
        assert_eq!(change(json!("a\nb\n"), json!("a\nb")), [" (only line breaks at the end)"]);
    }

    #[test]
    fn json_in_a_text_is_compared_by_line() {
        let lines = change(json!(r#"{"a":{"b":1,"c":2}}"#), json!(r#"{"a":{"b":1,"c":3}}"#));
        assert_eq!(lines, [" …", "     \"b\": 1,", "-    \"c\": 2", "+    \"c\": 3", "   }"]);
        // Only the way of writing it is another: the text itself is shown.
        assert_eq!(change(json!("[1]"), json!("[ 1 ]")), ["-\"[1]\"", "+\"[ 1 ]\""]);
    }

    #[test]
    fn long_lines_show_the_place() {
        let long = "x".repeat(1000);
        let lines = change(json!(format!("{long}A{long}")), json!(format!("{long}B{long}")));
        assert_eq!(lines[0], format!("-…{}A{}…", "x".repeat(60), "x".repeat(60)));
    }
}
