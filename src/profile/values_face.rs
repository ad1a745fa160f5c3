//! The values face of a rule, compiled: what chart values shall be, in the paths of
//! the chart itself. Where that lands in a tree of charts is [`crate::values`]' job.

use serde_json::Value;

use super::matching::Versioned;
use super::path::PathExpr;
use super::test_value::ValueTest;
use crate::edit::{NewValue, Path};

/// Values that a rule wants of some charts.
#[derive(Debug, Clone)]
pub struct ValuesFace {
    /// The charts; one of these.
    pub charts: Vec<Versioned>,
    /// What values must be before anything is written.
    pub required: Vec<(Path, ValueTest)>,
    /// What to do where they are not.
    pub help: Option<String>,
    /// Values at paths.
    pub wishes: Vec<(Path, Wish)>,
    /// Keys wherever the charts have them.
    pub each: Vec<Each>,
    /// Keys that are left alone.
    pub kept: Vec<Kept>,
}

/// What a value shall be.
#[derive(Debug, Clone)]
pub enum Wish {
    /// This.
    Is(NewValue),
    /// A list with none but these items.
    Among(NewValue),
    /// A list without these items.
    Without(Vec<Value>),
    /// Not there.
    Gone,
}

/// The keys of some mappings.
#[derive(Debug, Clone)]
pub struct Keys {
    /// Of these charts; `None`: of all that the face means.
    pub charts: Option<Vec<Versioned>>,
    /// The way to the mappings: keys, and `**` for any number of them.
    pub within: Vec<String>,
    /// The key in such a mapping, perhaps some levels down.
    pub key: Path,
    /// Fields of that mapping and what they must be.
    pub conditions: Vec<(PathExpr, ValueTest)>,
}

/// Keys that get a value wherever a chart has them.
#[derive(Debug, Clone)]
pub struct Each {
    /// Which.
    pub keys: Keys,
    /// What they shall be.
    pub wish: Wish,
    /// Whether it is written where the chart's default is the same.
    pub explicit: bool,
}

/// Keys that are left alone.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Which.
    pub keys: Keys,
    /// Why.
    pub reason: String,
}
