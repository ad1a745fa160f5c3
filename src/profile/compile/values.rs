//! The values face of a rule, compiled: parameters filled in, conditions on them
//! decided, paths parsed.

use indexmap::IndexMap;
use serde_json::Value;

use super::super::file::{AdjustFile, EachFile, KeptFile, MatchFile, OneOrMany, RuleFile};
use super::super::matching::Versioned;
use super::super::path::PathExpr;
use super::super::rule::Excepted;
use super::super::test_value::ValueTest;
use super::super::values_face::{Each, Kept, Keys, ValuesFace, Wish};
use super::Compiler;
use super::at::At;
use crate::diagnostic::Diagnostic;
use crate::edit::{NewValue, Path, Quotes};

impl Compiler<'_> {
    /// The values faces of a rule that the parameters leave in force.
    pub(super) fn values(&self, rule: &RuleFile, at: &At<'_>) -> Result<Vec<ValuesFace>, Diagnostic> {
        let mut out = Vec::new();
        let is_list = self.raw_at(&at.below(&["values"])).is_some_and(|raw| raw.is_array());
        for (index, face) in rule.values.iter().enumerate() {
            let at = match is_list {
                true => at.item("values", index),
                false => at.below(&["values"]),
            };
            if self.params_hold(&face.when, &at.below(&["when"]))?.is_some() {
                continue;
            }
            let required = face.require.keys().map(|path| {
                let at = at.entry("require", path);
                Ok((self.keys_of(path, &at)?, self.test(&at)?.unwrap_or(ValueTest::Present)))
            });
            let required = required.collect::<Result<Vec<_>, Diagnostic>>()?;
            let mut wishes = Vec::new();
            for path in face.set.keys() {
                let at = at.entry("set", path);
                wishes.push((self.keys_of(path, &at)?, Wish::Is(self.value_at(&at)?)));
            }
            for path in face.retain.keys() {
                let at = at.entry("retain", path);
                wishes.push((self.keys_of(path, &at)?, Wish::Among(self.list_at(&at)?)));
            }
            for path in face.exclude.keys() {
                let at = at.entry("exclude", path);
                let items = match self.list_at(&at)?.to_json() {
                    Value::Array(items) => items,
                    other => vec![other],
                };
                wishes.push((self.keys_of(path, &at)?, Wish::Without(items)));
            }
            let each = face.each.iter().enumerate();
            let kept = face.leave.iter().enumerate();
            out.push(ValuesFace {
                charts: self.charts(&face.chart, &at.below(&["chart"]))?,
                required,
                help: face.help.clone().or_else(|| rule.help.clone()),
                wishes,
                each: each
                    .map(|(index, each)| self.each(each, &at.item("each", index)))
                    .collect::<Result<_, _>>()?,
                kept: kept
                    .map(|(index, kept)| self.kept(kept, &at.item("leave", index)))
                    .collect::<Result<_, _>>()?,
            });
        }
        Ok(out)
    }

    /// What an adjustment takes out of the values face: charts, where it speaks of
    /// nothing else. Objects are unknown to values.
    pub(super) fn excepted(&self, adjust: &AdjustFile, at: &At<'_>) -> Result<Vec<Excepted>, Diagnostic> {
        let mut out = Vec::new();
        for (file, field, unless) in [(&adjust.unless, "unless", true), (&adjust.only, "only", false)] {
            let Some(file) = file else { continue };
            let reason = adjust.reason.clone();
            out.push(match chart_alone(file) {
                Some(chart) => {
                    let charts = self.charts(chart, &at.below(&[field, "chart"]))?;
                    if unless {
                        Excepted::Charts { charts, reason }
                    } else {
                        Excepted::AllBut { charts, reason }
                    }
                }
                None => Excepted::Objects { reason },
            });
        }
        Ok(out)
    }

    fn each(&self, each: &EachFile, at: &At<'_>) -> Result<Each, Diagnostic> {
        let (key, wish) = match (&each.set, &each.remove) {
            (Some(key), None) => (key, Wish::Is(self.value_at(&at.below(&["value"]))?)),
            (None, Some(key)) => (key, Wish::Gone),
            _ => return Err(self.fault(at, "write either `set` with `value`, or `remove`")),
        };
        let field = if each.set.is_some() { "set" } else { "remove" };
        let keys = self.keys(&each.chart, each.within.as_deref(), (key, field), &each.condition, at)?;
        Ok(Each { keys, wish, explicit: each.explicit })
    }

    fn kept(&self, kept: &KeptFile, at: &At<'_>) -> Result<Kept, Diagnostic> {
        let keys = self.keys(&kept.chart, kept.within.as_deref(), (&kept.key, "key"), &kept.condition, at)?;
        let reason = kept.reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Kept { keys, reason })
    }

    fn keys(
        &self,
        chart: &Option<OneOrMany>,
        within: Option<&str>,
        (key, field): (&str, &str),
        conditions: &IndexMap<String, Value>,
        at: &At<'_>,
    ) -> Result<Keys, Diagnostic> {
        let test = |path: &String| {
            let at = at.entry("if", path);
            let test = self.test(&at)?.unwrap_or(ValueTest::Present);
            Ok((self.path(path, &at)?, test))
        };
        Ok(Keys {
            charts: chart.as_ref().map(|chart| self.charts(chart, &at.below(&["chart"]))).transpose()?,
            within: within.into_iter().flat_map(|within| within.split('.')).map(str::to_owned).collect(),
            key: self.keys_of(key, &at.below(&[field]))?,
            conditions: conditions.keys().map(test).collect::<Result<_, Diagnostic>>()?,
        })
    }

    fn charts(&self, charts: &OneOrMany, at: &At<'_>) -> Result<Vec<Versioned>, Diagnostic> {
        Versioned::list("chart", charts, self.params).map_err(|error| {
            error.help.iter().cloned().fold(self.fault(at, error.message.clone()), Diagnostic::help)
        })
    }

    /// The keys of a path that has nothing but keys in it.
    fn keys_of(&self, path: &str, at: &At<'_>) -> Result<Path, Diagnostic> {
        let keys = PathExpr::plain_keys(&self.path(path, at)?);
        keys.ok_or_else(|| self.fault(at, "a path into values has keys only").help("write `a.b.\"c.d\"`"))
    }

    fn value_at(&self, at: &At<'_>) -> Result<NewValue, Diagnostic> {
        let id = at.node(self.tree).ok_or_else(|| self.fault(at, "there is no `value`"))?;
        self.styled(id).map(in_local_style).map_err(|error| self.param_fault(at, &error))
    }

    fn list_at(&self, at: &At<'_>) -> Result<NewValue, Diagnostic> {
        match self.value_at(at)? {
            list @ NewValue::Sequence(_) => Ok(list),
            _ => Err(self.fault(at, "a list is wanted here")),
        }
    }
}

/// What to do about a rule that only chart values can follow.
pub(super) fn help(rule: &RuleFile) -> Option<String> {
    let values = rule.values.first().filter(|_| rule.edit.is_empty() && rule.parts.is_empty())?;
    let set: Vec<String> = values.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
    let charts: Vec<&str> = values.chart.iter().collect();
    Some(format!("no edit can do it; set the values of the chart {}: {}", charts.join(", "), set.join(", ")))
}

/// Values files have a style of their own, and the quotes of a profile are there for
/// `${…}` more often than not.
fn in_local_style(value: NewValue) -> NewValue {
    match value {
        NewValue::Str { text, .. } => NewValue::Str { text, quotes: Quotes::Local },
        NewValue::Sequence(items) => NewValue::Sequence(items.into_iter().map(in_local_style).collect()),
        NewValue::Mapping(entries) => {
            NewValue::Mapping(entries.into_iter().map(|(key, value)| (key, in_local_style(value))).collect())
        }
        plain @ NewValue::Plain(_) => plain,
    }
}

/// The charts of a `match` that says nothing else.
fn chart_alone(file: &MatchFile) -> Option<&OneOrMany> {
    let MatchFile {
        group,
        version,
        kind,
        name,
        namespace,
        labels,
        annotations,
        chart,
        image,
        fields,
        pod_template,
        hook,
        shares_pods_with,
        not,
        any,
    } = file;
    let words = [group, version, kind, name, namespace, image].iter().all(|words| words.is_none());
    let rest = labels.is_empty()
        && annotations.is_empty()
        && fields.is_empty()
        && pod_template.is_none()
        && hook.is_none()
        && shares_pods_with.is_none()
        && not.is_empty()
        && any.is_empty();
    chart.as_ref().filter(|_| words && rest)
}
