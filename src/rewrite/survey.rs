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

/// From how many bytes on a stream is checked by several threads: it takes about a
/// millisecond to check that much, and a tenth of that to start a thread.
const WORTH_A_THREAD: usize = 1024 * 1024;

/// A checked stream.
#[derive(Debug)]
pub struct Survey<'s> {
    /// The stream.
    pub stream: Stream<'s>,
    /// One head a document.
    pub heads: Vec<Head<'s>>,
    /// Which release each document is of; empty where all are of one.
    pub releases: Vec<usize>,
    /// How many documents are out of every rule's sight; their heads are empty.
    pub unseen: usize,
}

impl<'s> Survey<'s> {
    /// Cuts and checks the stream. Every unreadable document is named.
    pub fn new(bytes: &'s [u8]) -> Result<Self, Vec<Diagnostic>> {
        let stream = Stream::cut(bytes).map_err(|error| vec![stream_error(bytes, error)])?;
        let mut heads = Vec::with_capacity(stream.documents().len());
        let mut errors = Vec::new();
        for (index, head) in check(&stream).into_iter().enumerate() {
            match head {
                Ok(head) => heads.push(head),
                Err(error) => errors.push(parse_error(&stream, index, &error)),
            }
        }
        if errors.is_empty() {
            Ok(Self { stream, heads, releases: Vec::new(), unseen: 0 })
        } else {
            Err(errors)
        }
    }

    /// How many documents hold something, in sight or not.
    pub fn content(&self) -> usize {
        self.heads.iter().filter(|head| head.has_content).count() + self.unseen
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

/// The heads of all documents. A large stream is shared among the processors.
fn check<'s>(stream: &Stream<'s>) -> Vec<Result<Head<'s>, ParseError>> {
    let of = |documents: &[Document]| -> Vec<_> {
        documents.iter().map(|document| head(stream.document_text(document))).collect()
    };
    let processors = match stream.text().len() {
        ..WORTH_A_THREAD => 1,
        _ => std::thread::available_parallelism().map_or(1, usize::from),
    };
    if processors == 1 {
        return of(stream.documents());
    }
    let share = stream.text().len() / processors + 1;
    let shares = stream.documents().chunk_by(|one, next| one.text.start / share == next.text.start / share);
    std::thread::scope(|scope| {
        let threads: Vec<_> = shares.map(|documents| scope.spawn(move || of(documents))).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.flat_map(|heads| heads.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
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

#[cfg(test)]
mod tests {
    use super::{Survey, WORTH_A_THREAD};

    #[test]
    fn a_stream_that_threads_share_is_checked_like_any_other() {
        let number = WORTH_A_THREAD / 20;
        let document = |index: usize| format!("---\nkind: Thing\nmetadata:\n  name: n{index}\n");
        let stream: String = (0..number).map(document).collect();
        let survey = Survey::new(stream.as_bytes()).unwrap();
        assert!(survey.heads.iter().enumerate().all(|(index, head)| head.name == format!("n{index}")));
        assert_eq!(survey.heads.len(), number);

        let bad = |index: usize| match index {
            7 | 30_000 => "---\na: [\n".to_owned(),
            _ => document(index),
        };
        let stream: String = (0..number).map(bad).collect();
        let errors = Survey::new(stream.as_bytes()).unwrap_err();
        let said: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(said.len(), 2);
        assert!(said[0].starts_with(&format!("document 8 of {number} is not readable")), "{said:?}");
        assert!(said[1].starts_with(&format!("document 30001 of {number} is not readable")), "{said:?}");
    }
}
