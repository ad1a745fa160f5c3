//! The rules that rewrite, as checks: where one would change an object, that is a
//! finding with its fix; where it fits neither before nor after, as well.

use std::ops::Range;

use serde_json::Value;

use super::finding::{Finding, Fix};
use super::fix;
use super::rules::Draft;
use super::scene::{Scene, Spot};

use crate::diagnostic::{Class, Diagnostic};
use crate::edit::Action;
use crate::profile::file::Severity;
use crate::profile::path::Target;
use crate::profile::rule::{Operation, Rule};
use crate::rewrite::document::{PlannedDocument, PlannedOperation};
use crate::rewrite::outcome::{ObjectReport, RuleReport};
use crate::rewrite::plan::REASON;
use crate::yaml::{Content, NodeId, Tree};

/// What rewriting would change.
pub fn changes(scene: &Scene<'_>, rules: &[Rule], reports: &[RuleReport]) -> Vec<Draft> {
    let Some(source) = scene.sources.first() else { return Vec::new() };
    let mut out = Vec::new();
    for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| !rule.consequence) {
        let Some(report) = reports.get(index) else { continue };
        let mut found = Vec::new();
        for (at, document) in source.documents.iter().enumerate() {
            for object in 0..document.objects.len() {
                if let Some(draft) = change(scene, rule, index, report, (at, object)) {
                    found.push(((at, object), draft));
                }
            }
        }
        let edited: Vec<usize> = found
            .iter()
            .filter(|(_, draft)| draft.finding.fix.as_ref().is_some_and(|fix| !fix.drops))
            .map(|((document, _), _)| *document)
            .collect();
        let diffs = fix::diffs(source, rule, &edited);
        for ((document, object), mut draft) in found {
            if let (Some(fix), Some(diff)) = (&mut draft.finding.fix, diffs.get(&document)) {
                diff.give(source, document, object, fix);
            }
            out.push(draft);
        }
    }
    out
}

/// What a rule changes in an object.
fn change(
    scene: &Scene<'_>,
    rule: &Rule,
    index: usize,
    report: &RuleReport,
    (at, object): (usize, usize),
) -> Option<Draft> {
    let document = scene.sources.first()?.documents.get(at)?;
    let identity = &document.objects.get(object)?.identity;
    let drops = document.dropped.get(&object) == Some(&index);
    // Dropping an item of a list is an operation, too; that one is the drop.
    let operations: Vec<&PlannedOperation> = document
        .operations
        .iter()
        .filter(|planned| planned.rule == index && planned.object == object)
        .filter(|planned| !drops && !says_the_same(rule, document, planned))
        .collect();
    if operations.is_empty() && !drops {
        return None;
    }
    // What is there and has to go tells more than the neighbour of what is missing.
    let is_new = |planned: &&PlannedOperation| matches!(planned.operation.action, Action::Add { .. });
    let first = operations.iter().find(|planned| !is_new(planned)).or(operations.first());
    let root = document.objects.get(object)?.at.len();
    let place = first.map(|planned| {
        let inside = planned.source.get(root..).unwrap_or(&[]);
        let shown = if is_new(planned) { inside.len().saturating_sub(1) } else { inside.len() };
        inside[..shown].to_vec()
    });
    let spot = scene.spot_at(0, at, object, &place.unwrap_or_default());
    let own = |entry: &&ObjectReport| {
        entry.document == document.index + 1
            && entry.kind == identity.kind
            && entry.namespace == identity.namespace
            && entry.name == identity.name
            && (!entry.operations.is_empty() || drops)
    };
    let edits = report.objects.iter().find(own).map(|entry| entry.operations.clone()).unwrap_or_default();
    let note = match (drops, edits.len()) {
        (true, _) => "germ-post drops the object".to_owned(),
        (false, 0 | 1) => "germ-post makes it so by an edit".to_owned(),
        (false, number) => format!("germ-post makes it so by {number} edits"),
    };
    let path = edits.iter().find(|edit| edit.op != "add").or(edits.first()).map(|edit| edit.path.clone());
    Some(Draft {
        finding: Finding {
            rule: rule.id.clone(),
            severity: rule.severity,
            message: format!(
                "{}: {}",
                rule.title,
                if drops { "this one is still there" } else { "not so here" }
            ),
            object: Some(identity.clone()),
            path,
            location: spot.as_ref().and_then(|spot| scene.location(spot)),
            template: spot.as_ref().and_then(|spot| scene.template(spot)),
            related: Vec::new(),
            notes: vec![note],
            help: rule.help.iter().cloned().collect(),
            fix: Some(Fix { edits, drops, ..Fix::default() }),
            suppressed: None,
            fingerprint: String::new(),
        },
        spot,
    })
}

/// Whether an operation writes out what the field means anyway.
fn says_the_same(rule: &Rule, document: &PlannedDocument<'_>, planned: &PlannedOperation) -> bool {
    let value = match &planned.operation.action {
        Action::Add { value, .. } | Action::Replace { value } => value.to_json(),
        Action::Remove => return false,
    };
    let is_open = planned.old.as_ref().is_none_or(|old| old.as_str() == Some(""));
    let Some(object) = document.objects.get(planned.object) else { return false };
    let Some(original) = document.original_object(planned.object) else { return false };
    let inside = planned.operation.path.get(object.at.len()..).unwrap_or(&[]);
    is_open
        && rule.parts.iter().flat_map(|part| &part.edits).any(|edit| {
            let Operation::Set { path, .. } = &edit.operation else { return false };
            let Some(means) = &edit.means else { return false };
            path.targets(&original.identity.kind, original.value).into_iter().any(|target| {
                let field = match target {
                    Target::Absent(at) | Target::Present(at) => at,
                    Target::Broken { at, keys: Some(keys), .. } => [at, keys].concat(),
                    Target::Broken { keys: None, .. } => return false,
                };
                // Mappings on the way to the field that are made as well mean nothing by themselves.
                field.strip_prefix(inside).is_some_and(|made| {
                    let within =
                        |value, key: &String| Value::Object([(key.clone(), value)].into_iter().collect());
                    made.iter().rev().fold(means.clone(), within) == value
                })
            })
        })
}

/// What rewriting could not do: a finding for each error of the plan that is a
/// rule's; the others come back.
pub fn misses(
    scene: &Scene<'_>,
    rules: &[Rule],
    diagnostics: Vec<Diagnostic>,
) -> (Vec<Draft>, Vec<Diagnostic>) {
    let (of_rules, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        diagnostics.into_iter().partition(|diagnostic| diagnostic.rule.is_some());
    let drafts = of_rules.into_iter().map(|diagnostic| miss(scene, rules, diagnostic)).collect();
    (drafts, others)
}

fn miss(scene: &Scene<'_>, rules: &[Rule], diagnostic: Diagnostic) -> Draft {
    let named = diagnostic.object.as_deref().unwrap_or_default();
    let line = diagnostic.place.as_ref().map(|place| (place.line, place.column));
    let spot = scene.sources.first().and_then(|source| {
        source.documents.iter().enumerate().find_map(|(document, planned)| {
            let object = planned.objects.iter().position(|object| object.identity.to_string() == named)?;
            // The place was found by the plan, in the source: the way back is by line.
            let start = source.survey.document(planned.index).text.start;
            let (line, column) = line?;
            let (first, _) = source.survey.stream.line_and_column(start);
            let text = source.survey.text(planned.index);
            let offset = offset_of(text, line.checked_sub(first)?, column)?;
            Some(Spot { source: 0, document, object, range: key_in_front(&planned.tree, offset) })
        })
    });
    let location = spot.as_ref().and_then(|spot| {
        let mut location = scene.location(spot)?;
        // A place without length is as long as the plan says.
        if spot.range.len() == 1
            && let Some((_, length)) = diagnostic.place.as_ref().and_then(|place| place.shown.as_ref())
        {
            location.end_column = location.place.column + length;
            if let Some((_, shown)) = &mut location.place.shown {
                *shown = *length;
            }
        }
        Some(location)
    });
    let id = diagnostic.rule.unwrap_or_default();
    let rule = rules.iter().find(|rule| rule.id == id);
    let severity = match diagnostic.class {
        Class::Warning => rule.map_or(Severity::Warning, |rule| rule.severity.min(Severity::Warning)),
        _ => Severity::Error,
    };
    Draft {
        finding: Finding {
            rule: id,
            severity,
            message: diagnostic.message,
            object: spot.as_ref().and_then(|spot| scene.identity(spot)).cloned(),
            path: diagnostic.path,
            location,
            template: spot.as_ref().and_then(|spot| scene.template(spot)),
            related: Vec::new(),
            // Why the rule is there is said of every finding.
            notes: diagnostic.notes.into_iter().filter(|note| !note.starts_with(REASON)).collect(),
            help: diagnostic.help,
            fix: None,
            suppressed: None,
            fingerprint: String::new(),
        },
        spot,
    }
}

/// The key of the block that begins at an offset, or else the byte there.
fn key_in_front(tree: &Tree<'_>, offset: usize) -> Range<usize> {
    let begins = |id: NodeId| {
        let node = tree.node(id);
        let is_block = matches!(
            node.content,
            Content::Mapping { flow: false, .. } | Content::Sequence { flow: false, .. }
        );
        is_block && node.span.start == offset
    };
    let keys = tree.nodes().filter_map(|(_, node)| match &node.content {
        Content::Mapping { entries, .. } => entries.iter().find(|entry| begins(entry.value)),
        _ => None,
    });
    keys.map(|entry| tree.node(entry.key).span.clone()).next().unwrap_or(offset..offset + 1)
}

/// The byte offset of a line, counted from 0, and a 1-based column in characters.
fn offset_of(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start..)?;
    let of_column = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    Some(start + of_column)
}
