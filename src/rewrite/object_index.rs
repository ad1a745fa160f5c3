//! The objects of the parsed documents by kind and name, so that a rule looks
//! only at those it may mean.

use std::borrow::Cow;
use std::collections::HashMap;

use super::document::PlannedDocument;
use crate::profile::matching::Matcher;

/// Index of a document among those that were parsed, and of an object in it.
pub type Place = (usize, usize);

/// Where the objects are.
#[derive(Debug, Default)]
pub struct ObjectIndex {
    by_kind: HashMap<String, Kind>,
    all: Vec<Place>,
}

#[derive(Debug, Default)]
struct Kind {
    by_name: HashMap<String, Vec<Place>>,
    all: Vec<Place>,
}

impl ObjectIndex {
    /// The objects of these documents.
    pub fn new(documents: &[PlannedDocument<'_>]) -> Self {
        let mut index = Self::default();
        for (at, document) in documents.iter().enumerate() {
            for (object, found) in document.objects.iter().enumerate() {
                let kind = index.by_kind.entry(found.identity.kind.clone()).or_default();
                kind.by_name.entry(found.identity.name.clone()).or_default().push((at, object));
                kind.all.push((at, object));
                index.all.push((at, object));
            }
        }
        index
    }

    /// The objects that a matcher may mean, in the order of the stream.
    pub fn candidates(&self, matcher: &Matcher) -> Cow<'_, [Place]> {
        let Some(kinds) = matcher.kinds() else { return Cow::Borrowed(&self.all) };
        let mut lists: Vec<&[Place]> = Vec::new();
        for kind in kinds.iter().filter_map(|kind| self.by_kind.get(kind)) {
            match matcher.names() {
                Some(names) => {
                    lists.extend(names.iter().filter_map(|name| kind.by_name.get(name)).map(Vec::as_slice));
                }
                None => lists.push(&kind.all),
            }
        }
        if let [list] = lists.as_slice() {
            return Cow::Borrowed(list);
        }
        let mut places = lists.concat();
        places.sort_unstable();
        places.dedup();
        Cow::Owned(places)
    }
}
