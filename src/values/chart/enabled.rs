//! Which charts of a tree are rendered, under which keys: aliases, conditions and tags,
//! decided as Helm decides them (`pkg/chartutil/dependencies.go` of Helm 3,
//! `pkg/chart/v2/util/dependencies.go` of Helm 4).

use serde_json::{Map, Value};

use super::{Chart, Dependency};
use crate::values::coalesce;

/// A chart at its place in a tree. The same chart may stand at several, by aliases.
#[derive(Debug)]
pub struct Branch<'c> {
    /// The chart.
    pub chart: &'c Chart,
    /// The keys of its values, from the top chart on; none for the top chart.
    pub keys: Vec<String>,
    /// Why it is not rendered, if it is not.
    pub off: Option<String>,
    /// The charts below it.
    pub branches: Vec<Branch<'c>>,
    dependency: Option<&'c Dependency>,
}

impl Branch<'_> {
    /// The last of its keys: the name that its parent knows it by.
    pub fn key(&self) -> &str {
        self.keys.last().map_or(&self.chart.name, String::as_str)
    }

    /// Itself and all below it, parents first; charts that are off come without those
    /// below them.
    pub fn all(&self) -> Vec<&Self> {
        let mut out = vec![self];
        if self.off.is_none() {
            out.extend(self.branches.iter().flat_map(Branch::all));
        }
        out
    }
}

/// The tree of a chart with the values that a user gives it.
pub fn grow<'c>(root: &'c Chart, user: &Map<String, Value>) -> Branch<'c> {
    let mut tree = branch(root, Vec::new(), None);
    // Conditions are looked up in the values of all charts, whether they are on or not.
    let values = Value::Object(coalesce::with_defaults(&tree, user.clone()));
    decide(&mut tree, &values);
    tree
}

fn branch<'c>(chart: &'c Chart, keys: Vec<String>, dependency: Option<&'c Dependency>) -> Branch<'c> {
    let below = |key: &str| keys.iter().cloned().chain([key.to_owned()]).collect::<Vec<_>>();
    let is_listed = |child: &&Chart| chart.dependencies.iter().any(|dependency| dependency.means(child));
    // What nothing is said of is there under its name.
    let unlisted = chart.charts.iter().filter(|child| !is_listed(child));
    let mut branches: Vec<Branch<'c>> =
        unlisted.map(|child| branch(child, below(&child.name), None)).collect();
    for dependency in &chart.dependencies {
        if let Some(child) = chart.charts.iter().find(|child| dependency.means(child)) {
            branches.push(branch(child, below(dependency.key()), Some(dependency)));
        }
    }
    Branch { chart, keys, off: None, branches, dependency }
}

fn decide(parent: &mut Branch<'_>, values: &Value) {
    let own_tags = parent.chart.values.get("tags");
    let tags = [values.get("tags"), own_tags];
    for child in &mut parent.branches {
        if let Some(dependency) = child.dependency {
            child.off = off(dependency, &parent.keys, values, &tags);
        }
        if child.off.is_none() {
            decide(child, values);
        }
    }
}

/// Why a dependency is off. A condition that leads to a boolean has the last word.
fn off(
    dependency: &Dependency,
    parent: &[String],
    values: &Value,
    tags: &[Option<&Value>],
) -> Option<String> {
    for condition in dependency.condition.trim().split(',').filter(|condition| !condition.is_empty()) {
        let keys = parent.iter().map(String::as_str).chain(condition.split('.'));
        match keys.into_iter().try_fold(values, |at, key| at.get(key)) {
            Some(Value::Bool(true)) => return None,
            Some(Value::Bool(false)) => return Some(format!("its condition {condition} is false")),
            _ => {}
        }
    }
    let tag = |name: &String| tags.iter().flatten().find_map(|tags| tags.get(name)?.as_bool());
    let said: Vec<(&String, bool)> =
        dependency.tags.iter().filter_map(|name| Some((name, tag(name)?))).collect();
    match said.first() {
        Some((name, _)) if said.iter().all(|(_, is_on)| !is_on) => Some(format!("the tag {name} is false")),
        _ => None,
    }
}
