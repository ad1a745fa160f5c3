//! Suppressing findings, always for a reason: an annotation on the object
//! ([`annotation`]), a comment at the place ([`comment`]), or an entry of
//! `germ-post.yaml` for objects that are somebody else's ([`config`]). What is
//! wrong with a suppression is a finding itself, since one that does nothing, or
//! has outlived its reason, is believed in all the same.

pub mod annotation;
pub mod comment;
pub mod config;

use super::builtin;
use super::finding::{Finding, Location, Suppressed, SuppressedBy};
use super::rules::Draft;
use super::scene::{Scene, Spot};
use crate::diagnostic::did_you_mean;
use crate::manifest::Identity;
use crate::profile::rule::Rule;

pub use config::ConfigIgnore;

/// What a suppression covers.
#[derive(Debug, Clone)]
pub(super) enum Scope {
    /// An object: source, document, object.
    Object(usize, usize, usize),
    /// A range of a document's bytes.
    Range(Spot),
    /// Whatever an entry of the configuration means.
    Entry(Box<ConfigIgnore>),
}

/// One suppression.
#[derive(Debug, Clone)]
pub(super) struct Suppression {
    pub by: SuppressedBy,
    /// The rule's id, or `*` for every rule.
    pub rule: String,
    pub reason: String,
    pub scope: Scope,
    /// Where it stands.
    pub location: Option<Location>,
    /// The object it stands on.
    pub object: Option<Identity>,
    /// Stands where it does nothing, for this reason.
    pub misplaced: Option<String>,
    /// Ended on this day.
    pub ended: Option<String>,
}

/// Applies every suppression: suppressed findings are marked, and what is wrong
/// with suppressions comes on top.
pub(super) fn apply(
    scene: &Scene<'_>,
    rules: &[Rule],
    ignores: &[ConfigIgnore],
    today: &str,
    known: &dyn Fn(&str) -> bool,
    drafts: &mut Vec<Draft>,
) {
    let mut all = annotation::all(scene);
    all.extend(comment::all(scene));
    all.extend(config::all(ignores, today));
    let mut used = vec![false; all.len()];
    for draft in drafts.iter_mut() {
        for (suppression, used) in all.iter().zip(&mut used) {
            if suppression.covers(draft) {
                *used = true;
                draft.finding.suppressed.get_or_insert_with(|| Suppressed {
                    by: suppression.by,
                    reason: suppression.reason.clone(),
                });
            }
        }
    }
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    for (suppression, used) in all.iter().zip(used) {
        let in_force = |rule: &Rule| rule.inactive.is_none() && suppression.means(&rule.id);
        let (kind, message, help) = if let Some(why) = &suppression.misplaced {
            ("misplaced", format!("the suppression of {} does nothing here: {why}", suppression.rule), None)
        } else if suppression.rule != "*" && !known(&suppression.rule) {
            let near = did_you_mean(&suppression.rule, ids.iter().copied());
            let help = near.map(|near| format!("did you mean `{near}`?"));
            ("unknown-rule", format!("the suppression names `{}`, which is no rule", suppression.rule), help)
        } else if let Some(day) = &suppression.ended {
            ("expired", format!("the suppression of {} has ended on {day}", suppression.rule), None)
        } else if suppression.reason.is_empty() {
            ("without-reason", format!("the suppression of {} gives no reason", suppression.rule), None)
        } else if !used && suppression.by != SuppressedBy::Keep && rules.iter().any(in_force) {
            ("unused", format!("the suppression of {} suppresses nothing", suppression.rule), None)
        } else {
            continue;
        };
        // Whoever composes profiles without these rules does not want to know.
        let Some(rule) = rules.iter().find(|rule| rule.inactive.is_none() && reports(rule, kind)) else {
            continue;
        };
        drafts.push(Draft {
            finding: Finding {
                rule: rule.id.clone(),
                severity: rule.checks.first().map_or(rule.severity, |check| check.severity),
                message,
                object: suppression.object.clone(),
                path: None,
                location: suppression.location.clone(),
                template: None,
                related: Vec::new(),
                notes: Vec::new(),
                help: help.into_iter().chain(rule.help.clone()).collect(),
                fix: None,
                values: Vec::new(),
                suppressed: None,
                fingerprint: String::new(),
            },
            spot: None,
        });
    }
}

/// Whether a rule reports this of suppressions.
fn reports(rule: &Rule, kind: &str) -> bool {
    rule.checks.iter().filter_map(|check| check.computed.as_ref()).any(|computed| {
        computed.name == builtin::SUPPRESSIONS
            && computed.with.get("report").is_some_and(|report| report == kind)
    })
}

impl Suppression {
    fn means(&self, rule: &str) -> bool {
        crate::profile::glob::matches(&self.rule, rule)
    }

    fn covers(&self, draft: &Draft) -> bool {
        if self.misplaced.is_some() || self.ended.is_some() || !self.means(&draft.finding.rule) {
            return false;
        }
        match (&self.scope, &draft.spot) {
            (Scope::Object(source, document, object), Some(spot)) => {
                (*source, *document, *object) == (spot.source, spot.document, spot.object)
            }
            (Scope::Range(range), Some(spot)) => {
                (range.source, range.document) == (spot.source, spot.document)
                    && range.range.contains(&spot.range.start)
            }
            (Scope::Entry(entry), _) => entry.covers(draft.finding.object.as_ref()),
            (_, None) => false,
        }
    }
}
