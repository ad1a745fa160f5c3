//! Findings as SARIF 2.1.0, for code scanning. Suppressed ones are in it, with their
//! reason. Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.

use serde_json::{Value, json};

use super::origin::{self, Origin};
use crate::check::finding::{Checked, Finding, Fix, Location, RuleInfo, SuppressedBy};
use crate::profile::file::Severity;

/// The text, ending with a line break.
pub fn render(checked: &Checked, source_root: Option<&str>) -> Result<String, serde_json::Error> {
    let rules: Vec<&RuleInfo> = checked.rules.iter().filter(|rule| rule.ran).collect();
    let results: Vec<Value> = checked
        .findings
        .iter()
        .chain(&checked.suppressed)
        .map(|finding| result(finding, &rules, source_root))
        .collect();
    let sarif = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "germ-post",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&sarif).map(|text| text + "\n")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn described(rule: &RuleInfo) -> Value {
    let mut help = rule.why.clone();
    for source in &rule.sources {
        help.push_str(&format!("\n\nSee {source}"));
    }
    let mut out = json!({
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": help},
        "defaultConfiguration": {"level": level(rule.severity)},
    });
    if let Some(link) = rule.sources.iter().find(|source| source.starts_with("https://")) {
        out["helpUri"] = Value::from(link.as_str());
    }
    out
}

fn result(finding: &Finding, rules: &[&RuleInfo], source_root: Option<&str>) -> Value {
    let mut text = finding.message.clone();
    for more in finding.notes.iter().chain(&finding.help) {
        text.push_str(&format!("\n{more}"));
    }
    let mut out = json!({
        "ruleId": finding.rule,
        "level": level(finding.severity),
        "message": {"text": text},
        "partialFingerprints": {"germPost/v1": finding.fingerprint},
    });
    if let Some(index) = rules.iter().position(|rule| rule.id == finding.rule) {
        out["ruleIndex"] = Value::from(index);
    }
    if let Some(origin) = origin::of(finding, source_root) {
        let mut location = json!({"physicalLocation": physical(&origin)});
        if let Some(object) = &finding.object {
            let path = finding.path.as_ref().map(|path| format!(" {path}")).unwrap_or_default();
            location["logicalLocations"] = json!([
                {"name": object.name, "fullyQualifiedName": format!("{object}{path}"), "kind": "object"}
            ]);
        }
        out["locations"] = json!([location]);
        // Regions of another file than the one that is shown would be nonsense.
        if let Some(fix) = finding.fix.as_ref().and_then(fix).filter(|_| origin.region.is_some()) {
            out["fixes"] = json!([fix]);
        }
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(index, related)| {
            let origin = origin::of_location(&related.location);
            json!({"id": index, "message": {"text": related.note}, "physicalLocation": physical(&origin)})
        });
        out["relatedLocations"] = related.collect();
    }
    if let Some(suppressed) = &finding.suppressed {
        let kind = if suppressed.by == SuppressedBy::Config { "external" } else { "inSource" };
        out["suppressions"] = json!([{"kind": kind, "justification": suppressed.reason}]);
    }
    out
}

fn physical(origin: &Origin) -> Value {
    let region = match origin.region {
        Some((line, column, end_line, end_column)) => region(line, column, end_line, end_column),
        None => json!({"startLine": 1}),
    };
    json!({"artifactLocation": {"uri": origin::uri(&origin.path)}, "region": region})
}

fn region(line: usize, column: usize, end_line: usize, end_column: usize) -> Value {
    json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column})
}

fn fix(fix: &Fix) -> Option<Value> {
    let first = fix.replacements.first()?;
    let at = |location: &Location| {
        region(location.place.line, location.place.column, location.end_line, location.end_column)
    };
    let replacements = fix.replacements.iter().map(|replacement| {
        json!({"deletedRegion": at(&replacement.at), "insertedContent": {"text": replacement.text}})
    });
    Some(json!({
        "description": {"text": "What germ-post makes of it"},
        "artifactChanges": [{
            "artifactLocation": {"uri": origin::uri(&origin::of_location(&first.at).path)},
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    }))
}
