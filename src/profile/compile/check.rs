//! The check face of a rule, compiled: what `germ-post check` looks for.

use serde_json::Value;

use super::super::file::{BesideFile, CheckFile, RuleFile};
use super::super::path::PathExpr;
use super::super::rule::{Beside, Check, Computed};
use super::super::test_value::ValueTest;
use super::Compiler;
use super::at::At;
use crate::diagnostic::Diagnostic;

impl Compiler<'_> {
    /// The checks of a rule that the parameters leave in force.
    pub(super) fn checks(&self, rule: &RuleFile, at: &At<'_>) -> Result<Vec<Check>, Diagnostic> {
        let mut out = Vec::new();
        for (index, check) in rule.check.iter().enumerate() {
            let at = at.item("check", index);
            if self.params_hold(&check.when, &at.below(&["when"]))?.is_none() {
                out.push(self.check(rule, check, &at)?);
            }
        }
        Ok(out)
    }

    fn check(&self, rule: &RuleFile, check: &CheckFile, at: &At<'_>) -> Result<Check, Diagnostic> {
        Ok(Check {
            matcher: self.matcher(&check.matches, &at.below(&["match"]))?,
            only: Vec::new(),
            unless: Vec::new(),
            find: self.found(check.find.as_deref(), at)?,
            is: self.test(&at.below(&["is"]))?.unwrap_or(ValueTest::Present),
            beside: check
                .beside
                .iter()
                .enumerate()
                .map(|(index, beside)| self.beside(beside, &at.item("beside", index)))
                .collect::<Result<_, _>>()?,
            without: check
                .without
                .iter()
                .enumerate()
                .map(|(index, file)| self.matcher(file, &at.item("without", index)))
                .collect::<Result<_, _>>()?,
            computed: check
                .computed
                .as_ref()
                .map(|name| {
                    let with = self
                        .filled_at(&at.below(&["with"]))?
                        .unwrap_or_else(|| Value::Object(serde_json::Map::new()));
                    Ok(Computed {
                        name: name.clone(),
                        with,
                        place: self.file.place(&at.below(&["use"]).pointer()),
                    })
                })
                .transpose()?,
            message: self.text(check.message.as_deref(), &at.below(&["message"]))?,
            severity: check.severity.unwrap_or(rule.severity),
            help: self.text(check.help.as_deref().or(rule.help.as_deref()), &at.below(&["help"]))?,
        })
    }

    fn beside(&self, beside: &BesideFile, at: &At<'_>) -> Result<Beside, Diagnostic> {
        Ok(Beside {
            matcher: self.matcher(&beside.matches, &at.below(&["match"]))?,
            find: self.found(beside.find.as_deref(), at)?,
            is: self.test(&at.below(&["is"]))?.unwrap_or(ValueTest::Present),
            note: self.text(beside.note.as_deref(), &at.below(&["note"]))?.unwrap_or_default(),
        })
    }

    pub(super) fn found(&self, find: Option<&str>, at: &At<'_>) -> Result<Option<PathExpr>, Diagnostic> {
        find.map(|path| self.path(path, &at.below(&["find"]))).transpose()
    }

    /// A text for people, parameters filled in.
    pub(super) fn text(&self, text: Option<&str>, at: &At<'_>) -> Result<Option<String>, Diagnostic> {
        let filled = text.map(|text| self.params.fill_text(text)).transpose();
        let filled = filled.map_err(|error| self.param_fault(at, &error))?;
        Ok(filled.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}
