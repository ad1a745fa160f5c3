//! Findings as rustc prints them: the place with a caret, what it has to do with,
//! why it is bad, where that can be looked up, and the fix as a diff.

use std::collections::HashSet;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstyle::{AnsiColor, Style};

use crate::check::finding::{Checked, Finding, Location};
use crate::profile::file::Severity;
use crate::report::human::{caret, counted};

/// The whole report, with colours or without, ending with the summary's line.
/// `names` are the profiles.
pub fn render(checked: &Checked, names: &[String], colour: bool) -> String {
    let mut out = String::new();
    let mut explained = HashSet::new();
    for finding in &checked.findings {
        // A reason is read once.
        let first = explained.insert(finding.rule.as_str());
        out.push_str(&one(checked, finding, first, colour));
        out.push_str("\n\n");
    }
    out.push_str(&format!("germ-post: {} [{}]\n", summary(checked), names.join(", ")));
    out
}

/// `2 errors, 1 warning in 40 documents, 1 suppressed`.
pub fn summary(checked: &Checked) -> String {
    let counts: Vec<String> =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
            .into_iter()
            .map(|(severity, noun)| (checked.count(severity), noun))
            .filter(|(number, _)| *number > 0)
            .map(|(number, noun)| counted(number, noun))
            .collect();
    let found = if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") };
    let suppressed = match checked.suppressed.len() {
        0 => String::new(),
        number => format!(", {number} suppressed"),
    };
    let files = if checked.files > 1 { format!(" of {} files", checked.files) } else { String::new() };
    format!("{found} in {}{files}{suppressed}", counted(checked.documents, "document"))
}

/// One finding, without a line break at the end.
fn one(checked: &Checked, finding: &Finding, first: bool, colour: bool) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(finding.message.as_str()).id(&finding.rule));
    if let Some(location) = &finding.location {
        group = show(group, location, None);
    }
    for related in &finding.related {
        group = show(group, &related.location, Some(&related.note));
    }
    let rule = checked.rule(&finding.rule);
    let mut notes: Vec<String> = object_line(finding).into_iter().collect();
    notes.extend(finding.notes.iter().cloned());
    if let Some(rule) = rule.filter(|_| first) {
        notes.push(rule.why.clone());
    }
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let values = needless(finding);
    for help in &values {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    for source in rule.iter().filter(|_| first).flat_map(|rule| &rule.sources) {
        group = group.element(Level::HELP.with_name("see").message(source.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&[group]);
    if let Some(fix) = finding.fix.as_ref().filter(|fix| !fix.diff.is_empty()) {
        text.push_str(&diff(&fix.diff, colour));
    }
    text
}

/// The chart values that make a finding go away, a line for each chart.
fn needless(finding: &Finding) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for value in &finding.values {
        let text = format!(
            "{}: {}{}",
            value.path,
            value.value,
            if value.where_it_is { " (if it is there)" } else { "" }
        );
        match lines.iter_mut().find(|(chart, _)| *chart == value.chart) {
            Some((_, texts)) => texts.push(text),
            None => lines.push((value.chart.clone(), vec![text])),
        }
    }
    let line = |(chart, texts): (String, Vec<String>)| {
        let of =
            if chart == "*" { "chart values".to_owned() } else { format!("values for the chart {chart}") };
        format!("needless with {of}: {}", texts.join(", "))
    };
    lines.into_iter().map(line).collect()
}

/// Adds a place; what is said of it stands under the caret.
fn show<'g>(group: Group<'g>, location: &'g Location, label: Option<&'g str>) -> Group<'g> {
    let place = &location.place;
    let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
    match &place.shown {
        Some((source, length)) => {
            let range = caret(source, place.column, *length);
            group.element(
                Snippet::source(source.as_str())
                    .path(place.file.as_str())
                    .line_start(place.line)
                    .annotation(kind.span(range).label(label)),
            )
        }
        None => {
            let origin = Origin::path(place.file.as_str()).line(place.line).char_column(place.column);
            let group = group.element(origin);
            match label {
                Some(label) => group.element(Level::NOTE.message(label)),
                None => group,
            }
        }
    }
}

/// `in DaemonSet kube-system/cilium, at spec.x (cilium/templates/a.yaml)`.
fn object_line(finding: &Finding) -> Option<String> {
    let object = finding.object.as_ref()?;
    let path = finding.path.as_ref().map(|path| format!(", at {path}")).unwrap_or_default();
    let template = finding.template.as_ref().map(|path| format!(" (from {path})")).unwrap_or_default();
    Some(format!("in {object}{path}{template}"))
}

fn diff(hunks: &str, colour: bool) -> String {
    let mut out = String::new();
    for line in hunks.lines() {
        let style = match line.as_bytes().first() {
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        if colour {
            out.push_str(&format!("\n    {style}{line}{style:#}"));
        } else {
            out.push_str(&format!("\n    {line}"));
        }
    }
    out
}
