//! What there is to know about Helm without running it: the arguments of a
//! rendering, versions, release names, a chart's dependencies, and what of an error
//! message is worth showing. Running Helm is the command line's.

pub mod chart;
pub mod command_line;
pub mod failure;
pub mod plugin;
pub mod release_name;
pub mod rendering;
pub mod version;

pub use command_line::CommandLine;
pub use failure::failure;
pub use rendering::{Rendering, Set, SetKind};
pub use version::Version;
