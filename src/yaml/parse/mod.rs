//! One document's text → a [`Tree`]. What the checking scan vouches for, `plain`
//! builds on the way. For the rest the events come from `granit-parser`, a
//! reader of YAML 1.2; `builder` turns its spans into exact ones and finds the
//! indicators that have no event, `strict` refuses what that parser takes and
//! Kubernetes' reader refuses or reads differently.

mod block_scalar;
mod builder;
mod key;
mod plain;
mod position;
mod resolve;
pub(crate) mod strict;
mod trivia;

use granit_parser::{ErrorKind, Options, Parser, ScanError};

use self::builder::Builder;
use super::tree::Tree;

/// Deepest nesting that is read. Kubernetes' reader allows 10,000; no manifest
/// comes near either.
pub const MAX_DEPTH: usize = 1000;

/// A text that Kubernetes' reader does not read as one value, or that this
/// program does not dare to edit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// Byte offset in the document's text.
    pub offset: usize,
    /// What is wrong, without any text of the document.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl ParseError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None }
    }

    fn with_help(mut self, help: &str) -> Self {
        self.help = Some(help.to_owned());
        self
    }
}

/// Parses one document: the text between two separator lines.
pub fn parse(text: &str) -> Result<Tree<'_>, ParseError> {
    let Some(tree) = plain::parse(text) else { return parse_events(text) };
    debug_assert!(Ok(&tree) == parse_events(text).as_ref(), "the quick builder and the parser disagree");
    Ok(tree)
}

/// The same tree, or the error, by way of the parser's events alone.
pub fn parse_events(text: &str) -> Result<Tree<'_>, ParseError> {
    let mut options = Options::default();
    // A separator ends the text, and a directive is nothing without one.
    options.disallow_directives = true;
    options.bom_inside_document_as_content = true;
    options.block_scalar_eof_without_line_feed = true;
    options.block_nesting_limit = MAX_DEPTH;
    options.flow_nesting_limit = MAX_DEPTH;
    options.set_emit_comments(false);
    let mut builder = Builder::new(text);
    let mut parser = Parser::new_from_str_with_options(text, options);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| parser_error(text, &error))?;
        let (start, end) = match (span.start.byte_offset(), span.end.byte_offset()) {
            (Some(start), Some(end)) => (start, end),
            _ => return Err(ParseError::new(0, "the parser gave no byte offsets")),
        };
        builder.event(event, start..end)?;
    }
    let (nodes, root) = builder.finish()?;
    Ok(Tree { text, nodes, root, foreign_breaks: has_foreign_line_breaks(text) })
}

fn parser_error(text: &str, error: &ScanError) -> ParseError {
    let offset = error.marker().byte_offset().unwrap_or(0).min(text.len());
    match error.kind() {
        // The parser looks for another document where indentation ends the first.
        ErrorKind::ExpectedDocumentStart => {
            ParseError::new(offset, "this text is no part of the value above it")
                .with_help("Kubernetes reads what stands above and ignores the rest; check the indentation")
        }
        _ => ParseError::new(offset, error.info().to_owned()),
    }
}

/// Looks for the three characters that YAML 1.1 takes for line breaks.
pub fn has_foreign_line_breaks(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memmem::find(bytes, "\u{85}".as_bytes()).is_some()
        || memchr::memmem::find(bytes, "\u{2028}".as_bytes()).is_some()
        || memchr::memmem::find(bytes, "\u{2029}".as_bytes()).is_some()
}
