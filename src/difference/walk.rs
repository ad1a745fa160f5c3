//! Two values of one object → the places where they differ for Kubernetes. Absent and
//! null are the same, so are quantities of one amount; keyed lists and sets have no
//! order.

use serde_json::Value;

use super::lists;
use super::quantity;
use super::step::Step;
use crate::edit::Path;

/// What happened at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Something is there that was not.
    Added,
    /// Something is not there any more.
    Removed,
    /// It has another value.
    Changed,
    /// The items are the same in another order, which means something here.
    Reordered,
}

/// One difference, its values not masked yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where, in words that are the same on both sides.
    pub steps: Vec<Step>,
    /// Where in the old object; the parent's place for what is added.
    pub old_at: Path,
    /// Where in the new object; the parent's place for what is gone.
    pub new_at: Path,
    /// What happened.
    pub kind: Kind,
    /// The old value.
    pub old: Option<Value>,
    /// The new value.
    pub new: Option<Value>,
}

/// The differences of two objects of one kind.
pub fn differences(kind: &str, old: &Value, new: &Value) -> Vec<Difference> {
    let mut walk = Walk { kind, steps: Vec::new(), old_at: Vec::new(), new_at: Vec::new(), out: Vec::new() };
    walk.values(Some(old), Some(new));
    walk.out
}

struct Walk<'w> {
    kind: &'w str,
    steps: Vec<Step>,
    old_at: Path,
    new_at: Path,
    out: Vec<Difference>,
}

impl Walk<'_> {
    fn values(&mut self, old: Option<&Value>, new: Option<&Value>) {
        let is_there = |value: &&Value| !value.is_null();
        match (old.filter(is_there), new.filter(is_there)) {
            (None, None) => {}
            (Some(old), Some(new)) if old == new => {}
            (Some(Value::Object(old)), Some(Value::Object(new))) => {
                for (key, value) in old {
                    if !new.contains_key(key) {
                        self.below(key, Some(value), None);
                    }
                }
                for (key, value) in new {
                    self.below(key, old.get(key), Some(value));
                }
            }
            (Some(Value::Array(old)), Some(Value::Array(new))) => self.lists(old, new),
            (Some(old), Some(new)) if self.is_same_quantity(old, new) => {}
            (Some(old), Some(new)) => self.tell(Kind::Changed, Some(old), Some(new)),
            (None, Some(new)) if !self.means_nothing(new) => self.tell(Kind::Added, None, Some(new)),
            (Some(old), None) if !self.means_nothing(old) => self.tell(Kind::Removed, Some(old), None),
            _ => {}
        }
    }

    fn is_same_quantity(&self, old: &Value, new: &Value) -> bool {
        quantity::is_place(self.kind, &self.new_at) && quantity::same(old, new)
    }

    /// No labels are no labels, however that is written.
    fn means_nothing(&self, value: &Value) -> bool {
        let of_metadata = matches!(self.steps.as_slice(), [.., Step::Key(around), Step::Key(key)]
            if around == "metadata" && (key == "labels" || key == "annotations"));
        of_metadata && value.as_object().is_some_and(serde_json::Map::is_empty)
    }

    fn below(&mut self, key: &str, old: Option<&Value>, new: Option<&Value>) {
        self.steps.push(Step::Key(key.to_owned()));
        self.old_at.push(key.to_owned());
        self.new_at.push(key.to_owned());
        self.values(old, new);
        self.steps.pop();
        self.old_at.pop();
        self.new_at.pop();
    }

    fn lists(&mut self, old: &[Value], new: &[Value]) {
        let aligned = lists::align(self.kind, &self.new_at, old, new);
        for item in &aligned.items {
            self.steps.push(item.step.clone());
            let push = |at: &mut Path, index: Option<usize>, other: Option<usize>| {
                at.push(index.or(other).unwrap_or_default().to_string());
            };
            push(&mut self.old_at, item.old, item.new);
            push(&mut self.new_at, item.new, item.old);
            match (item.old.and_then(|at| old.get(at)), item.new.and_then(|at| new.get(at))) {
                (None, new @ Some(_)) => self.tell(Kind::Added, None, new),
                (old @ Some(_), None) => self.tell(Kind::Removed, old, None),
                (old, new) if old != new => self.values(old, new),
                _ => {}
            }
            self.steps.pop();
            self.old_at.pop();
            self.new_at.pop();
        }
        if aligned.reordered {
            let names = |list: &[Value]| {
                Value::Array(list.iter().map(|item| item.get("name").unwrap_or(item).clone()).collect())
            };
            self.tell(Kind::Reordered, Some(&names(old)), Some(&names(new)));
        }
    }

    fn tell(&mut self, kind: Kind, old: Option<&Value>, new: Option<&Value>) {
        self.out.push(Difference {
            steps: self.steps.clone(),
            old_at: self.old_at.clone(),
            new_at: self.new_at.clone(),
            kind,
            old: old.cloned(),
            new: new.cloned(),
        });
    }
}

/// Whether the values at a place of an object mean something different.
pub fn differ(kind: &str, at: &[String], old: Option<&Value>, new: Option<&Value>) -> bool {
    let mut walk = Walk {
        kind,
        steps: at.iter().map(|token| Step::Key(token.clone())).collect(),
        old_at: at.to_vec(),
        new_at: at.to_vec(),
        out: Vec::new(),
    };
    walk.values(old, new);
    !walk.out.is_empty()
}
