//! An edit of a rule as a CEL condition: whether the object is not as the rule wants
//! it, or neither as the rule wants nor as it expects it. The same cases as in
//! `rewrite/edit_object.rs`, asked of an object to come.

use serde_json::Value;

use super::cel::{self, Cel};
use super::path::{self, Nowhere};
use super::subject::Subject;
use super::test;
use super::unsaid::Unsaid;
use crate::edit::NewValue;
use crate::profile::file::Otherwise;
use crate::profile::path::{PathExpr, Step};
use crate::profile::rule::{Edit, Operation};
use crate::profile::test_value::ValueTest;

/// Whether the edit would do something to the object, or would be missed.
pub fn is_due(edit: &Edit, subject: &Subject<'_>) -> Result<Cel, Unsaid> {
    let mut all = Vec::new();
    for (path, test) in &edit.conditions {
        all.push(subject.condition(path, test)?);
    }
    all.push(Context { edit, subject }.wrong()?);
    Ok(Cel::all(all))
}

struct Context<'c> {
    edit: &'c Edit,
    subject: &'c Subject<'c>,
}

impl Context<'_> {
    fn wrong(&self) -> Result<Cel, Unsaid> {
        match &self.edit.operation {
            Operation::Set { path, value, .. } => self.set(path, value),
            Operation::Remove { path } => self.remove(path),
            Operation::Merge { path, entries } => self.merge(path, entries),
            Operation::Append { path, value } => {
                let wanted = value.to_json();
                self.on_list(path, |list| {
                    let there = test::equals("item", &wanted).text();
                    Ok(Cel::atom(format!("!{list}.exists(item, {there})")))
                })
            }
            Operation::Insert { path, key, item, .. } => self.insert(path, key, item),
            Operation::Retain { path, values } => {
                let allowed = cel::literal(&Value::Array(values.clone()));
                let leaf = |list: &str| Ok(Cel::atom(format!("!{list}.all(item, item in {allowed})")));
                self.somewhere(path, Nowhere::all(self.misses()), &leaf)
            }
            Operation::Replace { path, from, to } => self.replace(path, from, to),
            Operation::RewriteImage { path, registries } => self.rewrite_image(path, registries),
            Operation::Require { path, is } => self.require(path, is),
            Operation::Drop => Ok(Cel::Known(true)),
            Operation::Leave { .. } => Ok(Cel::Known(false)),
            Operation::Restamp { .. } => Err(Unsaid::new("it computes a hash of another object")),
        }
    }

    fn somewhere(
        &self,
        path: &PathExpr,
        nowhere: Nowhere,
        leaf: &dyn Fn(&str) -> Result<Cel, Unsaid>,
    ) -> Result<Cel, Unsaid> {
        path::some(path, self.subject.kind, self.subject.object, nowhere, leaf)
    }

    /// Whether a path that leads nowhere is a miss.
    fn misses(&self) -> bool {
        !self.edit.optional
    }

    /// Whether an unexpected value is a miss, rather than left alone.
    fn fails(&self) -> bool {
        self.edit.otherwise == Otherwise::Fail
    }

    fn may_be_absent(&self) -> bool {
        self.edit.was.as_ref().is_none_or(|was| was.holds(None))
    }

    /// Whether an old value is replaced, or is a miss.
    fn replaced(&self, value: &str) -> Result<Cel, Unsaid> {
        match &self.edit.was {
            Some(was) if !self.fails() => test::holds(was, value),
            _ => Ok(Cel::Known(true)),
        }
    }

    /// What an absent value comes to.
    fn absent(&self) -> bool {
        self.may_be_absent() || (!self.edit.optional && self.fails())
    }

    fn set(&self, path: &PathExpr, value: &NewValue) -> Result<Cel, Unsaid> {
        let wanted = value.to_json();
        let means_the_same = self.edit.means.as_ref() == Some(&wanted);
        let leaf = |have: &str| {
            let mut all = vec![differs(have, &wanted), self.replaced(have)?];
            if means_the_same && wanted.is_string() {
                all.push(Cel::comparison(format!("{have} != \"\"")));
            }
            Ok(Cel::all(all))
        };
        let made = self.edit.make_parents && self.may_be_absent();
        let absent = self.absent() && !means_the_same;
        let broken = if made { !means_the_same } else { self.misses() };
        self.somewhere(path, Nowhere { absent, last: self.misses(), broken }, &leaf)
    }

    fn remove(&self, path: &PathExpr) -> Result<Cel, Unsaid> {
        let leaf = |have: &str| self.replaced(have);
        self.somewhere(path, Nowhere { absent: false, last: false, broken: self.misses() }, &leaf)
    }

    fn merge(&self, path: &PathExpr, entries: &[(String, NewValue)]) -> Result<Cel, Unsaid> {
        let leaf = |have: &str| Ok(lacks(have, 0, entries));
        let broken = self.edit.make_parents || self.misses();
        self.somewhere(path, Nowhere { absent: true, last: self.misses(), broken }, &leaf)
    }

    fn on_list(&self, path: &PathExpr, leaf: impl Fn(&str) -> Result<Cel, Unsaid>) -> Result<Cel, Unsaid> {
        let made = self.edit.make_parents && self.may_be_absent();
        let absent = self.edit.make_parents || self.misses();
        self.somewhere(path, Nowhere { absent, last: self.misses(), broken: made || self.misses() }, &leaf)
    }

    fn insert(&self, path: &PathExpr, key: &str, item: &NewValue) -> Result<Cel, Unsaid> {
        let wanted = item.to_json();
        let name = wanted.get(key).cloned().unwrap_or_default();
        let is_it = {
            let equal = test::equals("name", &name).text();
            format!("{}.optMap(name, {equal}).orValue(false)", path::field("item", key))
        };
        let is_right = test::covers("item", &wanted).text();
        self.on_list(path, |list| {
            let wrong_one = Cel::all([
                Cel::atom(is_it.clone()),
                Cel::atom(format!("({is_right})")).negated(),
                self.replaced("item")?,
            ]);
            let wrong = Cel::atom(format!("{list}.exists(item, {})", wrong_one.text()));
            let none = Cel::atom(format!("!{list}.exists(item, {is_it})"));
            Ok(if self.absent() { Cel::any([wrong, none]) } else { wrong })
        })
    }

    fn replace(&self, path: &PathExpr, from: &str, to: &str) -> Result<Cel, Unsaid> {
        let (old, new) = (cel::quoted(from), cel::quoted(to));
        let leaf = |have: &str| {
            // What is `to` already stays, also where `from` is a part of it.
            let due = match to {
                "" => Cel::atom(format!("{have}.contains({old})")),
                _ => Cel::atom(format!("{have}.split({new}).exists(piece, piece.contains({old}))")),
            };
            let unknown = match (self.fails(), to) {
                (true, "") => Cel::atom(format!("{have}.contains({old})")).negated(),
                (true, _) => Cel::atom(format!("{have}.contains({new})")).negated(),
                (false, _) => Cel::Known(false),
            };
            Ok(Cel::any([due, unknown]))
        };
        self.somewhere(path, Nowhere::all(self.misses()), &leaf)
    }

    fn rewrite_image(&self, path: &PathExpr, registries: &[(String, String)]) -> Result<Cel, Unsaid> {
        let starts = |have: &str, prefix: &str| {
            Cel::atom(format!("{have}.startsWith({})", cel::quoted(&format!("{prefix}/"))))
        };
        let leaf = |have: &str| {
            let mirrored = Cel::any(registries.iter().map(|(_, prefix)| starts(have, prefix)));
            let of = Cel::any(registries.iter().map(|(registry, _)| match registry.as_str() {
                // A reference without a registry is one to Docker's.
                "docker.io" => Cel::any([
                    starts(have, "docker.io"),
                    starts(have, "index.docker.io"),
                    Cel::atom(format!("{have}.matches(\"^([^/]*[.:][^/]*|localhost)/\")")).negated(),
                ]),
                registry => starts(have, registry),
            }));
            Ok(Cel::all([of, mirrored.negated()]))
        };
        self.somewhere(path, Nowhere::all(self.misses()), &leaf)
    }

    fn require(&self, path: &PathExpr, is: &ValueTest) -> Result<Cel, Unsaid> {
        if !self.fails() {
            return Ok(Cel::Known(false));
        }
        fails(path, is, self.subject)
    }
}

/// Whether some field that a path means is not what it must be.
pub fn fails(path: &PathExpr, is: &ValueTest, subject: &Subject<'_>) -> Result<Cel, Unsaid> {
    let none = !is.holds(None);
    let leaf = |have: &str| Ok(test::holds(is, have)?.negated());
    let wrong = path::some(path, subject.kind, subject.object, Nowhere::all(none), &leaf)?;
    // A path through an empty list means nothing, which is as good as absent.
    let through_lists = path.steps().contains(&Step::All);
    if !none || !through_lists {
        return Ok(wrong);
    }
    let there = |_: &str| Ok(Cel::Known(true));
    let any = path::some(path, subject.kind, subject.object, Nowhere::all(false), &there)?;
    Ok(Cel::any([wrong, any.negated()]))
}

/// Whether a value is another one than that.
fn differs(have: &str, wanted: &Value) -> Cel {
    match wanted {
        Value::Object(_) => Cel::atom(format!("({})", test::covers(have, wanted).text())).negated(),
        _ => match test::equals(have, wanted) {
            Cel::Asked { text, .. } => Cel::comparison(text.replacen(" == ", " != ", 1)),
            known => known.negated(),
        },
    }
}

/// Whether a mapping lacks one of the entries.
fn lacks(mapping: &str, depth: usize, entries: &[(String, NewValue)]) -> Cel {
    let name = format!("entry{depth}");
    Cel::any(entries.iter().map(|(key, value)| {
        let found = path::field(mapping, key);
        match value {
            NewValue::Plain(Value::Null) => Cel::atom(format!("{found}.hasValue()")),
            NewValue::Mapping(inner) => {
                let inner = lacks(&name, depth + 1, inner).text();
                Cel::atom(format!("{found}.optMap({name}, {inner}).orValue(true)"))
            }
            value => {
                let inner = differs(&name, &value.to_json()).text();
                Cel::atom(format!("{found}.optMap({name}, {inner}).orValue(true)"))
            }
        }
    }))
}
