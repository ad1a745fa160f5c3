//! Diagnostics as rustc prints them, and the line that ends a run.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Class, Diagnostic, Place};
use crate::rewrite::Report;
use crate::rewrite::outcome::RuleState;

/// A diagnostic as text, with colours or without; no line break at the end.
pub fn diagnostic(diagnostic: &Diagnostic, colour: bool) -> String {
    let level = if diagnostic.class == Class::Warning { Level::WARNING } else { Level::ERROR };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut group = Group::with_title(title);
    group = match &diagnostic.place {
        Some(Place { file, line, shown: Some((source, length)), column }) => {
            let range = caret(source, *column, *length);
            group.element(
                Snippet::source(source.as_str())
                    .path(file.as_str())
                    .line_start(*line)
                    .annotation(AnnotationKind::Primary.span(range)),
            )
        }
        Some(Place { file, line, column, shown: None }) => {
            group.element(Origin::path(file.as_str()).line(*line).char_column(*column))
        }
        None => group,
    };
    let location = match (&diagnostic.object, &diagnostic.path) {
        (Some(object), Some(path)) => Some(format!("in {object}, at {path}")),
        (Some(object), None) => Some(format!("in {object}")),
        (None, Some(path)) => Some(format!("at {path}")),
        (None, None) => None,
    };
    for note in location.iter().chain(&diagnostic.notes) {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The byte range of a run of characters in a line, from a 1-based column.
pub(super) fn caret(line: &str, column: usize, length: usize) -> std::ops::Range<usize> {
    let offset = |characters: usize| line.char_indices().nth(characters).map_or(line.len(), |(at, _)| at);
    offset(column - 1)..offset(column - 1 + length)
}

/// `14 edits by 9 rules, 2 objects dropped`, and what was left alone.
pub fn summary(report: &Report) -> String {
    let rules = report.rules.iter().filter(|rule| rule.state == RuleState::Changed).count();
    if report.edits + report.dropped + report.added == 0 {
        return if report.rules.iter().any(|rule| rule.state == RuleState::Already) {
            "nothing to do: the stream is as the profile wants it".to_owned()
        } else {
            "nothing to do: no rule concerns the stream".to_owned()
        };
    }
    let mut text = format!("{} by {}", counted(report.edits, "edit"), counted(rules, "rule"));
    if report.dropped > 0 {
        text.push_str(&format!(", {} dropped", counted(report.dropped, "object")));
    }
    if report.added > 0 {
        text.push_str(&format!(", {} added", counted(report.added, "object")));
    }
    text
}

/// What the rules met and left as it is, a line each.
pub fn left_alone(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for rule in &report.rules {
        for object in rule.objects.iter().filter(|object| !object.reasons.is_empty()) {
            let name = match object.namespace.as_str() {
                "" => object.name.clone(),
                namespace => format!("{namespace}/{}", object.name),
            };
            lines.push(format!("{} leaves {} {name}: {}", rule.id, object.kind, object.reasons.join("; ")));
        }
    }
    lines
}

/// `1 edit`, `2 edits`.
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
