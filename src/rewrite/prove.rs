//! Last stage: every edited document is parsed again. Its value must be what
//! `json-patch` makes of the old value, and its text the old one with the splices
//! in it. Only what passes can be printed.

use std::borrow::Cow;
use std::collections::HashSet;
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

/// Proves every spliced document and puts the stream together. The old values are
/// used up: what `json-patch` makes of them is what is wanted.
pub fn prove<'s>(
    survey: &Survey<'s>,
    plan: &mut Plan<'_>,
    spliced: Vec<Spliced>,
) -> Result<Proved<'s>, Vec<Diagnostic>> {
    let done: HashSet<usize> = spliced.iter().map(|spliced| spliced.planned).collect();
    let wrong = spliced.iter().filter_map(|spliced| {
        let document = &mut plan.documents[spliced.planned];
        let old = std::mem::take(&mut document.original);
        check(document, old, spliced).err().map(|reason| failure(document, &reason))
    });
    let wrong: Vec<Diagnostic> = wrong.collect();
    let is_left_out = |(planned, document): &(usize, &PlannedDocument<'_>)| {
        !document.operations.is_empty() && !document.goes() && !done.contains(planned)
    };
    let left_out = plan.documents.iter().enumerate().filter(is_left_out);
    let left_out = left_out.map(|(_, document)| failure(document, "what was planned was not done"));
    let errors: Vec<Diagnostic> = wrong.into_iter().chain(left_out).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(assemble(survey, changes(plan, spliced), &plan.emitted))
}

fn check(document: &PlannedDocument<'_>, old: Value, spliced: &Spliced) -> Result<(), String> {
    let operations: Vec<Value> =
        document.operations.iter().map(|planned| planned.operation.to_json_patch()).collect();
    let operations: Patch = serde_json::from_value(Value::Array(operations))
        .map_err(|error| format!("the plan is no JSON Patch: {error}"))?;
    let mut wanted = old;
    patch(&mut wanted, &operations).map_err(|error| format!("the plan does not apply: {error}"))?;
    if Stream::cut(spliced.text.as_bytes()).map_or(true, |stream| stream.documents().len() != 1) {
        return Err("the new text is more than one document".to_owned());
    }
    let tree =
        yaml::parse(&spliced.text).map_err(|error| format!("the new text is not YAML: {}", error.message))?;
    if !tree.means(&wanted).map_err(|_| "the new text cannot be read".to_owned())? {
        return Err("the new text does not mean what was planned".to_owned());
    }
    bytes_outside(document.tree.text(), spliced)
}

/// The new text must be the old one with the splices in it and nothing else.
fn bytes_outside(old: &str, spliced: &Spliced) -> Result<(), String> {
    let touched = || "a byte outside the edits changed".to_owned();
    let (mut from, mut new) = (0, spliced.text.as_str());
    for splice in &spliced.splices {
        // A range that is none, or begins in front of the one before, has no text.
        old.get(splice.range.clone()).ok_or_else(touched)?;
        let kept = old.get(from..splice.range.start).ok_or_else(touched)?;
        new = new
            .strip_prefix(kept)
            .and_then(|new| new.strip_prefix(splice.text.as_str()))
            .ok_or_else(touched)?;
        from = splice.range.end;
    }
    if old.get(from..) == Some(new) { Ok(()) } else { Err(touched()) }
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
    let gone = plan.documents.iter().filter(|document| document.goes());
    let gone = gone.map(|document| (document.index, Change::Gone));
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
    if dropped > 0 && dropped == survey.content() && emitted.is_empty() {
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

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use serde_json::json;

    use super::super::document::PlannedOperation;
    use super::*;
    use crate::edit::{Action, NewValue, Operation, Splice};

    const TEXT: &str = "# c\nkind: Thing\nmetadata: {name: x}\na: 1\nb: 2\n";

    /// A plan with the documents of the stream that hold something, nothing
    /// wanted of them yet.
    fn plan<'s>(survey: &Survey<'s>) -> Plan<'s> {
        let indices = (0..survey.heads.len()).filter(|index| survey.heads[*index].has_content);
        let documents = indices.map(|index| {
            let (tree, value) = survey.parse(index).unwrap();
            PlannedDocument::new(index, tree, value)
        });
        let documents = documents.collect();
        Plan { documents, rules: Vec::new(), diagnostics: Vec::new(), emitted: Vec::new() }
    }

    /// Plans that `key` is set, in the first object.
    fn set(document: &mut PlannedDocument<'_>, key: &str, value: &Value) {
        let path = vec![key.to_owned()];
        let action = Action::Replace { value: NewValue::from(value) };
        let operation = Operation { path: path.clone(), action };
        document.operations.push(PlannedOperation { operation, rule: 0, object: 0, old: None, source: path });
    }

    /// Splices and a text, whether or not they belong together.
    fn spliced(planned: usize, splices: &[(Range<usize>, &str)], text: &str) -> Spliced {
        let splices = splices.iter().map(|(range, text)| {
            let (range, text) = (range.clone(), (*text).to_owned());
            Splice { range, text }
        });
        Spliced { planned, splices: splices.collect(), text: text.to_owned() }
    }

    /// Why it is not proved that [`TEXT`] with `key` set to 3 is `text`.
    fn fault(key: &str, splices: &[(Range<usize>, &str)], text: &str) -> Option<String> {
        let survey = Survey::new(TEXT.as_bytes()).unwrap();
        let mut plan = plan(&survey);
        set(&mut plan.documents[0], key, &json!(3));
        let old = plan.documents[0].original.clone();
        check(&plan.documents[0], old, &spliced(0, splices, text)).err()
    }

    /// The place of a text in [`TEXT`].
    fn at(text: &str) -> Range<usize> {
        let start = TEXT.find(text).unwrap();
        start..start + text.len()
    }

    /// What a stream becomes under a plan that `change` made, or the errors.
    fn proved(text: &str, change: impl FnOnce(&mut Plan<'_>) -> Vec<Spliced>) -> Result<String, Vec<String>> {
        let survey = Survey::new(text.as_bytes()).unwrap();
        let mut plan = plan(&survey);
        let spliced = change(&mut plan);
        match prove(&survey, &mut plan, spliced) {
            Ok(proved) => {
                let mut written = Vec::new();
                proved.write_to(&mut written).unwrap();
                assert_eq!(written, proved.text().as_bytes());
                Ok(proved.text())
            }
            Err(errors) => {
                assert!(errors.iter().all(|error| error.class == Class::Proof));
                Err(errors.into_iter().map(|error| error.message).collect())
            }
        }
    }

    fn drop_all(document: &mut PlannedDocument<'_>) {
        document.dropped = (0..document.objects.len()).map(|object| (object, 0)).collect();
    }

    #[test]
    fn right_splices_are_proved() {
        assert_eq!(fault("a", &[(at("1"), "3")], &TEXT.replace('1', "3")), None);
        let several = [(0..3, ""), (at("a: 1"), "a: 3"), (at("2"), "0x2")];
        let text = TEXT.replace("# c", "").replace("a: 1", "a: 3").replace(": 2", ": 0x2");
        assert_eq!(fault("a", &several, &text), None);
        let end = TEXT.len();
        assert_eq!(
            fault("b", &[(at("2"), "3"), (end..end, "# d\n")], &TEXT.replace("2\n", "3\n# d\n")),
            None
        );
    }

    #[test]
    fn another_value_than_the_planned_one_is_seen() {
        let meaning = Some("the new text does not mean what was planned".to_owned());
        assert_eq!(fault("a", &[], TEXT), meaning);
        assert_eq!(fault("a", &[(at("1"), "\"3\"")], &TEXT.replace('1', "\"3\"")), meaning);
        assert_eq!(fault("a", &[(at("2"), "3")], &TEXT.replace('2', "3")), meaning);
        let both = [(at("1"), "3"), (at("2"), "3")];
        assert_eq!(fault("a", &both, &TEXT.replace(['1', '2'], "3")), meaning);
        let twice = "3\na: 1";
        assert_eq!(fault("a", &[(at("1"), twice)], &TEXT.replace('1', twice)), meaning);
    }

    #[test]
    fn a_text_that_is_not_one_readable_document_is_seen() {
        let more = Some("the new text is more than one document".to_owned());
        for text in ["3\n---\nb: 2\n", "3\n---x\n", "3\n---\n"] {
            let range = at("1").start..TEXT.len();
            assert_eq!(
                fault("a", &[(range.clone(), text)], &format!("{}{text}", &TEXT[..range.start])),
                more
            );
        }
        let unreadable = |text: &str| fault("a", &[(at("1"), text)], &TEXT.replace('1', text)).unwrap();
        assert!(unreadable("[3").starts_with("the new text is not YAML: "));
        assert_eq!(unreadable("3\n<<: 1"), "the new text cannot be read");
    }

    #[test]
    fn a_plan_that_does_not_apply_is_seen() {
        let text = format!("{TEXT}c: 3\n");
        let fault = fault("c", &[(TEXT.len()..TEXT.len(), "c: 3\n")], &text).unwrap();
        assert!(fault.starts_with("the plan does not apply: "), "{fault}");
    }

    #[test]
    fn bytes_that_no_splice_tells_of_are_seen() {
        let touched = Some("a byte outside the edits changed".to_owned());
        let right = TEXT.replace('1', "3");
        let one = at("1");
        // The value is the planned one in all of these.
        for text in [
            right.replace("# c", "# d"),
            right.replace("# c\n", ""),
            right.replace("{name: x}", "{ name: x }"),
            right.replace("b: 2", "b: 2 "),
            right.replace("b: 2", "b: \n  2"),
            format!("{right}# d\n"),
            right.trim_end().to_owned(),
            right.replace('3', "0x3"),
        ] {
            assert_eq!(fault("a", &[(one.clone(), "3")], &text), touched, "{text}");
        }
    }

    #[test]
    fn splices_that_do_not_make_the_text_are_seen() {
        let touched = Some("a byte outside the edits changed".to_owned());
        let right = TEXT.replace('1', "3");
        let (one, all) = (at("1"), 0..TEXT.len());
        assert_eq!(fault("a", &[], &right), touched);
        assert_eq!(fault("a", &[(one.start..one.start, "3")], &right), touched);
        assert_eq!(fault("a", &[(one.start..one.end + 1, "3")], &right), touched);
        assert_eq!(fault("a", &[(one.clone(), "3 ")], &right), touched);
        assert_eq!(fault("a", &[(one.clone(), "3 # x")], &TEXT.replace('1', "3 # y")), touched);
        assert_eq!(fault("a", &[(one.clone(), "3"), (one.clone(), "")], &right), touched);
        assert_eq!(fault("a", &[(at("2"), "2"), (one.clone(), "3")], &right), touched);
        assert_eq!(fault("a", &[(all.start..all.end + 1, &right)], &right), touched);
        assert_eq!(fault("a", &[(all.clone(), &right)], &right), None);
        // Backwards, with all of the old text around it.
        let back = Range { start: one.end, end: one.start };
        let again = "\na: 3 #";
        assert_eq!(fault("a", &[(back, again)], &TEXT.replace('1', "1\na: 3 #1")), touched);
        assert_eq!(fault("a", &[(one.end..one.end, again)], &TEXT.replace('1', "1\na: 3 #")), None);
    }

    const STREAM: &str = "a: 1\n--- # two\n# c\n---\nkind: Thing\nmetadata: {name: x}\nb: 1\n---\nc: 1\n";

    #[test]
    fn every_document_that_fails_is_named() {
        let failures = proved(STREAM, |plan| {
            plan.documents.iter_mut().zip(["a", "b", "c"]).for_each(|(document, key)| {
                set(document, key, &json!(2));
            });
            vec![spliced(0, &[(3..4, "2")], "a: 2\n"), spliced(2, &[(3..4, "3")], "c: 3\n")]
        });
        let meaning = "the proof failed for document 4: the new text does not mean what was planned";
        let undone = "the proof failed for document 3: what was planned was not done";
        assert_eq!(failures, Err(vec![meaning.to_owned(), undone.to_owned()]));
        let survey = Survey::new(STREAM.as_bytes()).unwrap();
        let failure = failure(&plan(&survey).documents[1], "x");
        assert_eq!(failure.object.as_deref(), Some("Thing x"));
    }

    #[test]
    fn only_edited_and_dropped_documents_differ() {
        assert_eq!(proved(STREAM, |_| Vec::new()), Ok(STREAM.to_owned()));
        let out = proved(STREAM, |plan| {
            set(&mut plan.documents[0], "a", &json!(2));
            set(&mut plan.documents[1], "b", &json!(2));
            drop_all(&mut plan.documents[1]);
            vec![spliced(0, &[(3..4, "2")], "a: 2\n")]
        });
        assert_eq!(out.as_deref(), Ok("a: 2\n--- # two\n# c\n---\nc: 1\n"));
        let out = proved(STREAM, |plan| {
            drop_all(&mut plan.documents[0]);
            set(&mut plan.documents[2], "c", &json!(2));
            vec![spliced(2, &[(3..4, "2")], "c: 2\n")]
        });
        assert_eq!(out.as_deref(), Ok(STREAM.replace("a: 1\n", "").replace("c: 1", "c: 2").as_str()));
        // Without objects there is nothing to drop, and with one of two a document stays.
        let lists = "kind: List\nitems: []\n---\nkind: List\nitems: [{kind: A}, {kind: B}]\n";
        let out = proved(lists, |plan| {
            assert!(plan.documents[0].objects.is_empty());
            plan.documents[1].dropped.insert(0, 0);
            Vec::new()
        });
        assert_eq!(out.as_deref(), Ok(lists));
    }

    #[test]
    fn the_output_is_never_empty() {
        let drop_every = |plan: &mut Plan<'_>| {
            plan.documents.iter_mut().for_each(drop_all);
            Vec::new()
        };
        let none_left = |line: &str| Ok(format!("# germ-post: {line}\n"));
        assert_eq!(proved(TEXT, drop_every), none_left("1 document dropped, none left"));
        assert_eq!(proved(STREAM, drop_every), none_left("3 documents dropped, none left"));
        for blank in ["", " \n\n"] {
            assert_eq!(proved(blank, |_| Vec::new()), none_left("the input holds no document"));
        }
        for nothing in ["# c\n", "---\n", "---\n# c\n---\n"] {
            assert_eq!(proved(nothing, |_| Vec::new()).as_deref(), Ok(nothing));
        }
    }

    #[test]
    fn emitted_documents_stand_behind_the_others() {
        let emit = |plan: &mut Plan<'_>| {
            plan.emitted = vec!["x: 1\n".to_owned(), "# c\nx: 2".to_owned()];
            Vec::new()
        };
        for (text, front) in [("a: 1\n", "a: 1\n"), ("a: 1", "a: 1\n"), ("", ""), ("\n", "\n")] {
            assert_eq!(proved(text, emit), Ok(format!("{front}---\nx: 1\n---\n# c\nx: 2")));
        }
        let only_emitted = proved(STREAM, |plan| {
            plan.documents.iter_mut().for_each(drop_all);
            emit(plan)
        });
        assert_eq!(only_emitted.as_deref(), Ok("--- # two\n# c\n---\nx: 1\n---\n# c\nx: 2"));
    }
}
