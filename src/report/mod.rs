//! Saying what happened, one file a format. Takes models and gives text; knows
//! nothing of files and terminals.

pub mod check;
pub mod diff;
pub mod explain;
pub mod human;
pub mod json;
pub mod policy;
pub mod values;
