//! Entries under `ignore` in `germ-post.yaml`: for objects of charts, which nobody
//! can annotate. An entry may end on a day.

use serde::Deserialize;

use super::{Scope, Suppression};
use crate::check::finding::{Location, SuppressedBy};
use crate::diagnostic::Place;
use crate::manifest::Identity;
use crate::profile::glob;

/// An entry. What it does not say, it does not ask for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConfigIgnore {
    /// The rule's id, or a glob of ids.
    pub rule: String,
    /// API group; a glob.
    #[serde(default)]
    pub group: Option<String>,
    /// Kind; a glob.
    #[serde(default)]
    pub kind: Option<String>,
    /// Name; a glob.
    #[serde(default)]
    pub name: Option<String>,
    /// Namespace; a glob.
    #[serde(default)]
    pub namespace: Option<String>,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// The last day on which it counts, `2027-03-01`.
    #[serde(default)]
    pub until: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub place: Option<Place>,
}

impl ConfigIgnore {
    /// Whether it is meant for findings on this object.
    pub(super) fn covers(&self, object: Option<&Identity>) -> bool {
        let Some(object) = object else {
            return [&self.group, &self.kind, &self.name, &self.namespace]
                .iter()
                .all(|field| field.is_none());
        };
        let is = |pattern: &Option<String>, text: &str| {
            pattern.as_ref().is_none_or(|pattern| glob::matches(pattern, text))
        };
        is(&self.group, &object.group)
            && is(&self.kind, &object.kind)
            && is(&self.name, &object.name)
            && is(&self.namespace, &object.namespace)
    }
}

/// The entries as suppressions; `today` is `YYYY-MM-DD`.
pub(super) fn all(entries: &[ConfigIgnore], today: &str) -> Vec<Suppression> {
    let suppression = |entry: &ConfigIgnore| Suppression {
        by: SuppressedBy::Config,
        rule: entry.rule.clone(),
        reason: entry.reason.trim().to_owned(),
        scope: Scope::Entry(Box::new(entry.clone())),
        location: entry.place.clone().map(|place| Location {
            end_line: place.line,
            end_column: place.column + place.shown.as_ref().map_or(1, |(_, length)| *length),
            place,
        }),
        object: None,
        misplaced: None,
        ended: entry.until.clone().filter(|until| until.as_str() < today),
    };
    entries.iter().map(suppression).collect()
}
