//! Where a finding points: the bytes of a node that a reader is to look at, as a
//! region of its file. A scalar is pointed at itself; of a mapping or list in lines,
//! its key, or the first line of an item.

use std::ops::Range;

use super::finding::Location;
use super::scene::Source;
use crate::diagnostic::Place;
use crate::edit::Path;
use crate::rewrite::document::PlannedDocument;
use crate::rewrite::survey::STDIN;
use crate::yaml::{Content, NodeId, Tree};

/// The bytes in the document's source to point at for a place in its value now.
pub fn anchor(document: &PlannedDocument<'_>, object: &[String], path: &[String]) -> Range<usize> {
    let whole: Path = object.iter().chain(path).cloned().collect();
    pointed_at(document, object, &document.source_of(&whole).0)
}

/// The same for a place in the document's source, or the deepest node on the way.
pub fn source_anchor(document: &PlannedDocument<'_>, object: &[String], path: &[String]) -> Range<usize> {
    let mut whole: Path = object.iter().chain(path).cloned().collect();
    while whole.len() > object.len() && document.tree.locate(&whole).is_none() {
        whole.pop();
    }
    pointed_at(document, object, &whole)
}

fn pointed_at(document: &PlannedDocument<'_>, object: &[String], source: &[String]) -> Range<usize> {
    let tree = &document.tree;
    if source.len() <= object.len() {
        return name_of(tree, source).unwrap_or_else(|| first_line(tree, tree.root()));
    }
    let Some(id) = tree.locate(source) else { return first_line(tree, tree.root()) };
    let node = tree.node(id);
    let is_block =
        matches!(node.content, Content::Mapping { flow: false, .. } | Content::Sequence { flow: false, .. });
    let on_one_line = !tree.source(id).trim_end().contains('\n');
    if on_one_line && !is_block && !node.span.is_empty() {
        return trimmed(tree, node.span.clone());
    }
    match key_of(tree, source) {
        Some(key) => tree.node(key).span.clone(),
        None => first_line(tree, Some(id)),
    }
}

/// The node of the key under which a path's last step stands.
fn key_of(tree: &Tree<'_>, path: &[String]) -> Option<NodeId> {
    let (last, parent) = path.split_last()?;
    let mapping = tree.resolve(tree.locate(parent)?);
    Some(tree.entry(mapping, last)?.key)
}

/// The name of the object at a path, or its kind.
fn name_of(tree: &Tree<'_>, object: &[String]) -> Option<Range<usize>> {
    let at = |keys: &[&str]| {
        let path: Path = object.iter().cloned().chain(keys.iter().map(|key| (*key).to_owned())).collect();
        tree.locate(&path).map(|id| tree.node(id).span.clone()).filter(|span| !span.is_empty())
    };
    at(&["metadata", "name"]).or_else(|| at(&["metadata", "generateName"])).or_else(|| at(&["kind"]))
}

/// The first line of a node, or the start of the text.
fn first_line(tree: &Tree<'_>, id: Option<NodeId>) -> Range<usize> {
    let Some(id) = id else { return 0..0 };
    let span = tree.node(id).span.clone();
    let length = tree.source(id).lines().next().map_or(0, str::len);
    trimmed(tree, span.start..span.start + length)
}

fn trimmed(tree: &Tree<'_>, range: Range<usize>) -> Range<usize> {
    let text = tree.text().get(range.clone()).unwrap_or("");
    range.start..range.start + text.trim_end().len()
}

/// The region of a range of a document's bytes.
pub fn location(source: &Source<'_>, document: &PlannedDocument<'_>, range: Range<usize>) -> Location {
    let start = source.survey.document(document.index).text.start;
    let whole = start + range.start..start + range.end;
    let stream = &source.survey.stream;
    let hidden = document.hides_line(range.start)
        || (source.of_nodes && has_confidential_value(&document.tree, &document.line(range.start)));
    let mut place = if hidden {
        Place::hidden_in_stream(STDIN, stream, whole.start)
    } else {
        Place::in_stream(STDIN, stream, whole.clone())
    };
    let (end_line, end_column) = stream.line_and_column(whole.end);
    let first = place.line;
    source.joined.bring_home(&mut place);
    Location { end_line: place.line + end_line.saturating_sub(first), end_column, place }
}

/// Whether a value on a line of a node's configuration is confidential, as its key
/// says.
fn has_confidential_value(tree: &Tree<'_>, line: &Range<usize>) -> bool {
    let on_line = |span: &Range<usize>| span.start < line.end && span.end > line.start;
    tree.nodes().any(|(_, node)| match &node.content {
        Content::Mapping { entries, .. } => entries.iter().any(|entry| {
            entry.name.name().is_some_and(is_confidential) && on_line(&tree.node(entry.value).span)
        }),
        // k3d hands flags over as a list of `--name=value`.
        Content::Scalar { .. } if on_line(&node.span) => {
            let text = &tree.text()[node.span.clone()];
            // Talos keeps manifests as texts, Secrets among them.
            text.contains("--") && is_confidential(text) || text.contains("Secret")
        }
        _ => false,
    })
}

/// Whether the name of a field says that its value is confidential.
pub fn is_confidential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CONFIDENTIAL.iter().any(|word| name.contains(word))
}

/// Parts of the names of confidential fields.
const CONFIDENTIAL: &[&str] = &["token", "secret", "password", "key", "auth", "datastore-endpoint"];
