//! `germ-post check`: what will hurt, told before a rollout. A stream, files or a
//! folder, and the configurations of the nodes beside them → findings.
//!
//! The stream is planned as for rewriting, since what the profile puts right is a
//! finding with its fix, and what it cannot do is one as well ([`edits`]). The
//! rules' checks then look at the objects as they are going to be ([`rules`],
//! [`builtin`]), so that nothing is told twice. Some findings are suppressed, for a
//! reason ([`suppress`]); all of them are in the result.

pub mod builtin;
pub mod edits;
pub mod finding;
pub mod fix;
pub mod input;
pub mod node_config;
pub mod place;
pub mod rules;
pub mod run;
pub mod scene;
pub mod suppress;
mod values;

pub use finding::{Checked, Finding};
pub use input::Input;
pub use run::{Request, check};
