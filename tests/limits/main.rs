//! The limits that `docs/limits.md` states. Where it says that something takes
//! linear time, the input here is so large that quadratic time would be noticed;
//! no test looks at a clock.
#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stderr)]

mod aliases;
mod depth;
mod foreign;
mod runs;
mod size;
