//! The document as it shall become, with identity: every part is a source node,
//! a source collection whose children are kept, dropped or joined by new ones,
//! or a new value. Collections are opened only where an operation passes, so
//! the rest of the document costs nothing.

use crate::yaml::{Content, NodeId, Tree};

use super::effective;
use super::error::{EditError, Refusal};
use super::new_keys::NewKeys;
use super::opened::{Opened, Setter};
use super::operation::{Action, NewValue, Operation};
use super::same;
use super::seek::{self, Found};
use super::written::{self, insertion_index, item_index};

/// A part of the document to come.
#[derive(Debug)]
pub(super) enum Draft {
    /// As in the source.
    Source(NodeId),
    /// A source collection whose children may differ.
    Opened(Opened),
    /// A value that was not there.
    New(New),
}

impl Draft {
    /// The last operation that left a mark here.
    pub(super) fn operation(&self) -> Option<usize> {
        match self {
            Draft::Source(_) => None,
            Draft::New(new) => Some(new.operation),
            Draft::Opened(opened) => {
                let dropped = opened.dropped.values().copied();
                let children = opened.children.iter().filter_map(|child| child.value.operation());
                dropped.chain(children).max()
            }
        }
    }
}

/// A value that was not there.
#[derive(Debug)]
pub(super) struct New {
    pub(super) value: NewValue,
    /// The operation that wrote it first.
    pub(super) operation: usize,
}

/// The draft of `root` after all operations.
pub(super) fn draft(tree: &Tree<'_>, root: NodeId, operations: &[Operation]) -> Result<Draft, EditError> {
    let mut draft = Draft::Source(root);
    let keys = NewKeys::new(tree);
    for (index, operation) in operations.iter().enumerate() {
        Drafter { tree, keys: &keys, operation: index }.carry_out(&mut draft, root, operation)?;
    }
    Ok(draft)
}

/// Carries one operation out.
struct Drafter<'a, 's> {
    tree: &'a Tree<'s>,
    keys: &'a NewKeys<'a, 's>,
    /// Index of the operation.
    operation: usize,
}

impl Drafter<'_, '_> {
    fn carry_out(&self, draft: &mut Draft, root: NodeId, operation: &Operation) -> Result<(), EditError> {
        // Asked beforehand, since opening an alias or an inherited value on the
        // way would write it out for nothing.
        if let Action::Replace { value } | Action::Add { value, .. } = &operation.action {
            if !self.is_insertion(draft, operation)
                && let Some(found) = self.find(draft, &operation.path)
                && self.reads_as(&found, value)?
            {
                return Ok(());
            }
            if !self.keys.are_safe(value) {
                return Err(self.refuse(root, Refusal::UnsafeKey));
            }
        }
        self.edit(draft, root, &operation.path, &operation.action)
    }

    /// Whether the operation makes a new item in a sequence.
    fn is_insertion(&self, draft: &Draft, operation: &Operation) -> bool {
        let (Action::Add { .. }, Some((_, parent))) = (&operation.action, operation.path.split_last()) else {
            return false;
        };
        self.find(draft, parent).is_some_and(|parent| parent.is_sequence(self.tree))
    }

    fn refuse(&self, at: NodeId, kind: Refusal) -> EditError {
        EditError::new(self.operation, self.tree.node(at).span.start, kind)
    }

    /// `place` is the source node nearest to `draft`.
    fn edit(
        &self,
        draft: &mut Draft,
        place: NodeId,
        path: &[String],
        action: &Action,
    ) -> Result<(), EditError> {
        let Some((token, rest)) = path.split_first() else {
            return match action {
                Action::Add { value, .. } | Action::Replace { value } => self.assign(draft, value),
                Action::Remove => Err(self.refuse(place, Refusal::WholeDocument)),
            };
        };
        self.open(draft)?;
        let opened = match draft {
            Draft::Opened(opened) => opened,
            Draft::New(new) => {
                if !self.may_add(&new.value, path, action) {
                    return Err(self.refuse(place, Refusal::UnsafeKey));
                }
                return written::edit(&mut new.value, path, action).map_err(|kind| self.refuse(place, kind));
            }
            Draft::Source(node) => return Err(self.refuse(*node, Refusal::NotACollection)),
        };
        let place = opened.node;
        match (opened.is_mapping(self.tree), rest.is_empty()) {
            (true, true) => self.edit_entry(opened, token, action),
            (true, false) => self.edit(self.entry_mut(opened, token)?, place, rest, action),
            (false, true) => self.edit_item(opened, token, action),
            (false, false) => {
                let index = self.index(opened, token)?;
                self.edit(&mut opened.children[index].value, place, rest, action)
            }
        }
    }

    /// Whether the key that `action` sets inside a new value, if it does, is safe.
    fn may_add(&self, value: &NewValue, path: &[String], action: &Action) -> bool {
        let (Action::Add { .. }, Some((name, parent))) = (action, path.split_last()) else {
            return true;
        };
        match written::find(value, parent) {
            Some(NewValue::Mapping(_)) => self.keys.is_safe(name),
            _ => true,
        }
    }

    /// Opens a source collection; writes an alias out, since the edit belongs to
    /// the place of use.
    fn open(&self, draft: &mut Draft) -> Result<(), EditError> {
        if let Draft::Source(node) = *draft {
            if let Some(opened) = Opened::new(self.tree, node) {
                *draft = Draft::Opened(opened);
            } else if matches!(self.tree.node(node).content, Content::Alias { .. }) {
                *draft = Draft::New(self.written_out(node)?);
            }
        }
        Ok(())
    }

    fn written_out(&self, node: NodeId) -> Result<New, EditError> {
        let value = effective::written_out(self.tree, node)
            .map_err(|(offset, kind)| EditError::new(self.operation, offset, kind))?;
        if !self.keys.are_safe(&value) {
            return Err(self.refuse(node, Refusal::UnsafeKey));
        }
        Ok(New { value, operation: self.operation })
    }

    fn new_value(&self, value: &NewValue) -> New {
        New { value: value.clone(), operation: self.operation }
    }

    fn entry_mut<'o>(&self, opened: &'o mut Opened, name: &str) -> Result<&'o mut Draft, EditError> {
        let index = match opened.setter(self.tree, name) {
            Some(Setter::Own(index)) => index,
            Some(Setter::Merged(value)) => {
                let new = self.written_out(value)?;
                self.override_merged(opened, name, new, &[])
            }
            None => return Err(self.refuse(opened.node, Refusal::Missing)),
        };
        Ok(&mut opened.children[index].value)
    }

    fn edit_entry(&self, opened: &mut Opened, name: &str, action: &Action) -> Result<(), EditError> {
        let (value, after) = match action {
            Action::Add { value, after } => (value, after.as_slice()),
            Action::Replace { value } => (value, [].as_slice()),
            Action::Remove => return self.remove_entry(opened, name),
        };
        match opened.setter(self.tree, name) {
            Some(Setter::Own(index)) => self.assign(&mut opened.children[index].value, value),
            Some(Setter::Merged(_)) => {
                self.override_merged(opened, name, self.new_value(value), after);
                Ok(())
            }
            None if matches!(action, Action::Replace { .. }) => {
                Err(self.refuse(opened.node, Refusal::Missing))
            }
            None if !self.keys.is_safe(name) => Err(self.refuse(opened.node, Refusal::UnsafeKey)),
            None => {
                let at = opened.place_for_key(self.tree, after);
                opened.insert(at, Some(name), self.new_value(value));
                Ok(())
            }
        }
    }

    fn remove_entry(&self, opened: &mut Opened, name: &str) -> Result<(), EditError> {
        if let Some(inherited) = opened.inherited(self.tree, name) {
            return Err(self.refuse(inherited, Refusal::Inherited));
        }
        if opened.setter(self.tree, name).is_none() {
            return Err(self.refuse(opened.node, Refusal::Missing));
        }
        opened.drop_named(self.tree, name, self.operation);
        Ok(())
    }

    /// Writes an explicit entry for a key that comes from a merge, and tells its
    /// index. Readers that let explicit keys win anywhere and readers that go by
    /// the order agree only if it stands behind the merges, alone.
    fn override_merged(&self, opened: &mut Opened, name: &str, new: New, after: &[String]) -> usize {
        opened.drop_named(self.tree, name, self.operation);
        let at = opened.place_for_key(self.tree, after);
        opened.insert(at, Some(name), new);
        at
    }

    fn index(&self, opened: &Opened, token: &str) -> Result<usize, EditError> {
        item_index(token, opened.children.len()).ok_or_else(|| self.refuse(opened.node, Refusal::BadIndex))
    }

    fn edit_item(&self, opened: &mut Opened, token: &str, action: &Action) -> Result<(), EditError> {
        match action {
            Action::Add { value, .. } => {
                let at = insertion_index(token, opened.children.len())
                    .ok_or_else(|| self.refuse(opened.node, Refusal::BadIndex))?;
                opened.insert(at, None, self.new_value(value));
            }
            Action::Remove => {
                let index = self.index(opened, token)?;
                opened.drop_child(index, self.operation);
            }
            Action::Replace { value } => {
                let index = self.index(opened, token)?;
                self.assign(&mut opened.children[index].value, value)?;
            }
        }
        Ok(())
    }

    /// Makes `draft` read as `value`, keeping as much of the source as can be.
    fn assign(&self, draft: &mut Draft, value: &NewValue) -> Result<(), EditError> {
        if self.reads_as(&Found::Draft(draft), value)? {
            return Ok(());
        }
        if let Draft::Source(node) | Draft::Opened(Opened { node, .. }) = *draft
            && same::is_alike(self.tree, node, value)
        {
            self.open(draft)?;
            match (&mut *draft, value) {
                (Draft::Opened(opened), NewValue::Mapping(entries)) => {
                    return self.assign_entries(opened, entries);
                }
                (Draft::Opened(opened), NewValue::Sequence(items)) => {
                    return self.assign_items(opened, items);
                }
                _ => {}
            }
        }
        *draft = Draft::New(self.new_value(value));
        Ok(())
    }

    fn assign_entries(&self, opened: &mut Opened, entries: &[(String, NewValue)]) -> Result<(), EditError> {
        let gone: Vec<String> = opened
            .children
            .iter()
            .filter_map(|child| opened.name(self.tree, child).key().map(str::to_owned))
            .filter(|name| entries.iter().all(|(key, _)| key != name))
            .collect();
        for name in gone {
            opened.drop_named(self.tree, &name, self.operation);
        }
        for (name, value) in entries {
            match opened.setter(self.tree, name) {
                Some(Setter::Own(index)) => self.assign(&mut opened.children[index].value, value)?,
                _ => opened.insert(usize::MAX, Some(name), self.new_value(value)),
            }
        }
        Ok(())
    }

    /// Keeps the items that are the same at both ends, and pairs up the others.
    fn assign_items(&self, opened: &mut Opened, items: &[NewValue]) -> Result<(), EditError> {
        let same = |index: usize, item: &NewValue| match opened.children.get(index) {
            Some(child) => self.reads_as(&Found::Draft(&child.value), item),
            None => Ok(false),
        };
        let shorter = opened.children.len().min(items.len());
        let mut head = 0;
        while head < shorter && same(head, &items[head])? {
            head += 1;
        }
        let (mut old_end, mut new_end) = (opened.children.len(), items.len());
        while old_end > head && new_end > head && same(old_end - 1, &items[new_end - 1])? {
            old_end -= 1;
            new_end -= 1;
        }
        for index in (new_end..old_end).rev() {
            opened.drop_child(index, self.operation);
        }
        for (index, value) in items.iter().enumerate().take(new_end).skip(head) {
            if index < old_end {
                self.assign(&mut opened.children[index].value, value)?;
            } else {
                opened.insert(index, None, self.new_value(value));
            }
        }
        Ok(())
    }

    fn find<'d>(&self, draft: &'d Draft, path: &[String]) -> Option<Found<'d>> {
        seek::find(self.tree, draft, path)
    }

    fn reads_as(&self, found: &Found<'_>, value: &NewValue) -> Result<bool, EditError> {
        found
            .reads_as(self.tree, value)
            .map_err(|(offset, kind)| EditError::new(self.operation, offset, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::super::check::{add, check, check_all, edited, remove, set};
    use serde_json::{Value, json};

    const TEXT: &str = "m:\n  a: 1\nl:\n- x\nr: &r {k: 1}\ns: *r\n";

    /// Why the last of the operations is refused.
    #[track_caller]
    fn refusal(operations: &[Value]) -> Refusal {
        let error = edited(TEXT, json!(operations)).unwrap_err();
        assert_eq!(error.operation, operations.len() - 1);
        assert!(error.offset <= TEXT.len());
        error.kind
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused() {
        for path in ["/x", "/m/x", "/s/x", "/x/y", "/m/x/y"] {
            assert_eq!(refusal(&[set(path, json!(2))]), Refusal::Missing, "{path}");
            assert_eq!(refusal(&[remove(path)]), Refusal::Missing, "{path}");
        }
        assert_eq!(refusal(&[add("/x/y", json!(2))]), Refusal::Missing);
        for path in ["/m/a/x", "/l/0/x", "/r/k/x", "/s/k/x"] {
            assert_eq!(refusal(&[set(path, json!(2))]), Refusal::NotACollection, "{path}");
        }
        for path in ["/l/1", "/l/00", "/l/+0", "/l/-", "/l/x", "/l/1/x"] {
            assert_eq!(refusal(&[set(path, json!(2))]), Refusal::BadIndex, "{path}");
            assert_eq!(refusal(&[remove(path)]), Refusal::BadIndex, "{path}");
        }
        assert_eq!(refusal(&[add("/l/2", json!(2))]), Refusal::BadIndex);
        assert_eq!(refusal(&[remove("/l/0"), remove("/l/0")]), Refusal::BadIndex);
        assert_eq!(refusal(&[remove("/m/a"), remove("/m/a")]), Refusal::Missing);
        assert_eq!(refusal(&[remove("")]), Refusal::WholeDocument);
    }

    #[test]
    fn items_that_are_in_both_lists_keep_their_lines() {
        let text = "a:\n- x # 1\n- y # 2\n- z # 3\n";
        check(text, set("/a", json!(["x", "z"])), "a:\n- x # 1\n- z # 3\n");
        check(text, set("/a", json!(["z"])), "a:\n- z # 3\n");
        check(text, set("/a", json!(["x", "w", "v", "z"])), "a:\n- x # 1\n- w # 2\n- v\n- z # 3\n");
        let twice = "a:\n- x # 1\n- x # 2\n";
        check(twice, set("/a", json!(["x"])), "a:\n- x # 1\n");
        check(twice, set("/a", json!(["x", "x", "x"])), "a:\n- x # 1\n- x # 2\n- x\n");
    }

    #[test]
    fn a_mapping_takes_the_keys_of_another_one() {
        check(
            "m:\n  a: 1 # c\n  b: 2\n",
            set("/m", json!({"d": 4, "b": 3, "c": 5})),
            "m:\n  b: 3\n  d: 4\n  c: 5\n",
        );
        // What stays is edited later as it stands.
        let text = "b: &b {k: 1}\na:\n  m:\n    <<: *b\n    z: 1\n  p: 1\n";
        check_all(
            text,
            json!([set("/a", json!({"m": {"k": 1, "z": 1}, "p": 2})), set("/a/m/z", json!(3))]),
            "b: &b {k: 1}\na:\n  m:\n    <<: *b\n    z: 3\n  p: 2\n",
        );
        check(
            "b: &b {k: 1, l: 1}\na:\n  <<: *b\n  z: 1\n",
            set("/a", json!({"z": 2})),
            "b: &b {k: 1, l: 1}\na:\n  z: 2\n",
        );
        check("a:\n  b: 1\n\n  # in it\n\n  c: 2\n", set("/a", json!({})), "a: {}\n");
    }

    #[test]
    fn an_item_that_equals_its_neighbour_is_inserted() {
        check("a: [x]\n", add("/a/0", json!("x")), "a: [x, x]\n");
        check("a: &x [1]\nb: *x\n", add("/b/0", json!(1)), "a: &x [1]\nb:\n- 1\n- 1\n");
        check_all("a: [x]\n", json!([set("/a/0", json!("w")), add("/a/0", json!("w"))]), "a: [w, w]\n");
        check_all("a: 1\n", json!([add("/p", json!([1])), add("/p/0", json!(1))]), "a: 1\np:\n- 1\n- 1\n");
        let nested = json!([add("/p", json!({"l": [1]})), add("/p/l/0", json!(1))]);
        check_all("a: 1\n", nested, "a: 1\np:\n  l:\n  - 1\n  - 1\n");
    }

    #[test]
    fn an_error_names_the_last_operation_at_its_place() {
        let last = |text: &str, operations: Value| edited(text, operations).unwrap_err().operation;
        let shared = "a: &x\n  k: 1\n  l: 1\nb: *x\n";
        assert_eq!(last(shared, json!([set("/a/k", json!(2)), set("/a/l", json!(2))])), 1);
        assert_eq!(last(shared, json!([set("/a/l", json!(2)), remove("/a/k")])), 1);
        let text = "a: |\n  t\nb: 1\nc: 1\n   # deep\nd: 2\n";
        assert_eq!(last(text, json!([remove("/b"), remove("/c")])), 1);
        let tagged = "a:\n  !!seq []\n";
        assert_eq!(last(tagged, json!([add("/a/0", json!(1)), add("/a/0", json!(2))])), 1);
    }
}
