//! One edit of a rule: its operation, its value with the quotes of the profile,
//! its conditions.

use serde_json::Value;

use super::super::file::{EditFile, OneOrMany, Parents};
use super::super::params::{ParamError, whole_reference};
use super::super::rule::{Edit, Operation};
use super::Compiler;
use super::at::At;
use crate::diagnostic::Diagnostic;
use crate::edit::{NewValue, Quotes};
use crate::yaml::scalar::Scalar;
use crate::yaml::{Content, NodeId, ScalarStyle};

impl Compiler<'_> {
    /// The one operation that the edit names.
    pub(super) fn operation_name(&self, edit: &EditFile, at: &At<'_>) -> Result<&'static str, Diagnostic> {
        let named = [
            ("set", edit.set.is_some()),
            ("remove", edit.remove.is_some()),
            ("merge", edit.merge.is_some()),
            ("append", edit.append.is_some()),
            ("insert", edit.insert.is_some()),
            ("retain", edit.retain.is_some()),
            ("replace", edit.replace.is_some()),
            ("rewriteImage", edit.rewrite_image.is_some()),
            ("restamp", edit.restamp.is_some()),
            ("drop", edit.drop.is_some()),
            ("require", edit.require.is_some()),
            ("leave", edit.leave.is_some()),
        ];
        let mut chosen = named.iter().filter(|(_, is_there)| *is_there);
        match (chosen.next(), chosen.next()) {
            (Some((name, _)), None) => Ok(name),
            (None, _) => Err(self.fault(at, "the edit names no operation").help(
                "write one of set, remove, merge, append, insert, retain, replace, rewriteImage, restamp, drop, require, leave",
            )),
            (Some((first, _)), Some((second, _))) => {
                Err(self.fault(at, format!("the edit has two operations, `{first}` and `{second}`")))
            }
        }
    }

    pub(super) fn edit(&self, edit: &EditFile, at: &At<'_>) -> Result<Edit, Diagnostic> {
        let name = self.operation_name(edit, at)?;
        let here = at.key(name);
        let path = |text: &Option<String>| self.path(text.as_deref().unwrap_or(""), &here);
        let value = || {
            let at = at.below(&["value"]);
            let id =
                at.node(self.tree).ok_or_else(|| self.fault(&here, format!("`{name}` needs a `value`")))?;
            self.styled(id).map_err(|error| self.param_fault(&at, &error))
        };
        let missing = |field: &str| self.fault(&here, format!("`{name}` needs `{field}`"));
        let after = || -> Result<Vec<String>, Diagnostic> {
            edit.after
                .iter()
                .flat_map(OneOrMany::iter)
                .map(|key| {
                    self.params
                        .fill_text(key)
                        .map_err(|error| self.param_fault(&at.below(&["after"]), &error))
                })
                .collect()
        };
        let operation = match name {
            "set" => Operation::Set { path: path(&edit.set)?, value: value()?, after: after()? },
            "remove" => Operation::Remove { path: path(&edit.remove)? },
            "merge" => match value()? {
                NewValue::Mapping(entries) => Operation::Merge { path: path(&edit.merge)?, entries },
                _ => return Err(self.fault(&at.below(&["value"]), "`merge` takes a mapping")),
            },
            "append" => Operation::Append { path: path(&edit.append)?, value: value()? },
            "insert" => Operation::Insert {
                path: path(&edit.insert)?,
                key: edit.key.clone().ok_or_else(|| missing("key"))?,
                item: value()?,
                after: after()?,
            },
            "retain" => match value()?.to_json() {
                Value::Array(values) => Operation::Retain { path: path(&edit.retain)?, values },
                _ => return Err(self.fault(&at.below(&["value"]), "`retain` takes a list")),
            },
            "replace" => {
                let fill = |text: &Option<String>, field: &str| {
                    let text = text.as_ref().ok_or_else(|| missing(field))?;
                    self.params.fill_text(text).map_err(|error| self.param_fault(&at.below(&[field]), &error))
                };
                Operation::Replace {
                    path: path(&edit.replace)?,
                    from: fill(&edit.from, "from")?,
                    to: fill(&edit.to, "to")?,
                }
            }
            "rewriteImage" => Operation::RewriteImage {
                path: path(&edit.rewrite_image)?,
                registries: edit
                    .registries
                    .iter()
                    .map(|(from, to)| {
                        let to = self.params.fill_text(to);
                        to.map(|to| (from.clone(), to))
                            .map_err(|error| self.param_fault(&at.below(&["registries", from]), &error))
                    })
                    .collect::<Result<_, _>>()?,
            },
            "restamp" => Operation::Restamp {
                path: path(&edit.restamp)?,
                of: self.matcher(edit.of.as_ref().ok_or_else(|| missing("of"))?, &at.below(&["of"]))?,
                of_path: self.path(
                    edit.of_path.as_deref().ok_or_else(|| missing("ofPath"))?,
                    &at.below(&["ofPath"]),
                )?,
            },
            "require" => Operation::Require {
                path: path(&edit.require)?,
                is: self.test(&at.below(&["is"]))?.ok_or_else(|| missing("is"))?,
            },
            "leave" => {
                let reason = edit.leave.as_deref().unwrap_or_default();
                let reason =
                    self.params.fill_text(reason).map_err(|error| self.param_fault(&here, &error))?;
                Operation::Leave { reason }
            }
            _ => Operation::Drop,
        };
        let conditions = edit
            .condition
            .keys()
            .map(|path| {
                let at = at.entry("if", path);
                let test = self.test(&at)?.ok_or_else(|| self.fault(&at, "the condition says nothing"))?;
                Ok((self.path(path, &at)?, test))
            })
            .collect::<Result<_, Diagnostic>>()?;
        Ok(Edit {
            operation,
            was: self.test(&at.below(&["was"]))?,
            means: self.filled_at(&at.below(&["means"]))?,
            otherwise: edit.otherwise,
            conditions,
            optional: edit.optional,
            make_parents: edit.parents == Parents::Create,
            apart: edit.apart,
            help: edit
                .help
                .as_deref()
                .map(|text| self.params.fill_text(text))
                .transpose()
                .map_err(|error| self.param_fault(&at.below(&["help"]), &error))?,
        })
    }

    /// A value with the quotes it has in the profile, parameters filled in.
    pub(super) fn styled(&self, id: NodeId) -> Result<NewValue, ParamError> {
        self.styled_by(id, &|text, quotes| self.filled(text, quotes))
    }

    /// A text with parameters filled in.
    pub(super) fn filled(&self, text: &str, quotes: Quotes) -> Result<NewValue, ParamError> {
        match whole_reference(text).map(|reference| self.params.wanted(reference)).transpose()? {
            None => Ok(NewValue::Str { text: self.params.fill_text(text)?, quotes }),
            Some(Value::String(text)) => Ok(NewValue::Str { text, quotes }),
            Some(other) => Ok(NewValue::from(&other)),
        }
    }

    /// A value with the quotes it has in the profile, its texts filled by `fill`.
    pub(super) fn styled_by(
        &self,
        id: NodeId,
        fill: &dyn Fn(&str, Quotes) -> Result<NewValue, ParamError>,
    ) -> Result<NewValue, ParamError> {
        let id = self.tree.resolve(id);
        match &self.tree.node(id).content {
            Content::Scalar { style, value: Scalar::Str(text) } => {
                let quotes = match style {
                    ScalarStyle::Single => Quotes::Single,
                    ScalarStyle::Double => Quotes::Double,
                    _ => Quotes::Local,
                };
                fill(text, quotes)
            }
            Content::Scalar { value, .. } => Ok(NewValue::Plain(value.to_json())),
            Content::Sequence { items, .. } => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    let whole = self.whole_list(item.node);
                    match self.styled_by(item.node, fill)? {
                        NewValue::Sequence(inner) if whole => out.extend(inner),
                        value => out.push(value),
                    }
                }
                Ok(NewValue::Sequence(out))
            }
            Content::Mapping { entries, .. } => entries
                .iter()
                .filter_map(|entry| Some((entry.name.name()?, entry.value)))
                .map(|(name, value)| Ok((self.params.fill_text(name)?, self.styled_by(value, fill)?)))
                .collect::<Result<_, _>>()
                .map(NewValue::Mapping),
            Content::Alias { target } => self.styled_by(*target, fill),
        }
    }

    /// Whether a list item is a reference, so that a list parameter stands for
    /// its items.
    fn whole_list(&self, id: NodeId) -> bool {
        matches!(
            &self.tree.node(id).content,
            Content::Scalar { value: Scalar::Str(text), .. } if whole_reference(text).is_some()
        )
    }
}
