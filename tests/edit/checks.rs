//! What must hold after any edit, whatever the document.

use std::ops::Range;

use germ_post::edit::{Action, EditError, Operation, Splice, apply, splices};
use germ_post::yaml::{Content, NodeId, Tree, parse};
use serde_json::Value;

use crate::comments::comments;

/// Edits `text`; on success all properties hold, or this panics.
pub fn check(text: &str, operations: &[Operation]) -> Result<String, EditError> {
    let tree = parse(text).unwrap();
    let splices = splices(&tree, operations)?;
    let out = apply(text, &splices);
    let shown =
        || format!("{operations:#?}\n--- source\n{text}\n--- result\n{out}\n--- splices\n{splices:?}");
    let edited = parse(&out).unwrap_or_else(|error| panic!("unreadable: {error}\n{}", shown()));
    let expected = patched(&tree, operations);
    assert_eq!(edited.read().unwrap(), expected, "another value\n{}", shown());
    assert!(splices.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start), "order\n{}", shown());
    assert_eq!(
        out.ends_with('\n') || ends_in_block_scalar(&edited),
        text.ends_with('\n') || ends_in_block_scalar(&edited),
        "end\n{}",
        shown()
    );
    if !text.contains("\r") {
        assert!(!out.contains('\r'), "line breaks\n{}", shown());
    } else {
        assert_eq!(out.matches("\r\n").count(), out.matches('\n').count(), "line breaks\n{}", shown());
    }
    trailing_blanks(text, &out, &shown);
    if let [operation] = operations {
        let place = Place::of(&tree, operation);
        if let Some(place) = &place {
            stays_in_place(&splices, place, text, &shown);
        }
        comments_survive(&tree, &edited, place.as_ref(), &shown);
        again(&edited, operation, &shown);
    }
    Ok(out)
}

/// The value after the patch, by another hand.
fn patched(tree: &Tree<'_>, operations: &[Operation]) -> Value {
    let patch: Value = operations.iter().map(Operation::to_json_patch).collect();
    let patch: json_patch::Patch = serde_json::from_value(patch).unwrap();
    let mut value = tree.read().unwrap();
    json_patch::patch(&mut value, &patch).unwrap();
    value
}

fn ends_in_block_scalar(tree: &Tree<'_>) -> bool {
    use germ_post::yaml::ScalarStyle::{Folded, Literal};
    tree.nodes().any(|(_, node)| {
        matches!(node.content, Content::Scalar { style: Literal | Folded, .. })
            && tree.text()[node.span.end..].trim().is_empty()
    })
}

/// No edit leaves a blank at the end of a line that had none.
fn trailing_blanks(text: &str, out: &str, shown: &dyn Fn() -> String) {
    let count = |text: &str| text.lines().filter(|line| line.ends_with([' ', '\t'])).count();
    assert!(count(out) <= count(text), "trailing blanks\n{}", shown());
}

/// The bytes that one operation may replace or remove.
struct Place {
    allowed: Range<usize>,
    /// Nothing may go but blanks.
    only_inserts: bool,
    /// Where the mark of an emptied collection may be put.
    mark: Range<usize>,
}

impl Place {
    /// `None` where merge keys or aliases are on the way.
    fn of(tree: &Tree<'_>, operation: &Operation) -> Option<Self> {
        let (last, parents) = operation.path.split_last()?;
        let (mut above, mut parent) = (0, tree.root()?);
        for token in parents {
            (above, parent) = child(tree, parent, token)?;
        }
        let text = tree.text();
        let node = tree.node(parent);
        if let Content::Mapping { entries, .. } = &node.content
            && entries.iter().any(|entry| entry.name.name().is_none())
        {
            return None;
        }
        if matches!(node.content, Content::Alias { .. }) {
            return None;
        }
        let is_insertion = match (&node.content, &operation.action) {
            (Content::Sequence { .. }, Action::Add { .. }) => true,
            (_, Action::Add { .. }) => tree.entry(parent, last).is_none(),
            _ => false,
        };
        let end_of_line = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        let end_of_node = |end: usize| {
            if text[..end].ends_with('\n') { end } else { end_of_line(end) }
        };
        if is_insertion {
            let empty = tree.source(parent).replace(char::is_whitespace, "").len() == 2;
            return Some(Self {
                allowed: above..end_of_line(node.span.end),
                only_inserts: !empty,
                mark: 0..0,
            });
        }
        let (from, value) = child(tree, parent, last)?;
        let end = end_of_node(tree.node(value).span.end.max(from + 1));
        if !matches!(operation.action, Action::Remove) {
            return Some(Self { allowed: from..end, only_inserts: false, mark: 0..0 });
        }
        let siblings = siblings(tree, parent);
        let before = siblings.iter().map(|sibling| sibling.end).filter(|end| *end <= from).max();
        let after = siblings.iter().map(|sibling| sibling.start).find(|start| *start > from);
        let flow = matches!(
            node.content,
            Content::Mapping { flow: true, .. } | Content::Sequence { flow: true, .. }
        );
        let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
        let own_line = text[line..from].trim_start_matches('\u{feff}').trim_start().is_empty();
        let blanks_behind = end + text[end..].len() - text[end..].trim_start().len();
        let allowed = if flow && siblings.len() == 1 {
            node.span.clone()
        } else if flow {
            before.unwrap_or(from)..after.unwrap_or(node.span.end)
        } else if own_line {
            let floor = before.map_or(above, end_of_node);
            let start = first_owned_line(text, line, from - line, floor);
            // A scalar in front that keeps its blank lines must not get more, and
            // a text without a final line break stays one.
            let end = if text.contains("|+") || text.contains(">+") { blanks_behind } else { end };
            let start = if end == text.len() && !text.ends_with('\n') {
                text[..start].trim_end().len()
            } else {
                start
            };
            start..end
        } else {
            from..after.map_or(end, |_| blanks_behind)
        };
        let mark = if siblings.len() == 1 { above..from } else { 0..0 };
        Some(Self { allowed, only_inserts: false, mark })
    }

    fn allows(&self, splice: &Splice, text: &str) -> bool {
        let Range { start, end } = splice.range;
        let inside =
            self.allowed.start <= start && end <= self.allowed.end && (!self.only_inserts || start == end);
        inside || (text[start..end].trim().is_empty() && self.mark.contains(&start))
    }
}

/// The start of the comment lines directly above, at the same indentation.
fn first_owned_line(text: &str, mut line: usize, indent: usize, floor: usize) -> usize {
    while line > floor {
        let above = text[..line - 1].rfind('\n').map_or(0, |at| at + 1);
        let content = text[above..line].trim_start_matches('\u{feff}');
        let is_owned = content.trim_start_matches(' ').starts_with('#')
            && content.len() - content.trim_start_matches(' ').len() == indent;
        if !is_owned || above < floor {
            break;
        }
        line = above;
    }
    line
}

fn siblings(tree: &Tree<'_>, parent: NodeId) -> Vec<Range<usize>> {
    match &tree.node(parent).content {
        Content::Mapping { entries, .. } => entries
            .iter()
            .map(|entry| {
                let start = entry.question.unwrap_or(tree.node(entry.key).outer_start());
                start..tree.node(entry.value).span.end
            })
            .collect(),
        Content::Sequence { items, .. } => items
            .iter()
            .map(|item| {
                let node = tree.node(item.node);
                item.dash.unwrap_or(node.outer_start())..node.span.end
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The start and the value of a child.
fn child(tree: &Tree<'_>, parent: NodeId, token: &str) -> Option<(usize, NodeId)> {
    match &tree.node(parent).content {
        Content::Mapping { entries, .. } if entries.iter().all(|entry| entry.name.name().is_some()) => {
            let entry = tree.entry(parent, token)?;
            let many = entries.iter().filter(|entry| entry.name.name() == Some(token)).count();
            let start = entry.question.unwrap_or(tree.node(entry.key).outer_start());
            (many == 1).then_some((start, entry.value))
        }
        Content::Sequence { items, .. } => {
            let item = items.get(token.parse::<usize>().ok()?)?;
            Some((item.dash.unwrap_or(tree.node(item.node).outer_start()), item.node))
        }
        _ => None,
    }
}

fn stays_in_place(splices: &[Splice], place: &Place, text: &str, shown: &dyn Fn() -> String) {
    for splice in splices {
        assert!(place.allows(splice, text), "{splice:?} outside of {:?}\n{}", place.allowed, shown());
    }
}

/// A comment goes only with the lines of a node that goes or is written anew.
fn comments_survive(source: &Tree<'_>, edited: &Tree<'_>, place: Option<&Place>, shown: &dyn Fn() -> String) {
    let Some(place) = place else { return };
    let texts = |tree: &Tree<'_>, comments: &[Range<usize>]| -> Vec<String> {
        comments.iter().map(|range| tree.text()[range.clone()].to_owned()).collect()
    };
    let all = comments(source);
    let must_stay: Vec<Range<usize>> = all
        .iter()
        .filter(|comment| {
            place.only_inserts || comment.end <= place.allowed.start || comment.start >= place.allowed.end
        })
        .cloned()
        .collect();
    let may_stay = texts(source, &all);
    let left = texts(edited, &comments(edited));
    let mut rest = left.iter();
    for comment in texts(source, &must_stay) {
        assert!(rest.any(|left| *left == comment), "lost {comment}\n{}", shown());
    }
    let mut rest = may_stay.iter();
    for comment in &left {
        assert!(rest.any(|known| known == comment), "made {comment}\n{}", shown());
    }
}

/// An operation that sets a value has nothing to do when it comes again.
fn again(edited: &Tree<'_>, operation: &Operation, shown: &dyn Fn() -> String) {
    let in_sequence =
        operation.path.last().is_some_and(|token| token == "-" || token.parse::<usize>().is_ok());
    let value = match &operation.action {
        Action::Replace { value } => value,
        Action::Add { value, .. } if !in_sequence => value,
        _ => return,
    };
    let again = Operation { path: operation.path.clone(), action: Action::Replace { value: value.clone() } };
    assert_eq!(splices(edited, &[again]), Ok(Vec::new()), "not so already\n{}", shown());
}
