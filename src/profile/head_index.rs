//! Which documents some rule may want, by their heads: matchers that say a kind
//! or a name are looked up by it, so that a thousand rules cost a document no
//! more than ten.

use std::collections::HashMap;

use super::matching::{Alone, Matcher, ObjectView};
use crate::manifest::Head;

/// Matchers by the kinds and names that they are limited to.
#[derive(Debug, Default)]
pub struct HeadIndex<'m> {
    by_kind: HashMap<&'m str, Group<'m>>,
    any_kind: Group<'m>,
    /// Without matchers, lists are not wanted either.
    is_empty: bool,
}

#[derive(Debug, Default)]
struct Group<'m> {
    by_name: HashMap<&'m str, Vec<&'m Matcher>>,
    any_name: Vec<&'m Matcher>,
}

impl<'m> Group<'m> {
    fn add(&mut self, matcher: &'m Matcher) {
        match matcher.names() {
            Some(names) => {
                names.iter().for_each(|name| self.by_name.entry(name).or_default().push(matcher));
            }
            None => self.any_name.push(matcher),
        }
    }

    fn candidates(&self, name: &str) -> impl Iterator<Item = &'m Matcher> {
        self.by_name.get(name).into_iter().flatten().chain(&self.any_name).copied()
    }
}

impl<'m> HeadIndex<'m> {
    /// An index of these matchers.
    pub fn new(matchers: impl IntoIterator<Item = &'m Matcher>) -> Self {
        let mut index = Self { is_empty: true, ..Self::default() };
        for matcher in matchers {
            index.is_empty = false;
            match matcher.kinds() {
                Some(kinds) => {
                    kinds.iter().for_each(|kind| index.by_kind.entry(kind).or_default().add(matcher));
                }
                None => index.any_kind.add(matcher),
            }
        }
        index
    }

    /// Whether a document with this head may hold an object that one of the
    /// matchers means. "No" is certain.
    pub fn may_match(&self, head: &Head<'_>) -> bool {
        if head.is_list {
            return !self.is_empty;
        }
        self.any(&head.kind, &head.name, |matcher| matcher.may_match(head))
    }

    /// Whether one of the matchers means the object. It may mean too many where it
    /// asks about other objects.
    pub fn may_mean(&self, object: ObjectView<'_>) -> bool {
        self.any(&object.identity.kind, &object.identity.name, |matcher| {
            !matcher.pod_sharers().is_empty() || matcher.matches(object, &Alone)
        })
    }

    fn any(&self, kind: &str, name: &str, test: impl Fn(&Matcher) -> bool) -> bool {
        let groups = self.by_kind.get(kind).into_iter().chain([&self.any_kind]);
        groups.flat_map(|group| group.candidates(name)).any(test)
    }
}
