//! One line an object, and one that counts.

use std::fmt::Write as _;

use super::{human, summary};
use crate::compare::fleet::Fleet;
use crate::compare::model::ObjectState;
use crate::report::human::counted;

/// The report.
pub fn render(fleet: &Fleet) -> String {
    let mut out = String::new();
    for group in &fleet.groups {
        let comparison = &group.compared.comparison;
        if !group.targets.is_empty() {
            let _ = writeln!(out, "{}", human::targets(fleet, group));
        }
        for danger in &comparison.dangers {
            let _ = writeln!(
                out,
                "! {}[{}] {} ({})",
                summary::word(danger.severity),
                danger.rule,
                danger.message,
                danger.object
            );
        }
        for object in &comparison.objects {
            let sign = match object.state {
                ObjectState::Added => '+',
                ObjectState::Removed => '-',
                ObjectState::Changed => '±',
                ObjectState::Renamed => '→',
            };
            let _ = write!(out, "{sign} {}", object.title());
            if !object.changes.is_empty() {
                let _ = write!(out, "  {}", counted(object.changes.len(), "change"));
            }
            let origins = object.origins();
            if !origins.is_empty() {
                let _ = write!(out, "  [{}]", origins.join(", "));
            }
            if object.restarts {
                out.push_str("  restarts");
            }
            out.push('\n');
        }
        for styled in &comparison.styled {
            let _ = writeln!(out, "~ {}  written otherwise", styled.identity);
        }
        if group.targets.is_empty() {
            let _ = writeln!(out, "{}", summary::line(comparison));
        }
    }
    for needless in &fleet.needless {
        let _ = writeln!(out, "{}", summary::needless(needless));
    }
    if fleet.targets() > 0 {
        let _ = writeln!(out, "{}", summary::of_fleet(fleet));
    }
    out
}
