//! The draft walked beside the source: where they differ, splices come out.
//! Which bytes they take is decided by the kind of place: block collections,
//! flow collections and single values have a file each.

use std::cell::OnceCell;
use std::ops::Range;

use crate::yaml::{Content, NodeId, Tree};

use super::draft::{Draft, New};
use super::error::EditError;
use super::layout::{Layout, Place};
use super::lines::{self, Lines};
use super::opened::{Child, Opened, Origin};
use super::operation::NewValue;
use super::same;
use super::scalar_text::Surroundings;
use super::shared::Touched;
use super::slot::{Slot, SlotKind};

/// A splice to be, with the operation that asked for it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    pub(super) operation: usize,
    /// Whether line breaks at the end belong to a block scalar.
    pub(super) is_content: bool,
}

/// Collects the splices.
pub(super) struct Emitter<'a, 't> {
    pub(super) tree: &'a Tree<'t>,
    pub(super) lines: Lines<'t>,
    pub(super) touched: Touched,
    pub(super) pieces: Vec<Piece>,
    /// The operation that what is written now is for.
    pub(super) operation: usize,
    layout: OnceCell<Layout>,
}

impl<'a, 't> Emitter<'a, 't> {
    pub(super) fn new(tree: &'a Tree<'t>) -> Self {
        Self {
            tree,
            lines: Lines::new(tree),
            touched: Touched::default(),
            pieces: Vec::new(),
            operation: 0,
            layout: OnceCell::new(),
        }
    }

    /// Walks the whole document.
    pub(super) fn document(&mut self, root: NodeId, draft: &Draft) -> Result<(), EditError> {
        let head = self.tree.node(root).outer_start();
        let slot = Slot {
            kind: SlotKind::Root,
            head,
            column: self.lines.column(head),
            surroundings: Surroundings::Block,
            mapping: None,
        };
        self.value(&slot, root, draft)
    }

    /// Writes what differs at one place.
    pub(super) fn value(&mut self, slot: &Slot, node: NodeId, draft: &Draft) -> Result<(), EditError> {
        match draft {
            Draft::Source(_) => Ok(()),
            Draft::New(new) => self.new_value(slot, node, new),
            Draft::Opened(opened) => {
                let before = self.pieces.len();
                self.opened(slot, opened)?;
                if self.pieces.len() > before {
                    self.touched.change(node, draft.operation().unwrap_or(0));
                }
                Ok(())
            }
        }
    }

    fn new_value(&mut self, slot: &Slot, node: NodeId, new: &New) -> Result<(), EditError> {
        let old = self.tree.read_node(node).map_err(|error| {
            let (offset, kind) = super::effective::unreadable(error);
            EditError::new(new.operation, offset, kind)
        })?;
        if same::values(&old, &new.value.to_json()) {
            return Ok(());
        }
        self.touched.drop_node(self.tree, node, new.operation);
        self.replace(slot, node, new)
    }

    fn opened(&mut self, slot: &Slot, opened: &Opened) -> Result<(), EditError> {
        let changed = !opened.dropped.is_empty()
            || opened.children.iter().any(|child| matches!(child.origin, Origin::Inserted { .. }));
        for (index, operation) in &opened.dropped {
            self.touched.drop_child(self.tree, opened.node, *index, *operation);
        }
        match &self.tree.node(opened.node).content {
            Content::Mapping { flow: true, entries } if entries.is_empty() && changed => {
                self.filled(slot, opened)
            }
            Content::Sequence { flow: true, items } if items.is_empty() && changed => {
                self.filled(slot, opened)
            }
            Content::Mapping { flow: true, .. } | Content::Sequence { flow: true, .. } => {
                self.flow(slot, opened)
            }
            _ => self.block(slot, opened),
        }
    }

    /// A child that stays, with what differs inside it.
    pub(super) fn kept(
        &mut self,
        slot: &Slot,
        opened: &Opened,
        index: usize,
        child: &Child,
    ) -> Result<(), EditError> {
        if matches!(child.value, Draft::Source(_)) {
            return Ok(());
        }
        match self.child_slot(slot, opened.node, index) {
            Some((slot, node)) => self.value(&slot, node, &child.value),
            None => Ok(()),
        }
    }

    /// `{}` or `[]` that gets children is written as a new value.
    fn filled(&mut self, slot: &Slot, opened: &Opened) -> Result<(), EditError> {
        let mut entries = Vec::new();
        let mut items = Vec::new();
        let mut operation = 0;
        for child in &opened.children {
            if let Draft::New(new) = &child.value {
                operation = operation.max(new.operation);
                match &child.origin {
                    Origin::Inserted { name: Some(name) } => entries.push((name.clone(), new.value.clone())),
                    _ => items.push(new.value.clone()),
                }
            }
        }
        let value =
            if opened.is_mapping(self.tree) { NewValue::Mapping(entries) } else { NewValue::Sequence(items) };
        self.replace(slot, opened.node, &New { value, operation })
    }

    pub(super) fn splice(&mut self, range: Range<usize>, text: impl Into<String>) {
        let text = text.into();
        if !range.is_empty() || !text.is_empty() {
            self.pieces.push(Piece { range, text, operation: self.operation, is_content: false });
        }
    }

    /// Puts text behind `at`, with one blank between; blanks that end the line go.
    pub(super) fn append(&mut self, at: usize, text: &str) {
        let end = self.blank_rest(at);
        self.splice(at..end, format!(" {text}"));
    }

    /// Takes `start..end` out; blanks that would then end the line go as well.
    pub(super) fn cut(&mut self, start: usize, end: usize) {
        let end = self.blank_rest(end);
        self.splice(start..end, "");
    }

    /// The end of the line if only blanks follow `at`, else `at`.
    fn blank_rest(&self, at: usize) -> usize {
        if self.lines.rest_is_blank(at) { self.lines.before_break(self.lines.end(at)) } else { at }
    }

    pub(super) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::new(self.tree, &self.lines))
    }

    pub(super) fn place(&self, slot: &Slot) -> Place {
        let mapping = slot.mapping.map(|mapping| self.tree.node(mapping).span.clone());
        Place { mapping, column: slot.column, offset: slot.head }
    }

    /// Whether the text holds a comment; it must be blanks, breaks, indicators
    /// and comments only.
    pub(super) fn has_comment(&self, range: Range<usize>) -> bool {
        self.lines.slice(range.start, range.end).contains('#')
    }

    /// The text behind `at` on its line, without blanks around it: a comment,
    /// where `at` is the end of a block value.
    pub(super) fn comment_behind(&self, at: usize) -> Option<&'t str> {
        let rest = self.lines.slice(at, self.lines.before_break(self.lines.end(at)));
        let rest = rest.trim_matches([' ', '\t', '\r']);
        (!lines::is_blank(rest)).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, check, check_all, operation, remove, set};
    use super::super::{Splice, splices};
    use crate::yaml::parse;
    use serde_json::json;

    #[test]
    fn operations_that_undo_each_other_leave_no_mark() {
        let there_and_back = |path: &str, value| json!([set(path, json!(2)), set(path, value)]);
        for text in ["a: 0x1\n", "a: &x 0x1\nb: *x\n"] {
            check_all(text, there_and_back("/a", json!(1)), text);
        }
        for text in ["a: { }\n", "b: &x { }\na: *x\n"] {
            check_all(text, json!([add("/a/x", json!(1)), remove("/a/x")]), text);
        }
        check_all("a: [ ]\n", json!([add("/a/-", json!(1)), remove("/a/0")]), "a: [ ]\n");
    }

    #[test]
    fn bytes_that_stay_are_in_no_splice() {
        let text = "a: |\n  x\nb: 1\n";
        let tree = parse(text).unwrap();
        let body = Splice { range: 5..9, text: "  y\n  z\n".to_owned() };
        assert_eq!(splices(&tree, &[operation(&set("/a", json!("y\nz\n")))]), Ok(vec![body]));
    }

    #[test]
    fn no_blanks_are_left_at_the_end_of_a_line() {
        check("a: [1]  \nb: 1\n", set("/a", json!({"k": 1})), "a:\n  k: 1\nb: 1\n");
        check("a: [1]  ", set("/a", json!({"k": 1})), "a:\n  k: 1");
        check("a:  ", set("/a", json!(1)), "a: 1");
    }
}
