//! Whether the charts in the stream are of versions that the profile was tested
//! with. Others are worth a warning: the rules may fit all the same, and say so
//! loudly where they do not.

use super::document::PlannedDocument;
use crate::diagnostic::{Class, Diagnostic};
use crate::profile::load::Loaded;
use crate::profile::matching::charts_of;
use crate::profile::version::{Range, parse_version};

/// The charts that the profiles were tested with, and what the stream has of them.
#[derive(Debug)]
pub struct Tested<'l> {
    charts: Vec<Chart<'l>>,
}

#[derive(Debug)]
struct Chart<'l> {
    profile: &'l str,
    name: &'l str,
    range_text: &'l str,
    range: Range,
    /// The first version in the stream that lies outside.
    untested: Option<String>,
}

impl<'l> Tested<'l> {
    /// Nothing has been seen yet.
    pub fn new(loaded: &'l Loaded) -> Self {
        let charts = loaded.files.iter().flat_map(|file| {
            file.file.tested.iter().filter_map(|(name, range_text)| {
                let range = Range::parse(range_text).ok()?;
                Some(Chart { profile: &file.file.name, name, range_text, range, untested: None })
            })
        });
        Self { charts: charts.collect() }
    }

    /// Looks at the charts that the objects of a document say they are of.
    pub fn see(&mut self, document: &PlannedDocument<'_>) {
        let objects = (0..document.objects.len()).filter_map(|index| document.original_object(index));
        for (name, version) in objects.flat_map(charts_of) {
            let Some(version) = version else { continue };
            for chart in self.charts.iter_mut().filter(|chart| chart.name == name && chart.untested.is_none())
            {
                if parse_version(version).is_some_and(|parsed| !chart.range.contains(&parsed)) {
                    chart.untested = Some(version.to_owned());
                }
            }
        }
    }

    /// A warning for each chart whose version lies outside the tested range.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let mut out: Vec<Diagnostic> = Vec::new();
        for chart in &self.charts {
            let Some(version) = &chart.untested else { continue };
            let message = format!(
                "profile {} was tested with {} {}, the stream has {version}",
                chart.profile, chart.name, chart.range_text
            );
            let diagnostic = Diagnostic::new("chart-untested", Class::Warning, message)
                .note("every rule still finds what it expects, or the run fails");
            if !out.contains(&diagnostic) {
                out.push(diagnostic);
            }
        }
        out
    }
}
