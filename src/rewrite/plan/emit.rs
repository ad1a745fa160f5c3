//! Objects that a rule adds to the stream, unless they are in it already: those
//! of a file, or one for each object that the rule edits.

use serde_json::Value;

use super::{Planner, with_help};
use crate::diagnostic::{Class, Diagnostic};
use crate::edit::{self, NewValue};
use crate::manifest::Identity;
use crate::profile::matching::{Matcher, ObjectView};
use crate::profile::path::PathExpr;
use crate::profile::rule::{Emit, Rule};
use crate::profile::template::{Piece, pieces};
use crate::rewrite::outcome::{ObjectReport, ObjectState, RuleReport};
use crate::yaml;

impl Planner<'_, '_> {
    /// Adds a rule's objects; `met` are the objects that its edits were for. False
    /// when they cannot be made, or others of their names are there.
    pub(super) fn emit(
        &mut self,
        rule: &Rule,
        emit: &Emit,
        met: &[(usize, usize)],
        report: &mut RuleReport,
    ) -> bool {
        match emit {
            Emit::Stream { text, objects, .. } => self.add(rule, text, objects, report),
            Emit::Computed { name, with, .. } => self.add_computed(rule, (name, with), met, report),
            Emit::Template { object, .. } if rule.parts.is_empty() => {
                self.add_one(rule, object.clone(), report)
            }
            Emit::Template { object, .. } => met.iter().fold(true, |well, (document, index)| {
                let Some(view) = self.documents[*document].original_object(*index) else { return well };
                match filled(object, view) {
                    Ok(object) => self.add_one(rule, object, report) && well,
                    Err(path) => {
                        let message = format!(
                            "rule {} cannot make the object that it adds: {path} is not one value",
                            rule.id
                        );
                        let diagnostic =
                            Diagnostic::contract("rule-missed", message).rule(&rule.id).path(path);
                        let diagnostic = self.place_object(diagnostic, *document, *index, &[]);
                        self.diagnostics.push(with_help(diagnostic, rule, None));
                        false
                    }
                }
            }),
        }
    }

    pub(super) fn add_one(&mut self, rule: &Rule, object: NewValue, report: &mut RuleReport) -> bool {
        let (value, text) = (object.to_json(), edit::document(&object));
        let read = yaml::parse(&text).ok().and_then(|tree| tree.read().ok());
        if read.as_ref() != Some(&value) {
            let message = format!("what rule {} adds would not be read as what it is", rule.id);
            self.diagnostics.push(Diagnostic::new("proof-failed", Class::Proof, message).rule(&rule.id));
            return false;
        }
        self.add(rule, &text, &[(Identity::of(&value), value)], report)
    }

    fn add(
        &mut self,
        rule: &Rule,
        text: &str,
        objects: &[(Identity, Value)],
        report: &mut RuleReport,
    ) -> bool {
        let mut there = 0;
        for (identity, value) in objects {
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
        if there == 0 && !objects.is_empty() {
            self.emitted.push(text.to_owned());
            for (identity, _) in objects {
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
        if there > 0 && there < objects.len() {
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
}

/// The template with the fields of `object` filled in. What refers to a field
/// that is not there goes where it stands in a mapping alone, `namespace: ${.…}`;
/// the error is the path of a field that is not one value.
fn filled(template: &NewValue, object: ObjectView<'_>) -> Result<NewValue, String> {
    match template {
        NewValue::Plain(_) => Ok(template.clone()),
        NewValue::Str { text, quotes } => match pieces(text).as_slice() {
            [Piece::Field(path)] => field(path, object).map(NewValue::from),
            pieces => {
                let mut out = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(text) => out.push_str(text),
                        Piece::Field(path) => match field(path, object)? {
                            Value::String(text) => out.push_str(text),
                            Value::Object(_) | Value::Array(_) => return Err((*path).to_owned()),
                            other => out.push_str(&other.to_string()),
                        },
                    }
                }
                Ok(NewValue::Str { text: out, quotes: *quotes })
            }
        },
        NewValue::Sequence(items) => {
            items.iter().map(|item| filled(item, object)).collect::<Result<_, _>>().map(NewValue::Sequence)
        }
        NewValue::Mapping(entries) => {
            let mut out = Vec::with_capacity(entries.len());
            for (name, value) in entries {
                if !is_absent(value, object) {
                    out.push((name.clone(), filled(value, object)?));
                }
            }
            Ok(NewValue::Mapping(out))
        }
    }
}

/// Whether the value is nothing but a reference to a field that is not there.
fn is_absent(value: &NewValue, object: ObjectView<'_>) -> bool {
    let NewValue::Str { text, .. } = value else { return false };
    match pieces(text).as_slice() {
        [Piece::Field(path)] => PathExpr::parse(path)
            .is_ok_and(|path| path.values(&object.identity.kind, object.value).is_empty()),
        _ => false,
    }
}

/// The one value of a field.
fn field<'v>(path: &str, object: ObjectView<'v>) -> Result<&'v Value, String> {
    let values = PathExpr::parse(path).map(|path| path.values(&object.identity.kind, object.value));
    match values.as_deref() {
        Ok([value]) => Ok(value),
        _ => Err(path.to_owned()),
    }
}
