//! Last stage: every edited document is parsed again. Its value must be what
//! `json-patch` makes of the old value, and the bytes outside the splices must
//! be the old bytes. Only what passes can be printed.

use json_patch::{Patch, patch};
use serde_json::Value;

use super::document::PlannedDocument;
use super::plan::Plan;
use super::splice::Spliced;
use super::survey::Survey;
use crate::diagnostic::{Class, Diagnostic};
use crate::yaml::{self, Stream};

/// A rewritten stream whose every byte is accounted for. Made by [`prove`] only.
#[derive(Debug)]
pub struct Proved {
    bytes: Vec<u8>,
}

impl Proved {
    /// The bytes to print.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes to print.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Proves every spliced document and puts the stream together.
pub fn prove(survey: &Survey<'_>, plan: &Plan<'_>, spliced: Vec<Spliced>) -> Result<Proved, Vec<Diagnostic>> {
    let errors: Vec<Diagnostic> = spliced
        .iter()
        .filter_map(|spliced| {
            let document = &plan.documents[spliced.planned];
            check(document, spliced).err().map(|reason| failure(document, &reason))
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut new_texts: Vec<Option<&str>> = vec![None; survey.heads.len()];
    let mut gone = vec![false; survey.heads.len()];
    for spliced in &spliced {
        new_texts[plan.documents[spliced.planned].index] = Some(&spliced.text);
    }
    for document in plan.documents.iter().filter(|document| !document.objects.is_empty()) {
        gone[document.index] = document.dropped.len() == document.objects.len();
    }
    Ok(Proved { bytes: assemble(survey, &new_texts, &gone, &plan.emitted) })
}

fn check(document: &PlannedDocument<'_>, spliced: &Spliced) -> Result<(), String> {
    let operations: Vec<Value> =
        document.operations.iter().map(|planned| planned.operation.to_json_patch()).collect();
    let operations: Patch = serde_json::from_value(Value::Array(operations))
        .map_err(|error| format!("the plan is no JSON Patch: {error}"))?;
    let mut wanted = document.original.clone();
    patch(&mut wanted, &operations).map_err(|error| format!("the plan does not apply: {error}"))?;
    if Stream::cut(spliced.text.as_bytes()).map_or(true, |stream| stream.documents().len() != 1) {
        return Err("the new text is more than one document".to_owned());
    }
    let tree =
        yaml::parse(&spliced.text).map_err(|error| format!("the new text is not YAML: {}", error.message))?;
    let value = tree.read().map_err(|_| "the new text cannot be read".to_owned())?;
    if value != wanted {
        return Err("the new text does not mean what was planned".to_owned());
    }
    bytes_outside(document.tree.text(), spliced)
}

/// Compares everything between the splices, old text against new.
fn bytes_outside(old: &str, spliced: &Spliced) -> Result<(), String> {
    let (mut from, mut to) = (0, 0);
    let touched = || "a byte outside the edits changed".to_owned();
    for splice in &spliced.splices {
        let kept = old.get(from..splice.range.start).ok_or_else(touched)?;
        if spliced.text.get(to..to + kept.len()) != Some(kept) {
            return Err(touched());
        }
        from = splice.range.end;
        to += kept.len() + splice.text.len();
    }
    if old.get(from..) == spliced.text.get(to..) { Ok(()) } else { Err(touched()) }
}

fn failure(document: &PlannedDocument<'_>, reason: &str) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        "proof-failed",
        Class::Proof,
        format!("the proof failed for document {}: {reason}", document.index + 1),
    )
    .note("nothing was written")
    .help("this is a fault of germ-post: please report it with the document, its Secrets replaced");
    if let Some(object) = document.objects.first() {
        diagnostic = diagnostic.object(&object.identity);
    }
    diagnostic
}

/// Old bytes but for edited and dropped documents. Never empty: Helm 4 refuses
/// an empty answer, and Argo CD would prune everything.
fn assemble(survey: &Survey<'_>, new_texts: &[Option<&str>], gone: &[bool], emitted: &[String]) -> Vec<u8> {
    let text = survey.stream.text();
    let dropped = gone.iter().filter(|gone| **gone).count();
    let left = survey.heads.iter().zip(gone).any(|(head, gone)| head.has_content && !gone);
    if !left && dropped > 0 && emitted.is_empty() {
        let documents = if dropped == 1 { "document" } else { "documents" };
        return format!("# germ-post: {dropped} {documents} dropped, none left\n").into_bytes();
    }
    if text.trim().is_empty() && emitted.is_empty() {
        return b"# germ-post: the input holds no document\n".to_vec();
    }
    let mut out = Vec::with_capacity(text.len() + 4096);
    for (index, document) in survey.stream.documents().iter().enumerate() {
        if gone[index] {
            continue;
        }
        if let Some(separator) = &document.separator {
            out.extend_from_slice(&text.as_bytes()[separator.clone()]);
        }
        let new = new_texts[index].unwrap_or(&text[document.text.clone()]);
        out.extend_from_slice(new.as_bytes());
    }
    for text in emitted {
        if out.last().is_some_and(|last| *last != b'\n') {
            out.push(b'\n');
        }
        out.extend_from_slice(b"---\n");
        out.extend_from_slice(text.as_bytes());
    }
    out
}
