//! The values file that is written: its one document, read as Helm reads it.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Place};
use crate::edit::Path;
use crate::yaml::{self, Content, NodeId, Stream, Tree};

/// A values file.
#[derive(Debug)]
pub struct Source<'s> {
    /// What users call it.
    pub shown_as: String,
    /// Its text.
    pub text: &'s str,
    /// Its values.
    pub values: Map<String, Value>,
    /// Its document; `None` when it is nothing but comments.
    pub tree: Option<Tree<'s>>,
    /// Where that document stands.
    document: Range<usize>,
}

impl<'s> Source<'s> {
    /// Reads a file. No line of it is shown in an error: values hold passwords.
    pub fn read(shown_as: &str, bytes: &'s [u8]) -> Result<Self, Diagnostic> {
        let fault = |message: String| {
            Diagnostic::input("values-unreadable", format!("{shown_as} cannot be read: {message}"))
        };
        let stream = Stream::cut(bytes)
            .map_err(|_| fault("it is no UTF-8, or a line goes on behind `---`".to_owned()))?;
        let mut found: Option<(Tree<'s>, Range<usize>)> = None;
        for document in stream.documents() {
            let text = stream.document_text(document);
            let tree = yaml::parse(text).map_err(|error| {
                let place = Place::hidden_in_stream(shown_as, &stream, document.text.start + error.offset);
                let fault = fault(error.message).at(place);
                if text.contains("{{") {
                    fault
                        .note("it holds `{{`: a template of values is no YAML until it is filled in")
                        .help("give the file that the template makes, or take `--overlay` and lay it over")
                } else {
                    fault
                }
            })?;
            if tree.root().is_none() {
                continue;
            }
            if found.is_some() {
                return Err(
                    fault("it holds several documents".to_owned()).help("write the values as one document")
                );
            }
            found = Some((tree, document.text.clone()));
        }
        let last = stream.documents().last().map_or(0..0, |document| document.text.clone());
        let text = stream.text();
        let Some((tree, document)) = found else {
            return Ok(Self {
                shown_as: shown_as.to_owned(),
                text,
                values: Map::new(),
                tree: None,
                document: last,
            });
        };
        match tree.read() {
            Ok(Value::Object(values)) => {
                Ok(Self { shown_as: shown_as.to_owned(), text, values, tree: Some(tree), document })
            }
            Ok(Value::Null) => Err(fault("it holds a null where a mapping should be".to_owned())),
            Ok(_) => Err(fault("it holds no mapping".to_owned())),
            Err(_) => Err(fault("its aliases or merge keys cannot be expanded".to_owned())),
        }
    }

    /// The place of an offset in the document, its line not shown.
    pub fn place(&self, offset: usize) -> Place {
        Place::hidden(&self.shown_as, self.text, self.document.start + offset)
    }

    /// The file with another text for its document.
    pub fn with_document(&self, new: &str) -> String {
        format!("{}{new}{}", &self.text[..self.document.start], &self.text[self.document.end..])
    }

    /// The file, so far without values, with these at its end.
    pub fn with_first_content(&self, new: &str) -> String {
        let mut out = self.text[..self.document.end].to_owned();
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(new);
        out.push_str(&self.text[self.document.end..]);
        out
    }

    /// The end of the line on which a key is there as a comment.
    pub fn comment_end(&self, mapping: &[String], key: &str) -> Option<usize> {
        let tree = self.tree.as_ref()?;
        let id = tree.resolve(tree.locate(mapping)?);
        let start = commented_key(tree.text(), key, tree.node(id).span.start..block_end(tree, id))?;
        Some(tree.text()[start..].find('\n').map_or(tree.text().len(), |at| start + at + 1))
    }

    /// Where a new key belongs that is there as a comment (`#kubeProxyReplacement: …`):
    /// behind the key of the same mapping that stands in front of the comment.
    pub fn keys_above_comment(&self, mapping: &[String], key: &str) -> Path {
        let Some(tree) = &self.tree else { return Vec::new() };
        let Some(id) = tree.locate(mapping).map(|id| tree.resolve(id)) else { return Vec::new() };
        let Content::Mapping { flow: false, entries } = &tree.node(id).content else { return Vec::new() };
        let end = block_end(tree, id);
        let text = tree.text();
        let Some(comment) = commented_key(text, key, tree.node(id).span.start..end) else {
            return Vec::new();
        };
        let in_front = entries.iter().rev().find(|entry| tree.node(entry.key).span.start < comment);
        in_front.and_then(|entry| entry.name.name()).map(str::to_owned).into_iter().collect()
    }
}

/// The end of a mapping with the comments behind it.
fn block_end(tree: &Tree<'_>, id: NodeId) -> usize {
    let node = tree.node(id);
    let next =
        tree.nodes().map(|(_, other)| other.outer_start()).filter(|start| *start >= node.span.end).min();
    next.unwrap_or(tree.text().len())
}

/// The offset of a comment line that holds nothing but a key with its value.
fn commented_key(text: &str, key: &str, within: Range<usize>) -> Option<usize> {
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        let inside = line.trim_start().strip_prefix('#')?.trim_start();
        let is_key = inside.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
        (is_key && within.contains(&start)).then_some(start)
    })
}
