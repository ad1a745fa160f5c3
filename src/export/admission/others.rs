//! What a rule asks about other objects than the one at admission: known where the rule's own
//! `match` implies it, asked of the object that the rule reads, or else not to be said.

use super::cel::Cel;
use super::rule::{PARAMS, Speaker};
use super::subject::Subject;
use super::unsaid::Unsaid;
use crate::profile::matching::Matcher;
use crate::profile::rule::When;

impl Speaker<'_> {
    /// Another object than the one that a matcher means: the same after all, where both
    /// name one and the same, or the one that the rule reads.
    pub(super) fn other<'s>(&'s self, own: &'s Matcher, other: &Matcher) -> Result<Subject<'s>, Unsaid> {
        match (only_one(own), only_one(other)) {
            (Some((group, kind, name)), Some(named)) if named == (group, kind, name) => {
                Ok(Subject { object: "object", group, kind, known: None })
            }
            _ => self.read(other),
        }
    }

    /// The object that the rule reads, if that is what the matcher means.
    fn read(&self, matcher: &Matcher) -> Result<Subject<'_>, Unsaid> {
        let other = || Unsaid::new(format!("it depends on another object: {}", matcher.in_words()));
        let reads = self.rule.reads.as_ref().ok_or_else(other)?;
        let names = |list: &Option<Vec<String>>, name: &str| {
            list.as_ref().is_some_and(|list| list.iter().any(|one| one == name))
        };
        if !names(&matcher.kinds, &reads.kind)
            || !names(&matcher.groups, &reads.group)
            || !names(&matcher.names, &reads.name)
        {
            return Err(other());
        }
        Ok(Subject {
            object: PARAMS,
            group: &reads.group,
            kind: &reads.kind,
            known: Some((&reads.namespace, &reads.name)),
        })
    }

    /// Whether the rule applies, as far as a matcher of its own does not imply it.
    pub(super) fn applies(&mut self, when: &When, matcher: &Matcher) -> Result<Cel, Unsaid> {
        let mut all = Vec::new();
        if let Some(object) = &when.object {
            all.push(if implies(matcher, object) {
                Cel::Known(true)
            } else {
                self.is_there(matcher, object)?
            });
        }
        if let Some(object) = &when.no_object {
            all.push(self.is_there(matcher, object)?.negated());
        }
        if !when.any.is_empty() {
            let mut said = Vec::new();
            let mut unsaid = Vec::new();
            for when in &when.any {
                match self.applies(when, matcher) {
                    Ok(condition) => said.push(condition),
                    Err(reason) => unsaid.push(reason),
                }
            }
            if said.is_empty() {
                return Err(unsaid.swap_remove(0));
            }
            let one = Cel::any(said);
            // Where one holds for sure, the others do not matter.
            if one != Cel::Known(true) {
                self.unsaid.append(&mut unsaid);
            }
            all.push(one);
        }
        for not in &when.not {
            // What is left out of it would make the rule apply more often.
            let before = self.unsaid.len();
            let condition = self.applies(not, matcher)?;
            if self.unsaid.len() > before {
                return Err(self.unsaid.swap_remove(before));
            }
            all.push(condition.negated());
        }
        Ok(Cel::all(all))
    }

    fn is_there(&mut self, own: &Matcher, matcher: &Matcher) -> Result<Cel, Unsaid> {
        let subject = self.other(own, matcher)?;
        let (condition, reads) = (subject.matches_exactly(matcher)?, subject.object == PARAMS);
        self.reads |= reads;
        Ok(condition)
    }
}

/// Group, kind and name of the only object that a matcher can mean, its namespace aside.
fn only_one(matcher: &Matcher) -> Option<(&str, &str, &str)> {
    let one = |words: &'_ Option<Vec<String>>| -> Option<usize> {
        words.as_deref().filter(|words| words.len() == 1 && !words[0].contains('*')).map(<[String]>::len)
    };
    one(&matcher.groups).and(one(&matcher.kinds)).and(one(&matcher.names))?;
    Some((
        matcher.groups.as_ref()?.first()?,
        matcher.kinds.as_ref()?.first()?,
        matcher.names.as_ref()?.first()?,
    ))
}

/// Whether an object that `one` means is surely one that `other` means: `other` says no
/// more than group, kind and name, and all that `one` names is among that.
fn implies(one: &Matcher, other: &Matcher) -> bool {
    let within = |one: &Option<Vec<String>>, other: &Option<Vec<String>>| match (one, other) {
        (_, None) => true,
        (Some(one), Some(other)) => one.iter().all(|word| !word.contains('*') && other.contains(word)),
        (None, Some(_)) => false,
    };
    let asks_no_more = other.versions.is_none()
        && other.namespaces.is_none()
        && other.charts.is_none()
        && other.images.is_none()
        && other.labels.is_empty()
        && other.annotations.is_empty()
        && other.fields.is_empty()
        && !other.pod_template
        && other.hook.is_none()
        && other.shares_pods_with.is_none()
        && other.not.is_empty()
        && other.any.is_empty();
    asks_no_more
        && within(&one.groups, &other.groups)
        && within(&one.kinds, &other.kinds)
        && within(&one.names, &other.names)
}
