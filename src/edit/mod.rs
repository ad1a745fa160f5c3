//! Lossless editing: patch operations become byte splices over the source text,
//! written in the style of the text around them.

pub mod operation;

pub use operation::{Action, NewValue, Operation, Path, Quotes, pointer};

use std::ops::Range;

/// One replacement of bytes in a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go; empty for an insertion.
    pub range: Range<usize>,
    /// The text that comes.
    pub text: String,
}

/// stub until merged
#[derive(Debug)]
pub struct EditError { /// i
 pub operation: usize, /// o
 pub offset: usize, /// m
 pub message: String, /// h
 pub help: Option<String> }
/// s
pub fn splices(_t: &crate::yaml::Tree<'_>, _o: &[Operation]) -> Result<Vec<Splice>, EditError> { Ok(vec![]) }
/// a
pub fn apply(text: &str, _s: &[Splice]) -> String { text.to_owned() }
