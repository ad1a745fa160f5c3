//! A place in a profile while it is compiled: a chain of steps, each on the stack of
//! the function that takes it. It becomes a pointer only where something is wrong
//! there, and that is seldom.

use crate::yaml::{NodeId, Tree};

/// A place in a profile: a step from the place before.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    /// To a key, and on to keys in it.
    Keys(&'a [&'a str]),
    /// To one key.
    Key(&'a str),
    /// To a key of the mapping under a key.
    Entry(&'a str, &'a str),
    /// To an item of the list under a key.
    Item(&'a str, usize),
}

impl<'a> At<'a> {
    /// The file itself.
    pub(super) const ROOT: At<'static> = At { parent: None, step: Step::Keys(&[]) };

    /// What is found below by keys.
    pub(super) fn below(&'a self, keys: &'a [&'a str]) -> At<'a> {
        At { parent: Some(self), step: Step::Keys(keys) }
    }

    /// What is found below by one key.
    pub(super) fn key(&'a self, key: &'a str) -> At<'a> {
        At { parent: Some(self), step: Step::Key(key) }
    }

    /// An entry of a mapping below.
    pub(super) fn entry(&'a self, key: &'a str, name: &'a str) -> At<'a> {
        At { parent: Some(self), step: Step::Entry(key, name) }
    }

    /// An item of a list below.
    pub(super) fn item(&'a self, key: &'a str, index: usize) -> At<'a> {
        At { parent: Some(self), step: Step::Item(key, index) }
    }

    /// As tokens of a JSON pointer.
    pub(super) fn pointer(&self) -> Vec<String> {
        let mut out = self.parent.map(At::pointer).unwrap_or_default();
        match self.step {
            Step::Keys(keys) => out.extend(keys.iter().map(|key| (*key).to_owned())),
            Step::Key(key) => out.push(key.to_owned()),
            Step::Entry(key, name) => out.extend([key, name].map(str::to_owned)),
            Step::Item(key, index) => out.extend([key.to_owned(), index.to_string()]),
        }
        out
    }

    /// The node there in the file's tree.
    pub(super) fn node(&self, file: &Tree<'_>) -> Option<NodeId> {
        let around = match self.parent {
            Some(parent) => parent.node(file)?,
            None => file.root()?,
        };
        match self.step {
            Step::Keys(keys) => keys.iter().try_fold(around, |at, key| file.below(at, key)),
            Step::Key(key) => file.below(around, key),
            Step::Entry(key, name) => file.below(file.below(around, key)?, name),
            Step::Item(key, index) => file.item(file.below(around, key)?, index),
        }
    }
}
