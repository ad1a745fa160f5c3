//! What is worth saying about a profile that loads: dates that have passed, rules
//! without a source, edits that would replace anything, parameters nobody uses.

use super::file::{EditFile, RuleFile};
use super::load::LoadedFile;
use crate::diagnostic::{Class, Diagnostic};

/// Findings about one file. `today` is `YYYY-MM-DD`; dates never change what a
/// profile does.
pub fn findings(file: &LoadedFile, today: &str) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    dates(file, today, &mut out);
    rules(file, &mut out);
    params(file, &mut out);
    out
}

fn finding(file: &LoadedFile, at: &[&str], code: &'static str, message: String) -> Diagnostic {
    let at: Vec<String> = at.iter().map(|token| (*token).to_owned()).collect();
    let mut diagnostic = file.fault(&at, message);
    diagnostic.code = code;
    diagnostic.class = Class::Warning;
    diagnostic
}

fn dates(file: &LoadedFile, today: &str, out: &mut Vec<Diagnostic>) {
    for (index, adjust) in file.file.adjust.iter().enumerate() {
        let index = index.to_string();
        for (field, date) in [("from", &adjust.from), ("until", &adjust.until)] {
            let Some(date) = date else { continue };
            let at = ["adjust", &index, field];
            if !is_date(date) {
                out.push(finding(
                    file,
                    &at,
                    "bad-date",
                    format!("`{field}` is not a date such as 2027-03-01"),
                ));
            } else if field == "until" && date.as_str() < today {
                out.push(
                    finding(
                        file,
                        &at,
                        "exception-expired",
                        format!("the exception to {} has ended", adjust.rule),
                    )
                    .note("it is still in force: a date never changes what a profile does")
                    .help("remove it, or give it another date"),
                );
            } else if field == "from" && date.as_str() > today {
                out.push(
                    finding(
                        file,
                        &at,
                        "exception-early",
                        format!("the exception to {} is not due yet", adjust.rule),
                    )
                    .note("it is in force already: a date never changes what a profile does"),
                );
            }
        }
    }
}

/// Whether a text reads like `2027-03-01`.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn rules(file: &LoadedFile, out: &mut Vec<Diagnostic>) {
    for (index, rule) in file.file.rules.iter().enumerate() {
        let index = index.to_string();
        if rule.source.is_none() {
            out.push(finding(
                file,
                &["rules", &index, "id"],
                "no-source",
                format!("rule {} names no source", rule.id),
            ));
        }
        let does_something = !rule.edit.is_empty()
            || !rule.parts.is_empty()
            || rule.expect.is_some()
            || !rule.assert.is_empty()
            || !rule.check.is_empty()
            || !rule.danger.is_empty()
            || !rule.values.is_empty()
            || rule.emit.is_some()
            || rule.refuse.is_some();
        if !does_something {
            out.push(finding(
                file,
                &["rules", &index, "id"],
                "empty-rule",
                format!("rule {} does nothing", rule.id),
            ));
        }
        old_values(file, rule, &["rules", &index], &rule.edit, out);
        for (part, of) in rule.parts.iter().enumerate() {
            old_values(file, rule, &["rules", &index, "parts", &part.to_string()], &of.edit, out);
        }
    }
}

fn old_values(
    file: &LoadedFile,
    rule: &RuleFile,
    at: &[&str],
    edits: &[EditFile],
    out: &mut Vec<Diagnostic>,
) {
    for (index, _) in edits.iter().enumerate().filter(|(_, edit)| replaces_anything(edit)) {
        let index = index.to_string();
        let at = [at, &["edit", &index, "set"]].concat();
        let message = format!("rule {} replaces whatever is there", rule.id);
        out.push(
            finding(file, &at, "no-old-value", message)
                .help("`was` names the values that it expects, so that a new chart is not mis-patched"),
        );
    }
}

fn replaces_anything(edit: &EditFile) -> bool {
    edit.set.is_some() && edit.was.is_none() && !edit.when.values().any(|value| value == "decided")
}

fn params(file: &LoadedFile, out: &mut Vec<Diagnostic>) {
    let mut raw = file.raw();
    if let Some(map) = raw.as_object_mut() {
        map.remove("params");
    }
    let text = raw.to_string();
    for name in file.file.params.keys() {
        let used = text.contains(&format!("${{{name}")) || text.contains(&format!("\"{name}\":"));
        if !used {
            out.push(finding(
                file,
                &["params", name],
                "unused-param",
                format!("no rule uses the parameter {name}"),
            ));
        }
    }
}
