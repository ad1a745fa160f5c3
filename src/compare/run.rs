//! The comparison in order: both sides through the profile if there is one, objects
//! paired, their differences sorted into news and churn, masked, and each told who made
//! it.

use std::collections::{BTreeMap, HashMap, HashSet};

use similar::TextDiff;

use super::attribute::Attribution;
use super::churn::{self, Churn};
use super::danger::{self, Event};
use super::mask::Masked;
use super::model::{
    Change, ChangeKind, Comparison, Danger, Needless, ObjectDiff, ObjectState, Origin, RuleNote, StyleDiff,
};
use super::options::Options;
use super::pair::{self, Link, Pairs};
use super::side::{self, Object, Opened, Side};
use super::step::{Step, spell};
use super::through;
use super::walk::{self, Difference, Kind};
use crate::check::Input;
use crate::diagnostic::Diagnostic;
use crate::manifest::Identity;
use crate::manifest::selector::pod_template;
use crate::profile::file::EventWord;
use crate::profile::rule::Rule;
use crate::rewrite;
use crate::rewrite::outcome::{Report, RuleState};

/// What is asked of a comparison.
#[derive(Debug)]
pub struct Request<'r> {
    /// The old side; its name and its texts.
    pub old: (&'r str, &'r [Input]),
    /// The new side. `None`: one rendering, before and after the profile.
    pub new: Option<(&'r str, &'r [Input])>,
    /// The profiles, by which the old and the new side are rewritten, and their names.
    pub profile: Option<Profile<'r>>,
    /// Rules that know dangers.
    pub dangers: &'r [Rule],
    /// What is left out and hidden.
    pub options: &'r Options,
}

/// The profile of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Profile<'r> {
    /// What the user named.
    pub names: &'r [String],
    /// For the old side.
    pub old: &'r rewrite::Request,
    /// For the new side.
    pub new: &'r rewrite::Request,
}

/// A comparison with the texts that it was made of, rewritten if they were.
#[derive(Debug, Default, Clone)]
pub struct Compared {
    /// What is different.
    pub comparison: Comparison,
    /// The old texts.
    pub old: Vec<Input>,
    /// The new texts.
    pub new: Vec<Input>,
    /// Rules that change something on the new side.
    pub in_force: Vec<String>,
}

/// Compares.
pub fn compare(request: &Request<'_>) -> Result<Compared, Vec<Diagnostic>> {
    let options = request.options;
    let (old_name, old_inputs) = request.old;
    let (new_name, new_inputs) = request.new.unwrap_or(request.old);
    // Errors of the sides come before those of rules.
    let old_raw = Side::new(old_name.to_owned(), old_inputs, options.allow_empty);
    let new_raw = match request.new {
        Some(_) => Side::new(new_name.to_owned(), new_inputs, options.allow_empty).map(Some),
        None => Ok(None),
    };
    let (old_raw, new_raw) = both(old_raw, new_raw)?;
    let Some(profile) = request.profile else {
        let comparison = match &new_raw {
            Some(new) => between(&old_raw, new, None, request)?,
            None => Comparison::default(),
        };
        let (old, new) = (old_inputs.to_vec(), new_inputs.to_vec());
        return Ok(Compared { comparison, old, new, in_force: Vec::new() });
    };
    let new = through::rewrite(new_name, new_inputs, profile.new);
    let (old_texts, new_texts, attribution, reports) = match &new_raw {
        None => {
            let new = new?;
            let attribution = Attribution::of_one(new.edits);
            (old_inputs.to_vec(), vec![new.input], attribution, (Report::default(), new.report))
        }
        Some(new_raw) => {
            let old = through::rewrite(old_name, old_inputs, profile.old);
            let (old, new) = both(old, new)?;
            let opened = side::open(&old_raw, new_raw)?;
            let pairs = pair::pair(&opened.old, &opened.new);
            let attribution =
                Attribution::of_two(old.edits, new.edits, &opened.old, &opened.new, &pairs.pairs);
            (vec![old.input], vec![new.input], attribution, (old.report, new.report))
        }
    };
    let named = |name: &str, one: bool| if one { format!("{name}, rewritten") } else { name.to_owned() };
    let one = request.new.is_none();
    let old_side = Side::new(old_name.to_owned(), &old_texts, true)?;
    let new_side = Side::new(named(new_name, one), &new_texts, true)?;
    let mut comparison = between(&old_side, &new_side, Some(&attribution), request)?;
    comparison.profiles = profile.names.to_vec();
    comparison.one_rendering = one;
    comparison.rules = notes(&comparison, &reports);
    if !one {
        comparison.needless = needless(&reports.0, &reports.1);
    }
    drop((old_side, new_side));
    let in_force = reports.1.rules.iter().filter(|rule| rule.state == RuleState::Changed);
    let in_force = in_force.map(|rule| rule.id.clone()).collect();
    Ok(Compared { comparison, old: old_texts, new: new_texts, in_force })
}

/// Both results, or the errors of both.
fn both<O, N>(
    old: Result<O, Vec<Diagnostic>>,
    new: Result<N, Vec<Diagnostic>>,
) -> Result<(O, N), Vec<Diagnostic>> {
    match (old, new) {
        (Ok(old), Ok(new)) => Ok((old, new)),
        (Err(mut old), Err(new)) => {
            old.extend(new.into_iter().filter(|error| !old.contains(error)).collect::<Vec<_>>());
            Err(old)
        }
        (Err(errors), _) | (_, Err(errors)) => Err(errors),
    }
}

/// Compares two sides.
fn between(
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

/// What is said of the rules that made changes.
fn notes(comparison: &Comparison, reports: &(Report, Report)) -> Vec<RuleNote> {
    let mut ids: Vec<&String> = Vec::new();
    let of_objects = comparison.objects.iter().flat_map(|object| {
        object.origin.iter().chain(object.changes.iter().filter_map(|change| change.origin.as_ref()))
    });
    let of_dangers = comparison.dangers.iter().filter_map(|danger| danger.origin.as_ref());
    for rule in of_objects.chain(of_dangers).flat_map(|origin| &origin.rules) {
        if !ids.contains(&rule) {
            ids.push(rule);
        }
    }
    let known = |id: &String| reports.1.rules.iter().chain(&reports.0.rules).find(|rule| rule.id == *id);
    let note = |rule: &rewrite::outcome::RuleReport| RuleNote {
        id: rule.id.clone(),
        title: rule.title.clone(),
        why: rule.why.split_whitespace().collect::<Vec<_>>().join(" "),
        sources: rule.sources.clone(),
    };
    ids.into_iter().filter_map(known).map(note).collect()
}

/// Rules that had something to change on the old side and have not on the new one.
fn needless(old: &Report, new: &Report) -> Vec<Needless> {
    let mut out = Vec::new();
    for rule in old.rules.iter().filter(|rule| rule.state == RuleState::Changed) {
        let now = new.rules.iter().find(|other| other.id == rule.id).map(|other| other.state);
        let already = match now {
            Some(RuleState::Already) => true,
            Some(RuleState::Nothing | RuleState::NotApplicable) => false,
            _ => continue,
        };
        out.push(Needless { rule: rule.id.clone(), title: rule.title.clone(), already });
    }
    out
}
