//! The document's habits: how far a mapping is indented below its key, and
//! whether a sequence stands under its key's column or further in. New text
//! follows the nearest example, those at home in the same mapping first.

use crate::yaml::{Content, NodeId, Tree};

use super::lines::Lines;

/// How far mappings are indented where no example says.
const STEP: usize = 2;

/// What the document's block collections look like.
#[derive(Debug)]
pub(super) struct Layout {
    steps: Vec<Example>,
    dashes: Vec<Example>,
}

/// One block collection that is the value of a block mapping's key.
#[derive(Debug)]
struct Example {
    mapping: NodeId,
    /// Column of the mapping's keys.
    column: usize,
    /// Byte offset.
    offset: usize,
    /// How much further in than the key the collection stands.
    indent: usize,
}

impl Layout {
    /// Looks at every block collection once.
    pub(super) fn new(tree: &Tree<'_>, lines: &Lines<'_>) -> Self {
        let mut layout = Self { steps: Vec::new(), dashes: Vec::new() };
        for (mapping, node) in tree.nodes() {
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
                if entry.question.is_none()
                    && lines.is_first_on_line(offset)
                    && let Some(indent) = lines.column(offset).checked_sub(column)
                {
                    examples.push(Example { mapping, column, offset, indent });
                }
            }
        }
        layout
    }

    /// Columns from a key to the keys of the mapping below it.
    pub(super) fn step(&self, place: Place) -> usize {
        nearest(&self.steps, place).filter(|step| *step > 0).unwrap_or(STEP)
    }

    /// Columns from a key to the dashes of the sequence below it.
    pub(super) fn dash(&self, place: Place) -> usize {
        nearest(&self.dashes, place).unwrap_or(0)
    }
}

/// Where something new is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The mapping it is written into, if it is one of the source.
    pub(super) mapping: Option<NodeId>,
    /// Column of the key.
    pub(super) column: usize,
    /// Byte offset.
    pub(super) offset: usize,
}

fn nearest(examples: &[Example], place: Place) -> Option<usize> {
    examples
        .iter()
        .min_by_key(|example| {
            let stranger = Some(example.mapping) != place.mapping;
            (stranger, example.column != place.column, example.offset.abs_diff(place.offset))
        })
        .map(|example| example.indent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    #[test]
    fn the_same_mapping_speaks_before_the_neighbourhood() {
        let text = "a:\n    b: 1\n    c:\n    - 1\nd:\n  e:\n    - 1\n  f: 2\n";
        let tree = parse(text).unwrap();
        let layout = Layout::new(&tree, &Lines::new(&tree));
        let root = tree.root().unwrap();
        let d = tree.entry(root, "d").unwrap().value;
        let at = |mapping, column, offset| Place { mapping: Some(mapping), column, offset };
        assert_eq!(layout.dash(at(d, 2, text.len())), 2);
        assert_eq!(layout.dash(at(root, 0, 5)), 0);
        assert_eq!(layout.step(at(root, 0, 5)), 4);
        assert_eq!(layout.step(at(root, 0, text.len())), 2);
    }

    #[test]
    fn without_examples_it_is_what_charts_do() {
        let tree = parse("a: 1\n").unwrap();
        let layout = Layout::new(&tree, &Lines::new(&tree));
        let place = Place { mapping: tree.root(), column: 0, offset: 0 };
        assert_eq!((layout.step(place), layout.dash(place)), (2, 0));
    }
}
