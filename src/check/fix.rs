//! What one rule alone would do to the text, as a diff and as replacements. Rules
//! shift each other's places, so the rule is planned and spliced by itself.

use std::collections::HashMap;
use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

use super::finding::{Fix, Replacement};
use super::place;
use super::scene::Source;
use crate::edit::{self, Splice};
use crate::profile::rule::{Expect, Rule, When};
use crate::rewrite::document::PlannedDocument;
use crate::rewrite::{plan, splice};

/// What a rule does to the text of a document.
#[derive(Debug)]
pub struct Diff {
    splices: Vec<Splice>,
}

/// What the rule does to each of these documents; those that it cannot do alone are
/// left out.
pub fn diffs(source: &Source<'_>, rule: &Rule, documents: &[usize]) -> HashMap<usize, Diff> {
    let mut out = HashMap::new();
    // What the stream must be like was asked of all of it.
    let mut alone = rule.clone();
    alone.when = When::default();
    alone.emit = None;
    alone.asserts.clear();
    alone.parts.iter_mut().for_each(|part| part.expect = Expect::Any);
    let mut again = Vec::new();
    let mut indices: Vec<usize> = documents.to_vec();
    indices.dedup();
    for document in &indices {
        let index = source.documents[*document].index;
        if let Ok((tree, value)) = source.survey.parse(index) {
            again.push(PlannedDocument::new(index, tree, value));
        }
    }
    let plan = plan::plan(&source.survey, again, std::slice::from_ref(&alone));
    let Ok(spliced) = splice::splice(&source.survey, &plan) else { return out };
    for spliced in spliced {
        let index = plan.documents[spliced.planned].index;
        if let Some(document) = indices.iter().find(|at| source.documents[**at].index == index) {
            out.insert(*document, Diff { splices: spliced.splices });
        }
    }
    out
}

impl Diff {
    /// Puts what concerns an object into its fix. Documents with Secrets are left
    /// out, since a diff shows lines around what changes.
    pub fn give(&self, source: &Source<'_>, document: usize, object: usize, fix: &mut Fix) {
        let planned = &source.documents[document];
        if planned.objects.iter().any(|object| object.identity.is_secret()) {
            return;
        }
        let Some(id) = planned.objects.get(object).and_then(|object| planned.tree.locate(&object.at)) else {
            return;
        };
        let span = planned.tree.node(id).span.clone();
        let alone = planned.objects.len() == 1;
        let own: Vec<Splice> = self
            .splices
            .iter()
            .filter(|splice| alone || (splice.range.start >= span.start && splice.range.end <= span.end))
            .cloned()
            .collect();
        let old = planned.tree.text();
        let new = edit::apply(old, &own);
        let start = source.survey.document(planned.index).text.start;
        let (line, _) = source.survey.stream.line_and_column(start);
        let (_, first) = source.joined.home(line);
        fix.diff = hunks(old, &new, first);
        fix.replacements = own
            .iter()
            .map(|splice| Replacement {
                at: place::location(source, planned, splice.range.clone()),
                text: splice.text.clone(),
            })
            .collect();
    }
}

/// The hunks of a unified diff with a line of context; `first` is the number of the
/// first line.
fn hunks(old: &str, new: &str, first: usize) -> String {
    const CONTEXT: usize = 1;
    const LONGEST: usize = 400;
    let diff = TextDiff::from_lines(old, new);
    let mut out = String::new();
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(head), Some(tail)) = (group.first(), group.last()) else { continue };
        let old = head.old_range().start..tail.old_range().end;
        let new = head.new_range().start..tail.new_range().end;
        let _ =
            writeln!(out, "@@ -{},{} +{},{} @@", old.start + first, old.len(), new.start + first, new.len());
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let line = change.value().trim_end_matches(['\n', '\r']);
            let shown: String = line.chars().take(LONGEST).collect();
            let rest = if shown.len() < line.len() { "…" } else { "" };
            let _ = writeln!(out, "{sign}{shown}{rest}");
        }
    }
    out
}
