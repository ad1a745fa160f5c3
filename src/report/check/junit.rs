//! Findings as JUnit's XML: an object is a suite, a rule a test. Rules that found
//! nothing pass, suppressed ones are skipped, and only what makes the exit code 1
//! fails, so that a report and an exit code never disagree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::origin;
use crate::check::finding::{Checked, Finding};
use crate::profile::file::Severity;

/// The text, ending with a line break. `fails_on` is the least severity that fails.
pub fn render(checked: &Checked, fails_on: Option<Severity>, source_root: Option<&str>) -> String {
    let fails = |finding: &&Finding| {
        finding.suppressed.is_none() && fails_on.is_some_and(|least| finding.severity >= least)
    };
    let mut suites: BTreeMap<String, BTreeMap<&str, Vec<&Finding>>> = BTreeMap::new();
    for finding in checked.findings.iter().chain(&checked.suppressed) {
        let object = finding.object.as_ref().map_or_else(|| "germ-post".to_owned(), ToString::to_string);
        suites.entry(object).or_default().entry(&finding.rule).or_default().push(finding);
    }
    let found = |id: &str| suites.values().any(|tests| tests.contains_key(id));
    let passed: Vec<&str> = checked
        .rules
        .iter()
        .filter(|rule| rule.ran && !found(&rule.id))
        .map(|rule| rule.id.as_str())
        .collect();
    let mut body = String::new();
    let mut total = (0, 0, 0);
    for (object, tests) in &suites {
        let failures = tests.values().filter(|findings| findings.iter().any(fails)).count();
        let skipped =
            tests.values().filter(|findings| findings.iter().all(|f| f.suppressed.is_some())).count();
        suite(&mut body, object, (tests.len(), failures, skipped));
        for (rule, findings) in tests {
            test(&mut body, object, rule, findings, &fails, source_root);
        }
        body.push_str("  </testsuite>\n");
        total = (total.0 + tests.len(), total.1 + failures, total.2 + skipped);
    }
    if !passed.is_empty() {
        suite(&mut body, "nothing found", (passed.len(), 0, 0));
        for rule in &passed {
            let _ = writeln!(body, "    <testcase name=\"{}\" classname=\"germ-post\"/>", escaped(rule));
        }
        body.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"germ-post check\" tests=\"{}\" \
         failures=\"{}\" skipped=\"{}\">\n{body}</testsuites>\n",
        total.0 + passed.len(),
        total.1,
        total.2
    )
}

fn suite(out: &mut String, name: &str, (tests, failures, skipped): (usize, usize, usize)) {
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\">",
        escaped(name)
    );
}

fn test(
    out: &mut String,
    object: &str,
    rule: &str,
    findings: &[&Finding],
    fails: &dyn Fn(&&Finding) -> bool,
    source_root: Option<&str>,
) {
    let place = findings.iter().find_map(|finding| origin::of(finding, source_root));
    let place = place.map_or(String::new(), |origin| {
        format!(" file=\"{}\" line=\"{}\"", escaped(&origin.path), origin.line())
    });
    let _ =
        writeln!(out, "    <testcase name=\"{}\" classname=\"{}\"{place}>", escaped(rule), escaped(object));
    let failing: Vec<&&Finding> = findings.iter().filter(|finding| fails(finding)).collect();
    let texts = |findings: &[&&Finding]| {
        let texts: Vec<String> = findings.iter().map(|finding| text(finding, source_root)).collect();
        escaped(&texts.join("\n\n"))
    };
    let others: Vec<&&Finding> =
        findings.iter().filter(|finding| !fails(finding) && finding.suppressed.is_none()).collect();
    if let Some(first) = failing.first() {
        let kind = format!("{:?}", first.severity).to_lowercase();
        let message = escaped(&first.message);
        let _ = writeln!(
            out,
            "      <failure message=\"{message}\" type=\"{kind}\">{}</failure>",
            texts(&failing)
        );
    } else if let Some(suppressed) =
        findings.iter().find_map(|f| f.suppressed.as_ref()).filter(|_| others.is_empty())
    {
        let _ = writeln!(out, "      <skipped message=\"{}\"/>", escaped(&suppressed.reason));
    }
    if !others.is_empty() {
        let _ = writeln!(out, "      <system-out>{}</system-out>", texts(&others));
    }
    out.push_str("    </testcase>\n");
}

fn text(finding: &Finding, source_root: Option<&str>) -> String {
    let place = origin::of(finding, source_root);
    let place = place.map_or(String::new(), |origin| match origin.region {
        Some((line, column, ..)) => format!("{}:{line}:{column}: ", origin.path),
        None => format!("{}: ", origin.path),
    });
    let mut out = format!("{place}{}", finding.message);
    if let Some(path) = &finding.path {
        let _ = write!(out, "\nat {path}");
    }
    for more in finding.notes.iter().chain(&finding.help) {
        let _ = write!(out, "\n{more}");
    }
    if let Some(fix) = finding.fix.as_ref().filter(|fix| !fix.diff.is_empty()) {
        let _ = write!(out, "\n{}", fix.diff.trim_end());
    }
    out
}

/// Text of an element or an attribute. Characters that XML cannot have are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_stays_text() {
        assert_eq!(escaped("a<b> & \"c\"\n\u{1b}[0m"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;\u{fffd}[0m");
    }
}
