//! The first installation of what everything else needs, a network above all: what has to
//! be known of a cluster, what is done in which order, and when to go on. Running Helm and
//! kubectl, waiting and telling are the command line's.

pub mod application;
pub mod discovery;
pub mod late;
pub mod readiness;
pub mod release;
pub mod script;
pub mod smoke;

pub use discovery::Served;
pub use late::Late;
pub use readiness::Readiness;
