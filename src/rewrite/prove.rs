//! Last stage: every edited document is parsed again. Its value must be what
//! `json-patch` makes of the old value, and the bytes outside the splices must
//! be the old bytes. Only what passes can be printed.

use std::borrow::Cow;
use std::io::{BufWriter, Write};

use json_patch::{Patch, patch};
use serde_json::Value;

use super::document::PlannedDocument;
use super::plan::Plan;
use super::splice::Spliced;
use super::survey::Survey;
use crate::diagnostic::{Class, Diagnostic};
use crate::yaml::{self, Stream};

/// Bytes up to which pieces of the stream are gathered for one write.
const BUFFER: usize = 256 * 1024;

/// A rewritten stream whose every byte is accounted for. Made by [`prove`] only.
/// What no edit touched is still the input's own memory.
#[derive(Debug)]
pub struct Proved<'s> {
    /// In order, none of them empty.
    pieces: Vec<Cow<'s, str>>,
}

impl<'s> Proved<'s> {
    /// Writes the stream: long pieces straight from where they are, short ones
    /// together.
    pub fn write_to(&self, out: impl Write) -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(BUFFER, out);
        self.pieces.iter().try_for_each(|piece| out.write_all(piece.as_bytes()))?;
        out.flush()
    }

    /// The stream as one text.
    pub fn text(&self) -> String {
        self.pieces.concat()
    }

    fn push(&mut self, piece: Cow<'s, str>) {
        if !piece.is_empty() {
            self.pieces.push(piece);
        }
    }
}

/// Proves every spliced document and puts the stream together.
pub fn prove<'s>(
    survey: &Survey<'s>,
    plan: &Plan<'_>,
    spliced: Vec<Spliced>,
) -> Result<Proved<'s>, Vec<Diagnostic>> {
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
    Ok(assemble(survey, changes(plan, spliced), &plan.emitted))
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

/// What becomes of a document that does not stay as it is.
enum Change {
    Text(String),
    Gone,
}

/// The documents that change, by their index in the stream, in order.
fn changes(plan: &Plan<'_>, spliced: Vec<Spliced>) -> Vec<(usize, Change)> {
    let texts = spliced
        .into_iter()
        .map(|spliced| (plan.documents[spliced.planned].index, Change::Text(spliced.text)));
    let is_gone = |document: &&PlannedDocument<'_>| {
        !document.objects.is_empty() && document.dropped.len() == document.objects.len()
    };
    let gone = plan.documents.iter().filter(is_gone).map(|document| (document.index, Change::Gone));
    let mut changes: Vec<(usize, Change)> = texts.chain(gone).collect();
    changes.sort_by_key(|(index, _)| *index);
    changes
}

/// Old bytes but for edited and dropped documents. Never empty: Helm 4 refuses
/// an empty answer, and Argo CD would prune everything.
fn assemble<'s>(survey: &Survey<'s>, changes: Vec<(usize, Change)>, emitted: &[String]) -> Proved<'s> {
    let text = survey.stream.text();
    let mut proved = Proved { pieces: Vec::with_capacity(2 * changes.len() + 2 * emitted.len() + 1) };
    let dropped = changes.iter().filter(|(_, change)| matches!(change, Change::Gone)).count();
    let content = survey.heads.iter().filter(|head| head.has_content).count();
    if dropped > 0 && dropped == content && emitted.is_empty() {
        let documents = if dropped == 1 { "document" } else { "documents" };
        proved.push(format!("# germ-post: {dropped} {documents} dropped, none left\n").into());
        return proved;
    }
    if text.trim().is_empty() && emitted.is_empty() {
        proved.push("# germ-post: the input holds no document\n".into());
        return proved;
    }
    let mut at = 0;
    for (index, change) in changes {
        let document = &survey.stream.documents()[index];
        let own = match &change {
            Change::Text(_) => document.text.start,
            // A document goes with the separator in front of it.
            Change::Gone => document.separator.as_ref().map_or(document.text.start, |line| line.start),
        };
        proved.push(text[at..own].into());
        at = document.text.end;
        if let Change::Text(new) = change {
            proved.push(new.into());
        }
    }
    proved.push(text[at..].into());
    for new in emitted {
        if proved.pieces.last().is_some_and(|last| !last.ends_with('\n')) {
            proved.push("\n".into());
        }
        proved.push("---\n".into());
        proved.push(new.clone().into());
    }
    proved
}
