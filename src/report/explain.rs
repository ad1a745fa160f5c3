//! A rule explained: what it is for, where that can be looked up, what it does or
//! looks for, which chart value makes it needless, and how to keep an object from it.

use serde_json::Value;

use crate::profile::file::{
    CheckFile, DangerFile, EditFile, EmitFile, EventWord, MatchFile, OneOrMany, RuleFile, ValuesFile,
};
use crate::profile::load::LoadedFile;

/// The explanation of a rule of a profile file.
pub fn rule(file: &LoadedFile, rule: &RuleFile) -> String {
    let mut out = format!("{}: {}\n", rule.id, rule.title);
    out.push_str(&format!("profile: {} {}\n", file.file.name, file.file.version.as_deref().unwrap_or("")));
    out.push_str(&format!(
        "severity: {}\n\n",
        word(&serde_json::to_value(rule.severity).unwrap_or_default())
    ));
    out.push_str(&wrapped(&rule.why, 78));
    for source in rule.source.iter().flat_map(|source| source.iter()) {
        out.push_str(&format!("\nsource: {source}"));
    }
    out.push('\n');
    if rule.rewrites() {
        edits(rule, &mut out);
    }
    for assert in &rule.assert {
        out.push_str(&format!(
            "\nMust hold of {}\n  {} is {}\n",
            objects(&assert.matches),
            assert.path,
            assert.is
        ));
    }
    values(rule, &mut out);
    if !rule.check.is_empty() {
        out.push_str("\nWhat `germ-post check` looks for\n");
        rule.check.iter().for_each(|check| looked_for(check, &mut out));
    }
    if !rule.danger.is_empty() {
        out.push_str("\nWhat `germ-post diff` warns of\n");
        rule.danger.iter().for_each(|danger| warned_of(danger, &mut out));
    }
    if let Some(help) = rule.help.as_ref().filter(|_| !rule.rewrites()) {
        out.push_str(&format!("\nWhat to do\n{}\n", indented(help)));
    }
    if let Some(why) = &rule.refuse {
        out.push_str(&format!("\nWhat it refuses\n{}\n", indented(why)));
    }
    if !rule.look.is_empty() {
        out.push_str("\nWhere to look, the cheapest way first\n");
        for (number, look) in rule.look.iter().enumerate() {
            let text = indented(look);
            out.push_str(&format!("  {}. {}\n", number + 1, text.trim_start().replace('\n', "\n   ")));
        }
    }
    let dotted = rule.id.replace('/', ".");
    if rule.rewrites() {
        out.push_str(&format!(
            "\nIf it misses\n  The stream is neither as the rule expects it nor as the rule wants it. Look at\n  \
             the place that the error names: the chart may have changed.\n\nTo keep an object from it\n  \
             metadata.annotations: {{germ-post.dev/keep.{dotted}: \"<reason>\"}}\n",
        ));
    } else if !rule.check.is_empty() {
        out.push_str(&format!(
            "\nTo suppress it\n  metadata.annotations: {{germ-post.dev/ignore.{dotted}: \"<reason>\"}}\n  \
             # germ-post: ignore[{}] <reason>\n  germ-post.yaml: ignore: [{{rule: {}, name: …, reason: …}}]\n",
            rule.id, rule.id
        ));
    }
    out.push_str(&format!(
        "\nTo leave it out\n  --skip {}, or in a profile: adjust: [{{rule: {}, off: true, reason: …}}]\n",
        rule.id, rule.id
    ));
    out
}

/// What the rule does to a stream, and the values that make it needless.
fn edits(rule: &RuleFile, out: &mut String) {
    out.push_str("\nWhat it edits\n");
    let mut edits = 0;
    for (matches, list) in rule
        .matches
        .iter()
        .map(|matches| (matches, &rule.edit))
        .chain(rule.parts.iter().map(|part| (&part.matches, &part.edit)))
    {
        out.push_str(&format!("  {}\n", objects(matches)));
        for edit in list {
            edits += 1;
            out.push_str(&format!("    {}\n", edit_line(edit)));
        }
    }
    if let Some(emit) = &rule.emit {
        out.push_str(&format!("  adds {}\n", added(emit)));
    } else if let Some(expect) = rule.expect.as_ref().filter(|_| edits == 0) {
        out.push_str(&format!("    nothing, but there must be {expect}\n"));
    } else if edits == 0 {
        out.push_str("  nothing\n");
    }
}

/// The chart values that make the rule's edits needless, or put right what it finds.
fn values(rule: &RuleFile, out: &mut String) {
    let what = if rule.rewrites() { "make it needless" } else { "put it right" };
    let mut told = String::new();
    for face in &rule.values {
        let charts: Vec<&str> = face.chart.iter().collect();
        let of =
            if charts == ["*"] { "any chart".to_owned() } else { format!("the chart {}", charts.join(", ")) };
        out.push_str(&format!("\nValues of {of} that {what}"));
        for (name, value) in &face.when {
            out.push_str(&format!(" (when {name} is {})", word(value)));
        }
        out.push('\n');
        let wishes = wishes(face);
        out.push_str(if wishes == told { "  the same\n" } else { &wishes });
        told = wishes;
    }
    if !rule.values.is_empty() {
        out.push_str("  written by: germ-post values --profile … --chart FOLDER\n");
    }
}

/// What a values face wants, a line each.
fn wishes(face: &ValuesFile) -> String {
    let mut lines = Vec::new();
    lines.extend(face.set.iter().map(|(path, value)| format!("{path}: {value}")));
    lines.extend(face.retain.iter().map(|(path, value)| format!("{path}: none but {value}")));
    lines.extend(face.exclude.iter().map(|(path, value)| format!("{path}: without {value}")));
    for each in &face.each {
        let (key, value) = match (&each.set, &each.value, &each.remove) {
            (Some(key), Some(value), _) => (key, value.to_string()),
            (_, _, Some(key)) => (key, "not there".to_owned()),
            _ => continue,
        };
        let fields: Vec<String> =
            each.condition.iter().map(|(field, test)| format!("{field} is {}", word(test))).collect();
        let fields =
            if fields.is_empty() { String::new() } else { format!(", where {}", fields.join(" and ")) };
        let place = place(each.within.as_deref(), key, each.chart.as_ref());
        lines.push(format!("{place}: {value}, if the chart has it{fields}"));
    }
    for kept in &face.leave {
        let place = place(kept.within.as_deref(), &kept.key, kept.chart.as_ref());
        lines.push(format!("not {place}: {}", kept.reason.trim()));
    }
    lines.extend(face.require.iter().map(|(path, test)| format!("only if {path} is {}", word(test))));
    lines.into_iter().map(|line| format!("  {line}\n")).collect()
}

/// A key of a pattern, and the charts that it is limited to.
fn place(within: Option<&str>, key: &str, charts: Option<&OneOrMany>) -> String {
    let within = within.map(|within| format!("{within}.")).unwrap_or_default();
    let charts: Vec<&str> = charts.into_iter().flat_map(OneOrMany::iter).collect();
    let of = if charts.is_empty() { String::new() } else { format!(" of {}", charts.join(", ")) };
    format!("{within}{key}{of}")
}

fn looked_for(check: &CheckFile, out: &mut String) {
    let what = match (&check.computed, &check.find) {
        (Some(name), _) if check.with.contains_key("report") => {
            format!("what is wrong with suppressions ({name})")
        }
        (Some(name), _) => format!("{}: computed, {name}", objects(&check.matches)),
        (None, Some(find)) => {
            let is = check.is.as_ref().map_or("present".to_owned(), word);
            format!("{}: {find} is {is}", objects(&check.matches))
        }
        (None, None) => objects(&check.matches),
    };
    out.push_str(&format!("  {what}"));
    for (name, value) in &check.when {
        out.push_str(&format!(" (when {name} is {})", word(value)));
    }
    out.push('\n');
    for beside in &check.beside {
        let field = beside
            .find
            .as_ref()
            .map(|find| format!(": {find} is {}", beside.is.as_ref().map_or("present".to_owned(), word)));
        out.push_str(&format!("    beside {}{}\n", objects(&beside.matches), field.unwrap_or_default()));
    }
    for without in &check.without {
        out.push_str(&format!("    unless there is {}\n", objects(without)));
    }
}

fn warned_of(danger: &DangerFile, out: &mut String) {
    let events = if danger.event.is_empty() { &[EventWord::Changed][..] } else { &danger.event };
    let events: Vec<&str> = events
        .iter()
        .map(|event| match event {
            EventWord::Changed => "changed",
            EventWord::Removed => "removed",
            EventWord::Renamed => "renamed",
            EventWord::Added => "added",
        })
        .collect();
    out.push_str(&format!("  {}, {}", objects(&danger.matches), events.join(" or ")));
    if let Some(find) = &danger.find {
        out.push_str(&format!(": {find}"));
        let tests = [(&danger.was, "was"), (&danger.is, "is")];
        for (test, side) in tests.into_iter().filter_map(|(test, side)| Some((test.as_ref()?, side))) {
            out.push_str(&format!(" {side} {}", word(test)));
        }
    }
    for (name, value) in &danger.when {
        out.push_str(&format!(" (when {name} is {})", word(value)));
    }
    out.push('\n');
}

fn indented(text: &str) -> String {
    wrapped(text, 76).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// What a rule adds, in words.
fn added(emit: &EmitFile) -> String {
    match (&emit.file, &emit.object) {
        (Some(file), _) => format!("the objects of {file}"),
        (None, Some(object)) => {
            let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or("?");
            format!("{} {}", text("/kind"), text("/metadata/name"))
        }
        (None, None) => match &emit.computed {
            Some(name) => format!("what is computed for each object ({name})"),
            None => "nothing".to_owned(),
        },
    }
}

fn edit_line(edit: &EditFile) -> String {
    let named = [
        ("set", &edit.set),
        ("remove", &edit.remove),
        ("merge into", &edit.merge),
        ("append to", &edit.append),
        ("insert into", &edit.insert),
        ("retain in", &edit.retain),
        ("replace in", &edit.replace),
        ("rewrite image", &edit.rewrite_image),
        ("restamp", &edit.restamp),
        ("require", &edit.require),
        ("leave:", &edit.leave),
    ];
    let mut line = match named.iter().find_map(|(verb, path)| path.as_ref().map(|path| (verb, path))) {
        Some((verb, path)) => format!("{verb} {path}"),
        None => "drop the object".to_owned(),
    };
    for (label, value) in [("=", &edit.value), ("was", &edit.was), ("is", &edit.is)] {
        if let Some(value) = value {
            line.push_str(&format!(" {label} {}", word(value)));
        }
    }
    for (name, value) in &edit.when {
        line.push_str(&format!(" (when {name} is {})", word(value)));
    }
    line
}

fn objects(matches: &MatchFile) -> String {
    let list = |words: &Option<crate::profile::file::OneOrMany>| {
        words.as_ref().map(|words| words.iter().collect::<Vec<_>>().join("|"))
    };
    let kind = list(&matches.kind).unwrap_or_else(|| "any kind".to_owned());
    let group = list(&matches.group).filter(|group| !group.is_empty());
    let name = list(&matches.name).map(|name| format!(" {name}")).unwrap_or_default();
    let group = group.map(|group| format!(" ({group})")).unwrap_or_default();
    let fields: Vec<String> =
        matches.fields.iter().map(|(path, test)| format!("{path} is {}", word(test))).collect();
    let fields = if fields.is_empty() { String::new() } else { format!(" where {}", fields.join(" and ")) };
    format!("{kind}{group}{name}{fields}")
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Text in lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.chars().count() > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.chars().count();
    }
    out
}
