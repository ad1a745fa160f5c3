//! What follows when the edits of rules are planned: objects that are added,
//! hashes of other objects, and what must hold in the end.

use std::collections::HashSet;

use super::{Planner, excepted, kept, with_help};
use crate::diagnostic::{Class, Diagnostic};
use crate::profile::file::Severity;
use crate::profile::matching::{Matcher, field_holds};
use crate::profile::path::Target;
use crate::profile::rule::{Edit, Emit, Operation as RuleOperation, Rule};
use crate::rewrite::outcome::{ObjectReport, ObjectState, RuleReport, RuleState};
use crate::rewrite::restamp;

impl<'p> Planner<'p, '_> {
    /// Adds a rule's objects to the stream, unless they are in it. False when
    /// others of their names are.
    pub(super) fn emit(&mut self, rule: &'p Rule, emit: &'p Emit, report: &mut RuleReport) -> bool {
        let mut there = 0;
        for (identity, value) in &emit.objects {
            let matcher = Matcher::of(identity);
            for (document, object) in self.index.candidates(&matcher).into_owned() {
                let Some(view) = self.documents[document].original_object(object) else { continue };
                if !matcher.matches(view, &self.world) {
                    continue;
                }
                if view.value != value {
                    let message =
                        format!("rule {} adds an object that is there already, but different", rule.id);
                    let diagnostic = Diagnostic::contract("rule-missed", message).rule(&rule.id);
                    let diagnostic = self.place_object(diagnostic, document, object, &[]);
                    self.diagnostics.push(with_help(diagnostic, rule, None));
                    return false;
                }
                there += 1;
                let entry = self.object_report(document, object, ObjectState::Already, Vec::new());
                report.objects.push(entry);
            }
        }
        if there == 0 && !emit.objects.is_empty() {
            self.emitted.push(emit.text.clone());
            for (identity, _) in &emit.objects {
                report.objects.push(ObjectReport {
                    api_version: identity.api_version(),
                    kind: identity.kind.clone(),
                    namespace: identity.namespace.clone(),
                    name: identity.name.clone(),
                    document: 0,
                    line: 0,
                    template: None,
                    state: ObjectState::Added,
                    reasons: Vec::new(),
                    operations: Vec::new(),
                });
            }
        }
        if there > 0 && there < emit.objects.len() {
            let message = format!("rule {} adds objects, and only some of them are there", rule.id);
            self.diagnostics.push(with_help(
                Diagnostic::contract("rule-missed", message).rule(&rule.id),
                rule,
                None,
            ));
            return false;
        }
        true
    }

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
                if !concerns || field_holds(&assert.path, &assert.is, now.identity, now.value) {
                    continue;
                }
                let path = assert.path.text();
                let message = assert.message.clone().unwrap_or_else(|| {
                    format!("rule {} wants {path} to be {}", rule.id, assert.is.in_words())
                });
                let class = if rule.severity == Severity::Error { Class::Contract } else { Class::Warning };
                let at = assert.path.targets(&now.identity.kind, now.value).into_iter().next();
                let at = at.map(Target::place).unwrap_or_default();
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
