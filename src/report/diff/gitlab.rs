//! A report of GitLab's code quality: dangers and changed objects at the place of the
//! object. Source:
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{github, summary};
use crate::compare::fleet::Fleet;
use crate::profile::file::Severity;
use crate::report::human::counted;

/// The text, ending with a line break.
pub fn render(fleet: &Fleet, source_root: Option<&str>) -> Result<String, serde_json::Error> {
    let mut items: Vec<Value> = Vec::new();
    for group in &fleet.groups {
        let comparison = &group.compared.comparison;
        let targets = group.targets.join(", ");
        let on = if targets.is_empty() { String::new() } else { format!(" on {targets}") };
        for danger in &comparison.dangers {
            let severity = match danger.severity {
                Severity::Error => "critical",
                Severity::Warning => "major",
                Severity::Note => "info",
            };
            let text = format!("{} ({}){on}", danger.message, summary::place(danger));
            let file = github::file(danger.spot.as_ref(), danger.template.as_deref(), source_root);
            let key = [&danger.rule, &summary::place(danger), &targets];
            items.push(item(&danger.rule, severity, &text, file, &key));
        }
        for object in &comparison.objects {
            let spot = object.new.as_ref().or(object.old.as_ref());
            let changes = match object.changes.len() {
                0 => String::new(),
                number => format!(", {}", counted(number, "change")),
            };
            let text = format!("{} {}{changes}{on}", object.title(), summary::state(object));
            let file = github::file(spot, object.template.as_deref(), source_root);
            let key = [&object.identity.group, &object.title(), &targets];
            items.push(item("germ-post/diff", "info", &text, file, &key));
        }
    }
    serde_json::to_string_pretty(&items).map(|text| text + "\n")
}

fn item(rule: &str, severity: &str, text: &str, file: Option<(String, usize)>, key: &[&String]) -> Value {
    let (path, line) = file.unwrap_or_else(|| ("stdin".to_owned(), 1));
    let digest = key
        .iter()
        .fold(Sha256::new().chain_update(rule), |hash, part| hash.chain_update(part).chain_update("\n"));
    let fingerprint: String = digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    json!({
        "description": text,
        "check_name": rule,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line}},
    })
}
