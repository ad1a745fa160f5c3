//! Workflow commands of GitHub Actions: the dangers, then the objects. Ten of a kind
//! are shown a step, so that the worst come first. Source:
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

use std::fmt::Write as _;

use super::{summary, yaml_text};
use crate::compare::fleet::Fleet;
use crate::compare::model::{Change, Spot};
use crate::profile::file::Severity;
use crate::report::check::github::{data, property};
use crate::report::human::counted;

/// The commands, a line each.
pub fn render(fleet: &Fleet, source_root: Option<&str>) -> String {
    let mut out = String::new();
    for group in &fleet.groups {
        let comparison = &group.compared.comparison;
        let on = match group.targets.as_slice() {
            [] => String::new(),
            targets => format!("\non {}", targets.join(", ")),
        };
        for danger in &comparison.dangers {
            let command = match danger.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let mut text = format!("{}\nin {}{on}\n{}", danger.message, summary::place(danger), danger.why);
            if let Some(help) = &danger.help {
                let _ = write!(text, "\n{help}");
            }
            let place = place(danger.spot.as_ref(), danger.template.as_deref(), source_root);
            let _ = writeln!(out, "::{command} {place}title={}::{}", property(&danger.rule), data(&text));
        }
    }
    for group in &fleet.groups {
        for object in &group.compared.comparison.objects {
            let spot = object.new.as_ref().or(object.old.as_ref());
            let place = place(spot, object.template.as_deref(), source_root);
            let title = format!("{} {}", object.title(), summary::state(object));
            let mut text = counted(object.changes.len(), "change");
            for change in object.changes.iter().take(20) {
                let _ = write!(text, "\n{}", in_one_line(change));
            }
            if object.changes.len() > 20 {
                text.push_str("\n…");
            }
            if object.changes.is_empty() {
                text = summary::state(object).to_owned();
            }
            let _ = writeln!(out, "::notice {place}title={}::{}", property(&title), data(&text));
        }
    }
    let _ = writeln!(out, "{}", data(&summary::of_fleet(fleet)));
    out
}

/// `data.ipam: cluster-pool → kubernetes`.
pub fn in_one_line(change: &Change) -> String {
    let word = |value: &Option<serde_json::Value>| match value {
        None => "absent".to_owned(),
        Some(value) => yaml_text::flow(value, 80).unwrap_or_else(|| "…".to_owned()),
    };
    let origin = change.origin.as_ref().map(|origin| format!(" [{}]", origin.in_words())).unwrap_or_default();
    format!("{}: {} → {}{origin}", change.path, word(&change.old), word(&change.new))
}

/// The file that a command is shown at: the text's own, or the template that stdin was
/// rendered from.
fn place(spot: Option<&Spot>, template: Option<&str>, source_root: Option<&str>) -> String {
    match file(spot, template, source_root) {
        Some((path, line)) => format!("file={},line={line},", property(&path)),
        None => String::new(),
    }
}

/// A path with `/` and a line.
pub fn file(
    spot: Option<&Spot>,
    template: Option<&str>,
    source_root: Option<&str>,
) -> Option<(String, usize)> {
    if let (Some(root), Some(template)) = (source_root, template) {
        let root = root.replace('\\', "/");
        let root = root.trim_start_matches("./").trim_end_matches('/');
        let path = if root.is_empty() { template.to_owned() } else { format!("{root}/{template}") };
        return Some((path, 1));
    }
    let spot = spot?;
    let path = if spot.file == "<stdin>" { "stdin".to_owned() } else { spot.file.replace('\\', "/") };
    Some((path.trim_start_matches("./").to_owned(), spot.line))
}
