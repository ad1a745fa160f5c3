//! A run over chart values for people: what was written by which rule, what was left
//! alone, and the difference as a diff in which passwords are masked.

use anstyle::{AnsiColor, Style};
use similar::TextDiff;

use super::human::counted;
use crate::values::{Outcome, dotted};
use crate::yaml::{self, Content, NodeId, Tree};

/// Lines of context around a difference.
const CONTEXT: usize = 3;

/// Parts of a key whose value a diff must not show.
const SECRET: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
];

/// `8 values set by 5 rules`, and what is so already.
pub fn summary(outcome: &Outcome) -> String {
    if outcome.changes.is_empty() {
        return if outcome.already > 0 {
            "nothing to do: the values are as the profile wants them".to_owned()
        } else {
            "nothing to do: no rule concerns these values".to_owned()
        };
    }
    let mut rules: Vec<&String> = outcome.changes.iter().flat_map(|change| &change.rules).collect();
    rules.sort();
    rules.dedup();
    let mut text =
        format!("{} set by {}", counted(outcome.changes.len(), "value"), counted(rules.len(), "rule"));
    if outcome.already > 0 {
        text.push_str(&format!(", {} so already", outcome.already));
    }
    text
}

/// What was left alone and what is worth knowing, a line each.
pub fn remarks(outcome: &Outcome) -> Vec<String> {
    let left = outcome
        .left
        .iter()
        .map(|left| format!("{} leaves {}: {}", left.rule, dotted(&left.keys), left.reason));
    left.chain(outcome.notes.iter().cloned()).collect()
}

/// The difference as a unified diff, with colours or without; empty when there is none.
pub fn diff(outcome: &Outcome, name: &str, colour: bool) -> String {
    if outcome.before == outcome.after {
        return String::new();
    }
    let (before, after) = (masked(&outcome.before), masked(&outcome.after));
    let diff = TextDiff::from_lines(&before, &after)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&format!("a/{name}"), &format!("b/{name}"))
        .to_string();
    if !colour {
        return diff;
    }
    diff.split_inclusive('\n')
        .map(|line| {
            let style = match line.as_bytes() {
                [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => Style::new().bold(),
                [b'-', ..] => AnsiColor::Red.on_default(),
                [b'+', ..] => AnsiColor::Green.on_default(),
                [b'@', ..] => AnsiColor::Cyan.on_default(),
                _ => Style::new(),
            };
            let text = line.trim_end_matches('\n');
            format!("{style}{text}{style:#}{}", &line[text.len()..])
        })
        .collect()
}

/// The text with every value masked that stands under a key which speaks of a secret.
/// Line breaks stay, so that lines keep their numbers.
fn masked(text: &str) -> String {
    let Ok(stream) = yaml::Stream::cut(text.as_bytes()) else { return String::new() };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for document in stream.documents() {
        let Ok(tree) = yaml::parse(stream.document_text(document)) else { return String::new() };
        let mut spans = Vec::new();
        for (_, node) in tree.nodes() {
            let Content::Mapping { entries, .. } = &node.content else { continue };
            for entry in entries.iter().filter(|entry| entry.name.name().is_some_and(is_secret)) {
                scalars(&tree, entry.value, &mut spans);
            }
        }
        spans.sort_by_key(|span| span.start);
        for span in spans {
            let (start, end) = (document.text.start + span.start, document.text.start + span.end);
            if start < at {
                continue;
            }
            out.push_str(&text[at..start]);
            let lines = text[start..end].matches('\n').count();
            out.push_str("***");
            out.push_str(&"\n".repeat(lines));
            at = end;
        }
    }
    out.push_str(&text[at..]);
    out
}

fn is_secret(key: &str) -> bool {
    let plain: String =
        key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    SECRET.iter().any(|word| plain.contains(word))
}

/// The scalars below a node that say something and are no switches.
fn scalars(tree: &Tree<'_>, id: NodeId, spans: &mut Vec<std::ops::Range<usize>>) {
    match &tree.node(id).content {
        Content::Scalar { .. } => {
            let source = tree.source(id);
            if !matches!(source, "" | "\"\"" | "''" | "true" | "false" | "null" | "~") {
                spans.push(tree.node(id).span.clone());
            }
        }
        Content::Mapping { entries, .. } => {
            entries.iter().for_each(|entry| scalars(tree, entry.value, spans))
        }
        Content::Sequence { items, .. } => items.iter().for_each(|item| scalars(tree, item.node, spans)),
        Content::Alias { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_no_password() {
        let text = "db:\n  adminPassword: hunter2\n  existingSecret: \"\"\n  tls:\n    private-key: |\n      abc\n      def\n  port: 1\n";
        let masked = masked(text);
        assert!(!masked.contains("hunter2") && !masked.contains("abc"), "{masked}");
        assert_eq!(masked.lines().count(), text.lines().count());
        assert!(masked.contains("existingSecret: \"\"\n") && masked.contains("  port: 1\n"), "{masked}");
    }
}
