//! What a check found: the model behind every format. Values and lines of Secrets
//! never get in here.

use serde::Serialize;
use serde_json::Value;

use crate::diagnostic::{Diagnostic, Place};
use crate::manifest::Identity;
use crate::profile::file::Severity;
use crate::rewrite::outcome::{OperationReport, ParamReport};

/// A region of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Where it begins, with the source line where that may be shown.
    pub place: Place,
    /// The line of its end, 1-based.
    pub end_line: usize,
    /// The column behind its last character, 1-based, in characters.
    pub end_column: usize,
}

/// Something elsewhere that a finding has to do with.
#[derive(Debug, Clone)]
pub struct Related {
    /// What it is, and what of it.
    pub note: String,
    /// Where.
    pub location: Location,
}

/// How a finding would be put right by rewriting the stream.
#[derive(Debug, Clone, Default)]
pub struct Fix {
    /// The edits that the rule makes to the object.
    pub edits: Vec<OperationReport>,
    /// The hunks of a unified diff with the lines of the file; empty where they must
    /// not be shown.
    pub diff: String,
    /// The same as replacements of text.
    pub replacements: Vec<Replacement>,
    /// The object goes as a whole.
    pub drops: bool,
}

/// Text that takes the place of a region.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// The region; empty for an insertion.
    pub at: Location,
    /// The new text.
    pub text: String,
}

/// How a finding was suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuppressedBy {
    /// An annotation `germ-post.dev/ignore.<rule>`.
    Annotation,
    /// An annotation `germ-post.dev/keep`, which keeps rules from editing as well.
    Keep,
    /// A comment `# germ-post: ignore[<rule>]`.
    Comment,
    /// An entry of `germ-post.yaml`.
    Config,
}

/// A suppression that a finding met.
#[derive(Debug, Clone)]
pub struct Suppressed {
    /// Of which kind.
    pub by: SuppressedBy,
    /// For what reason; empty when none is given.
    pub reason: String,
}

/// A chart value that makes a finding go away at the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartValue {
    /// The chart.
    pub chart: String,
    /// The path in the values that Helm is given; `**` stands for any keys.
    pub path: String,
    /// What it has to be, in words or as JSON.
    pub value: String,
    /// Whether it is meant only where the chart has such a key.
    pub where_it_is: bool,
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The object.
    pub object: Option<Identity>,
    /// The place in the object, in the path language.
    pub path: Option<String>,
    /// The place in a file.
    pub location: Option<Location>,
    /// The template that the object came from.
    pub template: Option<String>,
    /// What it has to do with.
    pub related: Vec<Related>,
    /// More about this finding.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Vec<String>,
    /// How rewriting puts it right.
    pub fix: Option<Fix>,
    /// Chart values that make it go away, if these were asked for.
    pub values: Vec<ChartValue>,
    /// How it was suppressed.
    pub suppressed: Option<Suppressed>,
    /// The same for the same thing in another version of the file.
    pub fingerprint: String,
}

/// What is said of a rule once, however often it is found.
#[derive(Debug, Clone)]
pub struct RuleInfo {
    /// `group/name`.
    pub id: String,
    /// In one line.
    pub title: String,
    /// The reason.
    pub why: String,
    /// Where the reason can be looked up.
    pub sources: Vec<String>,
    /// How bad it is.
    pub severity: Severity,
    /// The profile it comes from.
    pub profile: String,
    /// Whether it was looked for.
    pub ran: bool,
}

/// The result of a check.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// Findings that count, by file and line.
    pub findings: Vec<Finding>,
    /// Findings that were suppressed.
    pub suppressed: Vec<Finding>,
    /// Every rule that was in force.
    pub rules: Vec<RuleInfo>,
    /// Documents in the input that hold something.
    pub documents: usize,
    /// Files looked at.
    pub files: usize,
    /// Parameters with their values.
    pub params: Vec<ParamReport>,
    /// What is worth saying beside findings.
    pub warnings: Vec<Diagnostic>,
}

impl Checked {
    /// The rule of a finding.
    pub fn rule(&self, id: &str) -> Option<&RuleInfo> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// Takes out what is less bad than `severity`.
    pub fn at_least(&mut self, severity: Severity) {
        self.findings.retain(|finding| finding.severity >= severity);
        self.suppressed.retain(|finding| finding.severity >= severity);
    }

    /// How many findings there are of each severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether something is as bad as `severity`.
    pub fn fails_on(&self, severity: Severity) -> bool {
        self.findings.iter().any(|finding| finding.severity >= severity)
    }
}

/// A value as a message says it, in one line of moderate length.
pub fn in_a_message(value: &Value) -> String {
    const LONGEST: usize = 80;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
