//! The differences of two sides: objects paired, what is different in them sorted into
//! news and churn, masked, and each told who made it.

use std::collections::{BTreeMap, HashMap, HashSet};

use similar::TextDiff;

use super::attribute::Attribution;
use super::churn::{self, Churn};
use super::danger::{self, Event};
use super::mask::Masked;
use super::model::{Change, ChangeKind, Comparison, Danger, ObjectDiff, ObjectState, Origin, StyleDiff};
use super::options::Options;
use super::pair::{self, Link, Pairs};
use super::run::Request;
use super::side::{self, Object, Opened, Side};
use super::step::{Step, spell};
use super::walk::{self, Difference, Kind};
use crate::diagnostic::Diagnostic;
use crate::manifest::Identity;
use crate::manifest::selector::pod_template;
use crate::profile::file::EventWord;

/// Compares two sides.
pub fn between(
    old: &Side<'_>,
    new: &Side<'_>,
    attribution: Option<&Attribution>,
    request: &Request<'_>,
) -> Result<Comparison, Vec<Diagnostic>> {
    let Opened { old: old_objects, new: new_objects, same } = side::open(old, new)?;
    let Pairs { pairs, removed, added } = pair::pair(&old_objects, &new_objects);
    let mut work = Work {
        request,
        attribution,
        sides: (old, new),
        left: HashMap::new(),
        out: Comparison {
            old_name: old.name.clone(),
            new_name: new.name.clone(),
            same,
            ..Comparison::default()
        },
        churn: BTreeMap::new(),
    };
    // New objects and pairs in the order of the new side.
    let mut of_new: Vec<(usize, Option<(usize, Link)>)> =
        added.into_iter().map(|index| (index, None)).collect();
    of_new.extend(pairs.into_iter().map(|(place, index, link)| (index, Some((place, link)))));
    of_new.sort_unstable_by_key(|(index, _)| *index);
    for (index, partner) in of_new {
        let new = &new_objects[index];
        match partner {
            Some((place, link)) => work.pair(&old_objects[place], new, link),
            None => work.alone(ObjectState::Added, new),
        }
    }
    for place in removed {
        work.alone(ObjectState::Removed, &old_objects[place]);
    }
    Ok(work.finish())
}

struct Work<'w> {
    request: &'w Request<'w>,
    attribution: Option<&'w Attribution>,
    sides: (&'w Side<'w>, &'w Side<'w>),
    /// All differences, by the new side's object: what the profile left of the chart's.
    left: HashMap<&'w Identity, Vec<Difference>>,
    out: Comparison,
    churn: BTreeMap<Churn, usize>,
}

impl<'w> Work<'w> {
    fn options(&self) -> &'w Options {
        self.request.options
    }

    fn is_ignored(&mut self, identity: &Identity) -> bool {
        let ignored = self.options().ignore_objects.iter().any(|pattern| pattern.means(identity));
        self.out.ignored.objects += usize::from(ignored);
        ignored
    }

    /// An object that is on one side.
    fn alone(&mut self, state: ObjectState, object: &'w Object) {
        let is_new = state == ObjectState::Added;
        let event = match is_new {
            true => Event { what: EventWord::Added, old: None, new: Some(object) },
            false => Event { what: EventWord::Removed, old: Some(object), new: None },
        };
        let origin = self.attribution.map(|attribution| match is_new {
            true => attribution.of_added(&object.identity),
            false => attribution.of_removed(&object.identity),
        });
        let dangers = danger::of_event(self.request.dangers, event, self.options(), &|_, _| origin.clone());
        self.out.dangers.extend(dangers);
        if self.is_ignored(&object.identity) {
            return;
        }
        let masked = Masked::of(self.options(), &object.identity, &object.value);
        self.out.objects.push(ObjectDiff {
            state,
            identity: object.identity.clone(),
            was: None,
            template: object.template.clone(),
            changes: Vec::new(),
            value: Some(masked.show(self.options(), &[], &object.value)),
            origin,
            old: (!is_new).then(|| object.spot.clone()),
            new: is_new.then(|| object.spot.clone()),
            confidential: !masked.is_empty(),
            restarts: false,
            folded: 0,
        });
    }

    /// An object that is on both sides.
    fn pair(&mut self, old: &'w Object, new: &'w Object, link: Link) {
        let kind = new.identity.kind.as_str();
        let differences = walk::differences(kind, &old.value, &new.value);
        let what = if link == Link::Renamed { EventWord::Renamed } else { EventWord::Changed };
        if differences.is_empty() && link == Link::Same {
            self.style(old, new);
            self.out.same += 1;
            return;
        }
        let dangers = self.dangers(old, new, what, &differences);
        self.out.dangers.extend(dangers);
        if self.is_ignored(&new.identity) {
            return;
        }
        let masks = (self.masks(old), self.masks(new));
        let restarts = link == Link::Same && restarts(kind, &differences);
        if restarts {
            self.out.restarts.push(new.identity.clone());
        }
        let (mut changes, mut folded, mut ignored) = (Vec::new(), 0, 0);
        for difference in &differences {
            // That the name is another is what the heading says.
            if link == Link::Renamed && is_name(difference) {
                continue;
            }
            if self.is_left_out(old, new, difference) {
                ignored += 1;
                continue;
            }
            let churn = churn::of(kind, difference);
            if let Some(churn) = churn.filter(|_| !self.options().no_ignore) {
                *self.churn.entry(churn).or_default() += 1;
                folded += 1;
                continue;
            }
            let mut change = self.shown(difference, &masks);
            change.churn = churn;
            change.origin = self.attribution.map(|by| by.of(&old.identity, &new.identity, difference));
            changes.push(change);
        }
        self.out.ignored.paths += ignored;
        self.left.insert(&new.identity, differences);
        if changes.is_empty() && link == Link::Same {
            self.out.ignored.churn_objects += usize::from(folded > 0);
            self.out.same += 1;
            return;
        }
        self.out.objects.push(ObjectDiff {
            state: if link == Link::Renamed { ObjectState::Renamed } else { ObjectState::Changed },
            was: (old.identity != new.identity).then(|| old.identity.clone()),
            identity: new.identity.clone(),
            template: new.template.clone().or_else(|| old.template.clone()),
            changes,
            value: None,
            origin: None,
            old: Some(old.spot.clone()),
            new: Some(new.spot.clone()),
            confidential: !masks.0.is_empty() || !masks.1.is_empty(),
            restarts,
            folded,
        });
    }

    fn masks(&self, object: &Object) -> Masked {
        Masked::of(self.options(), &object.identity, &object.value)
    }

    fn dangers(
        &self,
        old: &Object,
        new: &Object,
        what: EventWord,
        differences: &[Difference],
    ) -> Vec<Danger> {
        let origin = |old_at: &[String], new_at: &[String]| {
            let attribution = self.attribution?;
            let near = |one: &[String], other: &[String]| one.starts_with(other) || other.starts_with(one);
            let mut out = Origin::default();
            for difference in differences {
                if near(&difference.old_at, old_at) || near(&difference.new_at, new_at) {
                    let origin = attribution.of(&old.identity, &new.identity, difference);
                    out.chart |= origin.chart;
                    let new = origin.rules.into_iter().filter(|rule| !out.rules.contains(rule));
                    out.rules.extend(new.collect::<Vec<_>>());
                }
            }
            Some(out)
        };
        let event = Event { what, old: Some(old), new: Some(new) };
        danger::of_event(self.request.dangers, event, self.options(), &origin)
    }

    fn is_left_out(&self, old: &Object, new: &Object, difference: &Difference) -> bool {
        let kind = new.identity.kind.as_str();
        let in_one = |object: &Object, at: &[String]| {
            let places = self.options().ignore.iter().flat_map(|field| field.places(kind, &object.value));
            places.into_iter().any(|place| at.starts_with(&place))
        };
        (difference.old.is_some() && in_one(old, &difference.old_at))
            || (difference.new.is_some() && in_one(new, &difference.new_at))
    }

    /// A difference as it may be shown.
    fn shown(&self, difference: &Difference, masks: &(Masked, Masked)) -> Change {
        let options = self.options();
        let mut steps = difference.steps.clone();
        let hidden = masks.0.covers(&difference.old_at) || masks.1.covers(&difference.new_at);
        if hidden {
            for (step, token) in steps.iter_mut().zip(&difference.new_at) {
                if !matches!(step, Step::Key(_)) {
                    *step = Step::Index(token.parse().unwrap_or_default());
                }
            }
        }
        // What is masked on one side is masked on both.
        let show = |value: &Option<serde_json::Value>| {
            value.as_ref().map(|value| {
                let one = masks.0.show(options, &difference.old_at, value);
                if one != *value { one } else { masks.1.show(options, &difference.new_at, value) }
            })
        };
        Change {
            path: spell(&steps),
            kind: match difference.kind {
                Kind::Added => ChangeKind::Added,
                Kind::Removed => ChangeKind::Removed,
                Kind::Changed => ChangeKind::Changed,
                Kind::Reordered => ChangeKind::Reordered,
            },
            old: show(&difference.old),
            new: show(&difference.new),
            origin: None,
            churn: None,
        }
    }

    /// Notes that an object is written otherwise.
    fn style(&mut self, old: &Object, new: &Object) {
        if !self.options().style {
            return;
        }
        let (old_text, new_text) = (self.sides.0.text(&old.spot), self.sides.1.text(&new.spot));
        let told = |styled: &StyleDiff| styled.old == old.spot && styled.new == new.spot;
        if old_text == new_text || self.out.styled.iter().any(told) {
            return;
        }
        let confidential = !self.masks(old).is_empty() || !self.masks(new).is_empty();
        let diff = TextDiff::from_lines(old_text, new_text);
        let lines =
            diff.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal).count();
        let hunks = match confidential {
            true => String::new(),
            false => diff.unified_diff().context_radius(1).to_string(),
        };
        let (old, identity) = (old.spot.clone(), new.identity.clone());
        self.out.styled.push(StyleDiff { identity, old, new: new.spot.clone(), hunks, lines });
    }

    fn finish(self) -> Comparison {
        let mut out = self.out;
        out.ignored.churn = self.churn.into_iter().collect();
        out.undone = self.attribution.map_or(0, |attribution| attribution.undone(&self.left));
        let mut seen = HashSet::new();
        out.dangers.retain(|danger| {
            seen.insert((
                danger.rule.clone(),
                danger.object.clone(),
                danger.path.clone(),
                danger.message.clone(),
            ))
        });
        out.dangers.sort_by_key(|danger| std::cmp::Reverse(danger.severity));
        out
    }
}

/// Whether a difference says no more than that an object has another name.
fn is_name(difference: &Difference) -> bool {
    matches!(difference.steps.as_slice(), [Step::Key(metadata), Step::Key(field)]
        if metadata == "metadata" && matches!(field.as_str(), "name" | "namespace" | "generateName"))
}

/// Whether a workload makes its pods anew: it does so when anything in their template
/// changes.
fn restarts(kind: &str, differences: &[Difference]) -> bool {
    if !matches!(kind, "Deployment" | "DaemonSet" | "StatefulSet") {
        return false;
    }
    let template = pod_template(kind).unwrap_or_default();
    let is_in = |at: &[String]| at.len() >= template.len() && at.iter().zip(template).all(|(a, b)| a == b);
    differences.iter().any(|difference| is_in(&difference.new_at) || is_in(&difference.old_at))
}
