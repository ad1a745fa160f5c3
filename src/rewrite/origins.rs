//! The way back from a place in a value to its place in the source, while lists
//! in it lose and win items. What never moved is not looked into, so that an
//! operation costs what its path and the list it moves cost, however many went
//! before it.

use std::collections::BTreeMap;

use crate::edit::Path;

/// Where the parts of one value came from.
#[derive(Debug)]
pub(super) enum Origins {
    /// Everything stands where it stood, but for what may have moved further in,
    /// by key or index.
    InPlace(BTreeMap<String, Origins>),
    /// A list whose items moved.
    Moved(Vec<Item>),
}

/// An item of a list.
#[derive(Debug)]
pub(super) struct Item {
    /// Its index in the source; `None` when it is not from there.
    source: Option<usize>,
    origins: Origins,
}

impl Default for Origins {
    fn default() -> Self {
        Origins::InPlace(BTreeMap::new())
    }
}

impl Origins {
    /// An item comes into a list of `length` items.
    pub(super) fn insert(&mut self, list: &[String], index: usize, length: usize) {
        if let Some(items) = self.items(list, length)
            && index <= items.len()
        {
            items.insert(index, Item { source: None, origins: Origins::default() });
        }
    }

    /// An item goes from a list of `length` items.
    pub(super) fn remove(&mut self, list: &[String], index: usize, length: usize) {
        if let Some(items) = self.items(list, length)
            && index < items.len()
        {
            items.remove(index);
        }
    }

    /// What stands at `path` is another value from now on.
    pub(super) fn forget(&mut self, path: &[String]) {
        let Some((last, parents)) = path.split_last() else {
            *self = Origins::default();
            return;
        };
        match self.at(parents) {
            Some(Origins::InPlace(known)) => drop(known.remove(last)),
            Some(Origins::Moved(items)) => {
                if let Some(item) = item_mut(items, last) {
                    item.origins = Origins::default();
                }
            }
            None => {}
        }
    }

    /// The place in the source that a path leads to, or the list around it when
    /// an item on the way is not from there; and whether it is the former.
    pub(super) fn source_of(&self, path: &[String]) -> (Path, bool) {
        let mut source = Path::with_capacity(path.len());
        let mut at = Some(self);
        for token in path {
            match at {
                None => source.push(token.clone()),
                Some(Origins::InPlace(known)) => {
                    source.push(token.clone());
                    at = known.get(token);
                }
                Some(Origins::Moved(items)) => {
                    let item = token.parse::<usize>().ok().and_then(|index| items.get(index));
                    let Some(Item { source: Some(index), origins }) = item else { return (source, false) };
                    source.push(index.to_string());
                    at = Some(origins);
                }
            }
        }
        (source, true)
    }

    fn at(&mut self, path: &[String]) -> Option<&mut Origins> {
        path.iter().try_fold(self, |at, token| match at {
            Origins::InPlace(known) => Some(known.entry(token.clone()).or_default()),
            Origins::Moved(items) => item_mut(items, token).map(|item| &mut item.origins),
        })
    }

    fn items(&mut self, list: &[String], length: usize) -> Option<&mut Vec<Item>> {
        let origins = self.at(list)?;
        if let Origins::InPlace(known) = origins {
            let mut known = std::mem::take(known);
            let item = |index: usize| Item {
                source: Some(index),
                origins: known.remove(&index.to_string()).unwrap_or_default(),
            };
            *origins = Origins::Moved((0..length).map(item).collect());
        }
        match origins {
            Origins::Moved(items) => Some(items),
            Origins::InPlace(_) => None,
        }
    }
}

fn item_mut<'i>(items: &'i mut [Item], token: &str) -> Option<&'i mut Item> {
    items.get_mut(token.parse::<usize>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        text.split('/').map(str::to_owned).collect()
    }

    fn source(origins: &Origins, text: &str) -> (String, bool) {
        let (path, exact) = origins.source_of(&path(text));
        (path.join("/"), exact)
    }

    #[test]
    fn items_are_found_again_after_moves_around_and_within_them() {
        let mut origins = Origins::default();
        origins.remove(&path("items/2/list"), 0, 3);
        origins.remove(&path("items"), 0, 4);
        origins.insert(&path("items"), 1, 3);
        assert_eq!(source(&origins, "items/0/list/0"), ("items/1/list/0".to_owned(), true));
        assert_eq!(source(&origins, "items/2/list/1/k"), ("items/2/list/2/k".to_owned(), true));
        assert_eq!(source(&origins, "items/1/list/0"), ("items".to_owned(), false));
        assert_eq!(source(&origins, "items/3"), ("items/3".to_owned(), true));
        assert_eq!(source(&origins, "items/4"), ("items".to_owned(), false));
        assert_eq!(source(&origins, "items/-"), ("items".to_owned(), false));
    }

    #[test]
    fn a_new_value_has_no_past() {
        let mut origins = Origins::default();
        origins.remove(&path("a/list"), 0, 2);
        origins.forget(&path("a"));
        assert_eq!(source(&origins, "a/list/0"), ("a/list/0".to_owned(), true));
    }
}
