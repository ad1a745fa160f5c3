//! Who made a change: the chart, whose renderings differ at this place, or the rules
//! that edit it on either side.

use std::collections::HashMap;

use super::model::Origin;
use super::pair::Link;
use super::side::Object;
use super::step::overlap;
use super::through::Edits;
use super::walk::{self, Difference};
use crate::manifest::Identity;

/// What the sides were before the profile, and what it did to them.
#[derive(Debug, Default)]
pub struct Attribution {
    /// Edits of the old side; none where one rendering is compared with itself.
    pub old: Option<Edits>,
    /// Edits of the new side.
    pub new: Edits,
    /// Differences of the sides before the profile, by the object of the new side.
    raw: HashMap<Identity, Vec<Difference>>,
}

impl Attribution {
    /// For one rendering before and after the profile.
    pub fn of_one(new: Edits) -> Self {
        Self { old: None, new, raw: HashMap::new() }
    }

    /// For two renderings; the objects and pairs are those before the profile.
    pub fn of_two(
        old: Edits,
        new: Edits,
        old_raw: &[Object],
        new_raw: &[Object],
        pairs: &[(usize, usize, Link)],
    ) -> Self {
        let differences = |(old, new, _): &(usize, usize, Link)| {
            let (old, new) = (&old_raw[*old], &new_raw[*new]);
            (new.identity.clone(), walk::differences(&new.identity.kind, &old.value, &new.value))
        };
        Self { old: Some(old), new, raw: pairs.iter().map(differences).collect() }
    }

    /// Who made a difference of a pair.
    pub fn of(&self, old: &Identity, new: &Identity, difference: &Difference) -> Origin {
        let raw = self.raw.get(new).map_or(&[][..], Vec::as_slice);
        let same = |other: &&Difference| {
            other.steps == difference.steps && other.old == difference.old && other.new == difference.new
        };
        if raw.iter().find(same).is_some() {
            return Origin { chart: true, rules: Vec::new() };
        }
        let chart = raw.iter().any(|other| overlap(&other.steps, &difference.steps));
        let mut rules: Vec<String> = Vec::new();
        let of_old = self.old.as_ref().map_or(&[][..], |edits| edits.of(old));
        for (steps, rule) in of_old.iter().chain(self.new.of(new)) {
            if overlap(steps, &difference.steps) && !rules.contains(rule) {
                rules.push(rule.clone());
            }
        }
        Origin { chart: chart || rules.is_empty(), rules }
    }

    /// Who made an object be new.
    pub fn of_added(&self, identity: &Identity) -> Origin {
        let kept_from_old = self.old.as_ref().and_then(|edits| edits.dropped(identity));
        Self::by(self.new.added(identity).or(kept_from_old))
    }

    /// Who made an object be gone.
    pub fn of_removed(&self, identity: &Identity) -> Origin {
        let only_in_old = self.old.as_ref().and_then(|edits| edits.added(identity));
        Self::by(self.new.dropped(identity).or(only_in_old))
    }

    fn by(rule: Option<&str>) -> Origin {
        Origin { chart: rule.is_none(), rules: rule.iter().map(|rule| (*rule).to_owned()).collect() }
    }

    /// How many differences of the charts' renderings are in no object's differences any
    /// more.
    pub fn undone(&self, left: &HashMap<&Identity, Vec<Difference>>) -> usize {
        let in_object = |(identity, raw): (&Identity, &Vec<Difference>)| {
            let left = left.get(identity).map_or(&[][..], Vec::as_slice);
            let is_left = |raw: &Difference| left.iter().any(|other| overlap(&other.steps, &raw.steps));
            raw.iter().filter(|raw| !is_left(raw)).count()
        };
        self.raw.iter().map(in_object).sum()
    }
}
