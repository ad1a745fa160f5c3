//! Whether the charts in the stream are of versions that the profile was tested
//! with. Others are worth a warning: the rules may fit all the same, and say so
//! loudly where they do not.

use super::document::PlannedDocument;
use crate::diagnostic::{Class, Diagnostic};
use crate::profile::load::Loaded;
use crate::profile::matching::charts_of;
use crate::profile::version::{Range, parse_version};

/// A warning for each chart whose version lies outside the tested range.
pub fn warnings(loaded: &Loaded, documents: &[PlannedDocument<'_>]) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for file in &loaded.files {
        for (chart, range) in &file.file.tested {
            let Ok(parsed) = Range::parse(range) else { continue };
            let mut versions = documents.iter().flat_map(|document| {
                (0..document.objects.len())
                    .filter_map(|index| document.original_object(index))
                    .flat_map(charts_of)
                    .filter(|(name, _)| name == chart)
                    .filter_map(|(_, version)| version)
            });
            let untested = versions.find(|text| parse_version(text).is_some_and(|v| !parsed.contains(&v)));
            if let Some(version) = untested {
                let message = format!(
                    "profile {} was tested with {chart} {range}, the stream has {version}",
                    file.file.name
                );
                let diagnostic = Diagnostic::new("chart-untested", Class::Warning, message)
                    .note("every rule still finds what it expects, or the run fails");
                if !out.contains(&diagnostic) {
                    out.push(diagnostic);
                }
            }
        }
    }
    out
}
