//! The danger face of a rule, compiled: which changes `germ-post diff` warns of.

use super::super::file::{DangerFile, EventWord, RuleFile};
use super::super::rule::Danger;
use super::Compiler;
use super::at::At;
use crate::diagnostic::Diagnostic;

impl Compiler<'_> {
    /// The dangers of a rule that the parameters leave in force.
    pub(super) fn dangers(&self, rule: &RuleFile, at: &At<'_>) -> Result<Vec<Danger>, Diagnostic> {
        let mut out = Vec::new();
        for (index, danger) in rule.danger.iter().enumerate() {
            let at = at.item("danger", index);
            if self.params_hold(&danger.when, &at.below(&["when"]))?.is_none() {
                out.push(self.danger(rule, danger, &at)?);
            }
        }
        Ok(out)
    }

    fn danger(&self, rule: &RuleFile, danger: &DangerFile, at: &At<'_>) -> Result<Danger, Diagnostic> {
        if danger.find.is_none() && (danger.was.is_some() || danger.is.is_some()) {
            let message = "`was` and `is` speak of a field, and there is no `find`";
            return Err(self.fault(at, message).help("say with `match` what the object must be"));
        }
        Ok(Danger {
            matcher: self.matcher(&danger.matches, &at.below(&["match"]))?,
            events: if danger.event.is_empty() { vec![EventWord::Changed] } else { danger.event.clone() },
            find: self.found(danger.find.as_deref(), at)?,
            was: self.test(&at.below(&["was"]))?,
            is: self.test(&at.below(&["is"]))?,
            message: self.text(danger.message.as_deref(), &at.below(&["message"]))?,
            severity: danger.severity.unwrap_or(rule.severity),
            help: self.text(danger.help.as_deref().or(rule.help.as_deref()), &at.below(&["help"]))?,
        })
    }
}
