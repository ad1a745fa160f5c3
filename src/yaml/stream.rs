//! The stream cut into documents, the way `k8s.io/apimachinery` cuts it: at
//! lines that begin with `---`. Every byte of the stream belongs to exactly one
//! separator or one document text, so that writing them all back is the stream.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;

use super::line_index::LineIndex;

/// One document of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The `---` line in front, its line break included; `None` for text in
    /// front of the first separator.
    pub separator: Option<Range<usize>>,
    /// The text behind the separator line, up to the next separator line.
    pub text: Range<usize>,
}

/// A stream with its documents in order. There is always at least one document;
/// the first one may be empty.
#[derive(Debug)]
pub struct Stream<'s> {
    text: &'s str,
    documents: Vec<Document>,
    /// Made when the first place is asked for.
    lines: OnceLock<LineIndex>,
}

/// Why a stream cannot be cut as Kubernetes cuts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamError {
    /// The bytes from this offset on are not UTF-8.
    NotUtf8 {
        /// Byte offset in the stream.
        offset: usize,
    },
    /// A line begins with `---` and goes on with something other than a comment.
    GluedSeparator {
        /// Byte offset of the line.
        offset: usize,
    },
}

impl<'s> Stream<'s> {
    /// Cuts `bytes` into documents.
    pub fn cut(bytes: &'s [u8]) -> Result<Self, StreamError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| StreamError::NotUtf8 { offset: error.valid_up_to() })?;
        let mut documents = Vec::new();
        let mut separator = None;
        let mut start = 0;
        for line in separator_lines(text) {
            let line_end = memchr::memchr(b'\n', &bytes[line..]).map_or(bytes.len(), |at| line + at + 1);
            let rest = text[line + 3..line_end].trim();
            if !rest.is_empty() && !rest.starts_with('#') {
                return Err(StreamError::GluedSeparator { offset: line });
            }
            if separator.is_some() || line > 0 {
                documents.push(Document { separator, text: start..line });
            }
            separator = Some(line..line_end);
            start = line_end;
        }
        documents.push(Document { separator, text: start..text.len() });
        Ok(Self { text, documents, lines: OnceLock::new() })
    }

    /// The whole text.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// The documents in order.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The text of one document.
    pub fn document_text(&self, document: &Document) -> &'s str {
        &self.text[document.text.clone()]
    }

    /// The 1-based line and column (in characters) of a byte offset.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        self.lines.get_or_init(|| LineIndex::new(self.text)).line_and_column(self.text, offset)
    }
}

/// Byte offsets of the lines that begin with `---`.
fn separator_lines(text: &str) -> impl Iterator<Item = usize> + '_ {
    let first = text.starts_with("---").then_some(0);
    first.into_iter().chain(memmem::find_iter(text.as_bytes(), b"\n---").map(|at| at + 1))
}

/// The 1-based line and column (in characters) of a byte offset.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    (line, column)
}
