//! Rules and a place to write → the values that are wanted there, and the keys that are
//! left alone though they look alike.

use serde_json::{Map, Value};

use super::chart::Branch;
use super::coalesce::{self, GLOBAL};
use super::dotted;
use super::model::{Left, Pin};
use super::place::{self, Found};
use super::section::{self, Section};
use super::wish::untouchable;
use crate::diagnostic::Diagnostic;
use crate::edit::Path;
use crate::profile::matching::Versioned;
use crate::profile::path::get;
use crate::profile::rule::{Excepted, Rule};
use crate::profile::values_face::{Keys, ValuesFace, Wish};

/// What is known about the file.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'t> {
    /// It holds values of this tree of charts.
    Tree(&'t Branch<'t>),
    /// Nothing but what it says.
    File,
}

/// What is wanted.
#[derive(Debug, Default)]
pub struct Plan {
    /// Values, in the order of the rules.
    pub pins: Vec<Pin>,
    /// What is left alone.
    pub left: Vec<Left>,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// Values that are not as a rule requires them.
    errors: Vec<Diagnostic>,
}

/// Plans the values that rules in force want in a file.
pub fn plan(
    rules: &[Rule],
    subject: Subject<'_>,
    file: &Map<String, Value>,
) -> Result<Plan, Vec<Diagnostic>> {
    let mut planner = Planner { rules, subject, file, sections: Vec::new(), plan: Plan::default() };
    if let Subject::Tree(tree) = subject {
        planner.sections = section::of_tree(tree, file);
        planner.name_charts_that_are_off(tree);
    }
    for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.inactive.is_none()) {
        if let Some(reason) = excepts_objects(rule).filter(|_| !rule.values.is_empty()) {
            planner.plan.notes.push(format!(
                "{} is not written: the profile excepts objects from it, and values cannot tell them ({reason})",
                rule.id
            ));
            continue;
        }
        for face in &rule.values {
            planner.face(index, face);
        }
    }
    let mut errors = std::mem::take(&mut planner.plan.errors);
    errors.extend(conflicts(rules, &planner.plan.pins));
    if errors.is_empty() { Ok(planner.plan) } else { Err(errors) }
}

struct Planner<'p> {
    rules: &'p [Rule],
    subject: Subject<'p>,
    file: &'p Map<String, Value>,
    /// The sections of the tree; without a tree each face finds its own.
    sections: Vec<Section<'p>>,
    plan: Plan,
}

impl<'p> Planner<'p> {
    fn name_charts_that_are_off(&mut self, tree: &Branch<'_>) {
        for branch in tree.all() {
            let Some(reason) = &branch.off else { continue };
            let means = |face: &ValuesFace| {
                face.charts.iter().any(|chart| {
                    !chart.name().contains('*')
                        && chart.means(&branch.chart.name, Some(&branch.chart.version))
                })
            };
            let rules = self.rules.iter().filter(|rule| rule.inactive.is_none());
            if rules.flat_map(|rule| &rule.values).any(means) {
                let place = dotted(&branch.keys);
                self.plan
                    .notes
                    .push(format!("the chart {place} is not rendered ({reason}); its values are left"));
            }
        }
    }

    fn face(&mut self, rule: usize, face: &ValuesFace) {
        let sections = std::mem::take(&mut self.sections);
        let own;
        let meant: Vec<&Section<'p>> = match self.subject {
            Subject::Tree(_) => sections.iter().filter(|section| means(&face.charts, section)).collect(),
            Subject::File => {
                let has_a_key = |values: &Map<String, Value>| {
                    let values = Value::Object(values.clone());
                    face.wishes.iter().any(|(path, _)| get(&values, path).is_some())
                };
                own = section::of_file(self.file, &face.charts, &has_a_key);
                own.iter().collect()
            }
        };
        for section in meant {
            if let Some(reason) = excepted(&self.rules[rule], section) {
                let note =
                    format!("{} leaves the chart {} alone: {reason}", self.rules[rule].id, section.chart);
                self.note(note);
                continue;
            }
            if section.assumed && !face.wishes.is_empty() {
                self.note(format!(
                    "the file is taken for values of the chart {}: no key is called so",
                    section.chart
                ));
            }
            self.in_section(rule, face, section);
        }
        self.sections = sections;
    }

    fn note(&mut self, note: String) {
        if !self.plan.notes.contains(&note) {
            self.plan.notes.push(note);
        }
    }

    fn in_section(&mut self, rule: usize, face: &ValuesFace, section: &Section<'p>) {
        if !self.required(rule, face, section) {
            return;
        }
        for (path, wish) in &face.wishes {
            self.pin(rule, section, path, wish, (true, false));
        }
        let mut kept: Vec<Path> = Vec::new();
        for keep in face.kept.iter().filter(|keep| concerns(&keep.keys, section, &[])) {
            for found in place::find(section, &keep.keys).into_iter().filter(|found| found.holds) {
                if !concerns(&keep.keys, section, &found.keys) || kept.contains(&found.keys) {
                    continue;
                }
                self.leave(rule, section, &found.keys, keep.reason.clone());
                kept.push(found.keys);
            }
        }
        for each in &face.each {
            for found in place::find(section, &each.keys) {
                if kept.contains(&found.keys) || !concerns(&each.keys, section, &found.keys) {
                    continue;
                }
                if !found.holds {
                    self.unknown_neighbour(rule, section, &each.keys, &found, &each.wish);
                    continue;
                }
                if found.value.is_object() || found.value.is_array() {
                    self.leave(rule, section, &found.keys, "it holds more than a single value".to_owned());
                    continue;
                }
                self.pin(rule, section, &found.keys, &each.wish, (each.explicit, true));
            }
        }
    }

    /// Whether all is as the face requires it. A file alone is asked only for what it says.
    fn required(&mut self, rule: usize, face: &ValuesFace, section: &Section<'p>) -> bool {
        let values = Value::Object(section.values.clone());
        let mut holds = true;
        for (path, test) in &face.required {
            let have = get(&values, path).filter(|value| !value.is_null());
            let is_unknown = have.is_none() && section.defaults.is_none();
            if is_unknown || test.holds(have) || have.is_some_and(|have| untouchable(have).is_some()) {
                continue;
            }
            holds = false;
            let keys: Path = section.keys.iter().chain(path).cloned().collect();
            let id = &self.rules[rule].id;
            let have = have.map_or("not there".to_owned(), |value| format!("`{value}`"));
            let message =
                format!("rule {id} wants {} to be {}, it is {have}", dotted(&keys), test.in_words());
            let mut error = Diagnostic::contract("values-missed", message).rule(id.clone());
            if let Some(help) = &face.help {
                error = error.help(help.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            self.plan.errors.push(error);
        }
        holds
    }

    /// Without a tree a file says little: a key whose conditions ask about fields that
    /// it does not mention is worth naming, unless it is right anyway.
    fn unknown_neighbour(
        &mut self,
        rule: usize,
        section: &Section<'p>,
        keys: &Keys,
        found: &Found,
        wish: &Wish,
    ) {
        let Wish::Is(wanted) = wish else { return };
        if section.defaults.is_some() || found.value == wanted.to_json() || found.value.is_null() {
            return;
        }
        let mapping =
            get(&Value::Object(section.values.clone()), &found.mapping).cloned().unwrap_or_default();
        let silent = keys.conditions.iter().find(|(field, test)| {
            let values = field.values("", &mapping);
            values.is_empty() && !test.holds(None)
        });
        let said_otherwise = keys
            .conditions
            .iter()
            .any(|(field, test)| field.values("", &mapping).iter().any(|value| !test.holds(Some(value))));
        if let Some((field, _)) = silent.filter(|_| !said_otherwise) {
            let reason = format!("the file does not say its `{}`; --chart tells the default", field.text());
            self.leave(rule, section, &found.keys, reason);
        }
    }

    fn leave(&mut self, rule: usize, section: &Section<'p>, path: &[String], reason: String) {
        let keys: Path = section.keys.iter().chain(path).cloned().collect();
        let left = Left { keys, rule: self.rules[rule].id.clone(), reason };
        if !self.plan.left.contains(&left) {
            self.plan.left.push(left);
        }
    }

    fn pin(
        &mut self,
        rule: usize,
        section: &Section<'p>,
        path: &[String],
        wish: &Wish,
        (explicit, by_pattern): (bool, bool),
    ) {
        let effective = get(&Value::Object(section.values.clone()), path).cloned();
        let mut keys: Path = section.keys.iter().chain(path).cloned().collect();
        let mut behind = vec![Vec::new(); section.keys.len()];
        behind.extend((0..path.len()).map(|depth| in_front(section.defaults, path, depth)));
        if let Some(above) = self.overruling_global(section, path) {
            let reason = format!("`{}` above it has the last word, so it is written there", dotted(&above));
            self.note(format!("{}: {reason}", dotted(&keys)));
            behind = vec![Vec::new(); above.len()];
            keys = above;
        }
        let stated = match self.subject {
            Subject::Tree(tree) if !section.keys.is_empty() => {
                get(&Value::Object(tree.chart.values.clone()), &keys).cloned()
            }
            _ => None,
        };
        let pin = Pin {
            keys,
            stated,
            wish: wish.clone(),
            rules: vec![rule],
            explicit,
            effective,
            may_add: section.defaults.is_some(),
            behind,
            by_pattern,
        };
        match self
            .plan
            .pins
            .iter_mut()
            .find(|other| other.keys == pin.keys && same_wish(&other.wish, &pin.wish))
        {
            Some(other) => {
                if !other.rules.contains(&rule) {
                    other.rules.push(rule);
                }
                other.explicit |= explicit;
            }
            None => self.plan.pins.push(pin),
        }
    }

    /// The same key in the `global` of a chart further up, where it is set: that one
    /// overrules the chart's own.
    fn overruling_global(&self, section: &Section<'p>, path: &[String]) -> Option<Path> {
        let Subject::Tree(tree) = self.subject else { return None };
        if path.first().is_none_or(|key| key != GLOBAL) {
            return None;
        }
        (0..section.keys.len()).find_map(|depth| {
            let above = &section.keys[..depth];
            let values = Value::Object(coalesce::own_values(tree, self.file.clone(), above));
            let is_set = get(&values, path).is_some_and(|value| !value.is_null());
            is_set.then(|| above.iter().chain(path).cloned().collect())
        })
    }
}

/// Whether a face means the chart of a section.
fn means(charts: &[Versioned], section: &Section<'_>) -> bool {
    charts.iter().any(|chart| match &section.version {
        Some(version) => chart.means(&section.chart, Some(version)),
        None => chart.means_name(&section.chart),
    })
}

/// Whether keys are limited to other charts than that of the section. Where the chart
/// is not known, the keys on the way may tell.
fn concerns(keys: &Keys, section: &Section<'_>, path: &[String]) -> bool {
    let Some(charts) = &keys.charts else { return true };
    if !section.chart.is_empty() {
        return means(charts, section);
    }
    path.is_empty()
        || section.keys.iter().chain(path).any(|key| charts.iter().any(|chart| chart.name() == key))
}

/// Why a rule leaves a chart alone, if an adjustment says so.
fn excepted<'r>(rule: &'r Rule, section: &Section<'_>) -> Option<&'r str> {
    rule.excepted.iter().find_map(|excepted| match excepted {
        Excepted::Charts { charts, reason } if means(charts, section) => Some(reason.as_str()),
        Excepted::AllBut { charts, reason } if !means(charts, section) => Some(reason.as_str()),
        _ => None,
    })
}

fn excepts_objects(rule: &Rule) -> Option<&str> {
    rule.excepted.iter().find_map(|excepted| match excepted {
        Excepted::Objects { reason } => Some(reason.as_str()),
        _ => None,
    })
}

/// The keys that stand in front of one in the chart's own order, the nearest first.
fn in_front(defaults: Option<&Map<String, Value>>, path: &[String], depth: usize) -> Vec<String> {
    let Some(defaults) = defaults else { return Vec::new() };
    let mut at = defaults;
    for key in &path[..depth] {
        match at.get(key) {
            Some(Value::Object(map)) => at = map,
            _ => return Vec::new(),
        }
    }
    let mut front: Vec<String> = at.keys().take_while(|key| **key != path[depth]).cloned().collect();
    if front.len() == at.len() {
        return Vec::new();
    }
    front.reverse();
    front
}

fn same_wish(one: &Wish, other: &Wish) -> bool {
    match (one, other) {
        (Wish::Is(one), Wish::Is(other)) | (Wish::Among(one), Wish::Among(other)) => {
            one.to_json() == other.to_json()
        }
        (Wish::Without(one), Wish::Without(other)) => one == other,
        (Wish::Gone, Wish::Gone) => true,
        _ => false,
    }
}

/// Rules that want different things of one place, or one of them something below what
/// the other makes a single value.
fn conflicts(rules: &[Rule], pins: &[Pin]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (at, one) in pins.iter().enumerate() {
        for other in &pins[at + 1..] {
            let below = one.keys.starts_with(&other.keys) || other.keys.starts_with(&one.keys);
            if !below {
                continue;
            }
            let name = |pin: &Pin| pin.rules.first().map_or("", |rule| rules[*rule].id.as_str()).to_owned();
            out.push(
                Diagnostic::contract(
                    "values-conflict",
                    format!("rules {} and {} want different values", name(one), name(other)),
                )
                .path(dotted(if one.keys.len() < other.keys.len() { &other.keys } else { &one.keys }))
                .help("leave one of them out with --skip, or adjust the profile"),
            );
        }
    }
    out
}
