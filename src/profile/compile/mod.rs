//! Profile files → rules, with final parameters. Everything that can be wrong
//! with a rule is found here, with its place in the profile.

mod at;
mod check;
mod danger;
mod edit;
mod emit;
mod values;

use serde_json::Value;

use self::at::At;
use super::file::{AdjustFile, OneOrMany, PartFile, ReadsFile, RuleFile, WhenFile};
use super::load::{Loaded, LoadedFile};
use super::matching::{MatchError, Matcher};
use super::params::{ParamError, Params};
use super::path::PathExpr;
use super::rule::{Assert, Expect, Part, Rule, When, meant};
use super::test_value::ValueTest;
use crate::diagnostic::Diagnostic;
use crate::manifest::Identity;
use crate::manifest::identity::split_api_version;
use crate::yaml::Tree;

/// Compiles every rule of a composition with final parameters, adjustments
/// applied, for rewriting: rules that only check something do nothing.
pub fn compile(loaded: &Loaded, params: &Params) -> Result<Vec<Rule>, Diagnostic> {
    compile_for(loaded, params, Purpose::Rewriting)
}

/// The same for checking and comparing: rules know what they look for.
pub fn compile_for_check(loaded: &Loaded, params: &Params) -> Result<Vec<Rule>, Diagnostic> {
    compile_for(loaded, params, Purpose::Checking)
}

/// The same for chart values: rules know which they want.
pub fn compile_for_values(loaded: &Loaded, params: &Params) -> Result<Vec<Rule>, Diagnostic> {
    compile_for(loaded, params, Purpose::Values)
}

/// What rules are compiled for. Post-rendering leaves out what only others need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Rewriting a stream.
    Rewriting,
    /// Checking; a finding may name the values that make an edit needless.
    Checking,
    /// Writing chart values.
    Values,
}

fn compile_for(loaded: &Loaded, params: &Params, purpose: Purpose) -> Result<Vec<Rule>, Diagnostic> {
    let mut rules: Vec<Rule> = Vec::new();
    for file in &loaded.files {
        // An adjustment speaks of what its file extends, and of its own rules.
        let tree = file.tree()?;
        for (index, rule) in file.file.rules.iter().enumerate() {
            let compiler = Compiler { file, tree: &tree, params, purpose };
            let compiled = compiler.rule(rule, &At::ROOT.item("rules", index))?;
            if let Some(other) = rules.iter().find(|other| other.id == compiled.id) {
                return Err(file
                    .fault(
                        &At::ROOT.item("rules", index).below(&["id"]).pointer(),
                        format!(
                            "the rule `{}` is there already, in the profile `{}`",
                            compiled.id, other.profile
                        ),
                    )
                    .help("give it another id, or change the other rule with `adjust`"));
            }
            rules.push(compiled);
        }
        for (index, adjust) in file.file.adjust.iter().enumerate() {
            let compiler = Compiler { file, tree: &tree, params, purpose };
            compiler.adjust(adjust, &At::ROOT.item("adjust", index), &mut rules)?;
        }
    }
    let all = || loaded.files.iter().flat_map(|file| &file.file.rules);
    for rule in rules.iter_mut().filter(|rule| rule.only_checks && rule.inactive.is_none()) {
        let covering = all().find(|other| other.covers.contains(&rule.id));
        rule.inactive = covering.map(|other| format!("{} says the same", other.id));
    }
    Ok(rules)
}

struct Compiler<'c> {
    file: &'c LoadedFile,
    tree: &'c Tree<'c>,
    params: &'c Params,
    /// What the rules are compiled for.
    purpose: Purpose,
}

impl Compiler<'_> {
    fn fault(&self, at: &At<'_>, message: impl Into<String>) -> Diagnostic {
        self.file.fault(&at.pointer(), message)
    }

    fn param_fault(&self, at: &At<'_>, error: &ParamError) -> Diagnostic {
        error.help().into_iter().fold(self.fault(at, error.to_string()), Diagnostic::help)
    }

    fn match_fault(&self, at: &At<'_>, error: &MatchError) -> Diagnostic {
        let field: Vec<&str> = error.field.split('/').collect();
        let diagnostic = self.fault(&at.below(&field), error.message.clone());
        error.help.iter().cloned().fold(diagnostic, Diagnostic::help)
    }

    fn matcher(&self, file: &super::file::MatchFile, at: &At<'_>) -> Result<Matcher, Diagnostic> {
        Matcher::compile(file, self.params).map_err(|error| self.match_fault(at, &error))
    }

    fn rule(&self, rule: &RuleFile, at: &At<'_>) -> Result<Rule, Diagnostic> {
        let id_is_well_formed = rule.id.split('/').count() >= 2
            && rule.id.split('/').all(|part| {
                !part.is_empty()
                    && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            });
        if !id_is_well_formed {
            return Err(self
                .fault(
                    &at.below(&["id"]),
                    "a rule's id is written `group/name`, in lower case, digits and dashes",
                )
                .help("an id has no dot: `germ-post.dev/keep.<id>` writes the `/` of an id as one"));
        }
        let inactive = self.params_hold(&rule.when.params, &at.below(&["when", "params"]))?;
        let when = self.when(&rule.when, &at.below(&["when"]))?;
        let mut parts = Vec::new();
        let whole = !rule.parts.is_empty();
        match (&rule.matches, whole) {
            (Some(_), true) => {
                return Err(self.fault(&at.below(&["match"]), "a rule has either `match` or `parts`"));
            }
            (Some(matches), false) => parts.push(self.part(
                &PartFile { matches: matches.clone(), edit: rule.edit.clone(), expect: rule.expect.clone() },
                at,
                inactive.is_some(),
            )?),
            (None, false) if !rule.edit.is_empty() => {
                return Err(self.fault(at, "the rule has edits but no `match`"));
            }
            (None, _) => {
                for (index, part) in rule.parts.iter().enumerate() {
                    parts.push(self.part(part, &at.item("parts", index), inactive.is_some())?);
                }
            }
        }
        for (index, only) in rule.only.iter().enumerate() {
            let at = at.item("only", index);
            if inactive.is_some() || self.params_hold(&only.when, &at.below(&["when"]))?.is_some() {
                continue;
            }
            let matcher = self.matcher(&only.matches, &at.below(&["match"]))?;
            for part in &mut parts {
                part.only.push((matcher.clone(), only.reason.clone()));
            }
        }
        Ok(Rule {
            id: rule.id.clone(),
            title: rule.title.clone(),
            why: rule.why.trim().to_owned(),
            sources: rule.source.iter().flat_map(OneOrMany::iter).map(str::to_owned).collect(),
            severity: rule.severity,
            profile: self.file.file.name.clone(),
            when,
            parts,
            asserts: if inactive.is_some() { Vec::new() } else { self.asserts(rule, at)? },
            checks: match self.purpose {
                Purpose::Checking if inactive.is_none() => self.checks(rule, at)?,
                _ => Vec::new(),
            },
            values: match self.purpose {
                Purpose::Checking | Purpose::Values if inactive.is_none() => self.values(rule, at)?,
                _ => Vec::new(),
            },
            excepted: Vec::new(),
            dangers: match self.purpose {
                Purpose::Checking if inactive.is_none() => self.dangers(rule, at)?,
                _ => Vec::new(),
            },
            reads: rule.admission.as_ref().map(|admission| self.reads(&admission.reads)),
            emit: if inactive.is_some() { None } else { self.emit(rule, at)? },
            refuse: match &inactive {
                Some(_) => None,
                None => self.text(rule.refuse.as_deref(), &at.below(&["refuse"]))?,
            },
            whole,
            help: rule.help.clone().or_else(|| values::help(rule)),
            consequence: rule.consequence,
            only_checks: self.file.only_checks || !rule.rewrites(),
            inactive,
        })
    }

    fn reads(&self, reads: &ReadsFile) -> Identity {
        let (group, version) = split_api_version(&reads.api_version);
        Identity {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: reads.kind.clone(),
            namespace: reads.namespace.clone(),
            name: reads.name.clone(),
        }
    }

    fn asserts(&self, rule: &RuleFile, at: &At<'_>) -> Result<Vec<Assert>, Diagnostic> {
        rule.assert
            .iter()
            .enumerate()
            .map(|(index, assert)| {
                let at = at.item("assert", index);
                Ok(Assert {
                    matcher: self.matcher(&assert.matches, &at.below(&["match"]))?,
                    path: self.path(&assert.path, &at.below(&["path"]))?,
                    is: self
                        .test(&at.below(&["is"]))?
                        .ok_or_else(|| self.fault(&at, "the assertion does not say what must be"))?,
                    message: assert
                        .message
                        .as_deref()
                        .map(|text| self.params.fill_text(text))
                        .transpose()
                        .map_err(|error| self.param_fault(&at.below(&["message"]), &error))?,
                })
            })
            .collect()
    }

    /// `None` when all conditions on parameters hold, else which does not.
    fn params_hold(
        &self,
        conditions: &indexmap::IndexMap<String, Value>,
        at: &At<'_>,
    ) -> Result<Option<String>, Diagnostic> {
        for (name, wanted) in conditions {
            let at = at.key(name);
            let param = self.params.get(name).ok_or_else(|| {
                let error = self.params.wanted(name).err();
                error.map_or_else(
                    || self.fault(&at, format!("there is no parameter `{name}`")),
                    |error| self.param_fault(&at, &error),
                )
            })?;
            let raw = self.raw_at(&at).unwrap_or_else(|| wanted.clone());
            let holds = match raw.as_str() {
                // Whether somebody decided is a question of its own.
                Some("decided") => param.is_decided(),
                Some("undecided") => !param.is_decided(),
                _ => ValueTest::parse(&raw)
                    .map_err(|message| self.fault(&at, message))?
                    .holds(param.value.as_ref()),
            };
            if !holds {
                let have = param.value.as_ref().map_or("unset".to_owned(), Value::to_string);
                return Ok(Some(format!("parameter {name} is {have} ({})", param.origin)));
            }
        }
        Ok(None)
    }

    fn when(&self, when: &WhenFile, at: &At<'_>) -> Result<When, Diagnostic> {
        let optional = |file: &Option<super::file::MatchFile>, name: &str| {
            file.as_ref().map(|file| self.matcher(file, &at.key(name))).transpose()
        };
        let several = |list: &[WhenFile], name: &str| {
            list.iter()
                .enumerate()
                .map(|(index, when)| {
                    if !when.params.is_empty() {
                        return Err(self.fault(
                            &at.below(&[name, &index.to_string(), "params"]),
                            "conditions on parameters stand directly in `when`",
                        ));
                    }
                    self.when(when, &at.below(&[name, &index.to_string()]))
                })
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(When {
            object: optional(&when.object, "object")?,
            no_object: optional(&when.no_object, "noObject")?,
            any: several(&when.any, "any")?,
            not: several(&when.not, "not")?,
        })
    }

    fn part(&self, part: &PartFile, at: &At<'_>, inactive: bool) -> Result<Part, Diagnostic> {
        let mut edits = Vec::new();
        for (index, edit) in part.edit.iter().enumerate() {
            let at = at.item("edit", index);
            // Parameters may be unset where the rule is out of force.
            if inactive || self.params_hold(&edit.when, &at.below(&["when"]))?.is_some() {
                self.operation_name(edit, &at)?;
                continue;
            }
            edits.push(self.edit(edit, &at)?);
        }
        Ok(Part {
            matcher: if inactive {
                Matcher::default()
            } else {
                self.matcher(&part.matches, &at.below(&["match"]))?
            },
            only: Vec::new(),
            unless: Vec::new(),
            edits,
            expect: self.expect(part.expect.as_deref(), &at.below(&["expect"]))?,
        })
    }

    fn expect(&self, text: Option<&str>, at: &At<'_>) -> Result<Expect, Diagnostic> {
        match text {
            None | Some("at-least-one") => Ok(Expect::AtLeastOne),
            Some("any") => Ok(Expect::Any),
            Some(text) => text
                .strip_prefix("exactly ")
                .and_then(|number| number.trim().parse().ok())
                .map(Expect::Exactly)
                .ok_or_else(|| {
                    self.fault(at, "`expect` is not understood")
                        .help("write `any`, `at-least-one` or `exactly 3`")
                }),
        }
    }

    fn path(&self, text: &str, at: &At<'_>) -> Result<PathExpr, Diagnostic> {
        let text = self.params.fill_text(text).map_err(|error| self.param_fault(at, &error))?;
        PathExpr::parse(&text).map_err(|error| {
            self.fault(at, error.to_string()).note("a path reads like `spec.containers[name=x].env`")
        })
    }

    fn raw_at(&self, at: &At<'_>) -> Option<Value> {
        at.node(self.tree).and_then(|id| self.tree.read_node(id).ok())
    }

    /// The value at a place of the profile, parameters filled in.
    fn filled_at(&self, at: &At<'_>) -> Result<Option<Value>, Diagnostic> {
        let raw = self.raw_at(at);
        raw.map(|raw| self.params.fill_value(&raw)).transpose().map_err(|error| self.param_fault(at, &error))
    }

    fn test(&self, at: &At<'_>) -> Result<Option<ValueTest>, Diagnostic> {
        let filled = self.filled_at(at)?;
        filled.map(|filled| ValueTest::parse(&filled)).transpose().map_err(|message| self.fault(at, message))
    }

    fn adjust(&self, adjust: &AdjustFile, at: &At<'_>, rules: &mut [Rule]) -> Result<(), Diagnostic> {
        let ids: Vec<String> = rules.iter().map(|rule| rule.id.clone()).collect();
        let meant = meant(&adjust.rule, ids.iter().map(String::as_str));
        let only = adjust.only.as_ref().map(|file| self.matcher(file, &at.below(&["only"]))).transpose()?;
        let unless =
            adjust.unless.as_ref().map(|file| self.matcher(file, &at.below(&["unless"]))).transpose()?;
        let expect = adjust
            .expect
            .as_deref()
            .map(|text| self.expect(Some(text), &at.below(&["expect"])))
            .transpose()?;
        let excepted =
            if self.purpose == Purpose::Rewriting { Vec::new() } else { self.excepted(adjust, at)? };
        for rule in rules.iter_mut().filter(|rule| meant.contains(&rule.id.as_str())) {
            rule.excepted.extend(excepted.iter().cloned());
            if adjust.off {
                rule.inactive = Some(format!("{}: {}", self.file.file.name, adjust.reason));
            }
            if let Some(severity) = adjust.severity {
                rule.severity = severity;
                rule.checks.iter_mut().for_each(|check| check.severity = severity);
                rule.dangers.iter_mut().for_each(|danger| danger.severity = severity);
            }
            for check in &mut rule.checks {
                check.only.extend(only.clone());
                check.unless.extend(unless.clone());
            }
            for part in &mut rule.parts {
                part.only.extend(only.clone().map(|matcher| (matcher, adjust.reason.clone())));
                part.unless.extend(unless.clone().map(|matcher| (matcher, adjust.reason.clone())));
                // An exception may leave nothing to match.
                if only.is_some() || unless.is_some() {
                    part.expect = Expect::Any;
                }
                if let Some(expect) = expect {
                    part.expect = expect;
                }
            }
        }
        if !meant.is_empty() {
            return Ok(());
        }
        let near = crate::diagnostic::did_you_mean(&adjust.rule, rules.iter().map(|rule| rule.id.as_str()));
        let diagnostic = self.fault(&at.below(&["rule"]), format!("no rule is called `{}`", adjust.rule));
        Err(near.into_iter().fold(diagnostic, |d, near| d.help(format!("did you mean `{near}`?"))))
    }
}
