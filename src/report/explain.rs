//! A rule explained: what it is for, where that can be looked up, what it does or
//! looks for, which chart value makes it needless, and how to keep an object from it.

use serde_json::Value;

use crate::profile::file::{CheckFile, EditFile, EmitFile, MatchFile, RuleFile};
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
    if !rule.check.is_empty() {
        out.push_str("\nWhat `germ-post check` looks for\n");
        rule.check.iter().for_each(|check| looked_for(check, &mut out));
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
    } else {
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
    if let Some(values) = &rule.values {
        out.push_str(&format!("\nValues of the chart {} that make it needless\n", values.chart));
        for (path, value) in &values.set {
            out.push_str(&format!("  {path}: {value}\n"));
        }
    }
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
