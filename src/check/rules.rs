//! The checks that profiles say in their own language: which objects, which field,
//! what is bad about it, and what must be there beside it.

use std::collections::HashSet;

use serde_json::Value;

use super::builtin;
use super::finding::{Finding, Related, in_a_message};
use super::place::is_confidential;
use super::scene::{Scene, Spot};
use crate::diagnostic::Diagnostic;
use crate::edit::Path;
use crate::profile::path::{PathExpr, Target, get, spell};
use crate::profile::rule::{Beside, Check, Rule};
use crate::profile::test_value::ValueTest;
use crate::rewrite::outcome::MASKED;

/// Something bad in an object.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The object, as an index in [`Scene::actors`].
    pub actor: usize,
    /// The place in it, as far as there is one.
    pub at: Path,
    /// The path as it is said.
    pub path: Option<String>,
    /// What to say; `None`: what the rule says.
    pub message: Option<String>,
    /// The value found.
    pub value: Option<Value>,
    /// What it has to do with.
    pub related: Vec<Related>,
    /// More about it.
    pub notes: Vec<String>,
}

/// A finding with its place in the source, while suppressions are still to be
/// applied.
#[derive(Debug)]
pub struct Draft {
    /// The finding.
    pub finding: Finding,
    /// Its place.
    pub spot: Option<Spot>,
}

/// Looks for everything that the rules' checks look for.
pub fn run(scene: &Scene<'_>, rules: &[Rule]) -> Result<Vec<Draft>, Diagnostic> {
    let mut out = Vec::new();
    let is_there = |matcher: &crate::profile::matching::Matcher| scene.matching(matcher).next().is_some();
    for rule in rules.iter().filter(|rule| rule.inactive.is_none() && !rule.checks.is_empty()) {
        if !rule.when.holds(&is_there) {
            continue;
        }
        let mut seen = HashSet::new();
        for check in &rule.checks {
            for hit in hits(scene, check)? {
                if seen.insert((hit.actor, hit.at.clone(), hit.message.clone())) {
                    out.push(draft(scene, rule, check, hit));
                }
            }
        }
    }
    Ok(out)
}

fn hits(scene: &Scene<'_>, check: &Check) -> Result<Vec<Hit>, Diagnostic> {
    let mut related = Vec::new();
    for beside in &check.beside {
        match find_beside(scene, beside) {
            Some(found) => related.push(found),
            None => return Ok(Vec::new()),
        }
    }
    if check.without.iter().any(|matcher| scene.matching(matcher).next().is_some()) {
        return Ok(Vec::new());
    }
    let mut hits = match &check.computed {
        Some(computed) => builtin::run(scene, check, computed)?,
        None => meant(scene, check).flat_map(|actor| fields(scene, check, actor)).collect(),
    };
    for hit in &mut hits {
        hit.related.extend(related.iter().cloned());
    }
    Ok(hits)
}

/// The objects that a check is about, adjustments applied.
pub fn meant<'m>(scene: &'m Scene<'_>, check: &'m Check) -> impl Iterator<Item = usize> + 'm {
    scene
        .matching(&check.matcher)
        .filter(|(_, view)| {
            check.only.iter().all(|only| scene.matches(only, *view))
                && !check.unless.iter().any(|unless| scene.matches(unless, *view))
        })
        .map(|(actor, _)| actor)
}

/// The bad fields of an object.
fn fields(scene: &Scene<'_>, check: &Check, actor: usize) -> Vec<Hit> {
    let hit = |at: Path, path: Option<String>, value: Option<Value>| Hit {
        actor,
        at,
        path,
        message: None,
        value,
        related: Vec::new(),
        notes: Vec::new(),
    };
    match &check.find {
        None => vec![hit(Path::new(), None, None)],
        Some(find) => {
            bad(scene, actor, find, &check.is).into_iter().map(|(a, p, v)| hit(a, Some(p), v)).collect()
        }
    }
}

/// The places that a path means in an object and that pass a test: where they are,
/// or would be, the path in words, and the value.
pub fn bad(
    scene: &Scene<'_>,
    actor: usize,
    find: &PathExpr,
    is: &ValueTest,
) -> Vec<(Path, String, Option<Value>)> {
    let Some(view) = scene.view(actor) else { return Vec::new() };
    let targets = find.targets(&view.identity.kind, view.value);
    let bad = targets.into_iter().filter_map(|target| match target {
        Target::Present(at) => {
            let value = get(view.value, &at)?;
            is.holds(Some(value)).then(|| (at.clone(), spell(view.value, &at), Some(value.clone())))
        }
        Target::Absent(mut at) if is.holds(None) => {
            let path = spell(view.value, &at);
            at.pop();
            Some((at, path, None))
        }
        Target::Broken { at, .. } if is.holds(None) => Some((at, find.text().to_owned(), None)),
        Target::Absent(_) | Target::Broken { .. } => None,
    });
    bad.collect()
}

/// The first thing that a check wants beside it.
fn find_beside(scene: &Scene<'_>, beside: &Beside) -> Option<Related> {
    scene.matching(&beside.matcher).find_map(|(actor, view)| {
        let at = match &beside.find {
            None => Path::new(),
            Some(find) => bad(scene, actor, find, &beside.is).into_iter().next()?.0,
        };
        let location = scene.location(&scene.spot(actor, &at)?)?;
        let note = if beside.note.is_empty() { view.identity.to_string() } else { beside.note.clone() };
        Some(Related { note, location })
    })
}

fn draft(scene: &Scene<'_>, rule: &Rule, check: &Check, hit: Hit) -> Draft {
    let spot = scene.spot(hit.actor, &hit.at);
    let view = scene.view(hit.actor);
    let identity = view.map(|view| view.identity.clone());
    let of_node = scene.actors.get(hit.actor).is_some_and(|actor| actor.source == 1);
    let is_secret = identity.as_ref().is_some_and(|identity| identity.is_secret())
        || (of_node && hit.at.iter().any(|token| is_confidential(token)));
    let value = match &hit.value {
        Some(_) if is_secret => MASKED.to_owned(),
        Some(value) => in_a_message(value),
        None => "absent".to_owned(),
    };
    let message = hit.message.or_else(|| check.message.clone()).unwrap_or_else(|| rule.title.clone());
    let finding = Finding {
        rule: rule.id.clone(),
        severity: check.severity,
        message: message.replace("{value}", &value),
        object: identity,
        path: hit.path,
        location: spot.as_ref().and_then(|spot| scene.location(spot)),
        template: spot.as_ref().and_then(|spot| scene.template(spot)),
        related: hit.related,
        notes: hit.notes,
        help: check.help.iter().cloned().collect(),
        fix: None,
        values: Vec::new(),
        suppressed: None,
        fingerprint: String::new(),
    };
    Draft { finding, spot }
}
