//! A rule explained: what it is for, where that can be looked up, what it does,
//! which chart value makes it needless, and how to keep an object from it.

use serde_json::Value;

use crate::profile::file::{EditFile, EmitFile, MatchFile, RuleFile};
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
    out.push_str("\n\nWhat it edits\n");
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
    for assert in &rule.assert {
        out.push_str(&format!(
            "\nMust hold of {}\n  {} is {}\n",
            objects(&assert.matches),
            assert.path,
            assert.is
        ));
    }
    out.push_str(&format!(
        "\nIf it misses\n  The stream is neither as the rule expects it nor as the rule wants it. Look at\n  \
         the place that the error names: the chart may have changed.\n\nTo keep an object from it\n  \
         metadata.annotations: {{germ-post.dev/keep.{}: \"<reason>\"}}\n\nTo leave it out\n  \
         --skip {}, or in a profile: adjust: [{{rule: {}, off: true, reason: …}}]\n",
        rule.id.replace('/', "."),
        rule.id,
        rule.id
    ));
    out
}

/// What a rule adds, in words.
fn added(emit: &EmitFile) -> String {
    match (&emit.file, &emit.object) {
        (Some(file), _) => format!("the objects of {file}"),
        (None, Some(object)) => {
            let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or("?");
            format!("{} {}", text("/kind"), text("/metadata/name"))
        }
        (None, None) => "nothing".to_owned(),
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
    match group {
        Some(group) => format!("{kind} ({group}){name}"),
        None => format!("{kind}{name}"),
    }
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
