//! A comment for a pull request: the counts, the dangers, a table of the objects, and
//! the details of each behind a fold. It never is longer than it may be: details are
//! left out object by object, and the table still lists them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::budget::Budget;
use super::fold::{Detail, fence};
use super::lines::{self, Line};
use super::{human, summary};
use crate::compare::fleet::{Fleet, Group};
use crate::compare::model::{ChangeKind, Danger, ObjectDiff, ObjectState};
use crate::report::human::counted;

/// How a comment is made.
#[derive(Debug, Clone)]
pub struct Comment {
    /// How long it may be.
    pub budget: Budget,
    /// Names the comment, so that it can be found and updated: `<!-- germ-post:ID -->`.
    pub id: String,
    /// Lines around what changes in long values.
    pub context: usize,
    /// How to see everything; said where something is left out.
    pub whole: String,
}

/// What one comment says of an object.
struct Entry {
    kind: String,
    row: String,
    detail: Detail,
}

/// Room that is kept for the last lines.
const FOOT: usize = 400;

/// The comment.
pub fn render(fleet: &Fleet, comment: &Comment) -> String {
    let page = Page::new(fleet, comment);
    let mut text = page.head.clone();
    let mut shown = 0;
    let budget = comment.budget;
    let room = |text: &str| budget.most.saturating_sub(FOOT.min(budget.most / 4) + budget.size(text));
    for entry in &page.entries {
        let detail = entry.detail.text();
        if budget.size(&detail) <= room(&text) {
            text.push_str(&detail);
            shown += 1;
        }
    }
    if shown == 0
        && let Some(entry) = page.entries.first()
    {
        // Better a part of one object than none.
        text.push_str(&entry.detail.start(&budget, room(&text)));
    }
    text.push_str(&foot(shown, page.entries.len(), &comment.whole));
    budget.cut(&text, budget.most).to_owned()
}

/// The same as several comments, none too long and nothing left out.
pub fn split(fleet: &Fleet, comment: &Comment) -> Vec<String> {
    let page = Page::new(fleet, comment);
    let budget = comment.budget;
    // The longest line that says which part it is.
    let part_line = budget.size("part 1000/1000\n\n");
    let marker = |part: usize| match part {
        1 => String::new(),
        part => format!("<!-- germ-post:{}:{part} -->\n### germ-post diff\n\n", comment.id),
    };
    let mut parts = vec![page.head.clone()];
    let least = budget.size(&marker(1000)) + part_line + 200;
    let room = |text: &str| budget.most.saturating_sub(budget.size(text) + part_line);
    for entry in &page.entries {
        let mut rest = Some(&entry.detail).map(|detail| detail.part(0));
        while let Some(detail) = rest.take() {
            let number = parts.len();
            let Some(last) = parts.last_mut() else { break };
            let text = detail.text();
            if budget.size(&text) <= room(last) {
                last.push_str(&text);
                break;
            }
            let whole_page = budget.most.saturating_sub(least);
            if budget.size(&text) > whole_page && room(last) > whole_page / 2 {
                // Longer than a comment: it goes on in the next.
                let lines = detail.fitting(&budget, room(last));
                if lines > 0 {
                    let (first, second) = detail.at(lines);
                    last.push_str(&first.text());
                    rest = Some(second);
                    if rest.as_ref().is_some_and(|rest| rest.lines.is_empty()) {
                        break;
                    }
                    parts.push(marker(number + 1));
                    continue;
                }
                if number > 1 && last == &marker(number) {
                    // Not a line of it has room anywhere.
                    last.push_str(budget.cut(&text, room(last)));
                    break;
                }
            }
            parts.push(marker(number + 1));
            rest = Some(detail);
        }
    }
    let number = parts.len();
    parts
        .into_iter()
        .enumerate()
        .map(|(index, text)| match number {
            1 => budget.cut(&text, budget.most).to_owned(),
            _ => {
                let text = format!("{}\npart {}/{number}\n", text.trim_end(), index + 1);
                budget.cut(&text, budget.most).to_owned()
            }
        })
        .collect()
}

/// Everything that a comment is made of.
struct Page {
    /// What is there in any case.
    head: String,
    entries: Vec<Entry>,
}

impl Page {
    fn new(fleet: &Fleet, comment: &Comment) -> Self {
        let budget = comment.budget;
        let mut head = format!("<!-- germ-post:{} -->\n### germ-post diff\n\n", comment.id);
        if let Some(first) = fleet.groups.first() {
            let _ = writeln!(head, "{}  ", code(&summary::sides(&first.compared.comparison)));
        }
        if let Some(rendered) = &fleet.rendered {
            let _ = writeln!(head, "{}  ", plain(rendered));
        }
        let _ = writeln!(head, "**{}**", plain(&summary::of_fleet(fleet)));
        for needless in &fleet.needless {
            let _ = writeln!(head, "\n{}", plain(&summary::needless(needless)));
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut dangers = Vec::new();
        for group in &fleet.groups {
            let comparison = &group.compared.comparison;
            let label = (!group.targets.is_empty()).then(|| human::targets(fleet, group));
            dangers.extend(comparison.dangers.iter().map(|danger| item(danger, group)));
            if comparison.is_same() {
                continue;
            }
            for (index, object) in comparison.objects.iter().enumerate() {
                let mut entry = entry(object, comment);
                if let Some(label) = label.as_ref().filter(|_| index == 0) {
                    entry.row = format!("| **{}** | | |\n{}", plain(label), entry.row);
                    entry.detail.title = format!("{} ({})", entry.detail.title, html(label));
                }
                entries.push(entry);
            }
            entries.extend(comparison.styled.iter().map(|styled| {
                let lines: Vec<String> = styled.hunks.lines().map(str::to_owned).collect();
                let title = format!("~ {}: written otherwise", code(&styled.identity.to_string()));
                Entry {
                    kind: styled.identity.kind.clone(),
                    row: format!("| ~ {} | written otherwise | |\n", code(&styled.identity.to_string())),
                    detail: Detail { title, fence: fence(&lines), lines },
                }
            }));
            let churn = summary::churn(comparison);
            if !churn.is_empty() {
                let _ = writeln!(head, "\nFolded: {churn}.");
            }
            if !comparison.restarts.is_empty() {
                let restarts: Vec<String> =
                    comparison.restarts.iter().take(10).map(|object| code(&object.to_string())).collect();
                let more = comparison.restarts.len().saturating_sub(10);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let _ = writeln!(head, "\nRestarts the pods of {}{more}.", restarts.join(", "));
            }
        }
        let used = |text: &str| budget.size(text);
        if !dangers.is_empty() {
            head.push_str("\n#### Dangers\n\n");
            let most = used(&head) + budget.most.saturating_sub(used(&head)) * 2 / 5;
            fill(&mut head, &dangers, most, &budget, |left| {
                format!("- and {}\n", counted(left, "more danger"))
            });
        }
        if !entries.is_empty() {
            head.push_str("\n| object | changes | by |\n|---|---|---|\n");
            let most = used(&head) + budget.most.saturating_sub(used(&head)) / 2;
            let rows: Vec<String> = entries.iter().map(|entry| entry.row.clone()).collect();
            let of_entries = &entries;
            fill(&mut head, &rows, most, &budget, |left| {
                let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
                for entry in &of_entries[of_entries.len() - left..] {
                    *kinds.entry(entry.kind.as_str()).or_default() += 1;
                }
                let kinds: Vec<String> =
                    kinds.iter().take(8).map(|(kind, number)| format!("{number} {}", plain(kind))).collect();
                format!("| and {} | {} | |\n", counted(left, "more object"), kinds.join(", "))
            });
            head.push('\n');
        }
        Self { head, entries }
    }
}

/// Adds items while they fit, and says how many do not.
fn fill(text: &mut String, items: &[String], most: usize, budget: &Budget, rest: impl Fn(usize) -> String) {
    const ROOM_FOR_THE_REST: usize = 200;
    for (index, item) in items.iter().enumerate() {
        let is_last = index + 1 == items.len();
        let kept = if is_last { 0 } else { ROOM_FOR_THE_REST };
        if budget.size(text) + budget.size(item) + kept > most {
            text.push_str(&rest(items.len() - index));
            return;
        }
        text.push_str(item);
    }
}

fn foot(shown: usize, all: usize, whole: &str) -> String {
    if shown == all {
        return String::new();
    }
    let left = all - shown;
    format!(
        "\n{shown} of {} shown; the details of {} are left out, since a comment may be no longer. \
         All of it: {}\n",
        counted(all, "object"),
        counted(left, "object"),
        code(budget_safe(whole)),
    )
}

/// A command that would not fit is not said.
fn budget_safe(whole: &str) -> &str {
    if whole.chars().count() > 200 { "germ-post diff" } else { whole }
}

fn item(danger: &Danger, group: &Group) -> String {
    let mut out = format!(
        "- **{}** {}: {}, in {}",
        summary::word(danger.severity),
        code(&danger.rule),
        plain(&danger.message),
        code(&danger.object.to_string())
    );
    if let Some(path) = &danger.path {
        let _ = write!(out, " at {}", code(path));
    }
    if let Some(origin) = &danger.origin {
        let _ = write!(out, " ({})", plain(&origin.by()));
    }
    if !group.targets.is_empty() {
        let _ = write!(out, " on {}", plain(&group.targets.join(", ")));
    }
    let _ = writeln!(out, "<br>{}", plain(&danger.why));
    out
}

fn entry(object: &ObjectDiff, comment: &Comment) -> Entry {
    let sign = match object.state {
        ObjectState::Added => '+',
        ObjectState::Removed => '−',
        ObjectState::Changed => '±',
        ObjectState::Renamed => '→',
    };
    let name = code(&object.title());
    let what = match (object.changes.len(), object.state) {
        (0, _) => summary::state(object).to_owned(),
        (number, ObjectState::Renamed) => format!("renamed, {}", counted(number, "change")),
        (number, _) => counted(number, "change"),
    };
    let mut by: Vec<String> = object.origins().iter().map(|origin| plain(origin)).collect();
    if object.restarts {
        by.push("restarts pods".to_owned());
    }
    let lines = detail(object, comment.context);
    Entry {
        kind: object.identity.kind.clone(),
        row: format!("| {sign} {name} | {what} | {} |\n", by.join(", ")),
        detail: Detail { title: format!("{sign} {name}: {what}"), fence: fence(&lines), lines },
    }
}

fn detail(object: &ObjectDiff, context: usize) -> Vec<String> {
    let line = |line: &Line| format!("{} {}", line.sign.as_char(), line.text);
    let mut out = Vec::new();
    if object.value.is_some() {
        out.extend(lines::of_object(object).iter().map(line));
    }
    for change in &object.changes {
        let origin =
            change.origin.as_ref().map(|origin| format!(" {}", origin.in_words())).unwrap_or_default();
        let order = if change.kind == ChangeKind::Reordered { " in another order" } else { "" };
        out.push(format!("@@ {} @@{order}{origin}", change.path));
        out.extend(lines::of_change(change, context).iter().map(line));
    }
    // A line break within a path or a name would end the line.
    out.iter().map(|line| line.replace(['\n', '\r'], "␤")).collect()
}

/// Text that Markdown, HTML and mentions find nothing in.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\r' => out.push(' '),
            '`' | '|' | '*' | '_' | '~' | '[' | ']' | '@' | '#' | '\\' | '!' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn html(text: &str) -> String {
    plain(text)
}

/// The same in the letters of code.
fn code(text: &str) -> String {
    format!("<code>{}</code>", plain(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_cell() {
        assert_eq!(plain("a|b <x> @me *b* `c`\n"), "a&#124;b &lt;x&gt; &#64;me &#42;b&#42; &#96;c&#96; ");
    }

    #[test]
    fn bytes_are_cut_between_characters() {
        let bytes = Budget { most: 5, measure: super::super::budget::Measure::Bytes };
        assert_eq!(bytes.cut("ééé", 5), "éé");
        let characters = Budget { most: 2, measure: super::super::budget::Measure::Characters };
        assert_eq!(characters.cut("ééé", 2), "éé");
    }
}
