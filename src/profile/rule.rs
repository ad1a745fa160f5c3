//! Rules ready to run: files compiled with final parameters. Everything that
//! can be wrong with a rule is found here, with its place in the profile.

use serde_json::Value;

use super::file::{
    AdjustFile, EditFile, OneOrMany, Otherwise, Parents, PartFile, RuleFile, Severity, WhenFile,
};
use super::load::{Loaded, LoadedFile};
use super::matching::{MatchError, Matcher};
use super::params::{ParamError, Params, whole_reference};
use super::path::PathExpr;
use super::test_value::ValueTest;
use crate::diagnostic::Diagnostic;
use crate::edit::{NewValue, Quotes};
use crate::manifest::Identity;
use crate::yaml::scalar::Scalar;
use crate::yaml::{self, Content, NodeId, ScalarStyle, Tree};

/// A compiled rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// `group/name`.
    pub id: String,
    /// The intention.
    pub title: String,
    /// The reason.
    pub why: String,
    /// Where the reason can be looked up.
    pub sources: Vec<String>,
    /// How bad it is when the rule is not followed.
    pub severity: Severity,
    /// The profile it comes from.
    pub profile: String,
    /// Conditions on the stream.
    pub when: When,
    /// What it edits.
    pub parts: Vec<Part>,
    /// What must hold of the rewritten stream.
    pub asserts: Vec<Assert>,
    /// Objects that it adds to the stream.
    pub emit: Option<Emit>,
    /// Whether all parts and objects are judged as one.
    pub whole: bool,
    /// What to do when the rule is missed.
    pub help: Option<String>,
    /// Follows from other rules' edits, so that `--only` keeps it.
    pub consequence: bool,
    /// Why the parameters put it out of force, if they do.
    pub inactive: Option<String>,
}

/// Something that must hold.
#[derive(Debug, Clone)]
pub struct Assert {
    /// Of which objects.
    pub matcher: Matcher,
    /// Of which field.
    pub path: PathExpr,
    /// What.
    pub is: ValueTest,
    /// What to say when it does not.
    pub message: Option<String>,
}

/// Objects that are added to the stream.
#[derive(Debug, Clone)]
pub struct Emit {
    /// Their text, without a separator line in front.
    pub text: String,
    /// Each with its identity.
    pub objects: Vec<(Identity, Value)>,
    /// Matches any object of these names.
    pub matchers: Vec<Matcher>,
}

impl Rule {
    /// Everything that the rule may match or ask about.
    pub fn matchers(&self) -> Vec<&Matcher> {
        let mut out = self.when.matchers();
        for part in &self.parts {
            out.push(&part.matcher);
            out.extend(part.pod_sharers());
            for edit in &part.edits {
                if let Operation::Restamp { of, .. } = &edit.operation {
                    out.push(of);
                }
            }
        }
        out.extend(self.asserts.iter().map(|assert| &assert.matcher));
        out.extend(self.emit.iter().flat_map(|emit| &emit.matchers));
        out
    }
}

/// Conditions on the stream.
#[derive(Debug, Clone, Default)]
pub struct When {
    /// Some object matches.
    pub object: Option<Matcher>,
    /// No object matches.
    pub no_object: Option<Matcher>,
    /// One of these holds.
    pub any: Vec<When>,
    /// None of these holds.
    pub not: Vec<When>,
}

impl When {
    /// All the matchers in it.
    pub fn matchers(&self) -> Vec<&Matcher> {
        let mut out: Vec<&Matcher> = self.object.iter().chain(&self.no_object).collect();
        for when in self.any.iter().chain(&self.not) {
            out.extend(when.matchers());
        }
        out
    }
}

/// How many objects a part must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// None is fine.
    Any,
    /// One or more.
    AtLeastOne,
    /// This many.
    Exactly(usize),
}

/// One kind of object with its edits.
#[derive(Debug, Clone)]
pub struct Part {
    /// Which objects.
    pub matcher: Matcher,
    /// Limited to these objects, with the reason for leaving the others.
    pub only: Vec<(Matcher, String)>,
    /// Adjusted to leave these objects alone, with the reason.
    pub unless: Vec<(Matcher, String)>,
    /// The edits.
    pub edits: Vec<Edit>,
    /// How many objects must match.
    pub expect: Expect,
}

impl Part {
    /// What its conditions compare pods with.
    pub fn pod_sharers(&self) -> Vec<&Matcher> {
        let conditions = self.only.iter().chain(&self.unless).map(|(matcher, _)| matcher);
        std::iter::once(&self.matcher).chain(conditions).flat_map(Matcher::pod_sharers).collect()
    }
}

/// A compiled edit.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The operation.
    pub operation: Operation,
    /// Old values that may be replaced; `None`: any.
    pub was: Option<ValueTest>,
    /// What happens on another one.
    pub otherwise: Otherwise,
    /// Conditions on the object.
    pub conditions: Vec<(PathExpr, ValueTest)>,
    /// A path that leads nowhere is nothing to do.
    pub optional: bool,
    /// Mappings on the way are made.
    pub make_parents: bool,
    /// Judged by itself.
    pub apart: bool,
    /// What to say when it is missed.
    pub help: Option<String>,
}

/// What an edit does.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // A profile has some dozens of them.
pub enum Operation {
    /// A field gets a value.
    Set {
        /// The field.
        path: PathExpr,
        /// Its value.
        value: NewValue,
        /// Keys to stand behind, when new.
        after: Vec<String>,
    },
    /// A field or item goes.
    Remove {
        /// The field or item.
        path: PathExpr,
    },
    /// Entries are set in a mapping.
    Merge {
        /// The mapping.
        path: PathExpr,
        /// The entries.
        entries: Vec<(String, NewValue)>,
    },
    /// An item stands in a list.
    Append {
        /// The list.
        path: PathExpr,
        /// The item.
        value: NewValue,
    },
    /// An item with a key stands in a list.
    Insert {
        /// The list.
        path: PathExpr,
        /// The key that tells items apart.
        key: String,
        /// The item.
        item: NewValue,
        /// Key values of items to stand behind, when new.
        after: Vec<String>,
    },
    /// Only these items stay in a list.
    Retain {
        /// The list.
        path: PathExpr,
        /// The items that may stay.
        values: Vec<Value>,
    },
    /// A part of a text is replaced.
    Replace {
        /// The text.
        path: PathExpr,
        /// The part.
        from: String,
        /// What comes.
        to: String,
    },
    /// Image references get another registry.
    RewriteImage {
        /// The references.
        path: PathExpr,
        /// New prefixes by registry.
        registries: Vec<(String, String)>,
    },
    /// A field becomes the hash of another object's field, if that was edited.
    Restamp {
        /// The field.
        path: PathExpr,
        /// The other object.
        of: Matcher,
        /// Its field.
        of_path: PathExpr,
    },
    /// The object goes.
    Drop,
    /// The object is left alone, and reported.
    Leave {
        /// Why.
        reason: String,
    },
    /// A field must be so.
    Require {
        /// The field.
        path: PathExpr,
        /// What it must be.
        is: ValueTest,
    },
}

/// Compiles every rule of a composition with final parameters, adjustments
/// applied.
pub fn compile(loaded: &Loaded, params: &Params) -> Result<Vec<Rule>, Diagnostic> {
    let mut rules: Vec<Rule> = Vec::new();
    for file in &loaded.files {
        // An adjustment speaks of what its file extends, and of its own rules.
        let tree = yaml::parse(&file.text)
            .map_err(|error| file.fault(&[], format!("the profile is not YAML: {}", error.message)))?;
        let raw = Loaded::raw(file);
        for (index, rule) in file.file.rules.iter().enumerate() {
            let compiler = Compiler { file, tree: &tree, raw: &raw, params };
            let compiled = compiler.rule(rule, &pointer(&["rules", &index.to_string()]))?;
            if let Some(other) = rules.iter().find(|other| other.id == compiled.id) {
                return Err(file
                    .fault(
                        &pointer(&["rules", &index.to_string(), "id"]),
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
            let compiler = Compiler { file, tree: &tree, raw: &raw, params };
            compiler.adjust(adjust, &pointer(&["adjust", &index.to_string()]), &mut rules)?;
        }
    }
    Ok(rules)
}

/// The ids that `pattern` means: the one that it is, or else all that begin so.
pub fn meant<'i>(pattern: &str, ids: impl IntoIterator<Item = &'i str>) -> Vec<&'i str> {
    let mut begin_so: Vec<&str> = ids.into_iter().filter(|id| id.starts_with(pattern)).collect();
    // `talos/ipam` is not meant to speak of `talos/ipam-decided`.
    if let Some(exact) = begin_so.iter().position(|id| *id == pattern) {
        begin_so = vec![begin_so.swap_remove(exact)];
    }
    begin_so
}

/// What to do about a rule that only chart values can follow.
fn values_help(rule: &RuleFile) -> Option<String> {
    let values = rule.values.as_ref().filter(|_| rule.edit.is_empty() && rule.parts.is_empty())?;
    let set: Vec<String> = values.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
    Some(format!("no edit can do it; set the values of the chart {}: {}", values.chart, set.join(", ")))
}

fn pointer(tokens: &[&str]) -> Vec<String> {
    tokens.iter().map(|token| (*token).to_owned()).collect()
}

struct Compiler<'c> {
    file: &'c LoadedFile,
    tree: &'c Tree<'c>,
    raw: &'c Value,
    params: &'c Params,
}

/// A path in the profile file.
type Pointer = Vec<String>;

fn below(at: &[String], tokens: &[&str]) -> Pointer {
    at.iter().cloned().chain(tokens.iter().map(|token| (*token).to_owned())).collect()
}

impl Compiler<'_> {
    fn fault(&self, at: &[String], message: impl Into<String>) -> Diagnostic {
        self.file.fault(at, message)
    }

    fn param_fault(&self, at: &[String], error: &ParamError) -> Diagnostic {
        error.help().into_iter().fold(self.fault(at, error.to_string()), Diagnostic::help)
    }

    fn match_fault(&self, at: &[String], error: &MatchError) -> Diagnostic {
        let field: Vec<&str> = error.field.split('/').collect();
        let diagnostic = self.fault(&below(at, &field), error.message.clone());
        error.help.iter().cloned().fold(diagnostic, Diagnostic::help)
    }

    fn matcher(&self, file: &super::file::MatchFile, at: &[String]) -> Result<Matcher, Diagnostic> {
        Matcher::compile(file, self.params).map_err(|error| self.match_fault(at, &error))
    }

    fn rule(&self, rule: &RuleFile, at: &[String]) -> Result<Rule, Diagnostic> {
        let id_is_well_formed = rule.id.split('/').count() >= 2
            && rule.id.split('/').all(|part| {
                !part.is_empty()
                    && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            });
        if !id_is_well_formed {
            return Err(self
                .fault(
                    &below(at, &["id"]),
                    "a rule's id is written `group/name`, in lower case, digits and dashes",
                )
                .help("an id has no dot: `germ-post.dev/keep.<id>` writes the `/` of an id as one"));
        }
        let inactive = self.params_hold(&rule.when.params, &below(at, &["when", "params"]))?;
        let when = self.when(&rule.when, &below(at, &["when"]))?;
        let mut parts = Vec::new();
        let whole = !rule.parts.is_empty();
        match (&rule.matches, whole) {
            (Some(_), true) => {
                return Err(self.fault(&below(at, &["match"]), "a rule has either `match` or `parts`"));
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
                    parts.push(self.part(
                        part,
                        &below(at, &["parts", &index.to_string()]),
                        inactive.is_some(),
                    )?);
                }
            }
        }
        for (index, only) in rule.only.iter().enumerate() {
            let at = below(at, &["only", &index.to_string()]);
            if inactive.is_some() || self.params_hold(&only.when, &below(&at, &["when"]))?.is_some() {
                continue;
            }
            let matcher = self.matcher(&only.matches, &below(&at, &["match"]))?;
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
            emit: self.emit(rule, at)?.filter(|_| inactive.is_none()),
            whole,
            help: rule.help.clone().or_else(|| values_help(rule)),
            consequence: rule.consequence,
            inactive,
        })
    }

    fn asserts(&self, rule: &RuleFile, at: &[String]) -> Result<Vec<Assert>, Diagnostic> {
        rule.assert
            .iter()
            .enumerate()
            .map(|(index, assert)| {
                let at = below(at, &["assert", &index.to_string()]);
                Ok(Assert {
                    matcher: self.matcher(&assert.matches, &below(&at, &["match"]))?,
                    path: self.path(&assert.path, &below(&at, &["path"]))?,
                    is: self
                        .test(&below(&at, &["is"]))?
                        .ok_or_else(|| self.fault(&at, "the assertion does not say what must be"))?,
                    message: assert.message.clone(),
                })
            })
            .collect()
    }

    fn emit(&self, rule: &RuleFile, at: &[String]) -> Result<Option<Emit>, Diagnostic> {
        let Some(emit) = &rule.emit else { return Ok(None) };
        let at = below(at, &["emit", "file"]);
        let text = self
            .file
            .emitted
            .get(&emit.file)
            .ok_or_else(|| self.fault(&at, "a shipped profile cannot read files"))?;
        let unreadable =
            |message: &str| self.fault(&at, format!("the file cannot be added to a stream: {message}"));
        let stream = yaml::Stream::cut(text.as_bytes())
            .map_err(|_| unreadable("it does not read as a YAML stream"))?;
        let mut objects = Vec::new();
        for document in stream.documents() {
            let tree =
                yaml::parse(stream.document_text(document)).map_err(|error| unreadable(&error.message))?;
            let value = tree.read().map_err(|_| unreadable("it cannot be read"))?;
            for object in crate::manifest::objects::objects(&value) {
                if let Some(value) = super::path::get(&value, &object.at) {
                    objects.push((object.identity, value.clone()));
                }
            }
        }
        let matchers = objects.iter().map(|(identity, _)| Matcher::of(identity)).collect();
        let text = text.trim_start_matches("---\n").to_owned();
        Ok(Some(Emit { text, objects, matchers }))
    }

    /// `None` when all conditions on parameters hold, else which does not.
    fn params_hold(
        &self,
        conditions: &indexmap::IndexMap<String, Value>,
        at: &[String],
    ) -> Result<Option<String>, Diagnostic> {
        for (name, wanted) in conditions {
            let at = below(at, &[name]);
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

    fn when(&self, when: &WhenFile, at: &[String]) -> Result<When, Diagnostic> {
        let optional = |file: &Option<super::file::MatchFile>, name: &str| {
            file.as_ref().map(|file| self.matcher(file, &below(at, &[name]))).transpose()
        };
        let several = |list: &[WhenFile], name: &str| {
            list.iter()
                .enumerate()
                .map(|(index, when)| {
                    if !when.params.is_empty() {
                        return Err(self.fault(
                            &below(at, &[name, &index.to_string(), "params"]),
                            "conditions on parameters stand directly in `when`",
                        ));
                    }
                    self.when(when, &below(at, &[name, &index.to_string()]))
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

    fn part(&self, part: &PartFile, at: &[String], inactive: bool) -> Result<Part, Diagnostic> {
        let mut edits = Vec::new();
        for (index, edit) in part.edit.iter().enumerate() {
            let at = below(at, &["edit", &index.to_string()]);
            // Parameters may be unset where the rule is out of force.
            if inactive || self.params_hold(&edit.when, &below(&at, &["when"]))?.is_some() {
                self.operation_name(edit, &at)?;
                continue;
            }
            edits.push(self.edit(edit, &at)?);
        }
        Ok(Part {
            matcher: if inactive {
                Matcher::default()
            } else {
                self.matcher(&part.matches, &below(at, &["match"]))?
            },
            only: Vec::new(),
            unless: Vec::new(),
            edits,
            expect: self.expect(part.expect.as_deref(), &below(at, &["expect"]))?,
        })
    }

    fn expect(&self, text: Option<&str>, at: &[String]) -> Result<Expect, Diagnostic> {
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

    fn path(&self, text: &str, at: &[String]) -> Result<PathExpr, Diagnostic> {
        let text = self.params.fill_text(text).map_err(|error| self.param_fault(at, &error))?;
        PathExpr::parse(&text).map_err(|error| {
            self.fault(at, error.to_string()).note("a path reads like `spec.containers[name=x].env`")
        })
    }

    fn raw_at(&self, at: &[String]) -> Option<Value> {
        super::path::get(self.raw, at).cloned()
    }

    fn test(&self, at: &[String]) -> Result<Option<ValueTest>, Diagnostic> {
        let Some(raw) = self.raw_at(at) else { return Ok(None) };
        let filled = self.params.fill_value(&raw).map_err(|error| self.param_fault(at, &error))?;
        ValueTest::parse(&filled).map(Some).map_err(|message| self.fault(at, message))
    }

    /// The one operation that the edit names.
    fn operation_name(&self, edit: &EditFile, at: &[String]) -> Result<&'static str, Diagnostic> {
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

    fn edit(&self, edit: &EditFile, at: &[String]) -> Result<Edit, Diagnostic> {
        let name = self.operation_name(edit, at)?;
        let here = below(at, &[name]);
        let path = |text: &Option<String>| self.path(text.as_deref().unwrap_or(""), &here);
        let value = || {
            let at = below(at, &["value"]);
            let id = self
                .tree
                .locate(&at)
                .ok_or_else(|| self.fault(&here, format!("`{name}` needs a `value`")))?;
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
                        .map_err(|error| self.param_fault(&below(at, &["after"]), &error))
                })
                .collect()
        };
        let operation = match name {
            "set" => Operation::Set { path: path(&edit.set)?, value: value()?, after: after()? },
            "remove" => Operation::Remove { path: path(&edit.remove)? },
            "merge" => match value()? {
                NewValue::Mapping(entries) => Operation::Merge { path: path(&edit.merge)?, entries },
                _ => return Err(self.fault(&below(at, &["value"]), "`merge` takes a mapping")),
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
                _ => return Err(self.fault(&below(at, &["value"]), "`retain` takes a list")),
            },
            "replace" => {
                let fill = |text: &Option<String>, field: &str| {
                    let text = text.as_ref().ok_or_else(|| missing(field))?;
                    self.params
                        .fill_text(text)
                        .map_err(|error| self.param_fault(&below(at, &[field]), &error))
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
                            .map_err(|error| self.param_fault(&below(at, &["registries", from]), &error))
                    })
                    .collect::<Result<_, _>>()?,
            },
            "restamp" => Operation::Restamp {
                path: path(&edit.restamp)?,
                of: self.matcher(edit.of.as_ref().ok_or_else(|| missing("of"))?, &below(at, &["of"]))?,
                of_path: self.path(
                    edit.of_path.as_deref().ok_or_else(|| missing("ofPath"))?,
                    &below(at, &["ofPath"]),
                )?,
            },
            "require" => Operation::Require {
                path: path(&edit.require)?,
                is: self.test(&below(at, &["is"]))?.ok_or_else(|| missing("is"))?,
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
                let at = below(at, &["if", path]);
                let test = self.test(&at)?.ok_or_else(|| self.fault(&at, "the condition says nothing"))?;
                Ok((self.path(path, &at)?, test))
            })
            .collect::<Result<_, Diagnostic>>()?;
        Ok(Edit {
            operation,
            was: self.test(&below(at, &["was"]))?,
            otherwise: edit.otherwise,
            conditions,
            optional: edit.optional,
            make_parents: edit.parents == Parents::Create,
            apart: edit.apart,
            help: edit.help.clone(),
        })
    }

    /// A value with the quotes it has in the profile, parameters filled in.
    fn styled(&self, id: NodeId) -> Result<NewValue, ParamError> {
        let id = self.tree.resolve(id);
        match &self.tree.node(id).content {
            Content::Scalar { style, value: Scalar::Str(text) } => {
                let quotes = match style {
                    ScalarStyle::Single => Quotes::Single,
                    ScalarStyle::Double => Quotes::Double,
                    _ => Quotes::Local,
                };
                match whole_reference(text).map(|reference| self.params.wanted(reference)).transpose()? {
                    None => Ok(NewValue::Str { text: self.params.fill_text(text)?, quotes }),
                    Some(Value::String(text)) => Ok(NewValue::Str { text, quotes }),
                    Some(other) => Ok(NewValue::from(&other)),
                }
            }
            Content::Scalar { value, .. } => Ok(NewValue::Plain(value.to_json())),
            Content::Sequence { items, .. } => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    let whole = self.whole_list(item.node);
                    match self.styled(item.node)? {
                        NewValue::Sequence(inner) if whole => out.extend(inner),
                        value => out.push(value),
                    }
                }
                Ok(NewValue::Sequence(out))
            }
            Content::Mapping { entries, .. } => entries
                .iter()
                .filter_map(|entry| Some((entry.name.name()?, entry.value)))
                .map(|(name, value)| Ok((self.params.fill_text(name)?, self.styled(value)?)))
                .collect::<Result<_, _>>()
                .map(NewValue::Mapping),
            Content::Alias { target } => self.styled(*target),
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

    fn adjust(&self, adjust: &AdjustFile, at: &[String], rules: &mut [Rule]) -> Result<(), Diagnostic> {
        let ids: Vec<String> = rules.iter().map(|rule| rule.id.clone()).collect();
        let meant = meant(&adjust.rule, ids.iter().map(String::as_str));
        let only = adjust.only.as_ref().map(|file| self.matcher(file, &below(at, &["only"]))).transpose()?;
        let unless =
            adjust.unless.as_ref().map(|file| self.matcher(file, &below(at, &["unless"]))).transpose()?;
        let expect = adjust
            .expect
            .as_deref()
            .map(|text| self.expect(Some(text), &below(at, &["expect"])))
            .transpose()?;
        for rule in rules.iter_mut().filter(|rule| meant.contains(&rule.id.as_str())) {
            if adjust.off {
                rule.inactive = Some(format!("{}: {}", self.file.file.name, adjust.reason));
            }
            if let Some(severity) = adjust.severity {
                rule.severity = severity;
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
        let diagnostic = self.fault(&below(at, &["rule"]), format!("no rule is called `{}`", adjust.rule));
        Err(near.into_iter().fold(diagnostic, |d, near| d.help(format!("did you mean `{near}`?"))))
    }
}

impl Operation {
    /// The path that the operation concerns, as written.
    pub fn path_text(&self) -> &str {
        match self {
            Operation::Set { path, .. }
            | Operation::Remove { path }
            | Operation::Merge { path, .. }
            | Operation::Append { path, .. }
            | Operation::Insert { path, .. }
            | Operation::Retain { path, .. }
            | Operation::Replace { path, .. }
            | Operation::RewriteImage { path, .. }
            | Operation::Restamp { path, .. }
            | Operation::Require { path, .. } => path.text(),
            Operation::Drop | Operation::Leave { .. } => "",
        }
    }
}

impl Operation {
    /// The operation in one line.
    pub fn in_words(&self) -> String {
        let path = self.path_text();
        match self {
            Operation::Set { value, .. } => format!("set {path} = {}", value.to_json()),
            Operation::Remove { .. } => format!("remove {path}"),
            Operation::Merge { entries, .. } => {
                format!("merge into {path}: {}", NewValue::Mapping(entries.clone()).to_json())
            }
            Operation::Append { value, .. } => format!("append to {path}: {}", value.to_json()),
            Operation::Insert { item, key, .. } => format!("insert into {path} by {key}: {}", item.to_json()),
            Operation::Retain { values, .. } => format!("retain in {path}: {}", Value::Array(values.clone())),
            Operation::Replace { from, to, .. } => format!("replace in {path}: `{from}` by `{to}`"),
            Operation::RewriteImage { registries, .. } => {
                let pairs: Vec<String> =
                    registries.iter().map(|(from, to)| format!("{from} → {to}")).collect();
                format!("rewrite image {path}: {}", pairs.join(", "))
            }
            Operation::Restamp { of_path, .. } => format!("restamp {path} with a hash of {}", of_path.text()),
            Operation::Drop => "drop the object".to_owned(),
            Operation::Leave { reason } => format!("leave the object: {reason}"),
            Operation::Require { is, .. } => format!("require {path} to be {}", is.in_words()),
        }
    }
}
