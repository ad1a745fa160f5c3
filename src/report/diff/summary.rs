//! The line that ends every report, and the words that several formats share.

use crate::compare::churn::Churn;
use crate::compare::fleet::Fleet;
use crate::compare::model::{Comparison, Danger, Needless, ObjectDiff, ObjectState};
use crate::profile::file::Severity;
use crate::report::human::counted;

/// `3 objects changed, 1 added, 0 removed; 8 differences: 5 by the chart, 3 by 2 rules`.
pub fn line(comparison: &Comparison) -> String {
    let mut text = if comparison.is_same() { no_difference(comparison) } else { counts(comparison) };
    let ignored = ignored(comparison);
    if !ignored.is_empty() {
        text.push_str("; ");
        text.push_str(&ignored.join(", "));
    }
    if comparison.undone > 0 {
        text.push_str(&format!("; {} undone by the profile", counted(comparison.undone, "change")));
    }
    text
}

fn no_difference(comparison: &Comparison) -> String {
    format!("no difference in {}", counted(comparison.same, "object"))
}

fn counts(comparison: &Comparison) -> String {
    let number = |state| comparison.count(state);
    let mut text = format!(
        "{} changed, {} added, {} removed",
        counted(number(ObjectState::Changed), "object"),
        number(ObjectState::Added),
        number(ObjectState::Removed)
    );
    if number(ObjectState::Renamed) > 0 {
        text.push_str(&format!(", {} renamed", number(ObjectState::Renamed)));
    }
    if !comparison.styled.is_empty() {
        text.push_str(&format!(", {} written otherwise", comparison.styled.len()));
    }
    if comparison.is_attributed() {
        text.push_str(&by_whom(comparison));
    } else if comparison.changes() > 0 {
        text.push_str(&format!("; {}", counted(comparison.changes(), "change")));
    }
    text
}

/// What is new or gone is one difference, like a field that has another value.
fn by_whom(comparison: &Comparison) -> String {
    let origins = comparison.objects.iter().flat_map(|object| {
        object.origin.iter().chain(object.changes.iter().filter_map(|change| change.origin.as_ref()))
    });
    let (mut by_chart, mut by_rules, mut rules) = (0, 0, Vec::new());
    for origin in origins {
        if origin.chart {
            by_chart += 1;
            continue;
        }
        by_rules += 1;
        for rule in &origin.rules {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    let parts = match (by_chart, by_rules) {
        (0, 0) => return String::new(),
        (by_chart, 0) => format!("{by_chart} by the chart"),
        (0, by_rules) => format!("{by_rules} by {}", counted(rules.len(), "rule")),
        (by_chart, by_rules) => {
            format!("{by_chart} by the chart, {by_rules} by {}", counted(rules.len(), "rule"))
        }
    };
    format!("; {}: {parts}", counted(by_chart + by_rules, "difference"))
}

/// What was left out, in words.
pub fn ignored(comparison: &Comparison) -> Vec<String> {
    let ignored = &comparison.ignored;
    let mut out = Vec::new();
    if ignored.churn() > 0 {
        out.push(format!("{} ignored as churn (--no-ignore shows them)", ignored.churn()));
    }
    if ignored.paths > 0 {
        out.push(format!("{} ignored by --ignore", ignored.paths));
    }
    if ignored.objects > 0 {
        out.push(format!("{} ignored by --ignore-object", counted(ignored.objects, "object")));
    }
    out
}

/// `3 checksums, 10 chart labels`.
pub fn churn(comparison: &Comparison) -> String {
    let all = Churn::ALL.iter().filter_map(|kind| {
        let (_, number) = comparison.ignored.churn.iter().find(|(known, _)| known == kind)?;
        Some(kind.counted(*number))
    });
    all.collect::<Vec<_>>().join(", ")
}

/// The whole run in a line: a comparison, or how the targets fare.
pub fn of_fleet(fleet: &Fleet) -> String {
    match fleet.targets() {
        0 => fleet.groups.first().map_or_else(String::new, |group| line(&group.compared.comparison)),
        number => {
            let changing = fleet.groups.iter().filter(|group| !group.compared.comparison.is_same());
            let (ways, changed) = (changing.count(), number - fleet.unchanged_targets());
            let unchanged =
                format!("{} of {}: no change", fleet.unchanged_targets(), counted(number, "target"));
            match changed {
                0 => unchanged,
                changed => format!("{unchanged}; {} in {}", counted(changed, "other"), counted(ways, "way")),
            }
        }
    }
}

/// The two sides in words.
pub fn sides(comparison: &Comparison) -> String {
    let profile = match comparison.profiles.is_empty() {
        true => String::new(),
        false => format!(" [{}]", comparison.profiles.join(", ")),
    };
    match comparison.one_rendering {
        true => format!("{}, before and after the profile{profile}", comparison.old_name),
        false => format!("{} → {}{profile}", comparison.old_name, comparison.new_name),
    }
}

/// What a danger is called by its severity.
pub fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "danger",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// A needless rule in a line.
pub fn needless(needless: &Needless) -> String {
    match needless.already {
        true => format!("{} is needless now: the new rendering is so already", needless.rule),
        false => format!("{} is needless now: what it edits is gone", needless.rule),
    }
}

/// What happened to an object, in a word.
pub fn state(object: &ObjectDiff) -> &'static str {
    match object.state {
        ObjectState::Added => "added",
        ObjectState::Removed => "removed",
        ObjectState::Changed => "changed",
        ObjectState::Renamed => "renamed",
    }
}

/// The object of a danger and the place in it.
pub fn place(danger: &Danger) -> String {
    match &danger.path {
        Some(path) => format!("{}, at {path}", danger.object),
        None => danger.object.to_string(),
    }
}

/// The API versions of an object where they differ: `policy/v1beta1 → policy/v1`.
pub fn version_change(object: &ObjectDiff) -> Option<String> {
    let was = object.was.as_ref()?;
    let (old, new) = (was.api_version(), object.identity.api_version());
    (old != new).then(|| format!("{old} → {new}"))
}
