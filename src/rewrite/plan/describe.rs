//! What reports and diagnostics say of an object: its name, template, place and
//! operations. Values and lines of Secrets are left out here.

use serde_json::Value;

use super::{Planner, template_of};
use crate::diagnostic::{Diagnostic, Place};
use crate::edit::{Action, Path, pointer};
use crate::profile::path::spell;
use crate::rewrite::outcome::{MASKED, ObjectReport, ObjectState, OperationReport};
use crate::rewrite::survey::STDIN;

impl Planner<'_, '_> {
    pub(super) fn object_report(
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

    pub(super) fn operation_reports(
        &self,
        document: usize,
        object: usize,
        from: usize,
    ) -> Vec<OperationReport> {
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

    pub(super) fn line(&self, document: usize, offset: usize) -> usize {
        let start = self.survey.document(self.documents[document].index).text.start;
        self.survey.stream.line_and_column(start + offset).0
    }

    /// Adds object, template and place to a diagnostic. Lines of Secrets are not
    /// shown.
    pub(super) fn place_object(
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
        let place = if reference.identity.is_secret() || planned.hides_line(span.start) {
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
