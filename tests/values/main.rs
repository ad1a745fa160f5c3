//! `germ-post values`, by the real program: where a rule lands in a tree of charts, how
//! it is written, what is left alone, and that rendering with the values gives what
//! rewriting gives.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod check;
mod corpus;
mod docs;
mod equation;
mod files;
mod folder;
mod handed;
mod modes;
mod pins;
mod profile;
mod schema;
mod trees;
