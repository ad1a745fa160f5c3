//! Third stage: the planned operations become splices over the source text.

use super::plan::Plan;
use super::survey::{STDIN, Survey};
use crate::diagnostic::{Diagnostic, Place};
use crate::edit::{self, Operation};

/// A document's new text, not yet proved.
#[derive(Debug)]
pub struct Spliced {
    /// Index in [`Plan::documents`].
    pub planned: usize,
    /// The splices over the document's source text.
    pub splices: Vec<edit::Splice>,
    /// The text with the splices applied.
    pub text: String,
}

/// Splices every document that has operations.
pub fn splice(survey: &Survey<'_>, plan: &Plan<'_>) -> Result<Vec<Spliced>, Vec<Diagnostic>> {
    let mut out = Vec::new();
    let mut errors = Vec::new();
    for (index, document) in plan.documents.iter().enumerate() {
        if document.operations.is_empty() || document.goes() {
            continue;
        }
        let operations: Vec<Operation> =
            document.operations.iter().map(|planned| planned.operation.clone()).collect();
        let refused = |operation: usize, offset: usize, message: &str, help: Option<&str>| {
            let planned = &document.operations[operation.min(document.operations.len() - 1)];
            let object = &document.objects[planned.object].identity;
            let start = survey.document(document.index).text.start;
            let stream = &survey.stream;
            let place = if object.is_secret() || document.hides_line(offset) {
                Place::hidden_in_stream(STDIN, stream, start + offset)
            } else {
                Place::in_stream(STDIN, stream, start + offset..start + offset)
            };
            let rule = &plan.rules[planned.rule].id;
            let diagnostic =
                Diagnostic::contract("edit-refused", format!("rule {rule} cannot edit this text: {message}"))
                    .rule(rule)
                    .object(object)
                    .path(edit::pointer(&planned.operation.path))
                    .at(place);
            help.into_iter().fold(diagnostic, Diagnostic::help)
        };
        if document.tree.has_foreign_line_breaks() {
            errors.push(refused(
                0,
                0,
                "the document holds U+0085, U+2028 or U+2029, which Kubernetes takes for line breaks",
                Some("write these characters as escapes in a double-quoted string"),
            ));
            continue;
        }
        match edit::splices(&document.tree, &operations) {
            Ok(splices) => {
                let text = edit::apply(document.tree.text(), &splices);
                out.push(Spliced { planned: index, splices, text });
            }
            Err(error) => {
                errors.push(refused(error.operation, error.offset, &error.kind.to_string(), error.help()));
            }
        }
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}
