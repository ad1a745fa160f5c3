//! A document while it is being planned: its value now, the operations that led
//! there, and the way back from a place in it to the source node.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::origins::Origins;
use crate::edit::{Action, Operation, Path};
use crate::manifest::{ObjectRef, objects, template};
use crate::profile::matching::ObjectView;
use crate::profile::path::get;
use crate::yaml::Tree;

/// An operation with what the report says of it.
#[derive(Debug, Clone)]
pub struct PlannedOperation {
    /// The operation, its path from the document's root.
    pub operation: Operation,
    /// Index of the rule that asks for it.
    pub rule: usize,
    /// Index of the object in the document.
    pub object: usize,
    /// The value that it replaces or removes.
    pub old: Option<Value>,
    /// The place in the source document that it concerns: the node itself, or
    /// the nearest one around it that is in the source.
    pub source: Path,
}

/// What a rule wants of one node.
#[derive(Debug, Clone, PartialEq)]
struct Wish {
    rule: usize,
    /// `None`: that it is not there.
    value: Option<Value>,
}

/// A document under planning.
#[derive(Debug)]
pub struct PlannedDocument<'s> {
    /// Index in the stream.
    pub index: usize,
    /// The source.
    pub tree: Tree<'s>,
    /// The value of the source.
    pub original: Value,
    /// Its objects.
    pub objects: Vec<ObjectRef>,
    /// The template it came from.
    pub template: Option<String>,
    /// Which release it is of, where several are looked at.
    pub release: usize,
    /// The operations so far, in order.
    pub operations: Vec<PlannedOperation>,
    /// Objects that go, with the rule that drops them.
    pub dropped: BTreeMap<usize, usize>,
    /// The value after all operations so far, if there are any.
    changed: Option<Value>,
    wishes: BTreeMap<Path, Wish>,
    /// The way back to the source.
    origins: Origins,
}

impl<'s> PlannedDocument<'s> {
    /// A document with nothing planned.
    pub fn new(index: usize, tree: Tree<'s>, value: Value) -> Self {
        let template = template::source_comment(tree.text()).map(str::to_owned);
        Self {
            index,
            objects: objects::objects(&value),
            template,
            release: 0,
            tree,
            original: value,
            changed: None,
            operations: Vec::new(),
            dropped: BTreeMap::new(),
            wishes: BTreeMap::new(),
            origins: Origins::default(),
        }
    }

    /// Whether all of its objects are dropped, so that the document goes.
    pub fn goes(&self) -> bool {
        !self.objects.is_empty() && self.dropped.len() == self.objects.len()
    }

    /// The value after all operations so far.
    pub fn current(&self) -> &Value {
        self.changed.as_ref().unwrap_or(&self.original)
    }

    /// An object as it is now.
    pub fn object(&self, index: usize) -> Option<ObjectView<'_>> {
        self.view(index, self.current())
    }

    /// An object as it came in.
    pub fn original_object(&self, index: usize) -> Option<ObjectView<'_>> {
        self.view(index, &self.original)
    }

    /// Its objects as they came in.
    pub fn original_objects(&self) -> impl Iterator<Item = ObjectView<'_>> {
        (0..self.objects.len()).filter_map(|index| self.original_object(index))
    }

    fn view<'v>(&'v self, index: usize, root: &'v Value) -> Option<ObjectView<'v>> {
        let object = self.objects.get(index)?;
        Some(ObjectView {
            identity: &object.identity,
            value: get(root, &object.at)?,
            template: self.template.as_deref(),
            release: self.release,
        })
    }

    /// Whether the line that a byte of the source stands on holds a part of a Secret,
    /// so that it must not be shown, whatever else is on it.
    pub fn hides_line(&self, offset: usize) -> bool {
        let line = self.line(offset);
        self.objects.iter().filter(|object| object.identity.is_secret()).any(|object| {
            self.tree.locate(&object.at).is_some_and(|id| {
                let span = &self.tree.node(id).span;
                span.start < line.end && span.end > line.start
            })
        })
    }

    /// The line that a byte of the source stands on.
    pub fn line(&self, offset: usize) -> Range<usize> {
        let text = self.tree.text().as_bytes();
        let offset = offset.min(text.len());
        let start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1);
        start..memchr::memchr(b'\n', &text[offset..]).map_or(text.len(), |at| offset + at + 1)
    }

    /// The place in the source of a place in the current value, or of what
    /// encloses it; and whether it is that very node.
    pub fn source_of(&self, path: &[String]) -> (Path, bool) {
        let (mut path, mut exact) = self.origins.source_of(path);
        while !path.is_empty() && get(&self.original, &path).is_none() {
            path.pop();
            exact = false;
        }
        (path, exact)
    }

    /// Another rule that wants something else of the node, of what is in it, or
    /// of what it is in.
    pub fn conflict(&self, rule: usize, operation: &Operation) -> Option<usize> {
        let (key, exact) = self.source_of(&operation.path);
        let key = if exact { key } else { operation.path.clone() };
        let wanted = match &operation.action {
            Action::Remove => None,
            Action::Add { value, .. } | Action::Replace { value } => Some(value.to_json()),
        };
        let adds_item = matches!(operation.action, Action::Add { .. })
            && get(self.current(), &operation.path[..operation.path.len().saturating_sub(1)])
                .is_some_and(Value::is_array);
        if adds_item {
            return None;
        }
        let differs = |wish: &Wish| wish.rule != rule && wish.value != wanted;
        if let Some(wish) = self.wishes.get(&key).filter(|wish| differs(wish)) {
            return Some(wish.rule);
        }
        // What encloses it was made by another rule: changing it undoes that.
        if !matches!(operation.action, Action::Add { .. }) {
            for length in 1..key.len() {
                let around = self.wishes.get(&key[..length]);
                if let Some(wish) = around.filter(|wish| wish.rule != rule && wish.value.is_some()) {
                    return Some(wish.rule);
                }
            }
        }
        // Something in it was set by another rule.
        self.wishes
            .range(key.clone()..)
            .take_while(|(path, _)| path.starts_with(&key))
            .find(|(path, wish)| path.len() > key.len() && wish.rule != rule && wish.value.is_some())
            .map(|(_, wish)| wish.rule)
    }

    /// Carries out an operation on the current value and keeps it.
    pub fn push(&mut self, rule: usize, object: usize, operation: Operation) {
        let (source, exact) = self.source_of(&operation.path);
        let is_add = matches!(operation.action, Action::Add { .. });
        let old = if is_add
            && get(self.current(), &operation.path).is_some_and(|_| self.in_list(&operation.path))
        {
            None
        } else {
            get(self.current(), &operation.path).cloned()
        };
        let value = match &operation.action {
            Action::Remove => None,
            Action::Add { value, .. } | Action::Replace { value } => Some(value.to_json()),
        };
        let key = if exact && !(is_add && self.in_list(&operation.path)) {
            source.clone()
        } else {
            operation.path.clone()
        };
        self.wishes.insert(key, Wish { rule, value: value.clone() });
        match (self.list_place(&operation.path), &operation.action) {
            (Some((list, index, length)), Action::Add { .. }) => self.origins.insert(&list, index, length),
            (Some((list, index, length)), Action::Remove) => self.origins.remove(&list, index, length),
            _ => self.origins.forget(&operation.path),
        }
        let changed = self.changed.get_or_insert_with(|| self.original.clone());
        carry_out(changed, &operation.path, is_add, value);
        self.operations.push(PlannedOperation { operation, rule, object, old, source });
    }

    /// Frees what only planning needs; [`Self::current`] is the source's value again.
    pub fn is_planned(&mut self) {
        self.changed = None;
        self.wishes.clear();
    }

    fn in_list(&self, path: &[String]) -> bool {
        self.list_place(path).is_some()
    }

    /// The list that a path leads into, the index, and how many items there are.
    fn list_place(&self, path: &[String]) -> Option<(Path, usize, usize)> {
        let (last, list) = path.split_last()?;
        let length = get(self.current(), list)?.as_array()?.len();
        Some((list.to_vec(), last.parse().ok()?, length))
    }
}

/// One RFC 6902 operation on a value. The path is known to fit: the planner made
/// it from this very value, and the proof repeats it with `json-patch`.
pub fn carry_out(root: &mut Value, path: &[String], is_add: bool, value: Option<Value>) {
    let Some((last, parents)) = path.split_last() else {
        *root = value.unwrap_or(Value::Null);
        return;
    };
    let parent = parents.iter().try_fold(root, |at, token| match at {
        Value::Object(map) => map.get_mut(token),
        Value::Array(items) => token.parse::<usize>().ok().and_then(|index| items.get_mut(index)),
        _ => None,
    });
    match (parent, value) {
        (Some(Value::Object(map)), Some(value)) => {
            map.insert(last.clone(), value);
        }
        (Some(Value::Object(map)), None) => {
            map.shift_remove(last);
        }
        (Some(Value::Array(items)), value) => {
            let Ok(index) = last.parse::<usize>() else { return };
            match value {
                Some(value) if is_add && index <= items.len() => items.insert(index, value),
                Some(value) => {
                    if let Some(item) = items.get_mut(index) {
                        *item = value;
                    }
                }
                None if index < items.len() => {
                    items.remove(index);
                }
                None => {}
            }
        }
        _ => {}
    }
}
