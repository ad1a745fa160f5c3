//! Lossless editing: patch operations become byte splices over the source text,
//! written in the style of the text around them. The operations make a draft of
//! the document (`draft`), which is then compared with the source place by place
//! (`emit`); bytes that no difference touches are never written again.

mod block;
mod block_scalar;
#[cfg(test)]
mod check;
mod collection;
mod draft;
mod effective;
mod emit;
mod error;
mod finish;
mod flow;
mod flow_style;
mod inserted;
mod layout;
mod lines;
mod new_keys;
mod opened;
pub mod operation;
mod properties;
mod render;
mod same;
mod scalar_text;
mod seek;
mod shared;
mod slot;
mod value;
mod written;

pub use error::{EditError, Refusal};
pub use operation::{Action, NewValue, Operation, Path, Quotes, pointer};
pub use render::document;

use std::ops::Range;

use crate::yaml::Tree;

/// One replacement of bytes in a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go; empty for an insertion.
    pub range: Range<usize>,
    /// The text that comes.
    pub text: String,
}

/// The splices over `tree.text()` that carry the operations out, in the order
/// of the text, none overlapping another. Operations that change nothing give
/// none.
///
/// Each operation is meant for the document that the ones before it made, as
/// [`Tree::read`] reads it: the last of duplicate keys counts, aliases and merge
/// keys are expanded. An edit in what an alias or a merge key brings is written
/// where it is used.
///
/// # Errors
///
/// A path that leads nowhere, an edit that another place of the document would
/// feel, and any form of YAML that cannot be edited for sure. Nothing is half done.
pub fn splices(tree: &Tree<'_>, operations: &[Operation]) -> Result<Vec<Splice>, EditError> {
    if operations.is_empty() {
        return Ok(Vec::new());
    }
    let refuse = |(offset, kind)| EditError::new(0, offset, kind);
    if let Some(offset) = lone_carriage_return(tree.text()) {
        return Err(refuse((offset, Refusal::OddLineBreaks)));
    }
    if tree.has_foreign_line_breaks() {
        return Err(refuse((0, Refusal::OddLineBreaks)));
    }
    let root = tree.root().ok_or(refuse((0, Refusal::Empty)))?;
    let draft = draft::draft(tree, root, operations)?;
    let mut emitter = emit::Emitter::new(tree);
    emitter.document(root, &draft)?;
    emitter.touched.check(tree)?;
    finish::finish(tree, emitter.pieces)
}

/// The text with the splices applied. They must be in order, as [`splices`]
/// gives them, and made for this text.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let added: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut out = String::with_capacity(text.len() + added);
    let mut at = 0;
    for splice in splices {
        out.push_str(text.get(at..splice.range.start).unwrap_or(""));
        out.push_str(&splice.text);
        at = splice.range.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

/// A carriage return that no line feed follows.
fn lone_carriage_return(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\r', bytes).find(|at| bytes.get(at + 1) != Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::check::{edited, set};
    use super::*;
    use crate::yaml::parse;
    use serde_json::json;

    fn refusal(text: &str) -> Refusal {
        edited(text, json!([set("/b", json!(2))])).unwrap_err().kind
    }

    #[test]
    fn line_breaks_that_readers_disagree_about_are_refused() {
        for foreign in ["\u{85}", "\u{2028}", "\u{2029}"] {
            assert_eq!(refusal(&format!("a: \"x{foreign}y\"\nb: 1\n")), Refusal::OddLineBreaks);
            assert_eq!(refusal(&format!("b: 1 # {foreign}\n")), Refusal::OddLineBreaks);
        }
        assert_eq!(refusal("a: 1\rb: 1\n"), Refusal::OddLineBreaks);
        assert_eq!(refusal("a: 1\nb: 1\r"), Refusal::OddLineBreaks);
    }

    #[test]
    fn without_operations_any_document_stays() {
        for text in ["", "# c\n", "a: 1\rb: 1\n", "a: \"\u{2028}\"\n"] {
            assert_eq!(splices(&parse(text).unwrap(), &[]), Ok(Vec::new()), "{text:?}");
        }
    }
}
