//! Second stage: the rules of the profile become operations on the objects of
//! the stream, each labelled with its rule, or diagnostics that say why not.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::document::PlannedDocument;
use super::edit_object::{Step, steps};
use super::judge::Unit;
use super::outcome::{MASKED, ObjectReport, ObjectState, OperationReport, RuleReport, RuleState};
use super::restamp;
use super::survey::{STDIN, Survey};
use super::world::World;
use crate::diagnostic::{Class, Diagnostic, Place};
use crate::edit::{Action, Operation, Path, pointer};
use crate::profile::file::Severity;
use crate::profile::matching::{Matcher, ObjectView, field_holds};
use crate::profile::path::{Target, get, spell};
use crate::profile::rule::{Edit, Emit, Expect, Operation as RuleOperation, Part, Rule};

/// Stops every rule on an object, or with `.rule.id` behind it that one.
pub const KEEP_ANNOTATION: &str = "germ-post.dev/keep";

/// What is to be done to a stream.
#[derive(Debug)]
pub struct Plan<'s> {
    /// The documents that were candidates, in stream order.
    pub documents: Vec<PlannedDocument<'s>>,
    /// One report a rule, in the order of the rules.
    pub rules: Vec<RuleReport>,
    /// What went wrong, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Documents to stand behind the stream, without separator lines.
    pub emitted: Vec<String>,
}

/// Plans all rules over the candidate documents.
pub fn plan<'s>(survey: &Survey<'s>, documents: Vec<PlannedDocument<'s>>, rules: &[Rule]) -> Plan<'s> {
    let sharers: Vec<&Matcher> = rules
        .iter()
        .filter(|rule| rule.inactive.is_none())
        .flat_map(|rule| rule.parts.iter().flat_map(Part::pod_sharers))
        .collect();
    let world = World::new(&documents, &sharers);
    let mut by_kind: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    let mut all = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        for (index, object) in document.objects.iter().enumerate() {
            by_kind.entry(object.identity.kind.clone()).or_default().push((at, index));
            all.push((at, index));
        }
    }
    let mut planner = Planner {
        survey,
        rules,
        world,
        by_kind,
        all,
        documents,
        reports: Vec::new(),
        diagnostics: Vec::new(),
        emitted: Vec::new(),
    };
    for index in 0..rules.len() {
        planner.rule(index);
    }
    for index in 0..rules.len() {
        planner.restamp(index);
    }
    for index in 0..rules.len() {
        planner.assert(index);
    }
    planner.drop_objects();
    // Two edits may miss the same thing in the same words.
    let mut seen = HashSet::new();
    planner.diagnostics.retain(|diagnostic| seen.insert(diagnostic.clone()));
    Plan {
        documents: planner.documents,
        rules: planner.reports,
        diagnostics: planner.diagnostics,
        emitted: planner.emitted,
    }
}

struct Planner<'p, 's> {
    survey: &'p Survey<'s>,
    rules: &'p [Rule],
    world: World,
    /// Objects by kind, so that a rule looks only at its own.
    by_kind: HashMap<String, Vec<(usize, usize)>>,
    all: Vec<(usize, usize)>,
    documents: Vec<PlannedDocument<'s>>,
    reports: Vec<RuleReport>,
    diagnostics: Vec<Diagnostic>,
    emitted: Vec<String>,
}

/// What a part of a rule met.
#[derive(Default)]
struct Tally {
    matched: usize,
    missed: bool,
}

impl<'p> Planner<'p, '_> {
    fn rule(&mut self, index: usize) {
        let rule: &'p Rule = &self.rules[index];
        let mut report = RuleReport {
            id: rule.id.clone(),
            title: rule.title.clone(),
            why: rule.why.clone(),
            sources: rule.sources.clone(),
            profile: rule.profile.clone(),
            state: RuleState::Inactive,
            reason: rule.inactive.clone(),
            objects: Vec::new(),
        };
        if rule.inactive.is_none() {
            report.state = RuleState::NotApplicable;
            if self.world.holds(&rule.when, &self.documents) {
                let mut missed = self.parts(index, rule, &mut report);
                if let Some(emit) = &rule.emit {
                    missed |= !self.emit(rule, emit, &mut report);
                }
                report.state = rule_state(&report, missed);
            }
        }
        self.reports.push(report);
    }

    fn parts(&mut self, index: usize, rule: &'p Rule, report: &mut RuleReport) -> bool {
        let mut whole = Unit::default();
        let mut missed = false;
        for part in &rule.parts {
            let mut tally = Tally::default();
            for (document, object) in self.candidates(&part.matcher) {
                self.object(index, rule, part, (document, object), &mut whole, &mut tally, report);
            }
            missed |= tally.missed;
            if let Some(wrong) = unexpected_count(part.expect, tally.matched) {
                missed = true;
                self.diagnostics.push(with_help(
                    Diagnostic::contract("rule-missed", format!("rule {} {wrong}", rule.id)).rule(&rule.id),
                    rule,
                    None,
                ));
            }
        }
        if let Some(mixture) = whole.mixture().filter(|_| rule.whole && !missed) {
            missed = true;
            self.diagnostics.push(with_help(half_done(rule, mixture), rule, None));
        }
        missed
    }

    fn candidates(&self, matcher: &Matcher) -> Vec<(usize, usize)> {
        match matcher.kinds() {
            Some(kinds) => {
                let mut out: Vec<(usize, usize)> =
                    kinds.iter().filter_map(|kind| self.by_kind.get(kind)).flatten().copied().collect();
                out.sort_unstable();
                out
            }
            None => self.all.clone(),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn object(
        &mut self,
        index: usize,
        rule: &'p Rule,
        part: &'p Part,
        (document, object): (usize, usize),
        whole: &mut Unit,
        tally: &mut Tally,
        report: &mut RuleReport,
    ) {
        let planned = &self.documents[document];
        let Some(view) = planned.original_object(object) else { return };
        if planned.dropped.contains_key(&object) || !part.matcher.matches(view, &self.world) {
            return;
        }
        if let Some(reason) = kept(view.value, &rule.id) {
            tally.matched += 1;
            report.objects.push(self.object_report(document, object, ObjectState::Kept, vec![reason]));
            return;
        }
        if let Some(reason) = excepted(part, view, &self.world) {
            report.objects.push(self.object_report(document, object, ObjectState::Left, vec![reason]));
            return;
        }
        tally.matched += 1;
        let before = self.documents[document].operations.len();
        let mut own = Unit::default();
        let mut outcome = ObjectOutcome::default();
        for edit in &part.edits {
            let unit = if rule.whole { &mut *whole } else { &mut own };
            self.edit(index, rule, edit, (document, object), unit, &mut outcome);
        }
        if let Some(mixture) = own.mixture().filter(|_| !outcome.missed) {
            outcome.missed = true;
            let diagnostic = self.place_object(half_done(rule, mixture), document, object, &[]);
            self.diagnostics.push(with_help(diagnostic, rule, None));
        }
        tally.missed |= outcome.missed;
        let dropped = self.documents[document].dropped.contains_key(&object);
        let state = match () {
            () if outcome.missed => ObjectState::Missed,
            () if dropped => ObjectState::Dropped,
            () if self.documents[document].operations.len() > before => ObjectState::Changed,
            () if outcome.already => ObjectState::Already,
            () if !outcome.left.is_empty() => ObjectState::Left,
            () => ObjectState::Nothing,
        };
        let mut entry = self.object_report(document, object, state, outcome.left);
        entry.operations = self.operation_reports(document, object, before);
        report.objects.push(entry);
    }

    fn edit(
        &mut self,
        index: usize,
        rule: &'p Rule,
        edit: &'p Edit,
        (document, object): (usize, usize),
        unit: &mut Unit,
        outcome: &mut ObjectOutcome,
    ) {
        let Some(view) = self.documents[document].object(object) else { return };
        let name = view.identity.to_string();
        let path = edit.operation.path_text().to_owned();
        for step in steps(edit, view) {
            match step {
                Step::Nothing => {}
                Step::Already => {
                    outcome.already = true;
                    if !edit.apart {
                        unit.already(&name, &path);
                    }
                }
                Step::Drop => {
                    self.documents[document].dropped.insert(object, index);
                }
                Step::Change(operations) => {
                    if !edit.apart {
                        unit.changed(&name, &path);
                    }
                    for operation in operations {
                        outcome.missed |= !self.carry_out(index, rule, (document, object), operation);
                    }
                }
                Step::Left { at: _, reason } => outcome.left.push(reason),
                Step::Missed { at, path, reason, have } => {
                    outcome.missed = true;
                    let secret = self.documents[document].objects[object].identity.is_secret();
                    let message = format!("rule {} does not fit: {path} {reason}", rule.id);
                    let mut diagnostic = self
                        .place_object(
                            Diagnostic::contract("rule-missed", message).rule(&rule.id),
                            document,
                            object,
                            &at,
                        )
                        .path(path);
                    if let Some(have) = have.filter(|have| !secret && !have.is_object() && !have.is_array()) {
                        diagnostic = diagnostic.note(format!("the value there is `{have}`"));
                    }
                    self.diagnostics.push(with_help(diagnostic, rule, edit.help.as_deref()));
                }
            }
        }
    }

    /// Plans one operation, unless another rule wants something else there.
    fn carry_out(
        &mut self,
        index: usize,
        rule: &Rule,
        (document, object): (usize, usize),
        mut operation: Operation,
    ) -> bool {
        let inside = operation.path.clone();
        let mut path = self.documents[document].objects[object].at.clone();
        path.append(&mut operation.path);
        operation.path = path;
        let Some(other) = self.documents[document].conflict(index, &operation) else {
            self.documents[document].push(index, object, operation);
            return true;
        };
        let other = &self.rules[other];
        let message = format!("rules {} and {} want different things of one node", other.id, rule.id);
        let spelt =
            self.documents[document].object(object).map_or(String::new(), |view| spell(view.value, &inside));
        let diagnostic = self
            .place_object(
                Diagnostic::contract("rules-conflict", message).rule(&rule.id),
                document,
                object,
                &inside,
            )
            .path(spelt)
            .help(format!(
                "put one of them out of force with `--skip {}` or `--skip {}`, or with `adjust` in a profile",
                other.id, rule.id
            ));
        self.diagnostics.push(diagnostic);
        false
    }

    /// Adds a rule's objects to the stream, unless they are in it. False when
    /// others of their names are.
    fn emit(&mut self, rule: &'p Rule, emit: &'p Emit, report: &mut RuleReport) -> bool {
        let mut there = 0;
        for (identity, value) in &emit.objects {
            for document in 0..self.documents.len() {
                for object in 0..self.documents[document].objects.len() {
                    let Some(view) = self.documents[document].original_object(object) else { continue };
                    if !Matcher::of(identity).matches(view, &self.world) {
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
    fn assert(&mut self, index: usize) {
        let rule: &'p Rule = &self.rules[index];
        if matches!(self.reports[index].state, RuleState::Inactive | RuleState::NotApplicable) {
            return;
        }
        for assert in &rule.asserts {
            for (document, object) in self.candidates(&assert.matcher) {
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
    fn restamp(&mut self, index: usize) {
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
            for (document, object) in self.candidates(&part.matcher) {
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

    /// Dropped list items become removals; where all objects of a document go,
    /// the document goes.
    fn drop_objects(&mut self) {
        for document in &mut self.documents {
            if document.dropped.len() == document.objects.len() {
                continue;
            }
            let drops: Vec<(usize, usize)> =
                document.dropped.iter().map(|(object, rule)| (*object, *rule)).collect();
            for (object, rule) in drops.into_iter().rev() {
                let path = document.objects[object].at.clone();
                document.push(rule, object, Operation { path, action: Action::Remove });
            }
        }
    }

    fn object_report(
        &self,
        document: usize,
        object: usize,
        state: ObjectState,
        reasons: Vec<String>,
    ) -> ObjectReport {
        let planned = &self.documents[document];
        let identity = &planned.objects[object].identity;
        let source = planned.tree.locate(&planned.objects[object].at);
        let offset = source.map_or(0, |id| planned.tree.node(id).span.start);
        ObjectReport {
            api_version: identity.api_version(),
            kind: identity.kind.clone(),
            namespace: identity.namespace.clone(),
            name: identity.name.clone(),
            document: planned.index + 1,
            line: self.line(document, offset),
            template: planned.original_object(object).and_then(template_of),
            state,
            reasons,
            operations: Vec::new(),
        }
    }

    fn operation_reports(&self, document: usize, object: usize, from: usize) -> Vec<OperationReport> {
        let planned = &self.documents[document];
        let at = planned.objects[object].at.len();
        let secret = planned.objects[object].identity.is_secret();
        let shown = |value: &Value| if secret { Value::from(MASKED) } else { value.clone() };
        planned.operations[from..]
            .iter()
            .map(|planned_operation| {
                let inside = planned_operation.operation.path.get(at..).unwrap_or(&[]);
                let (op, new) = match &planned_operation.operation.action {
                    Action::Add { value, .. } => ("add", Some(value.to_json())),
                    Action::Remove => ("remove", None),
                    Action::Replace { value } => ("replace", Some(value.to_json())),
                };
                let root = match op {
                    "remove" => planned.original_object(object),
                    _ => planned.object(object),
                };
                let node = planned.tree.locate(&planned_operation.source);
                OperationReport {
                    op: op.to_owned(),
                    pointer: pointer(inside),
                    path: root.map_or_else(|| pointer(inside), |view| spell(view.value, inside)),
                    line: self.line(document, node.map_or(0, |id| planned.tree.node(id).span.start)),
                    old: planned_operation.old.as_ref().map(shown),
                    new: new.as_ref().map(shown),
                }
            })
            .collect()
    }

    fn line(&self, document: usize, offset: usize) -> usize {
        let start = self.survey.document(self.documents[document].index).text.start;
        self.survey.stream.line_and_column(start + offset).0
    }

    /// Adds object, template and place to a diagnostic. Lines of Secrets are not
    /// shown.
    fn place_object(
        &self,
        diagnostic: Diagnostic,
        document: usize,
        object: usize,
        at: &[String],
    ) -> Diagnostic {
        let planned = &self.documents[document];
        let reference = &planned.objects[object];
        let path: Path = reference.at.iter().chain(at).cloned().collect();
        let (source, _) = planned.source_of(&path);
        let start = self.survey.document(planned.index).text.start;
        let span = planned.tree.locate(&source).map_or(0..0, |id| planned.tree.node(id).span.clone());
        let range = start + span.start..start + span.end;
        let stream = &self.survey.stream;
        let place = if reference.identity.is_secret() {
            Place::hidden_in_stream(STDIN, stream, range.start)
        } else {
            Place::in_stream(STDIN, stream, range)
        };
        let diagnostic = diagnostic.at(place).object(&reference.identity);
        match planned.original_object(object).and_then(template_of) {
            Some(template) => diagnostic.note(format!("the object comes from {template}")),
            None => diagnostic,
        }
    }
}

/// What the edits of a rule came to on one object.
#[derive(Default)]
struct ObjectOutcome {
    already: bool,
    missed: bool,
    left: Vec<String>,
}

fn rule_state(report: &RuleReport, missed: bool) -> RuleState {
    let any = |state: ObjectState| report.objects.iter().any(|object| object.state == state);
    match () {
        () if missed => RuleState::Missed,
        () if any(ObjectState::Changed) || any(ObjectState::Dropped) || any(ObjectState::Added) => {
            RuleState::Changed
        }
        () if any(ObjectState::Already) => RuleState::Already,
        () => RuleState::Nothing,
    }
}

fn template_of(object: ObjectView<'_>) -> Option<String> {
    object
        .template
        .or_else(|| crate::manifest::template::filename_annotation(object.value))
        .map(str::to_owned)
}

/// The reason that the object's own annotation gives for keeping it from a rule.
fn kept(object: &Value, rule: &str) -> Option<String> {
    let annotations = get(object, &["metadata".to_owned(), "annotations".to_owned()])?;
    let of_rule = format!("{KEEP_ANNOTATION}.{}", rule.replace('/', "."));
    [KEEP_ANNOTATION, of_rule.as_str()].iter().find_map(|name| {
        let reason = annotations.get(name)?;
        Some(match reason.as_str() {
            Some(text) if !text.is_empty() => format!("{name}: {text}"),
            _ => format!("{name}, without a reason"),
        })
    })
}

/// The reason that an adjustment gives for leaving the object alone.
fn excepted(part: &Part, view: ObjectView<'_>, world: &World) -> Option<String> {
    if let Some((_, reason)) = part.unless.iter().find(|(matcher, _)| matcher.matches(view, world)) {
        return Some(reason.clone());
    }
    let outside = part.only.iter().find(|(matcher, _)| !matcher.matches(view, world));
    outside.map(|(_, reason)| reason.clone())
}

fn unexpected_count(expect: Expect, matched: usize) -> Option<String> {
    match expect {
        Expect::Any => None,
        Expect::AtLeastOne if matched > 0 => None,
        Expect::AtLeastOne => Some("matches no object of the stream".to_owned()),
        Expect::Exactly(number) if matched == number => None,
        Expect::Exactly(number) => {
            Some(format!("matches {matched} objects of the stream and expects {number}"))
        }
    }
}

fn half_done(rule: &Rule, mixture: String) -> Diagnostic {
    Diagnostic::contract("rule-missed", format!("rule {} finds the stream half changed", rule.id))
        .rule(&rule.id)
        .note(mixture)
        .note("the chart may be of a version that the rule does not know")
}

fn with_help(diagnostic: Diagnostic, rule: &Rule, edit_help: Option<&str>) -> Diagnostic {
    let mut diagnostic = diagnostic.note(format!("the rule is there because: {}", first_sentence(&rule.why)));
    for help in [edit_help, rule.help.as_deref()].into_iter().flatten() {
        diagnostic = diagnostic.help(help);
    }
    diagnostic.help(format!(
        "`germ-post explain {}` says more; `--skip {}` leaves the rule out{}",
        rule.id,
        rule.id,
        if rule.severity == Severity::Error { ", at your own risk" } else { "" }
    ))
}

fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}
