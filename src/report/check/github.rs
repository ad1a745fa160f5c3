//! Findings as workflow commands of GitHub Actions, and the summary of a step. Of
//! each kind of command only ten a step are shown, so the worst come first and the
//! summary has them all. Source:
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

use std::fmt::Write as _;

use super::human;
use super::origin;
use crate::check::finding::{Checked, Finding};
use crate::profile::file::Severity;

/// The commands, a line each.
pub fn render(checked: &Checked, source_root: Option<&str>) -> String {
    let mut out = String::new();
    for finding in worst_first(checked) {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = Vec::new();
        if let Some(origin) = origin::of(finding, source_root) {
            properties.push(format!("file={}", property(&origin.path)));
            properties.push(format!("line={}", origin.line()));
            if let Some((line, column, end_line, end_column)) = origin.region {
                properties.push(format!("endLine={end_line}"));
                properties.push(format!("col={column}"));
                // Columns are taken for those of one line.
                if line == end_line {
                    properties.push(format!("endColumn={end_column}"));
                }
            }
        }
        properties.push(format!("title={}", property(&finding.rule)));
        let mut text = finding.message.clone();
        if let Some(object) = &finding.object {
            let _ = write!(text, "\nin {object}");
        }
        for more in finding.notes.iter().chain(&finding.help) {
            let _ = write!(text, "\n{more}");
        }
        let _ = writeln!(out, "::{command} {}::{}", properties.join(","), data(&text));
    }
    out
}

/// What the summary of the step shows, as Markdown.
pub fn summary(checked: &Checked, source_root: Option<&str>) -> String {
    // A step's summary takes 1 MiB.
    const MOST: usize = 2000;
    let mut out = format!("### germ-post check\n\n{}\n", human::summary(checked));
    if checked.findings.is_empty() {
        return out;
    }
    out.push_str("\n| | rule | finding | object | place |\n|---|---|---|---|---|\n");
    for finding in worst_first(checked).into_iter().take(MOST) {
        let sign = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let place = origin::of(finding, source_root)
            .map_or(String::new(), |origin| format!("{}:{}", origin.path, origin.line()));
        let object = finding.object.as_ref().map_or(String::new(), ToString::to_string);
        let cells = [sign, &finding.rule, &finding.message, &object, &place].map(cell);
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    if checked.findings.len() > MOST {
        let _ = writeln!(out, "\nand {} more", checked.findings.len() - MOST);
    }
    out
}

fn worst_first(checked: &Checked) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> = checked.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

pub(in crate::report) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

pub(in crate::report) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

pub(in crate::report) fn cell(text: &str) -> String {
    let plain = text.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('|', "\\|");
    plain.replace('<', "&lt;").replace('`', "\\`").replace('*', "\\*").replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_cannot_be_forged() {
        assert_eq!(data("50%\r\n::error::x"), "50%25%0D%0A::error::x");
        assert_eq!(property("a,b:c\n"), "a%2Cb%3Ac%0A");
        assert_eq!(cell("a|b\n<x>"), "a\\|b &lt;x>");
    }
}
