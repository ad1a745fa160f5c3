//! Which documents some rule may want, by their heads: matchers that say a kind
//! or a name are looked up by it, so that a thousand rules cost a document no
//! more than ten.

use std::collections::HashMap;

use super::matching::Matcher;
use crate::manifest::Head;

/// Matchers by the kinds and names that they are limited to.
#[derive(Debug, Default)]
pub struct HeadIndex<'m> {
    by_kind: HashMap<&'m str, Group<'m>>,
    any_kind: Group<'m>,
    /// Whether lists are wanted: objects of any kind may be in them.
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

    fn may_match(&self, head: &Head<'_>) -> bool {
        let named = self.by_name.get(head.name.as_ref()).into_iter().flatten();
        named.chain(&self.any_name).any(|matcher| matcher.may_match(head))
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
        self.by_kind.get(head.kind.as_ref()).is_some_and(|group| group.may_match(head))
            || self.any_kind.may_match(head)
    }
}
