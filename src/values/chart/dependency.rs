//! What a chart says of a chart below it, in `Chart.yaml` or in `requirements.yaml`.

use serde::Deserialize;

use super::Chart;
use super::constraint::Constraint;

/// One entry of `dependencies`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Dependency {
    /// The chart's own name.
    #[serde(deserialize_with = "super::load::text")]
    pub name: String,
    /// A range of versions.
    #[serde(deserialize_with = "super::load::text")]
    pub version: String,
    /// The key of its values, if that is not its name.
    #[serde(deserialize_with = "super::load::text")]
    pub alias: String,
    /// Paths into values, separated by commas: the first that leads to a boolean says
    /// whether the chart is rendered.
    #[serde(deserialize_with = "super::load::text")]
    pub condition: String,
    /// Names below `tags` in the values that say so, too.
    pub tags: Vec<String>,
}

impl Dependency {
    /// Whether it is this chart that is meant.
    pub fn means(&self, chart: &Chart) -> bool {
        self.name == chart.name
            && Constraint::parse(&self.version).is_none_or(|range| range.allows(&chart.version))
    }

    /// The key of its values.
    pub fn key(&self) -> &str {
        if self.alias.is_empty() { &self.name } else { &self.alias }
    }
}
