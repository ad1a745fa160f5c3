//! Where the values of a chart stand in a file: under the keys that the tree of charts
//! gives it, or, where no tree is known, under a key of the chart's name.

use serde_json::{Map, Value};

use super::chart::Branch;
use super::coalesce;
use crate::edit::Path;
use crate::profile::matching::Versioned;

/// The values of one chart in a file.
#[derive(Debug)]
pub struct Section<'c> {
    /// The chart's name; empty where it is not known.
    pub chart: String,
    /// Its version, where that is known.
    pub version: Option<String>,
    /// The way to them from the top of the file.
    pub keys: Path,
    /// Them, with the defaults of the charts where these are known.
    pub values: Map<String, Value>,
    /// Keys in them that belong to charts below.
    pub below: Vec<String>,
    /// The chart's own defaults, in its own order; `None` when no tree is known.
    pub defaults: Option<&'c Map<String, Value>>,
    /// Whether the whole file was taken for the values of this chart, for want of a
    /// better place.
    pub assumed: bool,
}

/// The sections of all rendered charts of a tree with a file laid over it.
pub fn of_tree<'c>(tree: &Branch<'c>, file: &Map<String, Value>) -> Vec<Section<'c>> {
    let rendered = tree.all().into_iter().filter(|branch| branch.off.is_none());
    let section = |branch: &Branch<'c>| Section {
        chart: branch.chart.name.clone(),
        version: Some(branch.chart.version.clone()),
        keys: branch.keys.clone(),
        values: coalesce::own_values(tree, file.clone(), &branch.keys),
        below: branch.branches.iter().map(|below| below.key().to_owned()).collect(),
        defaults: Some(&branch.chart.values),
        assumed: false,
    };
    rendered.map(section).collect()
}

/// The sections of a file for charts of these names. A name with `*` means the whole
/// file. `or_all` asks for the whole file where no key has the name.
pub fn of_file<'c>(
    file: &Map<String, Value>,
    charts: &[Versioned],
    or_all: &dyn Fn(&Map<String, Value>) -> bool,
) -> Vec<Section<'c>> {
    let mut out: Vec<Section<'c>> = Vec::new();
    for chart in charts {
        let mut found = Vec::new();
        let assumed = if chart.name().contains('*') {
            found.push((Vec::new(), file));
            false
        } else {
            named(file, chart.name(), &mut Vec::new(), &mut found);
            let is_open = found.is_empty() && or_all(file);
            if is_open {
                found.push((Vec::new(), file));
            }
            is_open
        };
        let name = if chart.name().contains('*') { String::new() } else { chart.name().to_owned() };
        for (keys, values) in found {
            if !out.iter().any(|section| section.keys == keys && section.chart == name) {
                out.push(Section {
                    chart: name.clone(),
                    version: None,
                    keys,
                    values: values.clone(),
                    below: Vec::new(),
                    defaults: None,
                    assumed,
                });
            }
        }
    }
    out
}

/// Mappings under a key of this name, at any depth, the outermost of nested ones.
fn named<'v>(
    at: &'v Map<String, Value>,
    name: &str,
    keys: &mut Path,
    found: &mut Vec<(Path, &'v Map<String, Value>)>,
) {
    for (key, value) in at {
        let Value::Object(map) = value else { continue };
        keys.push(key.clone());
        if key == name {
            found.push((keys.clone(), map));
        } else {
            named(map, name, keys, found);
        }
        keys.pop();
    }
}
