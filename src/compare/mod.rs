//! Two renderings → what is different on the cluster. Objects are paired by what names
//! them, list items by Kubernetes' merge keys, values compared as Kubernetes reads
//! them. Every change knows whether the chart or a rule of the profile made it. What
//! leaves this module is masked: no value of a Secret gets into the model.

pub mod attribute;
pub mod danger;
pub mod differences;
pub mod fleet;
pub mod mask;
pub mod model;
pub mod object_pattern;
pub mod options;
pub mod pair;
pub mod patch;
pub mod rename;
pub mod run;
pub mod side;
pub mod through;

pub use crate::difference::{churn, lists, quantity, step, walk};
pub use model::{Change, ChangeKind, Comparison, ObjectDiff, ObjectState};
pub use options::Options;
pub use run::{Request, compare};
