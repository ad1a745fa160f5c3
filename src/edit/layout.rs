//! The document's habits: how far a mapping is indented below its key, and
//! whether a sequence stands under its key's column or further in. New text
//! follows the nearest example, those at home in the same mapping first.

use std::collections::HashMap;
use std::ops::Range;

use crate::yaml::{Content, Tree};

use super::lines::Lines;

/// How far mappings are indented where no example says.
const STEP: usize = 2;

/// What the document's block collections look like.
#[derive(Debug, Default)]
pub(super) struct Layout {
    steps: Examples,
    dashes: Examples,
}

/// Where something new is written.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The bytes of the mapping that the key stands in, if it is in the source.
    pub(super) mapping: Option<Range<usize>>,
    /// Column of the key.
    pub(super) column: usize,
    /// Byte offset.
    pub(super) offset: usize,
}

impl Layout {
    /// Looks at every block collection that is the value of a key, once.
    pub(super) fn new(tree: &Tree<'_>, lines: &Lines<'_>) -> Self {
        let mut layout = Self::default();
        for (_, node) in tree.nodes() {
            let Content::Mapping { flow: false, entries } = &node.content else {
                continue;
            };
            let column = lines.column(node.span.start);
            for entry in entries {
                let value = tree.node(entry.value);
                let examples = match value.content {
                    Content::Mapping { flow: false, .. } => &mut layout.steps,
                    Content::Sequence { flow: false, .. } => &mut layout.dashes,
                    _ => continue,
                };
                let offset = value.span.start;
                // Below a `?` the value may stand behind its colon.
                if entry.question.is_none()
                    && let Some(indent) = lines.column(offset).checked_sub(column)
                {
                    examples.add(column, Example { offset, indent });
                }
            }
        }
        layout.steps.sort();
        layout.dashes.sort();
        layout
    }

    /// Columns from a key to the keys of the mapping below it.
    pub(super) fn step(&self, place: &Place) -> usize {
        self.steps.nearest(place).unwrap_or(STEP)
    }

    /// Columns from a key to the dashes of the sequence below it.
    pub(super) fn dash(&self, place: &Place) -> usize {
        self.dashes.nearest(place).unwrap_or(0)
    }
}

/// A block collection that is the value of a key.
#[derive(Debug, Clone, Copy)]
struct Example {
    /// Byte offset.
    offset: usize,
    /// How much further in than the key it stands.
    indent: usize,
}

#[derive(Debug, Default)]
struct Examples {
    all: Vec<Example>,
    /// By the column of the key.
    by_column: HashMap<usize, Vec<Example>>,
}

impl Examples {
    fn add(&mut self, column: usize, example: Example) {
        self.all.push(example);
        self.by_column.entry(column).or_default().push(example);
    }

    fn sort(&mut self) {
        for examples in self.by_column.values_mut().chain([&mut self.all]) {
            examples.sort_unstable_by_key(|example| example.offset);
        }
    }

    /// The indent of the nearest example in the same mapping, else at the same
    /// column, else anywhere.
    fn nearest(&self, place: &Place) -> Option<usize> {
        let siblings = self.by_column.get(&place.column).map_or([].as_slice(), Vec::as_slice);
        let at_home = place.mapping.as_ref().and_then(|mapping| {
            let start = siblings.partition_point(|example| example.offset < mapping.start);
            let end = siblings.partition_point(|example| example.offset < mapping.end);
            nearest(siblings.get(start..end)?, place.offset)
        });
        at_home.or_else(|| nearest(siblings, place.offset)).or_else(|| nearest(&self.all, place.offset))
    }
}

fn nearest(examples: &[Example], offset: usize) -> Option<usize> {
    let behind = examples.partition_point(|example| example.offset <= offset);
    let around = examples.get(behind.saturating_sub(1)..examples.len().min(behind + 1))?;
    around.iter().min_by_key(|example| example.offset.abs_diff(offset)).map(|example| example.indent)
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, check, set};
    use super::*;
    use crate::yaml::{NodeId, parse};
    use serde_json::json;

    #[test]
    fn the_same_mapping_speaks_before_the_neighbourhood() {
        let text = "a:\n    b: 1\n    c:\n    - 1\nd:\n  e:\n    - 1\n  f: 2\n";
        let tree = parse(text).unwrap();
        let layout = Layout::new(&tree, &Lines::new(&tree));
        let root = tree.root().unwrap();
        let d = tree.entry(root, "d").unwrap().value;
        let at = |mapping: NodeId, column, offset| {
            let mapping = Some(tree.node(mapping).span.clone());
            Place { mapping, column, offset }
        };
        assert_eq!(layout.dash(&at(d, 2, text.len())), 2);
        assert_eq!(layout.dash(&at(root, 0, 5)), 0);
        assert_eq!(layout.step(&at(root, 0, 5)), 4);
        assert_eq!(layout.step(&at(root, 0, text.len())), 2);
    }

    #[test]
    fn what_is_new_follows_its_own_mapping_first() {
        let text = "a:\n  b:\n    - 1\n  c: 1\n  d: 22222222222222222222\n  e: 3\nx:\n  y:\n  - 1\n";
        let e = "  e: 3\n";
        check(text, add("/a/f", json!([1])), &text.replace(e, "  e: 3\n  f:\n    - 1\n"));
        check(text, set("/a/e", json!([1])), &text.replace(e, "  e:\n    - 1\n"));
        // One level down the mapping is new itself: the nearest at its column speaks.
        let text =
            "a:\n  b:\n    c:\n      - 1\n  d: 22222222222222222222\n  e: 3\nx:\n  y:\n    z:\n    - 1\n";
        let new = "  e: 3\n  f:\n    k:\n    - 1\n";
        check(text, add("/a/f", json!({"k": [1]})), &text.replace(e, new));
    }

    #[test]
    fn the_nearest_example_speaks_at_its_column() {
        let text = "a:\n    b: 1\nf: 11111111111111111111\nx: 1\ny:\n  z: 1\n";
        check(text, set("/x", json!({"k": 1})), &text.replace("x: 1", "x:\n  k: 1"));
        let text = "a:\n  b:\n      c: 1\nz:\n  y: 1\n";
        check(text, set("/a/b/c", json!({"k": 1})), &text.replace("c: 1", "c:\n          k: 1"));
        let text = "a:\n  b:\n    - 1\nc:\n- 1\n";
        let z = "z:\n  k:\n    - 1\n";
        check(text, add("/z", json!({"k": [1]})), &format!("{text}{z}"));
        check("? a\n:\n    b: 1\n", add("/d", json!({"x": 1})), "? a\n:\n    b: 1\nd:\n  x: 1\n");
    }

    #[test]
    fn without_examples_it_is_what_charts_do() {
        let tree = parse("a: 1\n").unwrap();
        let layout = Layout::new(&tree, &Lines::new(&tree));
        let place = Place { mapping: None, column: 0, offset: 0 };
        assert_eq!((layout.step(&place), layout.dash(&place)), (2, 0));
    }
}
