//! Second stage: the rules of the profile become operations on the objects of
//! the stream, each labelled with its rule, or diagnostics that say why not.

mod after;
mod computed;
mod describe;
mod emit;

use std::collections::HashSet;

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::edit::{Action, Operation};
use crate::profile::file::Severity;
use crate::profile::matching::{Matcher, ObjectView};
use crate::profile::path::{get, spell};
use crate::profile::rule::{Edit, Expect, Part, Rule};
use crate::rewrite::document::PlannedDocument;
use crate::rewrite::edit_object::{Step, steps};
use crate::rewrite::judge::Unit;
use crate::rewrite::object_index::ObjectIndex;
use crate::rewrite::outcome::{ObjectState, RuleReport, RuleState};
use crate::rewrite::survey::Survey;
use crate::rewrite::world::World;

/// Stops every rule on an object, or with `.rule.id` behind it that one.
pub const KEEP_ANNOTATION: &str = "germ-post.dev/keep";

/// How the note begins that gives a rule's reason.
pub const REASON: &str = "the rule is there because";

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
    let objects = documents.iter().flat_map(PlannedDocument::original_objects);
    let to_come = if sharers.is_empty() { Vec::new() } else { computed::to_come(rules, &documents) };
    let world = World::new(survey, objects, &to_come, &sharers);
    let index = ObjectIndex::new(&documents);
    let mut planner = Planner {
        survey,
        rules,
        world,
        index,
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
    index: ObjectIndex,
    documents: Vec<PlannedDocument<'s>>,
    reports: Vec<RuleReport>,
    diagnostics: Vec<Diagnostic>,
    emitted: Vec<String>,
}

/// What a part of a rule met.
#[derive(Default)]
struct Tally {
    matched: usize,
    /// The objects among them that nothing keeps from being edited.
    edited: Vec<(usize, usize)>,
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
            if rule.when.holds(&|matcher| self.is_there(matcher)) {
                let (met, mut missed) = self.parts(index, rule, &mut report);
                if let Some(why) = &rule.refuse {
                    missed = true;
                    let diagnostic = Diagnostic::contract("refused", why.clone()).rule(&rule.id);
                    self.diagnostics.push(with_help(diagnostic, rule, None));
                }
                if let Some(emit) = &rule.emit {
                    missed |= !self.emit(rule, emit, &met, &mut report);
                }
                report.state = rule_state(&report, missed);
            }
        }
        self.reports.push(report);
    }

    /// Whether some object of the stream, as it came in, matches.
    fn is_there(&self, matcher: &Matcher) -> bool {
        let candidates = self.index.candidates(matcher);
        let mut objects = candidates
            .iter()
            .filter_map(|(document, object)| self.documents.get(*document)?.original_object(*object));
        objects.any(|object| matcher.matches(object, &self.world))
    }

    /// The objects that were the rule's business, and whether it missed something.
    fn parts(
        &mut self,
        index: usize,
        rule: &'p Rule,
        report: &mut RuleReport,
    ) -> (Vec<(usize, usize)>, bool) {
        let mut whole = Unit::default();
        let mut met = Vec::new();
        let mut missed = false;
        for part in &rule.parts {
            let mut tally = Tally::default();
            for (document, object) in self.index.candidates(&part.matcher).into_owned() {
                self.object(index, rule, part, (document, object), &mut whole, &mut tally, report);
            }
            missed |= tally.missed;
            met.append(&mut tally.edited);
            if let Some(wrong) = unexpected_count(part.expect, tally.matched) {
                missed = true;
                self.diagnostics.push(with_help(
                    Diagnostic::contract("rule-missed", format!("rule {} {wrong}", rule.id))
                        .rule(&rule.id)
                        .note(format!("it looks for {}", part.matcher.in_words())),
                    rule,
                    None,
                ));
            }
        }
        if let Some(mixture) = whole.mixture().filter(|_| rule.whole && !missed) {
            missed = true;
            self.diagnostics.push(with_help(half_done(rule, mixture), rule, None));
        }
        (met, missed)
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
        tally.edited.push((document, object));
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

    /// Dropped list items become removals; where all objects of a document go,
    /// the document goes.
    fn drop_objects(&mut self) {
        for document in &mut self.documents {
            if document.goes() {
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
    let mut diagnostic = diagnostic.note(format!("{REASON}: {}", first_sentence(&rule.why)));
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
