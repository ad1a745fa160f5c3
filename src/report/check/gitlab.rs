//! Findings as a report of GitLab's code quality. Source:
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.

use serde_json::{Value, json};

use super::origin;
use crate::check::finding::{Checked, Finding};
use crate::profile::file::Severity;

/// The text, ending with a line break. Findings without a place are left out, since
/// GitLab refuses them.
pub fn render(checked: &Checked, source_root: Option<&str>) -> Result<String, serde_json::Error> {
    let items: Vec<Value> =
        checked.findings.iter().filter_map(|finding| item(finding, source_root)).collect();
    serde_json::to_string_pretty(&items).map(|text| text + "\n")
}

fn item(finding: &Finding, source_root: Option<&str>) -> Option<Value> {
    let origin = origin::of(finding, source_root)?;
    let severity = match finding.severity {
        Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Note => "info",
    };
    let object = finding.object.as_ref().map(|object| format!(" ({object})")).unwrap_or_default();
    let end = origin.region.map_or(1, |(_, _, end, _)| end);
    Some(json!({
        "description": format!("{}{object}", finding.message),
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": severity,
        "location": {"path": origin.path, "lines": {"begin": origin.line(), "end": end}},
    }))
}
