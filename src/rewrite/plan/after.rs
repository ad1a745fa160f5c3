//! What follows when the edits of rules are planned: hashes of other objects, and
//! what must hold in the end.

use std::collections::HashSet;

use super::{Planner, excepted, kept, with_help};
use crate::diagnostic::{Class, Diagnostic};
use crate::profile::file::Severity;
use crate::profile::matching::fails_at;
use crate::profile::rule::{Edit, Operation as RuleOperation, Rule};
use crate::rewrite::outcome::{ObjectState, RuleState};
use crate::rewrite::restamp;

impl<'p> Planner<'p, '_> {
    /// What must hold of the objects as they are going to be.
    pub(super) fn assert(&mut self, index: usize) {
        let rule: &'p Rule = &self.rules[index];
        if matches!(self.reports[index].state, RuleState::Inactive | RuleState::NotApplicable) {
            return;
        }
        for assert in &rule.asserts {
            for (document, object) in self.index.candidates(&assert.matcher).into_owned() {
                let planned = &self.documents[document];
                let (Some(before), Some(now)) = (planned.original_object(object), planned.object(object))
                else {
                    continue;
                };
                let concerns = !planned.dropped.contains_key(&object)
                    && assert.matcher.matches(before, &self.world)
                    && kept(before.value, &rule.id).is_none();
                if !concerns {
                    continue;
                }
                let Some(at) = fails_at(&assert.path, &assert.is, &now.identity.kind, now.value) else {
                    continue;
                };
                let path = assert.path.text();
                let message = assert.message.clone().unwrap_or_else(|| {
                    format!("rule {} wants {path} to be {}", rule.id, assert.is.in_words())
                });
                let class = if rule.severity == Severity::Error { Class::Contract } else { Class::Warning };
                let diagnostic =
                    Diagnostic::new("assertion-failed", class, message).rule(&rule.id).path(path);
                let diagnostic = self.place_object(diagnostic, document, object, &at);
                self.diagnostics.push(with_help(diagnostic, rule, None));
                if class == Class::Contract {
                    self.reports[index].state = RuleState::Missed;
                }
            }
        }
    }

    /// Hashes of other objects follow when all other edits are known.
    pub(super) fn restamp(&mut self, index: usize) {
        let rule: &'p Rule = &self.rules[index];
        if matches!(self.reports[index].state, RuleState::Inactive | RuleState::NotApplicable) {
            return;
        }
        for part in &rule.parts {
            let stamps: Vec<&Edit> = part
                .edits
                .iter()
                .filter(|edit| matches!(edit.operation, RuleOperation::Restamp { .. }))
                .collect();
            if stamps.is_empty() {
                continue;
            }
            let hashes: Vec<(&Edit, String)> = stamps
                .into_iter()
                .filter_map(|edit| Some((edit, restamp::hash(edit, &self.documents)?)))
                .collect();
            let mut entries = Vec::new();
            for (document, object) in self.index.candidates(&part.matcher).into_owned() {
                let Some(view) = self.documents[document].original_object(object) else { continue };
                let excluded = self.documents[document].dropped.contains_key(&object)
                    || !part.matcher.matches(view, &self.world)
                    || kept(view.value, &rule.id).is_some()
                    || excepted(part, view, &self.world).is_some();
                if excluded {
                    continue;
                }
                let before = self.documents[document].operations.len();
                for (edit, hash) in &hashes {
                    let view = self.documents[document].object(object);
                    let operations = view.map(|view| restamp::operations(edit, hash, view));
                    for operation in operations.into_iter().flatten() {
                        self.carry_out(index, rule, (document, object), operation);
                    }
                }
                if self.documents[document].operations.len() > before {
                    let mut entry = self.object_report(document, object, ObjectState::Changed, Vec::new());
                    entry.operations = self.operation_reports(document, object, before);
                    entries.push(entry);
                }
            }
            if !entries.is_empty() {
                let report = &mut self.reports[index];
                let again: HashSet<(usize, &str)> =
                    entries.iter().map(|entry| (entry.document, entry.name.as_str())).collect();
                report.objects.retain(|object| !again.contains(&(object.document, object.name.as_str())));
                report.objects.append(&mut entries);
                report.state = RuleState::Changed;
            }
        }
    }
}
