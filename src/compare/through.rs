//! A side as the profile rewrites it, and which rule each edit came from. The plan's
//! operations are carried out again one by one; what each makes different is the
//! rule's.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::step::Step;
use super::walk;
use crate::check::Input;
use crate::check::input::Joined;
use crate::diagnostic::Diagnostic;
use crate::edit::Action;
use crate::manifest::Identity;
use crate::manifest::identity::split_api_version;
use crate::profile::path::get;
use crate::rewrite::document::{PlannedDocument, carry_out};
use crate::rewrite::outcome::{ObjectState, Report};
use crate::rewrite::plan::Plan;
use crate::rewrite::{self, Request, Run};

/// A side after the profile.
#[derive(Debug)]
pub struct Rewritten {
    /// The stream.
    pub input: Input,
    /// Where its edits came from.
    pub edits: Edits,
    /// What was done, rule by rule.
    pub report: Report,
}

/// Which rule edited what.
#[derive(Debug, Default)]
pub struct Edits {
    /// By object: where, and the rule.
    places: HashMap<Identity, Vec<(Vec<Step>, String)>>,
    /// Objects that a rule dropped.
    dropped: HashMap<Identity, String>,
    /// Objects that a rule added.
    added: HashMap<Identity, String>,
}

impl Edits {
    /// The edits of an object.
    pub fn of(&self, identity: &Identity) -> &[(Vec<Step>, String)] {
        self.places.get(identity).map_or(&[], Vec::as_slice)
    }

    /// The rule that dropped an object.
    pub fn dropped(&self, identity: &Identity) -> Option<&str> {
        self.dropped.get(identity).map(String::as_str)
    }

    /// The rule that added an object.
    pub fn added(&self, identity: &Identity) -> Option<&str> {
        self.added.get(identity).map(String::as_str)
    }
}

/// Rewrites a side. `name` is what it is called in errors.
pub fn rewrite(name: &str, inputs: &[Input], request: &Request) -> Result<Rewritten, Vec<Diagnostic>> {
    let joined = Joined::new(inputs)?;
    let mut edits = Edits::default();
    let run = match rewrite::plan(joined.bytes(), request) {
        Ok(planned) => {
            edits = edits_of(&planned.plan, &planned.report);
            rewrite::finish(planned)
        }
        Err(run) => *run,
    };
    let Run { output, report, diagnostics, .. } = run;
    let Some(output) = output else {
        let home = |mut error: Diagnostic| {
            if let Some(place) = &mut error.place
                && place.file == crate::rewrite::survey::STDIN
            {
                joined.bring_home(place);
            }
            error.note(format!("it went wrong with {name}"))
        };
        return Err(diagnostics.into_iter().map(home).collect());
    };
    let one = match inputs {
        [one] => one.name.clone(),
        _ => name.to_owned(),
    };
    Ok(Rewritten { input: Input { name: one, bytes: output.text().into_bytes() }, edits, report })
}

fn edits_of(plan: &Plan<'_>, report: &Report) -> Edits {
    let mut edits = Edits::default();
    let rule = |index: usize| plan.rules.get(index).map_or_else(String::new, |rule| rule.id.clone());
    for document in &plan.documents {
        for (object, by) in &document.dropped {
            edits.dropped.insert(document.objects[*object].identity.clone(), rule(*by));
        }
        let touched: HashSet<usize> = document.operations.iter().map(|op| op.object).collect();
        for object in touched {
            replay(document, object, &rule, &mut edits);
        }
    }
    for rule in &report.rules {
        for object in rule.objects.iter().filter(|object| object.state == ObjectState::Added) {
            let (group, version) = split_api_version(&object.api_version);
            let identity = Identity {
                group: group.to_owned(),
                version: version.to_owned(),
                kind: object.kind.clone(),
                namespace: object.namespace.clone(),
                name: object.name.clone(),
            };
            edits.added.insert(identity, rule.id.clone());
        }
    }
    edits
}

/// Carries out the operations on one object, and notes what each makes different.
fn replay(document: &PlannedDocument<'_>, object: usize, rule: &dyn Fn(usize) -> String, edits: &mut Edits) {
    let Some(of) = document.objects.get(object) else { return };
    let Some(start) = get(&document.original, &of.at) else { return };
    let mut value = start.clone();
    let mut places = Vec::new();
    for planned in document.operations.iter().filter(|planned| planned.object == object) {
        let path = &planned.operation.path;
        if path.len() <= of.at.len() {
            continue;
        }
        let before = value.clone();
        let new: Option<Value> = match &planned.operation.action {
            Action::Remove => None,
            Action::Add { value, .. } | Action::Replace { value } => Some(value.to_json()),
        };
        let is_add = matches!(planned.operation.action, Action::Add { .. });
        carry_out(&mut value, &path[of.at.len()..], is_add, new);
        let made = walk::differences(&of.identity.kind, &before, &value);
        places.extend(made.into_iter().map(|difference| (difference.steps, rule(planned.rule))));
    }
    let renamed = Identity::of(&value);
    if renamed != of.identity && !renamed.kind.is_empty() {
        edits.places.entry(renamed).or_default().extend(places.iter().cloned());
    }
    edits.places.entry(of.identity.clone()).or_default().extend(places);
}
