//! Two texts of one document → whether they differ only where their values do.
//! The nodes whose value changed are cut out of both texts, each with what it
//! owns (DESIGN: its end-of-line comment and the comment lines directly above
//! it); what is left must be the same, byte for byte. This is written apart
//! from the patcher on purpose: it knows no plan, only the two values.

use std::ops::Range;

use germ_post::yaml::{Content, Entry, NodeId, Tree, parse};
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// `Ok(false)`: the texts are one. `Ok(true)`: they differ, in changed nodes only.
pub fn check(input: &str, output: &str) -> Result<bool, String> {
    if input == output {
        return Ok(false);
    }
    let (a, b) = (
        parse(input).map_err(|e| e.to_string())?,
        parse(output).map_err(|e| e.to_string())?,
    );
    let mut cuts = Cuts {
        a: &a,
        b: &b,
        from_a: Vec::new(),
        from_b: Vec::new(),
    };
    let (Some(left), Some(right)) = (a.root(), b.root()) else {
        return Err("a document without content is changed".to_owned());
    };
    cuts.node(left, right);
    if cuts.from_a.is_empty() && cuts.from_b.is_empty() {
        return Err("the text changes though the value does not".to_owned());
    }
    let (left, right) = (without(input, cuts.from_a), without(output, cuts.from_b));
    if left == right {
        return Ok(true);
    }
    let same = left
        .lines()
        .zip(right.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end)").to_owned();
    Err(format!(
        "outside the edits `{}` became `{}`",
        line(&left),
        line(&right)
    ))
}

/// The text without these bytes.
fn without(text: &str, mut cuts: Vec<Range<usize>>) -> String {
    cuts.sort_by_key(|cut| cut.start);
    let mut kept = String::new();
    let mut at = 0;
    for cut in cuts {
        kept.push_str(&text[at..cut.start.max(at)]);
        at = cut.end.max(at);
    }
    kept + &text[at..]
}

struct Cuts<'t, 's> {
    a: &'t Tree<'s>,
    b: &'t Tree<'s>,
    from_a: Vec<Range<usize>>,
    from_b: Vec<Range<usize>>,
}

fn value(tree: &Tree<'_>, id: NodeId) -> Value {
    tree.read_node(id).unwrap()
}

impl Cuts<'_, '_> {
    fn node(&mut self, left: NodeId, right: NodeId) {
        if value(self.a, left) == value(self.b, right) {
            return;
        }
        match (&self.a.node(left).content, &self.b.node(right).content) {
            (Content::Mapping { entries: a, .. }, Content::Mapping { entries: b, .. })
                if !a.is_empty() && !b.is_empty() =>
            {
                self.mappings(left, right);
            }
            (Content::Sequence { items: a, .. }, Content::Sequence { items: b, .. })
                if !a.is_empty() && !b.is_empty() =>
            {
                let a: Vec<NodeId> = a.iter().map(|item| item.node).collect();
                let b: Vec<NodeId> = b.iter().map(|item| item.node).collect();
                self.sequences(left, right, &a, &b);
            }
            _ => {
                let inline = |tree: &Tree<'_>, id: NodeId| {
                    !tree.source(id).is_empty()
                        && matches!(
                            tree.node(id).content,
                            Content::Scalar { .. } | Content::Alias { .. }
                        )
                };
                if inline(self.a, left) && inline(self.b, right) {
                    self.from_a.push(self.a.node(left).span.clone());
                    self.from_b.push(self.b.node(right).span.clone());
                } else {
                    self.from_a.push(with_blanks_in_front(self.a, left));
                    self.from_b.push(with_blanks_in_front(self.b, right));
                }
            }
        }
    }

    fn mappings(&mut self, left: NodeId, right: NodeId) {
        let (a, b) = (occurrences(self.a, left), occurrences(self.b, right));
        for (key, entry) in &a {
            match b.iter().find(|(other, _)| other == key) {
                Some((_, other)) => self.node(entry.value, other.value),
                None => self.from_a.push(whole_entry(self.a, left, entry, true)),
            }
        }
        for (_, entry) in b
            .iter()
            .filter(|(key, _)| a.iter().all(|(other, _)| other != key))
        {
            self.from_b.push(whole_entry(self.b, right, entry, false));
        }
    }

    fn sequences(&mut self, left: NodeId, right: NodeId, a: &[NodeId], b: &[NodeId]) {
        // Text compares faster than values, and equal values of one origin have
        // one text.
        let text = |tree: &Tree<'_>, ids: &[NodeId]| -> Vec<String> {
            ids.iter().map(|id| value(tree, *id).to_string()).collect()
        };
        let ops = capture_diff_slices(Algorithm::Lcs, &text(self.a, a), &text(self.b, b));
        for op in ops {
            let (old, new) = match op {
                DiffOp::Equal { .. } => continue,
                DiffOp::Delete {
                    old_index, old_len, ..
                } => (old_index..old_index + old_len, 0..0),
                DiffOp::Insert {
                    new_index, new_len, ..
                } => (0..0, new_index..new_index + new_len),
                DiffOp::Replace {
                    old_index,
                    old_len,
                    new_index,
                    new_len,
                } => (
                    old_index..old_index + old_len,
                    new_index..new_index + new_len,
                ),
            };
            // Of what is left between equal items, those of one name are one item.
            let name = |tree: &Tree<'_>, id: NodeId| value(tree, id).get("name").cloned();
            let mut fresh: Vec<usize> = new.collect();
            for from in old {
                let named = name(self.a, a[from]);
                let found = fresh
                    .iter()
                    .position(|to| named.is_some() && name(self.b, b[*to]) == named);
                match found {
                    Some(at) => {
                        let to = fresh.remove(at);
                        self.node(a[from], b[to]);
                    }
                    None => self.from_a.push(whole_item(self.a, left, from, true)),
                }
            }
            for to in fresh {
                self.from_b.push(whole_item(self.b, right, to, false));
            }
        }
    }
}

/// The entries of a mapping with keys made unique: name and how often it came before.
fn occurrences<'t, 's>(tree: &'t Tree<'s>, id: NodeId) -> Vec<((String, usize), &'t Entry<'s>)> {
    let Content::Mapping { entries, .. } = &tree.node(id).content else {
        return Vec::new();
    };
    let mut keys: Vec<((String, usize), &Entry<'s>)> = Vec::new();
    for entry in entries {
        let name = entry.name.name().unwrap_or("<<").to_owned();
        let count = keys.iter().filter(|((other, _), _)| *other == name).count();
        keys.push(((name, count), entry));
    }
    keys
}

/// A value that changes its kind, with the blanks and line breaks between it and
/// the indicator in front of it.
fn with_blanks_in_front(tree: &Tree<'_>, id: NodeId) -> Range<usize> {
    let node = tree.node(id);
    let start = tree.text()[..node.outer_start()]
        .trim_end_matches([' ', '\t', '\r', '\n'])
        .len();
    let end = tree.text()[..node.span.end]
        .trim_end_matches(['\r', '\n'])
        .len();
    start..end.max(start)
}

fn whole_entry(
    tree: &Tree<'_>,
    mapping: NodeId,
    entry: &Entry<'_>,
    owns_comments: bool,
) -> Range<usize> {
    let Content::Mapping { flow, entries } = &tree.node(mapping).content else {
        unreachable!()
    };
    let start = |entry: &Entry<'_>| entry.question.unwrap_or(tree.node(entry.key).outer_start());
    let end = |entry: &Entry<'_>| {
        tree.node(entry.value)
            .span
            .end
            .max(entry.colon.map_or(0, |colon| colon + 1))
    };
    let at = entries
        .iter()
        .position(|other| start(other) == start(entry))
        .unwrap();
    let before = at.checked_sub(1).map(|at| end(&entries[at]));
    let behind = entries.get(at + 1).map(start);
    member(
        tree.text(),
        *flow,
        start(entry)..end(entry),
        before,
        behind,
        owns_comments,
    )
}

fn whole_item(tree: &Tree<'_>, sequence: NodeId, at: usize, owns_comments: bool) -> Range<usize> {
    let Content::Sequence { flow, items } = &tree.node(sequence).content else {
        unreachable!()
    };
    let start = |at: usize| {
        items[at]
            .dash
            .unwrap_or(tree.node(items[at].node).outer_start())
    };
    let end = |at: usize| {
        tree.node(items[at].node)
            .span
            .end
            .max(items[at].dash.map_or(0, |dash| dash + 1))
    };
    let before = at.checked_sub(1).map(end);
    let behind = (at + 1 < items.len()).then(|| start(at + 1));
    member(
        tree.text(),
        *flow,
        start(at)..end(at),
        before,
        behind,
        owns_comments,
    )
}

/// An entry or item with what it owns. In flow style that is one comma; in block
/// style its lines.
fn member(
    text: &str,
    flow: bool,
    own: Range<usize>,
    before: Option<usize>,
    behind: Option<usize>,
    owns_comments: bool,
) -> Range<usize> {
    let line = text[..own.start].rfind('\n').map_or(0, |at| at + 1);
    if flow || !text[line..own.start].trim().is_empty() {
        return match (before, behind) {
            (_, Some(behind)) => own.start..behind,
            (Some(before), None) => before..own.end,
            (None, None) => own,
        };
    }
    let indent = own.start - line;
    let mut start = line;
    while owns_comments && start > 0 {
        let above = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        let comment = &text[above..start];
        if comment.len() - comment.trim_start_matches(' ').len() != indent
            || !comment.trim_start().starts_with('#')
        {
            break;
        }
        start = above;
    }
    let end = if text[..own.end].ends_with('\n') {
        own.end
    } else {
        text[own.end..]
            .find('\n')
            .map_or(text.len(), |at| own.end + at + 1)
    };
    start..end
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn changes_inside_edited_nodes_pass() {
        for (input, output) in [
            ("a: 1  # c\nb: 2\n", "a: 3  # c\nb: 2\n"),
            (
                "a: 1\n# own\nb: 2 # own\n# not\n\nc: 3\n",
                "a: 1\n# not\n\nc: 3\n",
            ),
            ("a:\n- x\n- y\n", "a:\n- x\n"),
            ("a: {b: 1, c: 2}\n", "a: {c: 2}\n"),
            ("a: {b: 1, c: 2}\n", "a: {b: 1}\n"),
            ("a: [x, y]\n", "a: [x, z, y]\n"),
            ("env:\nb: 1\n", "env:\n- name: x\nb: 1\n"),
            (
                "l:\n- name: x\n  v: 1 # c\n- name: y\n",
                "l:\n- name: x\n  v: 2 # c\n- name: y\n- name: z\n",
            ),
        ] {
            assert_eq!(check(input, output), Ok(true), "{input:?} -> {output:?}");
        }
        assert_eq!(check("a: 1\n", "a: 1\n"), Ok(false));
    }

    #[test]
    fn any_other_change_fails() {
        for (input, output) in [
            ("a: 1 # c\n", "a: 2\n"),
            ("a: 1\nb: 'x'\n", "a: 2\nb: x\n"),
            ("a: x\n", "a: 'x'\n"),
            ("a: 1\nb: 2\nc: 3\n", "a: 9\nc: 3\nb: 2\n"),
            ("a: 1\nb: 2\n", "a:  3\nb: 2\n"),
            ("a: 1\nb: 2", "a: 3\nb: 2\n"),
            ("# far\n\nb: 2\na: 1\n", "a: 1\n"),
            ("l:\n- a\n# foot\n- b\nc: 1\n", "l:\n- b\nc: 1\n"),
            ("a: {b: 1, c: 2}\n", "a: { b: 3, c: 2 }\n"),
        ] {
            assert!(check(input, output).is_err(), "{input:?} -> {output:?}");
        }
    }
}
