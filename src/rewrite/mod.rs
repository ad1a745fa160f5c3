//! The main job: a stream and a composition of profiles → the rewritten stream
//! with a report. The stages are types, each made only by the stage before:
//! [`survey::Survey`] → [`plan::Plan`] → [`splice::Spliced`] →
//! [`prove::Proved`]. Only the last can be printed.

pub mod detect;
pub mod document;
pub mod edit_object;
pub mod judge;
pub mod object_index;
mod origins;
pub mod outcome;
pub mod plan;
pub mod prove;
pub mod restamp;
pub mod run;
pub mod splice;
pub mod survey;
pub mod tested;
pub mod unseen;
pub mod world;

pub use outcome::Report;
pub use run::{Planned, Request, Run, finish, plan, run};
pub use unseen::Unseen;
