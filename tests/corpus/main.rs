//! The profiles over real charts: what must come out of every pair of
//! renderings, what must not change in any of them, and which drift of a chart
//! must be noticed. The charts are read in place (`support::corpus`).

// A panic is how a test fails and stderr is what it says, in its helpers as well.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

#[path = "../support/mod.rs"]
mod support;

mod argocd;
mod audit;
mod checksum;
mod edge;
mod lossless;
mod mutants;
mod other_profiles;
mod pairs;
mod relied_on;
mod reports;
mod residue;
mod talos_runs;
mod text;
