//! Rules ready to run. [`super::compile`] makes them.

use serde_json::Value;

use super::file::{EventWord, Otherwise, Severity};
use super::matching::{Matcher, Versioned};
use super::path::PathExpr;
use super::test_value::ValueTest;
use super::values_face::ValuesFace;
use crate::diagnostic::Place;
use crate::edit::NewValue;
use crate::manifest::Identity;

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
    /// What `germ-post check` looks for; empty unless it was compiled for that.
    pub checks: Vec<Check>,
    /// What `germ-post diff` warns of; empty unless it was compiled for that.
    pub dangers: Vec<Danger>,
    /// Chart values that make the edits needless; empty unless it was compiled for that.
    pub values: Vec<ValuesFace>,
    /// What adjustments take out of the values face.
    pub excepted: Vec<Excepted>,
    /// The object of the cluster that it reads at admission.
    pub reads: Option<Identity>,
    /// Objects that it adds to the stream.
    pub emit: Option<Emit>,
    /// Why the run ends where it applies.
    pub refuse: Option<String>,
    /// Whether all parts and objects are judged as one.
    pub whole: bool,
    /// What to do when the rule is missed.
    pub help: Option<String>,
    /// Follows from other rules' edits, so that `--only` keeps it.
    pub consequence: bool,
    /// Has nothing to do with rewriting.
    pub only_checks: bool,
    /// Why the parameters put it out of force, if they do.
    pub inactive: Option<String>,
}

/// What an adjustment takes out of the values face of a rule.
#[derive(Debug, Clone)]
pub enum Excepted {
    /// These charts.
    Charts {
        /// Their names.
        charts: Vec<Versioned>,
        /// Why.
        reason: String,
    },
    /// All charts but these.
    AllBut {
        /// Their names.
        charts: Vec<Versioned>,
        /// Why.
        reason: String,
    },
    /// Some objects, which values cannot tell from others.
    Objects {
        /// Why.
        reason: String,
    },
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

/// Something bad that `germ-post check` looks for.
#[derive(Debug, Clone)]
pub struct Check {
    /// In which objects.
    pub matcher: Matcher,
    /// Limited to these objects by an adjustment.
    pub only: Vec<Matcher>,
    /// Adjusted to leave these objects alone.
    pub unless: Vec<Matcher>,
    /// In which field; `None`: the object itself is bad.
    pub find: Option<PathExpr>,
    /// What the field is when it is bad.
    pub is: ValueTest,
    /// What must be there as well.
    pub beside: Vec<Beside>,
    /// What must not be there.
    pub without: Vec<Matcher>,
    /// A computed check in the place of `is`.
    pub computed: Option<Computed>,
    /// What to say; `{value}` is the value found.
    pub message: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// What to do about it.
    pub help: Option<String>,
}

impl Check {
    /// Everything that the check matches or asks about, as far as the language
    /// knows it; a computed check may ask for more.
    pub fn matchers(&self) -> impl Iterator<Item = &Matcher> {
        let beside = self.beside.iter().map(|beside| &beside.matcher);
        std::iter::once(&self.matcher).chain(beside).chain(&self.without)
    }

    /// What its conditions compare pods with.
    pub fn pod_sharers(&self) -> Vec<&Matcher> {
        let conditions = self.only.iter().chain(&self.unless);
        self.matchers().chain(conditions).flat_map(Matcher::pod_sharers).collect()
    }
}

/// A change that `germ-post diff` warns of.
#[derive(Debug, Clone)]
pub struct Danger {
    /// In which objects.
    pub matcher: Matcher,
    /// What happens to them.
    pub events: Vec<EventWord>,
    /// Which field changes; `None`: any.
    pub find: Option<PathExpr>,
    /// What the field was.
    pub was: Option<ValueTest>,
    /// What the field is now.
    pub is: Option<ValueTest>,
    /// What to say; `{old}` and `{new}` are the values.
    pub message: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// What to do about it.
    pub help: Option<String>,
}

/// Something elsewhere that makes a finding bad.
#[derive(Debug, Clone)]
pub struct Beside {
    /// In which objects.
    pub matcher: Matcher,
    /// In which field; `None`: the object itself is meant.
    pub find: Option<PathExpr>,
    /// What the field is.
    pub is: ValueTest,
    /// What to say of it.
    pub note: String,
}

/// A check that the program computes.
#[derive(Debug, Clone)]
pub struct Computed {
    /// Its name.
    pub name: String,
    /// What it is told, parameters filled in.
    pub with: Value,
    /// Where the profile asks for it.
    pub place: Option<Place>,
}

/// Objects that are added to the stream.
#[derive(Debug, Clone)]
pub enum Emit {
    /// These.
    Stream {
        /// Their text, without a separator line in front.
        text: String,
        /// Each with its identity.
        objects: Vec<(Identity, Value)>,
        /// Matches any object of these names.
        matchers: Vec<Matcher>,
    },
    /// One for each object that the rule edits; for the stream where it edits none.
    Template {
        /// The object, references to fields left open ([`super::template`]).
        object: NewValue,
        /// Matches any object of its kind.
        matcher: Box<Matcher>,
    },
    /// What the program computes for each object that the rule edits.
    Computed {
        /// The name of what computes it.
        name: String,
        /// What it is told.
        with: Value,
        /// Matches any object of its kind.
        matcher: Box<Matcher>,
    },
}

impl Emit {
    /// What is looked for in the stream, to add nothing twice.
    pub fn matchers(&self) -> &[Matcher] {
        match self {
            Emit::Stream { matchers, .. } => matchers,
            Emit::Template { matcher, .. } | Emit::Computed { matcher, .. } => std::slice::from_ref(matcher),
        }
    }
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
        out.extend(self.checks.iter().flat_map(Check::matchers));
        out.extend(self.emit.iter().flat_map(Emit::matchers));
        out
    }
}

impl Rule {
    /// What its conditions compare pods with.
    pub fn pod_sharers(&self) -> Vec<&Matcher> {
        let of_parts = self.parts.iter().flat_map(Part::pod_sharers);
        of_parts.chain(self.checks.iter().flat_map(Check::pod_sharers)).collect()
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
    /// Whether it holds, given what is there.
    pub fn holds(&self, is_there: &dyn Fn(&Matcher) -> bool) -> bool {
        self.object.as_ref().is_none_or(is_there)
            && !self.no_object.as_ref().is_some_and(is_there)
            && (self.any.is_empty() || self.any.iter().any(|when| when.holds(is_there)))
            && !self.not.iter().any(|when| when.holds(is_there))
    }

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
    /// What an absent or empty field means anyway.
    pub means: Option<Value>,
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

/// The ids that `pattern` means: the one that it is, or else all that begin so.
pub fn meant<'i>(pattern: &str, ids: impl IntoIterator<Item = &'i str>) -> Vec<&'i str> {
    let mut begin_so: Vec<&str> = ids.into_iter().filter(|id| id.starts_with(pattern)).collect();
    // `talos/ipam` is not meant to speak of `talos/ipam-decided`.
    if let Some(exact) = begin_so.iter().position(|id| *id == pattern) {
        begin_so = vec![begin_so.swap_remove(exact)];
    }
    begin_so
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
