//! First stage: the stream is cut into documents, every document is checked,
//! and the head of each is known. Documents that some rule may match are
//! parsed, the others never become trees.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Place};
use crate::manifest::{Head, template};
use crate::yaml::read::ReadError;
use crate::yaml::scan::{Scan, scan};
use crate::yaml::stream::StreamError;
use crate::yaml::{self, Document, ParseError, Stream, Tree};

/// The name of the input in diagnostics.
pub const STDIN: &str = "<stdin>";

/// A checked stream.
#[derive(Debug)]
pub struct Survey<'s> {
    /// The stream.
    pub stream: Stream<'s>,
    /// One head a document.
    pub heads: Vec<Head<'s>>,
    /// Which release each document is of; empty where all are of one.
    pub releases: Vec<usize>,
}

impl<'s> Survey<'s> {
    /// Cuts and checks the stream. Every unreadable document is named.
    pub fn new(bytes: &'s [u8]) -> Result<Self, Vec<Diagnostic>> {
        let stream = Stream::cut(bytes).map_err(|error| vec![stream_error(bytes, error)])?;
        let mut heads = Vec::with_capacity(stream.documents().len());
        let mut errors = Vec::new();
        for (index, document) in stream.documents().iter().enumerate() {
            match head(stream.document_text(document)) {
                Ok(head) => heads.push(head),
                Err(error) => errors.push(parse_error(&stream, index, &error)),
            }
        }
        if errors.is_empty() { Ok(Self { stream, heads, releases: Vec::new() }) } else { Err(errors) }
    }

    /// The text of a document.
    pub fn text(&self, index: usize) -> &'s str {
        self.stream.document_text(self.document(index))
    }

    /// Which release a document is of.
    pub fn release(&self, index: usize) -> usize {
        self.releases.get(index).copied().unwrap_or_default()
    }

    /// A document's bytes in the stream.
    pub fn document(&self, index: usize) -> &Document {
        &self.stream.documents()[index]
    }

    /// Parses one document.
    pub fn parse(&self, index: usize) -> Result<(Tree<'s>, Value), Diagnostic> {
        let parsed = yaml::parse(self.text(index)).and_then(|tree| {
            let value = tree.read().map_err(|error| read_error(&error))?;
            Ok((tree, value))
        });
        parsed.map_err(|error| parse_error(&self.stream, index, &error))
    }
}

fn head(text: &str) -> Result<Head<'_>, ParseError> {
    if let Scan::Vouched(head) = scan(text) {
        return Ok(Head::vouched(head, text));
    }
    let tree = yaml::parse(text)?;
    let value = tree.read().map_err(|error| read_error(&error))?;
    Ok(Head::of(&value))
}

fn read_error(error: &ReadError) -> ParseError {
    let (offset, message) = match error {
        ReadError::BadMerge { offset } => (*offset, "the value of the merge key `<<` is not a mapping"),
        ReadError::TooLarge { offset } => (*offset, "the aliases expand to more nodes than any manifest has"),
    };
    ParseError { offset, message: message.to_owned(), help: None }
}

fn stream_error(bytes: &[u8], error: StreamError) -> Diagnostic {
    let text = String::from_utf8_lossy(bytes);
    match error {
        StreamError::NotUtf8 { offset } => {
            let valid = std::str::from_utf8(&bytes[..offset]).unwrap_or("");
            let (line, column) = yaml::stream::line_and_column(valid, offset);
            Diagnostic::input("not-utf8", "the input is not UTF-8 text").at(Place {
                file: STDIN.to_owned(),
                line,
                column,
                shown: None,
            })
        }
        StreamError::GluedSeparator { offset } => {
            Diagnostic::input("glued-separator", "content is glued to the document separator `---`")
                .at(Place::hidden(STDIN, &text, offset))
                .note("Helm splits here, kubectl and Argo CD refuse it: `invalid Yaml document separator`")
                .help("put a line break behind `---`")
        }
    }
}

/// An unreadable document: which one, from which template, where and why; none
/// of its text, since it may be a Secret.
fn parse_error(stream: &Stream<'_>, index: usize, error: &ParseError) -> Diagnostic {
    let document = &stream.documents()[index];
    let offset = document.text.start + error.offset.min(document.text.len());
    let mut diagnostic = Diagnostic::input(
        "unreadable-document",
        format!("document {} of {} is not readable: {}", index + 1, stream.documents().len(), error.message),
    )
    .at(Place::hidden_in_stream(STDIN, stream, offset));
    if let Some(source) = template::source_comment(stream.document_text(document)) {
        diagnostic = diagnostic.note(format!("the document comes from {source}"));
    }
    if let Some(help) = &error.help {
        diagnostic = diagnostic.help(help.clone());
    }
    diagnostic
}
