//! A rule as conditions on objects to come: for each kind that it is about, what is
//! wrong with an object and what to say of it.

use serde_json::{Value, json};

use super::cel::{self, Cel};
use super::edit;
use super::path::{self, Nowhere};
use super::resource::{self, Resource};
use super::subject::Subject;
use super::test;
use super::unsaid::{LeftOut, Unsaid};
use crate::check::builtin::SUPPRESSIONS;
use crate::profile::matching::Matcher;
use crate::profile::path::{PathExpr, Step};
use crate::profile::rule::{Assert, Check, Expect, Part, Rule};
use crate::profile::test_value::ValueTest;

/// The object that policies of a rule read beside the one that is asked about.
pub const PARAMS: &str = "params";

/// Something wrong with an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    /// What must hold, in CEL.
    pub expression: String,
    /// What to say, as a text.
    pub message: String,
    /// What to say, as an expression, where the value found is told.
    pub message_expression: Option<String>,
}

impl Validation {
    /// As a policy has it.
    pub fn to_json(&self) -> Value {
        let mut out = json!({"expression": self.expression, "message": self.message});
        if let Some(expression) = &self.message_expression {
            out["messageExpression"] = Value::from(expression.as_str());
        }
        out
    }
}

/// What of a rule can be said.
#[derive(Debug, Default)]
pub struct Said {
    /// Kinds that fare the same, and what is wrong with them.
    pub groups: Vec<(Vec<Resource>, Vec<Validation>)>,
    /// Whether some condition is on the object that the rule reads.
    pub reads: bool,
    /// What is left out, if anything.
    pub left_out: Option<LeftOut>,
}

/// Translates a rule.
pub fn say(rule: &Rule) -> Said {
    let is_of_files =
        |check: &Check| check.computed.as_ref().is_some_and(|computed| computed.name == SUPPRESSIONS);
    if rule.checks.iter().any(is_of_files) {
        // About comments in files, and nothing that is ever on a cluster.
        return Said::default();
    }
    let mut speaker = Speaker::of(rule);
    speaker.all();
    let Speaker { found, unsaid, reads, .. } = speaker;
    let groups = grouped(found);
    let left_out = LeftOut::of(&rule.id, !groups.is_empty(), &unsaid);
    Said { groups, reads, left_out }
}

/// Kinds for which the same is said, together.
pub(super) fn grouped<T: PartialEq>(found: Vec<(Resource, Vec<T>)>) -> Vec<(Vec<Resource>, Vec<T>)> {
    let mut groups: Vec<(Vec<Resource>, Vec<T>)> = Vec::new();
    for (resource, said) in found {
        match groups.iter_mut().find(|(_, same)| *same == said) {
            Some((resources, _)) => resources.push(resource),
            None => groups.push((vec![resource], said)),
        }
    }
    groups
}

/// What says a rule, and what it could not say so far.
pub(super) struct Speaker<'r> {
    /// The rule.
    pub(super) rule: &'r Rule,
    found: Vec<(Resource, Vec<Validation>)>,
    /// What is left out.
    pub(super) unsaid: Vec<Unsaid>,
    /// Whether some condition is on the object that the rule reads.
    pub(super) reads: bool,
}

impl<'r> Speaker<'r> {
    /// One that has said nothing yet.
    pub(super) fn of(rule: &'r Rule) -> Self {
        Self { rule, found: Vec::new(), unsaid: Vec::new(), reads: false }
    }

    /// Whether a part of the rule means an object, and the rule applies.
    pub(super) fn guard(&mut self, part: &Part, subject: &Subject<'_>) -> Result<Cel, Unsaid> {
        let meant = self.meant(&part.matcher, subject)?;
        let only = part.only.iter().map(|(matcher, _)| matcher);
        let unless = part.unless.iter().map(|(matcher, _)| matcher);
        let limits = self.limits(only, unless, subject)?;
        let applies = self.applies(&self.rule.when, &part.matcher)?;
        Ok(Cel::all([applies, meant, limits]))
    }

    fn all(&mut self) {
        let rule = self.rule;
        if rule.refuse.is_some() {
            self.unsaid.push(Unsaid::new("it ends a run of germ-post, whatever the objects are"));
        }
        if rule.emit.is_some() {
            self.unsaid.push(Unsaid::new("it adds objects"));
        }
        for part in &rule.parts {
            let said = self.part(part);
            self.unsaid.extend(said.err());
        }
        for assert in &rule.asserts {
            let said = self.assert(assert);
            self.unsaid.extend(said.err());
        }
        for check in &rule.checks {
            let said = self.check(check);
            self.unsaid.extend(said.err());
        }
        let has_faces = !rule.parts.is_empty() || !rule.asserts.is_empty() || !rule.checks.is_empty();
        if !has_faces && self.unsaid.is_empty() {
            let reason = match rule.values.is_empty() {
                true => "the parameters leave nothing of it in force",
                false => "it is about chart values",
            };
            self.unsaid.push(Unsaid::new(reason));
        }
    }

    fn part(&mut self, part: &Part) -> Result<(), Unsaid> {
        if part.expect != Expect::Any {
            self.unsaid.push(Unsaid::new("it asks how many objects a release has"));
        }
        if part.edits.is_empty() {
            return Ok(());
        }
        let message = self.message(&format!("{} (not so here)", self.rule.title), self.rule.help.as_deref());
        for resource in resource::of(&part.matcher)? {
            let subject = subject(&resource);
            let guard = self.guard(part, &subject)?;
            let mut due = Vec::new();
            for edit in &part.edits {
                match edit::is_due(edit, &subject) {
                    Ok(condition) => due.push(condition),
                    Err(unsaid) => self.unsaid.push(unsaid),
                }
            }
            let wrong = Cel::all([guard, Cel::any(due)]);
            self.add(&resource, wrong, message.clone(), None);
        }
        Ok(())
    }

    fn assert(&mut self, assert: &Assert) -> Result<(), Unsaid> {
        let text = assert.message.as_deref().unwrap_or(&self.rule.title).to_owned();
        let message = self.message(&text, self.rule.help.as_deref());
        for resource in resource::of(&assert.matcher)? {
            let subject = subject(&resource);
            let meant = self.meant(&assert.matcher, &subject)?;
            let wrong = edit::fails(&assert.path, &assert.is, &subject)?;
            let applies = self.applies(&self.rule.when, &assert.matcher)?;
            self.add(&resource, Cel::all([applies, meant, wrong]), message.clone(), None);
        }
        Ok(())
    }

    fn check(&mut self, check: &Check) -> Result<(), Unsaid> {
        if let Some(computed) = &check.computed {
            return Err(Unsaid::new(format!("the program computes it (`{}`)", computed.name)));
        }
        // Resources come first: what is about nodes is not about other objects.
        let resources = resource::of(&check.matcher)?;
        if let Some(without) = check.without.first() {
            return Err(Unsaid::new(format!(
                "it asks whether there is another object: {}",
                without.in_words()
            )));
        }
        let beside = self.beside(check)?;
        for resource in resources {
            let subject = subject(&resource);
            let meant = self.meant(&check.matcher, &subject)?;
            let limits = self.limits(check.only.iter(), check.unless.iter(), &subject)?;
            let wrong = match &check.find {
                None => Cel::Known(true),
                Some(find) => {
                    let leaf = |value: &str| test::holds(&check.is, value);
                    let none = check.is.holds(None);
                    path::some(find, subject.kind, subject.object, Nowhere::all(none), &leaf)?
                }
            };
            let (text, expression) = self.found_message(check, &subject);
            let applies = self.applies(&self.rule.when, &check.matcher)?;
            let wrong = Cel::all([applies, meant, limits, beside.clone(), wrong]);
            self.add(&resource, wrong, text, expression);
        }
        Ok(())
    }

    fn beside(&mut self, check: &Check) -> Result<Cel, Unsaid> {
        let mut all = Vec::new();
        for beside in &check.beside {
            let subject = self.other(&check.matcher, &beside.matcher)?;
            all.push(subject.matches_exactly(&beside.matcher)?);
            if let Some(find) = &beside.find {
                let leaf = |value: &str| test::holds(&beside.is, value);
                let none = beside.is.holds(None);
                all.push(path::some(find, subject.kind, subject.object, Nowhere::all(none), &leaf)?);
            }
            self.reads |= subject.object == PARAMS;
        }
        Ok(Cel::all(all))
    }

    fn meant(&mut self, matcher: &Matcher, subject: &Subject<'_>) -> Result<Cel, Unsaid> {
        subject.matches(matcher, &mut self.unsaid)
    }

    fn limits<'m>(
        &mut self,
        only: impl Iterator<Item = &'m Matcher>,
        unless: impl Iterator<Item = &'m Matcher>,
        subject: &Subject<'_>,
    ) -> Result<Cel, Unsaid> {
        let mut all = Vec::new();
        for matcher in only {
            all.push(subject.matches(matcher, &mut self.unsaid)?);
        }
        for matcher in unless {
            all.push(subject.matches_exactly(matcher)?.negated());
        }
        Ok(Cel::all(all))
    }

    fn add(&mut self, resource: &Resource, wrong: Cel, message: String, message_expression: Option<String>) {
        let expression = match wrong {
            Cel::Known(false) => return,
            wrong => wrong.negated().text(),
        };
        let validation = Validation { expression, message, message_expression };
        match self.found.iter_mut().find(|(known, _)| known == resource) {
            Some((_, validations)) if validations.contains(&validation) => {}
            Some((_, validations)) => validations.push(validation),
            None => self.found.push((resource.clone(), vec![validation])),
        }
    }

    /// Which rule, what, why, and what to do, on one line as Kubernetes wants it.
    fn message(&self, what: &str, help: Option<&str>) -> String {
        let help = match help {
            Some(help) => help.to_owned(),
            None if !self.rule.parts.is_empty() => "pass it through germ-post, which makes it so".to_owned(),
            None => String::new(),
        };
        let text = format!("{}: {what}. {} Fix: {help}", self.rule.id, self.rule.why);
        let text = text.strip_suffix(" Fix: ").unwrap_or(&text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The message of a check, and an expression for it where it tells the value of a
    /// field that can be named.
    fn found_message(&self, check: &Check, subject: &Subject<'_>) -> (String, Option<String>) {
        let what = check.message.as_deref().unwrap_or(&self.rule.title);
        let text = self.message(what, check.help.as_deref());
        let words = match &check.is {
            ValueTest::Equals(_) | ValueTest::AnyOf(_) => check.is.in_words(),
            _ => "what is there".to_owned(),
        };
        let plain = text.replace("{value}", &words);
        let is_secret = subject.group.is_empty() && subject.kind == "Secret";
        let find = check.find.as_ref().filter(|_| text.contains("{value}") && !is_secret);
        let expression = find.and_then(|find| value_of(find, subject)).map(|value| {
            let pieces: Vec<String> = text.split("{value}").map(cel::quoted).collect();
            pieces.join(&format!(" + {value} + "))
        });
        (plain, expression)
    }
}

/// An object of a kind that is asked about.
pub(super) fn subject(resource: &Resource) -> Subject<'_> {
    Subject { object: "object", group: &resource.group, kind: resource.kind(), known: None }
}

/// The value of a field that is reached by keys alone, as text.
fn value_of(find: &PathExpr, subject: &Subject<'_>) -> Option<String> {
    let steps = path::resolved(find, subject.kind)?;
    let keys: Vec<&String> = steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => Some(key),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let field = keys.into_iter().fold(subject.object.to_owned(), |of, key| path::field(&of, key));
    Some(format!("{field}.optMap(value, string(value)).orValue(\"absent\")"))
}
