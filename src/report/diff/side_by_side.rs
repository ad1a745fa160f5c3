//! The old side on the left, the new one on the right, as wide as the terminal.

use std::fmt::Write as _;

use super::lines::{self, Line, Sign};
use super::{human, summary};
use crate::compare::fleet::Fleet;

/// The narrowest column that is of any use, in characters.
const NARROWEST: usize = 20;

/// The report, `width` characters wide.
pub fn render(fleet: &Fleet, context: usize, width: usize) -> String {
    let column = (width.saturating_sub(3) / 2).max(NARROWEST);
    let mut out = String::new();
    for group in &fleet.groups {
        let comparison = &group.compared.comparison;
        if !group.targets.is_empty() {
            let _ = writeln!(out, "{}", human::targets(fleet, group));
        }
        for danger in &comparison.dangers {
            let word = summary::word(danger.severity);
            let _ = writeln!(out, "{word}[{}]: {} ({})", danger.rule, danger.message, summary::place(danger));
        }
        if !comparison.dangers.is_empty() {
            out.push('\n');
        }
        for object in &comparison.objects {
            let _ = writeln!(out, "{} {}", object.title(), summary::state(object));
            if object.value.is_some() {
                rows(&lines::of_object(object), column, &mut out);
            }
            for change in &object.changes {
                let origin = change.origin.as_ref().map(|origin| format!("  [{}]", origin.in_words()));
                let _ = writeln!(out, "  {}{}", change.path, origin.unwrap_or_default());
                rows(&lines::of_change(change, context), column, &mut out);
            }
            out.push('\n');
        }
        for styled in &comparison.styled {
            let _ = writeln!(out, "{} written otherwise", styled.identity);
        }
        if group.targets.is_empty() {
            let _ = writeln!(out, "germ-post: {}", summary::line(comparison));
        }
    }
    if fleet.targets() > 0 {
        let _ = writeln!(out, "germ-post: {}", summary::of_fleet(fleet));
    }
    out
}

/// Old lines beside the new ones that came in their place.
fn rows(lines: &[Line], column: usize, out: &mut String) {
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in lines {
        match line.sign {
            Sign::Old => old.push(&line.text),
            Sign::New => new.push(&line.text),
            Sign::Same | Sign::Gap => {
                flush(&mut old, &mut new, column, out);
                row(&line.text, ' ', &line.text, column, out);
            }
        }
    }
    flush(&mut old, &mut new, column, out);
}

fn flush(old: &mut Vec<&str>, new: &mut Vec<&str>, column: usize, out: &mut String) {
    for index in 0..old.len().max(new.len()) {
        match (old.get(index), new.get(index)) {
            (Some(old), Some(new)) => row(old, '|', new, column, out),
            (Some(old), None) => row(old, '<', "", column, out),
            (None, new) => row("", '>', new.unwrap_or(&""), column, out),
        }
    }
    old.clear();
    new.clear();
}

/// One row; what is too long goes on in the next.
fn row(old: &str, sign: char, new: &str, column: usize, out: &mut String) {
    let pieces = |text: &str| -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        characters.chunks(column).map(|piece| piece.iter().collect()).collect()
    };
    let (old, new) = (pieces(old), pieces(new));
    for index in 0..old.len().max(new.len()).max(1) {
        let piece = |side: &[String]| side.get(index).cloned().unwrap_or_default();
        let (left, right) = (piece(&old), piece(&new));
        let fill = " ".repeat(column - left.chars().count());
        let _ = writeln!(out, "{}", format!("{left}{fill} {sign} {right}").trim_end());
    }
}
