//! The values face: what the rules want of chart values, where that lands in a tree of
//! charts or in a values file, and how it is written there without touching anything
//! else. Charts come as bytes; nothing here reads a file.

pub mod chart;
pub mod coalesce;
pub mod model;
mod opaque;
pub mod overlay;
mod place;
mod plan;
mod run;
mod schema;
mod section;
mod source;
mod wish;
mod write;

pub use model::{Change, Left, Outcome, Pin};
pub use run::{Request, run};
pub use source::Source;

/// A path into values as people write it: `argo-cd.configs."a.b"`.
pub fn dotted(keys: &[String]) -> String {
    let spelled = keys.iter().map(|key| {
        let is_plain =
            !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'));
        if is_plain { key.clone() } else { format!("\"{}\"", key.replace('"', "\\\"")) }
    });
    spelled.collect::<Vec<_>>().join(".")
}
