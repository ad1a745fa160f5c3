//! The fast checking scan of one document. It vouches for plain block YAML, and
//! tells the few fields that say which object a document holds, at a speed that
//! lets every document of a large stream be checked. Whatever is unusual it
//! leaves to the parser: it may say [`Scan::Perhaps`] too often, but what it
//! vouches for, [`crate::yaml::parse`] accepts and reads the same.

mod block;
mod bytes;
mod flow;
mod head;
mod levels;
pub(super) mod literal;
pub(super) mod quoted;
pub(super) mod sink;
mod words;

use std::borrow::Cow;

/// What the scan found out about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scan<'s> {
    /// The parser accepts this text, and its tree gives these fields.
    Vouched(Head<'s>),
    /// Only the parser can tell.
    Perhaps,
}

/// The fields that say what a document is about. Where a key stands several
/// times the last one counts. A field whose value is not a string is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head<'s> {
    /// `apiVersion`.
    pub api_version: Option<Cow<'s, str>>,
    /// `kind`.
    pub kind: Option<Cow<'s, str>>,
    /// `metadata.name`.
    pub name: Option<Cow<'s, str>>,
    /// Nothing but comments and blank lines.
    pub empty: bool,
    /// There is a top-level key `items`, whatever its value.
    pub has_items: bool,
}

/// Scans the text of one document: what lies between two separator lines.
/// Takes time linear in the length of the text and allocates nothing.
pub fn scan(text: &str) -> Scan<'_> {
    match block::Scanner::run(text, &mut ()) {
        Some(head) => Scan::Vouched(head),
        None => Scan::Perhaps,
    }
}

/// Scans the text and tells what it passes. False: only the parser can tell, and
/// what was told is void.
pub(super) fn scan_into<'s>(text: &'s str, sink: &mut impl sink::Sink<'s>) -> bool {
    block::Scanner::run(text, sink).is_some()
}
