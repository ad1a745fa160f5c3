//! The comparison itself: what germ-post takes a document to be, what
//! Kubernetes' reader takes it to be, and which documents germ-post refuses
//! that the other one reads.

use std::collections::BTreeMap;

use germ_post::yaml::parse::has_foreign_line_breaks;
use germ_post::yaml::{Scan, Stream, parse, scan};
use serde_json::Value;

use crate::go;

/// How a set of documents came out.
#[derive(Default)]
pub struct Tally {
    /// Documents that both read, as the same value.
    same: usize,
    /// Documents that both refuse.
    both_refuse: usize,
    /// Documents with line breaks that only Kubernetes knows: never edited.
    foreign: usize,
    /// Documents that germ-post refuses and Kubernetes reads in part, ignoring what
    /// stands behind their first node.
    read_in_part: usize,
    /// Documents that germ-post refuses and Kubernetes reads, by germ-post's message.
    refused: BTreeMap<String, Vec<String>>,
    /// Documents that germ-post reads and Kubernetes refuses or reads differently.
    wrong: Vec<String>,
}

/// Cuts each stream and compares each of its documents. `None` without Go.
pub fn compare(streams: impl IntoIterator<Item = String>) -> Option<Tally> {
    let mut documents = Vec::new();
    for stream in streams {
        let Ok(stream) = Stream::cut(stream.as_bytes()) else { continue };
        documents.extend(stream.documents().iter().map(|document| stream.document_text(document).to_owned()));
    }
    let mut tally = Tally::default();
    let (mut refused, mut messages) = (Vec::new(), Vec::new());
    for (text, theirs) in documents.iter().zip(go::read_all(&documents)?) {
        if let Some(message) = tally.judge(text, theirs) {
            refused.push(text.clone());
            messages.push(message);
        }
    }
    let whole = go::reads_to_the_end(&refused)?;
    for ((text, message), whole) in refused.into_iter().zip(messages).zip(whole) {
        if whole {
            tally.refused.entry(message).or_default().push(text);
        } else {
            tally.read_in_part += 1;
        }
    }
    Some(tally)
}

impl Tally {
    /// Counts one document. Answers germ-post's message when it alone refuses it.
    fn judge(&mut self, text: &str, theirs: go::Answer) -> Option<String> {
        if has_foreign_line_breaks(text) {
            self.foreign += 1;
            return None;
        }
        if let (Scan::Vouched(_), Err(theirs)) = (scan(text), &theirs) {
            self.wrong.push(format!("{text:?}\n  vouched for\n  theirs {theirs}"));
        }
        match (ours(text), theirs) {
            (Ok(ours), Ok(theirs)) if is_same(&ours, &theirs) => self.same += 1,
            (Ok(ours), theirs) => {
                self.wrong.push(format!("{text:?}\n  ours   {ours}\n  theirs {theirs:?}"));
            }
            (Err(_), Err(_)) => self.both_refuse += 1,
            (Err(message), Ok(_)) => return Some(message),
        }
        None
    }

    /// Fails when a document is read wrongly, or when more are refused for a
    /// reason than `bounds` allows for it.
    pub fn assert_sound(&self, what: &str, bounds: &[(&str, usize)]) {
        println!(
            "{what}: {} read the same, {} refused by both, {} read by Kubernetes in part, {} with foreign line breaks",
            self.same, self.both_refuse, self.read_in_part, self.foreign
        );
        for (message, texts) in &self.refused {
            println!("  {} refused by germ-post alone: {message}, e.g. {}", texts.len(), shown(&texts[0]));
        }
        let wrong: Vec<_> = self.wrong.iter().take(10).map(|text| shown(text)).collect();
        assert!(wrong.is_empty(), "{what}: {} read wrongly:\n{}", self.wrong.len(), wrong.join("\n"));
        for (message, texts) in &self.refused {
            let bound = bounds.iter().find(|(known, _)| known == message).map_or(0, |(_, bound)| *bound);
            let some: Vec<_> = texts.iter().take(5).map(|text| shown(text)).collect();
            assert!(
                texts.len() <= bound,
                "{what}: {} refused for: {message} (at most {bound} expected), e.g.\n{}",
                texts.len(),
                some.join("\n")
            );
        }
    }
}

/// The beginning of a text, on one line.
fn shown(text: &str) -> String {
    text.chars().take(600).flat_map(char::escape_debug).collect()
}

/// The value, or the reason of refusal.
fn ours(text: &str) -> Result<Value, String> {
    let tree = parse(text).map_err(|error| error.message)?;
    tree.read().map_err(|error| format!("{error:?}").split(' ').next().unwrap_or("").to_owned())
}

fn is_same(ours: &Value, theirs: &str) -> bool {
    match serde_json::from_str(theirs) {
        Ok(theirs) => are_equal(ours, &theirs),
        // Too deep to be read again.
        Err(_) => serde_json::to_string(ours).is_ok_and(|ours| ours == theirs),
    }
}

/// Equal as JSON. A number with a fraction may differ in its last digit, since
/// these values were read from text that way; negative zero is zero.
fn are_equal(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= a.abs() * 1e-15,
            _ => false,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| are_equal(a, b)))
        }
        _ => ours == theirs,
    }
}
