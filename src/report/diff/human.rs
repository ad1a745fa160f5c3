//! For people at a terminal: dangers first, then every object with its changes, then
//! one line that counts.

use std::collections::HashSet;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::lines::{self, Line, Sign};
use super::summary;
use crate::compare::fleet::{Fleet, Group};
use crate::compare::model::{Change, ChangeKind, Comparison, Danger, ObjectDiff, ObjectState};
use crate::profile::file::Severity;
use crate::report::human::counted;

/// How it looks.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// With colours.
    pub colour: bool,
    /// Lines around what changes in long values.
    pub context: usize,
    /// Without the line that names the sides.
    pub omit_header: bool,
}

/// Lines of an object that is new, before the rest is counted.
const MOST_OF_A_NEW_OBJECT: usize = 40;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const ORIGIN: Style = AnsiColor::Cyan.on_default();

/// The report.
pub fn render(fleet: &Fleet, look: Look) -> String {
    let mut out = String::new();
    if let Some(rendered) = fleet.rendered.as_ref().filter(|_| !look.omit_header) {
        let _ = writeln!(out, "{}", paint(look, FAINT, rendered));
    }
    for group in &fleet.groups {
        of_group(fleet, group, look, &mut out);
    }
    for needless in &fleet.needless {
        let _ = writeln!(
            out,
            "{}",
            paint(look, FAINT, &format!("{} ({})", summary::needless(needless), needless.title))
        );
    }
    if fleet.targets() > 0 {
        let _ = writeln!(out, "germ-post: {}", summary::of_fleet(fleet));
    }
    out
}

fn of_group(fleet: &Fleet, group: &Group, look: Look, out: &mut String) {
    let comparison = &group.compared.comparison;
    if !group.targets.is_empty() {
        let line = targets(fleet, group);
        let _ = writeln!(out, "{}", paint(look, BOLD, &line));
        if comparison.is_same() && comparison.dangers.is_empty() {
            let _ = writeln!(out);
            return;
        }
    }
    if !look.omit_header {
        let _ = writeln!(out, "{}\n", paint(look, FAINT, &summary::sides(comparison)));
    }
    let mut explained = HashSet::new();
    for one in &comparison.dangers {
        danger(one, explained.insert(one.rule.as_str()), look, out);
    }
    for object in &comparison.objects {
        of_object(comparison, object, look, out);
    }
    for styled in &comparison.styled {
        let line = format!("~ {}  written otherwise, {}", styled.identity, counted(styled.lines, "line"));
        let _ = writeln!(out, "{}", paint(look, BOLD, &line));
        for hunk in styled.hunks.lines() {
            let style = match hunk.as_bytes().first() {
                Some(b'-') => OLD,
                Some(b'+') => NEW,
                _ => FAINT,
            };
            let _ = writeln!(out, "    {}", paint(look, style, hunk));
        }
        out.push('\n');
    }
    if !comparison.restarts.is_empty() {
        let _ = writeln!(out, "restarts the pods of {}\n", names(&comparison.restarts));
    }
    let churn = summary::churn(comparison);
    if !churn.is_empty() {
        let objects = match comparison.ignored.churn_objects {
            0 => String::new(),
            number => format!("; {} with nothing else", counted(number, "object")),
        };
        let _ = writeln!(out, "{}\n", paint(look, FAINT, &format!("folded: {churn}{objects}")));
    }
    let _ = writeln!(out, "germ-post: {}", summary::line(comparison));
    if !group.targets.is_empty() {
        out.push('\n');
    }
}

/// The names, of which many are counted.
fn names(objects: &[crate::manifest::Identity]) -> String {
    const MOST: usize = 8;
    let shown: Vec<String> = objects.iter().take(MOST).map(ToString::to_string).collect();
    match objects.len().checked_sub(MOST).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", shown.join(", ")),
        None => shown.join(", "),
    }
}

/// `27 of 30 targets: no change`, or the targets by name.
pub fn targets(fleet: &Fleet, group: &Group) -> String {
    let names = group.targets.join(", ");
    match group.compared.comparison.is_same() {
        true => {
            format!("{} of {}: no change ({names})", group.targets.len(), counted(fleet.targets(), "target"))
        }
        false => format!("{} of {}: {names}", group.targets.len(), counted(fleet.targets(), "target")),
    }
}

fn danger(danger: &Danger, first: bool, look: Look, out: &mut String) {
    let style = match danger.severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => AnsiColor::Blue.on_default().bold(),
    };
    let head = format!("{}[{}]", summary::word(danger.severity), danger.rule);
    let _ = writeln!(out, "{}: {}", paint(look, style, &head), paint(look, BOLD, &danger.message));
    let by = danger.origin.as_ref().map(|origin| format!(" ({})", origin.by())).unwrap_or_default();
    let _ = writeln!(out, "  in {}{}", summary::place(danger), paint(look, ORIGIN, &by));
    // A reason is read once.
    if first {
        let _ = writeln!(out, "  why: {}", danger.why);
        if let Some(help) = &danger.help {
            let _ = writeln!(out, "  help: {help}");
        }
        for source in &danger.sources {
            let _ = writeln!(out, "  see: {source}");
        }
    }
    out.push('\n');
}

fn of_object(comparison: &Comparison, object: &ObjectDiff, look: Look, out: &mut String) {
    let (sign, style) = match object.state {
        ObjectState::Added => ('+', NEW),
        ObjectState::Removed => ('-', OLD),
        ObjectState::Changed => ('±', BOLD),
        ObjectState::Renamed => ('→', BOLD),
    };
    let _ = write!(out, "{}", paint(look, style.bold(), &format!("{sign} {}", object.title())));
    let mut notes = vec![object.identity.api_version()];
    if let Some(version) = summary::version_change(object) {
        notes[0] = version;
    }
    notes.extend(object.template.clone());
    let _ = write!(out, "  {}", paint(look, FAINT, &format!("({})", notes.join(", "))));
    if let Some(origin) = &object.origin {
        let _ = write!(out, "  {}", paint(look, ORIGIN, &format!("[{}]", origin.in_words())));
    }
    out.push('\n');
    match object.state {
        ObjectState::Added => {
            let lines = lines::of_object(object);
            for line in lines.iter().take(MOST_OF_A_NEW_OBJECT) {
                of_line(line, None, look, out);
            }
            if lines.len() > MOST_OF_A_NEW_OBJECT {
                let more = counted(lines.len() - MOST_OF_A_NEW_OBJECT, "more line");
                let _ = writeln!(
                    out,
                    "    {}",
                    paint(look, FAINT, &format!("… {more} (--format unified shows all)"))
                );
            }
        }
        ObjectState::Removed => {
            let _ = writeln!(out, "    {}", counted(lines::of_object(object).len(), "line"));
        }
        _ => object.changes.iter().for_each(|change| of_change(comparison, change, look, out)),
    }
    out.push('\n');
}

fn of_change(comparison: &Comparison, change: &Change, look: Look, out: &mut String) {
    let (sign, style) = match change.kind {
        ChangeKind::Added => ('+', NEW),
        ChangeKind::Removed => ('-', OLD),
        ChangeKind::Changed => ('±', BOLD),
        ChangeKind::Reordered => ('⇆', BOLD),
    };
    let mut line = format!("  {} {}", paint(look, style, &sign.to_string()), change.path);
    let short = lines::in_one_line(change);
    if let Some(short) = short.as_ref().filter(|short| !short.is_empty()) {
        let _ = write!(line, ": {}", paint(look, style, short));
    }
    if change.kind == ChangeKind::Reordered {
        line.push_str("  in another order");
    }
    if let Some(origin) = change.origin.as_ref().filter(|_| comparison.is_attributed()) {
        let _ = write!(line, "  {}", paint(look, ORIGIN, &format!("[{}]", origin.in_words())));
    }
    if change.churn.is_some() {
        let _ = write!(line, "  {}", paint(look, FAINT, "(churn)"));
    }
    let _ = writeln!(out, "{line}");
    if short.is_some() {
        return;
    }
    let lines = lines::of_change(change, look.context);
    for (index, line) in lines.iter().enumerate() {
        // Two lines, one in the place of the other.
        let partner = match lines.as_slice() {
            [old, new] if old.sign == Sign::Old && new.sign == Sign::New => Some(&lines[1 - index]),
            _ => None,
        };
        of_line(line, partner, look, out);
    }
}

fn of_line(line: &Line, partner: Option<&Line>, look: Look, out: &mut String) {
    let style = match line.sign {
        Sign::Old => OLD,
        Sign::New => NEW,
        Sign::Same | Sign::Gap => FAINT,
    };
    let sign = line.sign.as_char();
    let text = match partner.filter(|_| look.colour) {
        Some(partner) => words(&line.text, &partner.text, style),
        None => paint(look, style, &line.text),
    };
    let _ = writeln!(out, "    {} {text}", paint(look, style, &sign.to_string()));
}

/// The line with what its partner does not have set off.
fn words(text: &str, partner: &str, style: Style) -> String {
    let diff = similar::TextDiff::from_words(text, partner);
    let strong = style.bold().underline();
    let mut out = String::new();
    for change in diff.iter_all_changes() {
        match change.tag() {
            similar::ChangeTag::Equal => {
                let _ = write!(out, "{style}{}{style:#}", change.value());
            }
            similar::ChangeTag::Delete => {
                let _ = write!(out, "{strong}{}{strong:#}", change.value());
            }
            similar::ChangeTag::Insert => {}
        }
    }
    out
}

fn paint(look: Look, style: Style, text: &str) -> String {
    if look.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
