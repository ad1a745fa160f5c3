//! What a run did, rule by rule: the model behind `--report`, `germ-post last`
//! and the line on stderr. Values of Secrets never get in here.

use serde::Serialize;
use serde_json::Value;

use crate::diagnostic::Diagnostic;

/// What stands in the place of a Secret's value.
pub const MASKED: &str = "‹masked›";

/// A whole run.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Documents in the stream that hold something.
    pub documents: usize,
    /// Operations carried out.
    pub edits: usize,
    /// Objects dropped.
    pub dropped: usize,
    /// Objects added.
    pub added: usize,
    /// Parameters with their values and where these came from.
    pub params: Vec<ParamReport>,
    /// Every rule of the profile.
    pub rules: Vec<RuleReport>,
    /// Warnings and errors.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// A parameter's value.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParamReport {
    /// Its name.
    pub name: String,
    /// Its value; `null` while unset.
    pub value: Option<Value>,
    /// Where the value came from.
    pub origin: String,
}

/// How a rule ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleState {
    /// Out of force: by parameter, adjustment, `--only` or `--skip`.
    Inactive,
    /// Its `when` does not hold for this stream.
    NotApplicable,
    /// It was carried out.
    Changed,
    /// The stream was so already.
    Already,
    /// Nothing in the stream was its business.
    Nothing,
    /// It could not be carried out.
    Missed,
}

/// A rule's part in the run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleReport {
    /// The rule.
    pub id: String,
    /// Its intention.
    pub title: String,
    /// Its reason.
    pub why: String,
    /// Where the reason can be looked up.
    pub sources: Vec<String>,
    /// The profile it comes from.
    pub profile: String,
    /// How it ended.
    pub state: RuleState,
    /// Why it is inactive, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The objects it met.
    pub objects: Vec<ObjectReport>,
}

/// How an object fared with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectState {
    /// It was edited.
    Changed,
    /// It was so already.
    Already,
    /// It went.
    Dropped,
    /// It was added to the stream.
    Added,
    /// Its own annotation keeps it as it is.
    Kept,
    /// The rule leaves it alone.
    Left,
    /// None of the rule's edits concerns it.
    Nothing,
    /// The rule could not be carried out on it.
    Missed,
}

/// An object's part in a rule.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReport {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.namespace`, if written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
    /// The document, counted from 1; 0 for an added object.
    pub document: usize,
    /// The line where the object's document begins, counted from 1.
    pub line: usize,
    /// The template it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// How it fared.
    pub state: ObjectState,
    /// Why it was kept or left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What was done to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<OperationReport>,
}

/// An operation, as RFC 6902 with what a reader needs beside it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationReport {
    /// `add`, `remove` or `replace`.
    pub op: String,
    /// RFC 6901 pointer from the object, valid at this step.
    pub pointer: String,
    /// The same place in the path language.
    pub path: String,
    /// The line in the input, counted from 1.
    pub line: usize,
    /// The old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
}

/// A diagnostic in the report.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticReport {
    /// Stable code.
    pub code: String,
    /// Exit code that it asks for; 0 for a warning.
    pub exit: u8,
    /// What is wrong.
    pub message: String,
    /// `file:line:column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The rule at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The object concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The path in the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Causes and background.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Next steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub help: Vec<String>,
}

impl From<&Diagnostic> for DiagnosticReport {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            code: diagnostic.code.to_owned(),
            exit: diagnostic.class.exit_code(),
            message: diagnostic.message.clone(),
            place: diagnostic
                .place
                .as_ref()
                .map(|place| format!("{}:{}:{}", place.file, place.line, place.column)),
            rule: diagnostic.rule.clone(),
            object: diagnostic.object.clone(),
            path: diagnostic.path.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        }
    }
}
