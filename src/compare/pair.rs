//! Which object of one side is which object of the other: by group, kind, namespace and
//! name in any order. The version is left out, since the cluster keeps one object for
//! all versions. What is left over may have moved to another group, have got a
//! namespace, or a new name.

use std::collections::HashMap;

use super::rename;
use super::side::Object;
use crate::manifest::Identity;

/// How two objects came together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The cluster takes them for one.
    Same,
    /// They are two for the cluster, and one for whoever wrote them.
    Renamed,
}

/// The pairs, and what has none; indices in the lists of objects.
#[derive(Debug, Default)]
pub struct Pairs {
    /// Old, new, and how they came together; in the new side's order.
    pub pairs: Vec<(usize, usize, Link)>,
    /// What is gone.
    pub removed: Vec<usize>,
    /// What is new.
    pub added: Vec<usize>,
}

/// API groups whose objects moved elsewhere, and are the same objects there. Source:
/// Kubernetes' deprecated API migration guide.
const MOVED: &[(&str, &str)] =
    &[("extensions", "apps"), ("extensions", "networking.k8s.io"), ("extensions", "policy")];

/// Pairs the objects of two sides.
pub fn pair(old: &[Object], new: &[Object]) -> Pairs {
    let mut out = Pairs::default();
    let mut places: HashMap<(Key<'_>, usize), usize> = HashMap::new();
    let mut seen: HashMap<Key<'_>, usize> = HashMap::new();
    for (index, object) in old.iter().enumerate() {
        let occurrence = seen.entry(key(&object.identity)).or_default();
        places.insert((key(&object.identity), *occurrence), index);
        *occurrence += 1;
    }
    let mut seen: HashMap<Key<'_>, usize> = HashMap::new();
    let mut left_new = Vec::new();
    for (index, object) in new.iter().enumerate() {
        let occurrence = seen.entry(key(&object.identity)).or_default();
        match places.remove(&(key(&object.identity), *occurrence)) {
            Some(place) => out.pairs.push((place, index, Link::Same)),
            None => left_new.push(index),
        }
        *occurrence += 1;
    }
    let mut left_old: Vec<usize> = places.into_values().collect();
    left_old.sort_unstable();
    let exact: [fn(&Identity, &Identity) -> bool; 2] = [has_moved, has_namespace_now];
    for (same, link) in exact.into_iter().zip([Link::Same, Link::Renamed]) {
        left_new.retain(|index| {
            let of_new = &new[*index].identity;
            let mut fitting = left_old.iter().filter(|place| same(&old[**place].identity, of_new));
            let (first, second) = (fitting.next().copied(), fitting.next());
            let Some(place) = first.filter(|_| second.is_none()) else { return true };
            left_old.retain(|left| *left != place);
            out.pairs.push((place, *index, link));
            false
        });
    }
    for (place, index) in rename::find(old, &left_old, new, &left_new) {
        left_old.retain(|left| *left != place);
        left_new.retain(|left| *left != index);
        out.pairs.push((place, index, Link::Renamed));
    }
    out.pairs.sort_unstable_by_key(|(_, index, _)| *index);
    (out.removed, out.added) = (left_old, left_new);
    out
}

type Key<'i> = (&'i str, &'i str, &'i str, &'i str);

fn key(identity: &Identity) -> Key<'_> {
    (&identity.group, &identity.kind, &identity.namespace, &identity.name)
}

fn has_moved(old: &Identity, new: &Identity) -> bool {
    (&old.kind, &old.namespace, &old.name) == (&new.kind, &new.namespace, &new.name)
        && MOVED.contains(&(old.group.as_str(), new.group.as_str()))
}

/// A namespace that is written on one side and left to the client on the other.
fn has_namespace_now(old: &Identity, new: &Identity) -> bool {
    (&old.group, &old.kind, &old.name) == (&new.group, &new.kind, &new.name)
        && (old.namespace.is_empty() != new.namespace.is_empty())
}
