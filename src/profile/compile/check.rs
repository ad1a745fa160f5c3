//! The check face of a rule, compiled: what `germ-post check` looks for.

use serde_json::Value;

use super::super::file::{BesideFile, CheckFile, RuleFile};
use super::super::path::PathExpr;
use super::super::rule::{Beside, Check, Computed};
use super::super::test_value::ValueTest;
use super::{Compiler, below};
use crate::diagnostic::Diagnostic;

impl Compiler<'_> {
    /// The checks of a rule that the parameters leave in force.
    pub(super) fn checks(&self, rule: &RuleFile, at: &[String]) -> Result<Vec<Check>, Diagnostic> {
        let mut out = Vec::new();
        for (index, check) in rule.check.iter().enumerate() {
            let at = below(at, &["check", &index.to_string()]);
            if self.params_hold(&check.when, &below(&at, &["when"]))?.is_none() {
                out.push(self.check(rule, check, &at)?);
            }
        }
        Ok(out)
    }

    fn check(&self, rule: &RuleFile, check: &CheckFile, at: &[String]) -> Result<Check, Diagnostic> {
        Ok(Check {
            matcher: self.matcher(&check.matches, &below(at, &["match"]))?,
            only: Vec::new(),
            unless: Vec::new(),
            find: self.found(check.find.as_deref(), at)?,
            is: self.test(&below(at, &["is"]))?.unwrap_or(ValueTest::Present),
            beside: check
                .beside
                .iter()
                .enumerate()
                .map(|(index, beside)| self.beside(beside, &below(at, &["beside", &index.to_string()])))
                .collect::<Result<_, _>>()?,
            without: check
                .without
                .iter()
                .enumerate()
                .map(|(index, file)| self.matcher(file, &below(at, &["without", &index.to_string()])))
                .collect::<Result<_, _>>()?,
            computed: check
                .computed
                .as_ref()
                .map(|name| {
                    let with = self
                        .filled_at(&below(at, &["with"]))?
                        .unwrap_or_else(|| Value::Object(serde_json::Map::new()));
                    Ok(Computed { name: name.clone(), with, place: self.file.place(&below(at, &["use"])) })
                })
                .transpose()?,
            message: self.text(check.message.as_deref(), &below(at, &["message"]))?,
            severity: check.severity.unwrap_or(rule.severity),
            help: self.text(check.help.as_deref().or(rule.help.as_deref()), &below(at, &["help"]))?,
        })
    }

    fn beside(&self, beside: &BesideFile, at: &[String]) -> Result<Beside, Diagnostic> {
        Ok(Beside {
            matcher: self.matcher(&beside.matches, &below(at, &["match"]))?,
            find: self.found(beside.find.as_deref(), at)?,
            is: self.test(&below(at, &["is"]))?.unwrap_or(ValueTest::Present),
            note: self.text(beside.note.as_deref(), &below(at, &["note"]))?.unwrap_or_default(),
        })
    }

    pub(super) fn found(&self, find: Option<&str>, at: &[String]) -> Result<Option<PathExpr>, Diagnostic> {
        find.map(|path| self.path(path, &below(at, &["find"]))).transpose()
    }

    /// A text for people, parameters filled in.
    pub(super) fn text(&self, text: Option<&str>, at: &[String]) -> Result<Option<String>, Diagnostic> {
        let filled = text.map(|text| self.params.fill_text(text)).transpose();
        let filled = filled.map_err(|error| self.param_fault(at, &error))?;
        Ok(filled.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}
