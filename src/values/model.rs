//! What came of a run over values: the model behind what is printed.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::edit::{NewValue, Path};
use crate::profile::values_face::Wish;

/// A value that rules want at a place of a values file.
#[derive(Debug, Clone)]
pub struct Pin {
    /// The place, from the top of the file on.
    pub keys: Path,
    /// What it shall be.
    pub wish: Wish,
    /// The rules that want it, by index; never empty.
    pub rules: Vec<usize>,
    /// Written even where the value comes to the same by a default.
    pub explicit: bool,
    /// What the value comes to as it stands, defaults of charts included.
    pub effective: Option<Value>,
    /// What the top chart's own values say of it, where it is a value of a chart below:
    /// somebody has decided on it there, so that it need not be said again.
    pub stated: Option<Value>,
    /// Whether a chart is known that has the key, so that it may be added.
    pub may_add: bool,
    /// For a new key: to stand behind the first of these, outermost mapping first. One
    /// list for each key of `keys`.
    pub behind: Vec<Vec<String>>,
    /// Whether it is one of a pattern's keys rather than named by a rule.
    pub by_pattern: bool,
}

/// A value that was written.
#[derive(Debug, Clone)]
pub struct Change {
    /// The place.
    pub keys: Path,
    /// The ids of the rules that want it.
    pub rules: Vec<String>,
    /// The new value; `None` when it goes.
    pub value: Option<NewValue>,
}

/// A value that was left as it is, though it looks like one that a rule wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The place.
    pub keys: Path,
    /// The id of the rule.
    pub rule: String,
    /// Why.
    pub reason: String,
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The file as it was.
    pub before: String,
    /// The file as it shall be; the same text when nothing is to do.
    pub after: String,
    /// The minimal file to lay over others.
    pub overlay: String,
    /// How many values the overlay has.
    pub overlaid: usize,
    /// What was written, in the order of the rules.
    pub changes: Vec<Change>,
    /// Why the file must not be written, though it should be: an overlay can be had all
    /// the same.
    pub signed: Option<Diagnostic>,
    /// How many values were so already.
    pub already: usize,
    /// What was left alone.
    pub left: Vec<Left>,
    /// What is worth knowing beside that.
    pub notes: Vec<String>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}
