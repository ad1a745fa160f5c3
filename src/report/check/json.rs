//! Findings as versioned JSON.

use serde::Serialize;

use crate::check::finding::{ChartValue, Checked, Finding, Location, RuleInfo, SuppressedBy};
use crate::profile::file::Severity;
use crate::rewrite::outcome::{OperationReport, ParamReport};

/// The version of the format. Fields may be added within a version; none changes
/// its meaning or goes.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'c> {
    version: u32,
    tool: Tool,
    profiles: &'c [String],
    exit: u8,
    files: usize,
    documents: usize,
    params: &'c [ParamReport],
    findings: Vec<Item<'c>>,
    suppressed: Vec<Item<'c>>,
    rules: Vec<Rule<'c>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'c> {
    rule: &'c str,
    severity: Severity,
    message: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Object<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Span<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'c str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Beside<'c>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'c [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    help: &'c [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fix<'c>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    values: &'c [ChartValue],
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<Suppressed<'c>>,
    fingerprint: &'c str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'c> {
    api_version: String,
    kind: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'c str,
    name: &'c str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Span<'c> {
    file: &'c str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Beside<'c> {
    note: &'c str,
    location: Span<'c>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'c> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    edits: &'c [OperationReport],
    drops: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    diff: &'c str,
}

#[derive(Serialize)]
struct Suppressed<'c> {
    by: SuppressedBy,
    reason: &'c str,
}

#[derive(Serialize)]
struct Rule<'c> {
    id: &'c str,
    title: &'c str,
    why: &'c str,
    sources: &'c [String],
    severity: Severity,
    profile: &'c str,
    ran: bool,
}

/// The text, ending with a line break.
pub fn render(checked: &Checked, names: &[String], exit: u8) -> Result<String, serde_json::Error> {
    let file = File {
        version: VERSION,
        tool: Tool { name: "germ-post", version: env!("CARGO_PKG_VERSION") },
        profiles: names,
        exit,
        files: checked.files,
        documents: checked.documents,
        params: &checked.params,
        findings: checked.findings.iter().map(item).collect(),
        suppressed: checked.suppressed.iter().map(item).collect(),
        rules: checked.rules.iter().map(rule).collect(),
    };
    serde_json::to_string_pretty(&file).map(|text| text + "\n")
}

fn item(finding: &Finding) -> Item<'_> {
    Item {
        rule: &finding.rule,
        severity: finding.severity,
        message: &finding.message,
        object: finding.object.as_ref().map(|object| Object {
            api_version: object.api_version(),
            kind: &object.kind,
            namespace: &object.namespace,
            name: &object.name,
        }),
        path: finding.path.as_deref(),
        location: finding.location.as_ref().map(span),
        template: finding.template.as_deref(),
        related: finding
            .related
            .iter()
            .map(|related| Beside { note: &related.note, location: span(&related.location) })
            .collect(),
        notes: &finding.notes,
        help: &finding.help,
        values: &finding.values,
        fix: finding.fix.as_ref().map(|fix| Fix { edits: &fix.edits, drops: fix.drops, diff: &fix.diff }),
        suppressed: finding
            .suppressed
            .as_ref()
            .map(|suppressed| Suppressed { by: suppressed.by, reason: &suppressed.reason }),
        fingerprint: &finding.fingerprint,
    }
}

fn span(location: &Location) -> Span<'_> {
    Span {
        file: &location.place.file,
        line: location.place.line,
        column: location.place.column,
        end_line: location.end_line,
        end_column: location.end_column,
    }
}

fn rule(info: &RuleInfo) -> Rule<'_> {
    Rule {
        id: &info.id,
        title: &info.title,
        why: &info.why,
        sources: &info.sources,
        severity: info.severity,
        profile: &info.profile,
        ran: info.ran,
    }
}
