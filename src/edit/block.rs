//! Children of block collections: whole lines come and go. A removed child takes
//! the comments directly above it along; a new one stands behind the lines of
//! the child before it. The first child may share its line with a dash, and
//! then the next one moves up.

use std::ops::Range;

use crate::yaml::NodeId;

use super::emit::Emitter;
use super::error::EditError;
use super::opened::{Gap, Opened, Step};
use super::render::{Line, full_lines, joined_lines};
use super::slot::{Slot, SlotKind};

/// The lines of a block collection's children in the source.
struct Children {
    node: NodeId,
    column: usize,
    /// Whether the first child stands behind something else on its line.
    compact: bool,
    /// From the first byte of a child to behind its last line.
    lines: Vec<Range<usize>>,
    /// The same from the beginning of its line, or of the comments it owns.
    regions: Vec<Range<usize>>,
}

impl Emitter<'_, '_> {
    pub(super) fn block(&mut self, slot: &Slot, opened: &Opened) -> Result<(), EditError> {
        let Some(source) = self.children(slot, opened.node) else {
            return Ok(());
        };
        for step in opened.steps(source.lines.len()) {
            match step {
                Step::Kept { index, child } => self.kept(slot, opened, index, child)?,
                Step::Gap(gap) => {
                    self.operation = opened.operation_of(&gap);
                    if gap.removed.len() == source.lines.len() && gap.inserted.is_empty() {
                        self.emptied(slot, &source, opened);
                    } else {
                        self.gap(&source, &gap);
                    }
                }
            }
        }
        Ok(())
    }

    fn children(&self, slot: &Slot, node: NodeId) -> Option<Children> {
        let extents = self.extents(node);
        let first = extents.first()?.start;
        let compact = !self.lines.is_first_on_line(first);
        let column = self.lines.column(first);
        let mut floor = if compact { first } else { self.floor(slot, node) };
        let mut lines = Vec::with_capacity(extents.len());
        let mut regions = Vec::with_capacity(extents.len());
        for extent in extents {
            let end = self.lines.end_of_node(extent.end);
            let line = self.lines.start(extent.start);
            regions.push(self.lines.comments_above(line.max(floor), column, floor)..end);
            lines.push(extent.start..end);
            floor = end;
        }
        Some(Children { node, column, compact, lines, regions })
    }

    /// What goes is taken out by its lines; what comes stands in the place of the
    /// first that goes, else behind the child in front.
    fn gap(&mut self, source: &Children, gap: &Gap<'_>) {
        let Some(first) = source.lines.first().cloned() else {
            return;
        };
        let removed = gap.removed.clone();
        let moves_first = removed.start == 0 && !removed.is_empty() && source.compact;
        if gap.inserted.is_empty() {
            if moves_first {
                self.move_up(source, removed);
            } else {
                self.drop_regions(source, removed);
            }
            return;
        }
        let near = gap.previous.unwrap_or(removed.start);
        let near_end = source.lines.get(near).map_or(0, |lines| lines.end);
        let lines = self.inserted_lines(source.node, source.column, near, &gap.inserted);
        let line_break = self.lines.line_break(near_end);
        if moves_first {
            let end = self.lines.before_break(first.end);
            self.splice(first.start..end, joined_lines(&lines, line_break));
            self.drop_regions(source, 1..removed.end);
        } else if let Some(region) = source.regions.get(removed.clone()).and_then(<[_]>::first) {
            self.splice(region.clone(), full_lines(&lines, line_break));
            self.drop_regions(source, removed.start + 1..removed.end);
        } else if gap.previous.is_some() {
            self.splice(near_end..near_end, full_lines(&lines, line_break));
        } else if source.compact {
            let indent = " ".repeat(source.column);
            let text = joined_lines(&lines, line_break);
            self.splice(first.start..first.start, format!("{text}{line_break}{indent}"));
        } else {
            let start = source.regions.first().map_or(0, |region| region.start);
            self.splice(start..start, full_lines(&lines, line_break));
        }
    }

    fn drop_regions(&mut self, source: &Children, removed: Range<usize>) {
        for region in source.regions.get(removed).unwrap_or(&[]) {
            self.splice(region.clone(), "");
        }
    }

    /// The first children go and others stay: what follows moves up behind the
    /// dash, be it the next child or a comment that nobody owns.
    fn move_up(&mut self, source: &Children, removed: Range<usize>) {
        let (Some(first), Some(next)) = (source.lines.first(), source.lines.get(removed.end)) else {
            return;
        };
        let mut at = first.end;
        let mut index = 1;
        let target = loop {
            let text = self.lines.slice(at, next.start);
            let content = at + text.len() - text.trim_start().len();
            match source.regions.get(index) {
                Some(region) if index < removed.end && content >= region.start => {
                    at = region.end;
                    index += 1;
                }
                _ => break content,
            }
        };
        self.splice(first.start..target, "");
        self.drop_regions(source, index..removed.end);
    }

    /// All children go: an empty collection stays in their place.
    fn emptied(&mut self, slot: &Slot, source: &Children, opened: &Opened) {
        let empty = if opened.is_mapping(self.tree) { "{}" } else { "[]" };
        let all = 0..source.lines.len();
        let Some(first) = source.lines.first().cloned() else {
            return;
        };
        if source.compact {
            let end = self.lines.before_break(first.end);
            self.splice(first.start..end, empty);
            self.drop_regions(source, 1..all.end);
        } else if slot.kind == SlotKind::Root {
            let line = Line { column: source.column, text: empty.to_owned() };
            let text = full_lines(&[line], self.lines.line_break(first.end));
            if let Some(region) = source.regions.first().cloned() {
                self.splice(region, text);
            }
            self.drop_regions(source, 1..all.end);
        } else {
            let at = self.behind_properties(slot, source.node);
            self.append(at, empty);
            self.drop_regions(source, all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{add, check, check_all, edited, remove, set};
    use serde_json::json;

    #[test]
    fn a_new_item_stands_as_its_neighbours_do() {
        check("a:\n- x # c\n# d\nb: 1\n", add("/a/-", json!("v")), "a:\n- x # c\n- v\n# d\nb: 1\n");
        check("a:\n    - x\n    - y\n", add("/a/1", json!("z")), "a:\n    - x\n    - z\n    - y\n");
        check(
            "a:\n  -   x: 1\n",
            add("/a/-", json!({"x": 2, "k": 3})),
            "a:\n  -   x: 1\n  -   x: 2\n      k: 3\n",
        );
        check("a:\n# x\n- x\n", add("/a/0", json!(1)), "a:\n- 1\n# x\n- x\n");
        check("- - a\n  - b\n- c\n", add("/0/0", json!(1)), "- - 1\n  - a\n  - b\n- c\n");
        check("- - a\n", add("/0/-", json!({"x": [1]})), "- - a\n  - x:\n    - 1\n");
        check("a:\n- {p: 1}\n", add("/a/-", json!({"p": 2})), "a:\n- {p: 1}\n- {p: 2}\n");
    }

    #[test]
    fn a_new_entry_stands_at_the_end_or_behind_its_key() {
        check(
            "a:\n  b: 1 # c\n\n# d\nc: 2\n",
            add("/a/x", json!(3)),
            "a:\n  b: 1 # c\n  x: 3\n\n# d\nc: 2\n",
        );
        let behind = json!({"op": "add", "path": "/x", "value": {"k": ["v"]}, "after": ["no", "a"]});
        check("a:\n    c: 1\nb: 2\n", behind, "a:\n    c: 1\nx:\n    k:\n    - v\nb: 2\n");
        check("- a: 1\n- b: 2\n", add("/0/x", json!("y")), "- a: 1\n  x: \"y\"\n- b: 2\n");
        check("a: |\n  t\n\n\nb: 1\n", add("/x", json!(1)), "a: |\n  t\n\n\nb: 1\nx: 1\n");
    }

    #[test]
    fn a_removed_child_takes_its_own_comments_along() {
        let text = "a:\n# first\n# second\n- x # own\n# other\n\n- y\n # deep\n- z\n";
        check(text, remove("/a/0"), "a:\n# other\n\n- y\n # deep\n- z\n");
        check(text, remove("/a/1"), "a:\n# first\n# second\n- x # own\n# other\n\n # deep\n- z\n");
        check(text, remove("/a/2"), "a:\n# first\n# second\n- x # own\n# other\n\n- y\n # deep\n");
    }

    #[test]
    fn the_next_key_moves_up_to_the_dash() {
        check("- a: 1 # c\n  b: 2\n- c: 3\n", remove("/0/a"), "- b: 2\n- c: 3\n");
        check("-   a:\n    - 1\n    # b\n    b: 2\n", remove("/0/a"), "-   # b\n    b: 2\n");
        check("- a: 1\n  # b\n  b: 2\n  c: 3\n", json_both(), "- c: 3\n");
        check("- - a\n  - b\n", remove("/0/0"), "- - b\n");
        check("- a: |\n    t\n\n  b: 2\n", remove("/0/a"), "- b: 2\n");
        let two_go = json!([remove("/0/a"), remove("/0/b")]);
        check_all("- a: 1\n\n  # free\n\n  # b\n  b: 2\n  c: 3\n", two_go.clone(), "- # free\n\n  c: 3\n");
        check_all("- a: 1\n  # b\n  b: 2\n\n  # free\n\n  c: 3\n", two_go, "- # free\n\n  c: 3\n");
    }

    fn json_both() -> serde_json::Value {
        json!({"op": "replace", "path": "/0", "value": {"c": 3}})
    }

    #[test]
    fn text_that_looks_like_a_comment_stays() {
        check("a: \"x\n# y\"\nb: 1\n", remove("/b"), "a: \"x\n# y\"\n");
    }

    #[test]
    fn an_emptied_collection_stays_a_collection() {
        check("a: # c\n# d\n- x # e\n\n# f\nb: 1\n", remove("/a/0"), "a: [] # c\n\n# f\nb: 1\n");
        check("a:  \n  b: 1\n", remove("/a/b"), "a: {}\n");
        check("- a: 1\n- 2\n", remove("/0/a"), "- {}\n- 2\n");
        check("- - a\n  # b\n\n  - c\n", set("/0", json!([])), "- []\n");
        check("# c\n\na: 1\n", remove("/a"), "# c\n\n{}\n");
        check_all("a:\n- x\n", json!([remove("/a/0"), add("/a/-", json!(1))]), "a:\n- 1\n");
        check_all("- a: 1\n", json!([remove("/0/a"), add("/0/b", json!(1))]), "- b: 1\n");
    }

    #[test]
    fn operations_on_one_place_compose() {
        check_all("a: 1\n", json!([add("/b", json!(1)), remove("/b")]), "a: 1\n");
        check_all("a: 1\n", json!([set("/a", json!(2)), set("/a", json!(1))]), "a: 1\n");
        check_all(
            "a: [1]\n",
            json!([add("/b", json!({})), add("/b/c", json!([])), add("/b/c/-", json!(1))]),
            "a: [1]\nb:\n  c:\n  - 1\n",
        );
    }

    #[test]
    fn a_missing_last_line_break_stays_missing() {
        check("a: 1\nb: 2", remove("/b"), "a: 1");
        check("a: 1\nb: 2", add("/c", json!(3)), "a: 1\nb: 2\nc: 3");
        check("a:\n- x", add("/a/-", json!(1)), "a:\n- x\n- 1");
        check_all(
            "a:\n  b:\n  - x",
            json!([add("/a/b/-", json!(1)), add("/a/c", json!(2))]),
            "a:\n  b:\n  - x\n  - 1\n  c: 2",
        );
        check("a: |\n  t\nb: 2", remove("/b"), "a: |\n  t\n");
        check_all("a: 1\nb: 2\n\nc: 3", json!([remove("/b"), remove("/c")]), "a: 1");
        check_all("a:\n- x\nb: 1", json!([add("/a/-", json!(1)), remove("/b")]), "a:\n- x\n- 1");
        check("a: |-\n  t", add("/b", json!(2)), "a: |-\n  t\nb: 2");
        assert!(edited("a: |\n  t", json!([add("/b", json!(2))])).is_err());
    }

    #[test]
    fn line_breaks_are_those_of_the_neighbours() {
        check(
            "a:\r\n- x\r\nb: 1\r\n",
            add("/a/-", json!({"p": 1, "q": 2})),
            "a:\r\n- x\r\n- p: 1\r\n  q: 2\r\nb: 1\r\n",
        );
        check("a: 1 \r\nb: 2\r\n", remove("/b"), "a: 1 \r\n");
        check("- a: 1\r\n- 2\r\n", remove("/0/a"), "- {}\r\n- 2\r\n");
        check("- a: 1\r\n- 2\r\n", set("/0", json!(1)), "- 1\r\n- 2\r\n");
    }

    #[test]
    fn a_block_scalar_takes_nothing_in() {
        check("a: |+\n  t\n\nb: 1\n\nc: 2\n", remove("/b"), "a: |+\n  t\n\nc: 2\n");
        check("a: |\n  t\n\nb: 1\n\nc: 2\n", remove("/b"), "a: |\n  t\n\n\nc: 2\n");
        assert!(edited("a: |\n  t\nb: 1\n   # deep\nc: 2\n", json!([remove("/b")])).is_err());
        let deep = "a: |\n  t\nb: 1\n\nc: 1\n\n  # deep\nd: 2\n";
        assert!(edited(deep, json!([remove("/b"), remove("/c")])).is_err());
        let new = json!({"op": "add", "path": "/e", "value": 1, "after": ["a"]});
        check_all(deep, json!([remove("/b"), remove("/c"), new]), "a: |\n  t\ne: 1\n\n\n  # deep\nd: 2\n");
        check("a: |\n  t\nb: 1\n # shallow\nc: 2\n", remove("/b"), "a: |\n  t\n # shallow\nc: 2\n");
    }
}
