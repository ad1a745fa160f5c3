//! The comparison in order: both sides read, rewritten if there is a profile, and
//! compared; then what the rules did is told.

use super::attribute::Attribution;
use super::differences::between;
use super::model::{Comparison, Needless, RuleNote};
use super::options::Options;
use super::pair;
use super::side::{self, Side};
use super::through;
use crate::check::Input;
use crate::diagnostic::Diagnostic;
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
