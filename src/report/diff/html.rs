//! One page that needs nothing else: dangers on top, objects that fold, a search, and a
//! filter by rule. Without scripts it is still a report that can be read.

use std::fmt::Write as _;

use super::lines::{self, Line, Sign};
use super::{human, summary};
use crate::compare::fleet::{Fleet, Group};
use crate::compare::model::{Change, ChangeKind, Danger, ObjectDiff, ObjectState};
use crate::report::human::counted;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Objects up to which all are open at first.
const MOST_OPEN: usize = 20;

/// The page.
pub fn render(fleet: &Fleet, context: usize) -> String {
    let mut body = String::new();
    let number: usize = fleet.groups.iter().map(|group| group.compared.comparison.objects.len()).sum();
    for group in &fleet.groups {
        of_group(fleet, group, context, number <= MOST_OPEN, &mut body);
    }
    for needless in &fleet.needless {
        let _ =
            writeln!(body, "<p>{} ({})</p>", escape(&summary::needless(needless)), escape(&needless.title));
    }
    let title =
        fleet.groups.first().map(|group| summary::sides(&group.compared.comparison)).unwrap_or_default();
    let rendered = fleet
        .rendered
        .as_ref()
        .map(|text| format!("<p class=\"faint\">{}</p>", escape(text)))
        .unwrap_or_default();
    let origins = origins(fleet);
    let options: String = origins
        .iter()
        .map(|(name, number)| {
            format!("<option value=\"{0}\">{0} ({1})</option>", escape(name), counted(*number, "object"))
        })
        .collect();
    // A filter by nothing is of no use, yet the script finds what it looks for.
    let hidden = if origins.is_empty() { " hidden" } else { "" };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>germ-post diff: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header><div>\n\
         <h1>{title}</h1>\n<p>{line}</p>\n{rendered}\n<div class=\"controls\">\n\
         <input id=\"search\" type=\"search\" placeholder=\"Search objects, paths and values (/)\" aria-label=\"Search\">\n\
         <select id=\"by\" aria-label=\"Changed by\"{hidden}><option value=\"\">changed by anyone</option>{options}</select>\n\
         <button id=\"open\" type=\"button\">Open all</button>\n<button id=\"close\" type=\"button\">Fold all</button>\n\
         <span id=\"count\" class=\"faint\" role=\"status\">{objects}</span>\n</div>\n</div></header>\n<main>\n{body}\
         <p id=\"nothing\" hidden>No object fits.</p>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(&title),
        line = escape(&summary::of_fleet(fleet)),
        objects = counted(number, "object"),
    )
}

/// Who made changes, and in how many objects.
fn origins(fleet: &Fleet) -> Vec<(String, usize)> {
    let mut out: Vec<(String, usize)> = Vec::new();
    for object in fleet.groups.iter().flat_map(|group| &group.compared.comparison.objects) {
        for origin in object.origins() {
            match out.iter_mut().find(|(known, _)| *known == origin) {
                Some((_, number)) => *number += 1,
                None => out.push((origin, 1)),
            }
        }
    }
    out.sort();
    out
}

fn of_group(fleet: &Fleet, group: &Group, context: usize, open: bool, out: &mut String) {
    let comparison = &group.compared.comparison;
    out.push_str("<section class=\"group\">\n");
    if !group.targets.is_empty() {
        let _ = writeln!(out, "<h2>{}</h2>", escape(&human::targets(fleet, group)));
        let _ = writeln!(out, "<p class=\"faint\">{}</p>", escape(&summary::line(comparison)));
    }
    if !comparison.dangers.is_empty() {
        out.push_str("<h2>Dangers</h2>\n");
        comparison.dangers.iter().for_each(|one| danger(one, out));
    }
    if !comparison.restarts.is_empty() {
        let names: Vec<String> =
            comparison.restarts.iter().map(|object| escape(&object.to_string())).collect();
        let _ = writeln!(out, "<p>Restarts the pods of {}.</p>", names.join(", "));
    }
    let churn = summary::churn(comparison);
    if !churn.is_empty() {
        let _ = writeln!(out, "<p class=\"faint\">Folded: {}.</p>", escape(&churn));
    }
    if !comparison.objects.is_empty() {
        out.push_str("<h2>Objects</h2>\n");
    }
    comparison.objects.iter().for_each(|object| of_object(object, context, open, out));
    for styled in &comparison.styled {
        let lines = counted(styled.lines, "line");
        let name = escape(&styled.identity.to_string());
        let _ = writeln!(
            out,
            "<details class=\"object\" data-by=\"\"><summary><span class=\"sign\">~</span><span class=\"name\">{name}</span> \
             <span class=\"tag\">written otherwise, {lines}</span></summary><div class=\"change\"><pre>{}</pre></div></details>",
            styled.hunks.lines().map(|line| format!("<span>{}</span>", escape(line))).collect::<String>()
        );
    }
    out.push_str("</section>\n");
}

fn danger(danger: &Danger, out: &mut String) {
    let word = summary::word(danger.severity);
    let by = danger.origin.as_ref().map(|origin| format!(", {}", escape(&origin.by()))).unwrap_or_default();
    let _ = write!(
        out,
        "<div class=\"danger-card {word}\"><p><b>{word}</b> {}<span class=\"tag\">{}</span></p><p class=\"faint\">in {}{by}</p><p>{}</p>",
        escape(&danger.message),
        escape(&danger.rule),
        escape(&summary::place(danger)),
        escape(&danger.why),
    );
    if let Some(help) = &danger.help {
        let _ = write!(out, "<p>{}</p>", escape(help));
    }
    for source in danger.sources.iter().filter(|source| source.starts_with("https://")) {
        let _ = write!(out, "<p><a href=\"{0}\">{0}</a></p>", escape(source));
    }
    out.push_str("</div>\n");
}

fn of_object(object: &ObjectDiff, context: usize, open: bool, out: &mut String) {
    let sign = match object.state {
        ObjectState::Added => '+',
        ObjectState::Removed => '−',
        ObjectState::Changed => '±',
        ObjectState::Renamed => '→',
    };
    let state = summary::state(object);
    let origins = object.origins();
    let what = match object.changes.len() {
        0 => state.to_owned(),
        number => counted(number, "change"),
    };
    // What is new or gone is long, and its name says it.
    let open = if open && object.value.is_none() { " open" } else { "" };
    let _ = write!(
        out,
        "<details class=\"object {state}\" data-by=\"{}\"{open}><summary><span class=\"sign\">{sign}</span><span class=\"name\">{}</span> \
         <span class=\"faint\">{}</span><span class=\"tag\">{what}</span>",
        escape(&origins.join("\n")),
        escape(&object.title()),
        escape(&summary::version_change(object).unwrap_or_else(|| object.identity.api_version())),
    );
    for origin in &origins {
        let _ = write!(out, "<span class=\"tag\">{}</span>", escape(origin));
    }
    if object.restarts {
        out.push_str("<span class=\"tag\">restarts pods</span>");
    }
    out.push_str("</summary>\n");
    if let Some(template) = &object.template {
        let _ = writeln!(out, "<div class=\"change faint\">{}</div>", escape(template));
    }
    if object.value.is_some() {
        let _ = writeln!(out, "<div class=\"change\">{}</div>", pre(&lines::of_object(object)));
    }
    object.changes.iter().for_each(|change| of_change(change, context, out));
    out.push_str("</details>\n");
}

fn of_change(change: &Change, context: usize, out: &mut String) {
    let by = change.origin.as_ref().map(|origin| {
        let chart = origin.chart.then(|| "chart".to_owned());
        chart.into_iter().chain(origin.rules.iter().cloned()).collect::<Vec<_>>()
    });
    let attribute =
        by.as_ref().map(|by| format!(" data-by=\"{}\"", escape(&by.join("\n")))).unwrap_or_default();
    let word = match change.kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
        ChangeKind::Reordered => "in another order",
    };
    let tag = change
        .origin
        .as_ref()
        .map(|origin| format!("<span class=\"tag\">{}</span>", escape(&origin.in_words())));
    let churn = if change.churn.is_some() { "<span class=\"tag\">churn</span>" } else { "" };
    let _ = writeln!(
        out,
        "<div class=\"change\"{attribute}><span class=\"path\">{}</span> <span class=\"faint\">{word}</span>{}{churn}{}</div>",
        escape(&change.path),
        tag.unwrap_or_default(),
        pre(&lines::of_change(change, context)),
    );
}

fn pre(lines: &[Line]) -> String {
    let line = |line: &Line| {
        let class = match line.sign {
            Sign::Old => "o",
            Sign::New => "n",
            Sign::Same | Sign::Gap => "s",
        };
        format!("<span class=\"{class}\">{} {}</span>", line.sign.as_char(), escape(&line.text))
    };
    format!("<pre>{}</pre>", lines.iter().map(line).collect::<String>())
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Browsers take them for something else, or end a line with them.
            '\0' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
