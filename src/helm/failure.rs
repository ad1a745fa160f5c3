//! What of Helm's error output is worth showing: the cause first, in one line, the way
//! there behind it, warnings left out, and no value that was handed over. Argo CD shows
//! and caches this text, so it has to be short.

use crate::diagnostic::Diagnostic;

/// How many characters of one message are shown.
const LONGEST: usize = 600;

/// How many lines of a message that has several.
const MOST_LINES: usize = 6;

/// The error of a Helm that failed. `doing` says at what (`render the chart`),
/// `confidential` which texts were handed over as values.
pub fn failure<'c>(doing: &str, stderr: &str, confidential: impl IntoIterator<Item = &'c str>) -> Diagnostic {
    let text = without_secrets(&message(stderr), confidential);
    if text.is_empty() {
        return Diagnostic::input("helm-failed", format!("Helm cannot {doing}, and does not say why"));
    }
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let (cause, way) = cause_and_way(first);
    let mut diagnostic =
        Diagnostic::input("helm-failed", format!("Helm cannot {doing}: {}", shortened(cause)));
    for line in lines.by_ref().take(MOST_LINES) {
        diagnostic = diagnostic.note(shortened(line));
    }
    if let rest @ 1.. = lines.count() {
        diagnostic = diagnostic.note(format!("… and {rest} more lines"));
    }
    match way {
        Some(way) => diagnostic.note(format!("at {}", shortened(way))),
        None => diagnostic,
    }
}

/// Whether Helm stopped because dependencies are not in `charts/`. Source: Helm's
/// `action.CheckDependencies` (3 and 4), which Argo CD looks for as well.
pub fn misses_dependencies(stderr: &str) -> bool {
    stderr.contains("found in Chart.yaml, but missing in charts/ directory")
}

/// The text behind `Error:`, to the end; without one, everything that is no warning.
fn message(stderr: &str) -> String {
    let is_noise = |line: &str| {
        line.trim().is_empty()
            || line.starts_with("WARNING:")
            || line.contains("level=WARN")
            || line.contains("level=INFO")
            || line.starts_with("Use --debug flag")
            || is_log(line)
    };
    let lines: Vec<&str> = stderr.lines().filter(|line| !is_noise(line)).collect();
    let start = lines.iter().position(|line| line.starts_with("Error:")).unwrap_or(0);
    let text = lines[start..].join("\n");
    text.strip_prefix("Error:").unwrap_or(&text).trim().to_owned()
}

/// A line of Go's logger, as in `walk.go:75: found symbolic link`, or with a date in
/// front of it.
fn is_log(line: &str) -> bool {
    let Some((place, _)) = line.split_once(": ") else { return false };
    let place = place.rsplit(' ').next().unwrap_or(place);
    place.split_once(".go:").is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
        && !place.is_empty()
}

/// The last error of a chain of template calls, and the chain.
/// `template: a/b.yaml:3:5: executing "a/b.yaml" at <fail "x">: error calling fail: x`
/// → `x`, `a/b.yaml:3:5`.
fn cause_and_way(text: &str) -> (&str, Option<&str>) {
    let Some(at) = text.rfind(">: ").filter(|_| text.contains(": executing ")) else { return (text, None) };
    let cause = &text[at + 3..];
    let cause = match cause.strip_prefix("error calling ").and_then(|rest| rest.split_once(": ")) {
        Some((function, rest)) if !function.contains(' ') => rest,
        _ => cause,
    };
    let way = text.find("template: ").and_then(|start| {
        let way = &text[start + "template: ".len()..];
        way.find(": executing ").map(|end| &way[..end])
    });
    (cause, way)
}

/// The text without what was handed over as values, what Go's parsers quote of values,
/// and credentials in URLs.
fn without_secrets<'c>(text: &str, confidential: impl IntoIterator<Item = &'c str>) -> String {
    let mut confidential: Vec<&str> =
        confidential.into_iter().filter(|value| value.len() >= SHORTEST_SECRET).collect();
    // The longest first: one may be a part of another.
    confidential.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let mut out = text.to_owned();
    for value in confidential {
        out = out.replace(value, MASK);
        // Go quotes what it shows by %q.
        out = out.replace(&value.replace('\\', "\\\\").replace('"', "\\\""), MASK);
    }
    for (before, after) in QUOTED {
        out = mask_between(&out, before, after);
    }
    mask_credentials(&out)
}

const MASK: &str = "***";

/// Shorter values are no secrets, and masking them would make messages unreadable.
const SHORTEST_SECRET: usize = 4;

/// Where Go's libraries quote a value: yaml (`cannot unmarshal !!str `…` into`),
/// strconv (`parsing "…"`), and Helm's reader of `--set` (`key "…" has no value`).
const QUOTED: &[(&str, &str)] =
    &[("cannot unmarshal !!", "` into"), ("parsing \"", "\": invalid"), ("key \"", "\" has no value")];

fn mask_between(text: &str, before: &str, after: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(before).map(|at| at + before.len()) {
        let Some(length) = rest[start..].find(after) else { break };
        // The type's name in front of a backtick may stay.
        let kept = rest[start..start + length].find('`').map_or(0, |at| at + 1);
        out.push_str(&rest[..start + kept]);
        out.push_str(MASK);
        rest = &rest[start + length..];
    }
    out + rest
}

/// `https://user:password@host` → `https://***@host`.
fn mask_credentials(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("://").map(|at| at + 3) {
        let end = rest[start..].find(['/', ' ', '"', '\n']).map_or(rest.len(), |at| start + at);
        out.push_str(&rest[..start]);
        match rest[start..end].rfind('@') {
            Some(at) => {
                out.push_str(MASK);
                out.push_str(&rest[start + at..end]);
            }
            None => out.push_str(&rest[start..end]),
        }
        rest = &rest[end..];
    }
    out + rest
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(stderr: &str, confidential: &[&str]) -> Diagnostic {
        failure("render the chart", stderr, confidential.iter().copied())
    }

    #[test]
    fn the_cause_comes_first_and_the_way_behind_it() {
        let stderr = "walk.go:75: found symbolic link in path: /a resolves to /b\n\
            WARNING: Kubernetes configuration file is group-readable.\n\
            time=2026-01-01T00:00:00Z level=WARN msg=\"duplicate\"\n\
            Error: execution error at (demo/templates/a.yaml:3:5): the name is missing\n\n\
            Use --debug flag to render out invalid YAML\n";
        assert_eq!(
            failed(stderr, &[]).message,
            "Helm cannot render the chart: execution error at (demo/templates/a.yaml:3:5): the name is missing"
        );
        let stderr = "Error: template: demo/templates/a.yaml:3:5: executing \"demo/templates/a.yaml\" at \
            <include \"x\" .>: error calling include: template: demo/templates/_x.tpl:1:2: executing \"x\" at \
            <fail \"no address\">: error calling fail: no address\n";
        let diagnostic = failed(stderr, &[]);
        assert_eq!(diagnostic.message, "Helm cannot render the chart: no address");
        assert_eq!(diagnostic.notes, ["at demo/templates/a.yaml:3:5"]);
    }

    #[test]
    fn what_has_several_lines_keeps_the_first_of_them() {
        let stderr = format!("Error: values don't meet the schema:\n{}", "- no\n".repeat(9));
        let diagnostic = failed(&stderr, &[]);
        assert_eq!(diagnostic.message, "Helm cannot render the chart: values don't meet the schema:");
        assert_eq!(diagnostic.notes.len(), 7);
        assert_eq!(diagnostic.notes[6], "… and 3 more lines");
        assert!(failed("", &[]).message.ends_with("and does not say why"));
        assert!(failed(&"x".repeat(9000), &[]).message.len() < 700);
    }

    #[test]
    fn no_value_is_shown() {
        let said = |stderr: &str, confidential: &[&str]| failed(stderr, confidential).message;
        let hidden = said("Error: bad hunter2, \"hun\\\"ter3\" and a", &["hunter2", "hun\"ter3", "a"]);
        assert_eq!(hidden, "Helm cannot render the chart: bad ***, \"***\" and a");
        for (stderr, shown) in [
            ("Error: cannot unmarshal !!str `hunter2` into int", "cannot unmarshal !!str `***` into int"),
            ("Error: strconv.Atoi: parsing \"hunter2\": invalid syntax", "parsing \"***\": invalid"),
            ("Error: failed parsing --set data: key \"hunter2\" has no value", "key \"***\" has no value"),
            (
                "Error: Get \"https://me:hunter2@host/index.yaml\": EOF",
                "\"https://***@host/index.yaml\": EOF",
            ),
            ("Error: cannot reach https://a@b", "https://***@b"),
        ] {
            let said = said(stderr, &[]);
            assert!(said.contains(shown) && !said.contains("hunter2"), "{said}");
        }
    }
}
