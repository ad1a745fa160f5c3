//! What a comparison found: the model behind every format. Its values are masked; the
//! texts that it names by place are not.

use serde::Serialize;
use serde_json::Value;

use super::churn::Churn;
use crate::manifest::Identity;
use crate::profile::file::Severity;

/// Two renderings compared.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// What the old side is called.
    pub old_name: String,
    /// What the new side is called.
    pub new_name: String,
    /// The profiles that the sides were rewritten by, if they were.
    pub profiles: Vec<String>,
    /// Whether the old side is the new one before the profile: one rendering was given.
    pub one_rendering: bool,
    /// Every object with a difference that counts, in the new side's order; what is gone
    /// comes last.
    pub objects: Vec<ObjectDiff>,
    /// How many objects are the same on both sides, those with folded differences alone
    /// included.
    pub same: usize,
    /// What may hurt, the worst first.
    pub dangers: Vec<Danger>,
    /// Differences that were left out.
    pub ignored: Ignored,
    /// Objects that mean the same and are written otherwise; only where style was asked
    /// for.
    pub styled: Vec<StyleDiff>,
    /// Workloads that get new pods, whether by a change that is shown or by a folded one.
    pub restarts: Vec<Identity>,
    /// Every rule that made a change, with what can be said of it.
    pub rules: Vec<RuleNote>,
    /// Rules that changed the old side and have nothing to change on the new one.
    pub needless: Vec<Needless>,
    /// Differences between the charts' renderings that the profile takes away again.
    pub undone: usize,
}

/// What happened to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectState {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has other values.
    Changed,
    /// It has another name, namespace or group, and perhaps other values.
    Renamed,
}

/// One object with a difference.
#[derive(Debug, Clone)]
pub struct ObjectDiff {
    /// What happened.
    pub state: ObjectState,
    /// What names it now, or named it when it is gone.
    pub identity: Identity,
    /// What named it before, where that is something else; a version alone counts.
    pub was: Option<Identity>,
    /// The template that it came from.
    pub template: Option<String>,
    /// The differences, in the object's order; none for what is new or gone.
    pub changes: Vec<Change>,
    /// The whole object where it is new or gone.
    pub value: Option<Value>,
    /// Who made it be there or not; `None` without a profile.
    pub origin: Option<Origin>,
    /// Where the old text is.
    pub old: Option<Spot>,
    /// Where the new text is.
    pub new: Option<Spot>,
    /// Whether its lines must not be shown.
    pub confidential: bool,
    /// Whether its pods are made anew.
    pub restarts: bool,
    /// Differences of this object that were folded.
    pub folded: usize,
}

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Where, in the path language.
    pub path: String,
    /// What happened.
    pub kind: ChangeKind,
    /// The old value, masked where it must be.
    pub old: Option<Value>,
    /// The new value, masked where it must be.
    pub new: Option<Value>,
    /// Who made it; `None` without a profile.
    pub origin: Option<Origin>,
    /// Why it is no news, where it is shown all the same.
    pub churn: Option<Churn>,
}

/// What happened at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another value.
    Changed,
    /// Its items stand in another order.
    Reordered,
}

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The charts' renderings differ here.
    pub chart: bool,
    /// The rules that edit the place, on either side.
    pub rules: Vec<String>,
}

impl Origin {
    /// `chart`, `talos/ipam`, or `chart, then talos/ipam`.
    pub fn in_words(&self) -> String {
        match (self.chart, self.rules.is_empty()) {
            (true, true) => "chart".to_owned(),
            (true, false) => format!("chart, then {}", self.rules.join(", ")),
            (false, _) => self.rules.join(", "),
        }
    }

    /// The same in a sentence: `by the chart, then talos/ipam`.
    pub fn by(&self) -> String {
        match self.chart {
            true => format!("by the {}", self.in_words()),
            false => format!("by {}", self.in_words()),
        }
    }
}

/// The document that an object's text is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub file: String,
    /// Index of the file among the side's.
    pub text: usize,
    /// Index of the document in it.
    pub document: usize,
    /// The line where its document begins, 1-based.
    pub line: usize,
    /// Whether the document may hold other objects as well.
    pub in_list: bool,
}

/// An object that is written otherwise and means the same.
#[derive(Debug, Clone)]
pub struct StyleDiff {
    /// The object.
    pub identity: Identity,
    /// Where the old text is.
    pub old: Spot,
    /// Where the new text is.
    pub new: Spot,
    /// A unified diff's hunks; empty where the lines must not be shown.
    pub hunks: String,
    /// How many lines are another.
    pub lines: usize,
}

/// Something that may hurt.
#[derive(Debug, Clone)]
pub struct Danger {
    /// The rule that knows it.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// What happens, in one line.
    pub message: String,
    /// In which object.
    pub object: Identity,
    /// Where in it.
    pub path: Option<String>,
    /// Why that is bad.
    pub why: String,
    /// What to do.
    pub help: Option<String>,
    /// Where the reason can be looked up.
    pub sources: Vec<String>,
    /// Who made the change.
    pub origin: Option<Origin>,
    /// Where the object is, on the new side if it is there.
    pub spot: Option<Spot>,
    /// The template that the object came from.
    pub template: Option<String>,
}

/// Differences that were left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignored {
    /// By kind of churn, in the order of the kinds.
    pub churn: Vec<(Churn, usize)>,
    /// Objects in which nothing but churn is different.
    pub churn_objects: usize,
    /// By `--ignore`.
    pub paths: usize,
    /// By `--ignore-object`, whole objects.
    pub objects: usize,
}

impl Ignored {
    /// Differences left out as churn.
    pub fn churn(&self) -> usize {
        self.churn.iter().map(|(_, number)| number).sum()
    }
}

/// What is said of a rule once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleNote {
    /// `group/name`.
    pub id: String,
    /// Its intention.
    pub title: String,
    /// Its reason.
    pub why: String,
    /// Where the reason can be looked up.
    pub sources: Vec<String>,
}

/// A rule that the new rendering does not need any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needless {
    /// The rule.
    pub rule: String,
    /// Its intention.
    pub title: String,
    /// Whether the new rendering is as the rule wants it; otherwise what it edits is gone.
    pub already: bool,
}

impl Comparison {
    /// Whether nothing that counts is different.
    pub fn is_same(&self) -> bool {
        self.objects.is_empty() && self.styled.is_empty()
    }

    /// How many objects ended so.
    pub fn count(&self, state: ObjectState) -> usize {
        self.objects.iter().filter(|object| object.state == state).count()
    }

    /// How many places are different in objects that both sides have.
    pub fn changes(&self) -> usize {
        self.objects.iter().map(|object| object.changes.len()).sum()
    }

    /// Whether changes know who made them.
    pub fn is_attributed(&self) -> bool {
        !self.profiles.is_empty()
    }

    /// What is said of a rule.
    pub fn rule(&self, id: &str) -> Option<&RuleNote> {
        self.rules.iter().find(|rule| rule.id == id)
    }
}

impl ObjectDiff {
    /// The object's name, and what it was called.
    pub fn title(&self) -> String {
        match &self.was {
            Some(was) if self.state == ObjectState::Renamed => format!("{was} → {}", self.identity),
            _ => self.identity.to_string(),
        }
    }

    /// The rules and the chart, each once, that made changes here.
    pub fn origins(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let all = self.origin.iter().chain(self.changes.iter().filter_map(|change| change.origin.as_ref()));
        for origin in all {
            let chart = origin.chart.then(|| "chart".to_owned());
            for name in chart.into_iter().chain(origin.rules.iter().cloned()) {
                if !out.contains(&name) {
                    out.push(name);
                }
            }
        }
        out
    }
}
