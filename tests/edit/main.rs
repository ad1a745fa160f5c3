//! Lossless editing under random patches: on hand-written documents that hold
//! every form of YAML the editor must know, and on real charts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

#[path = "../support/mod.rs"]
mod support;

mod checks;
mod comments;
mod corpus;
mod documents;
mod forms;
mod generated;
mod handed;
mod patches;
mod random;
