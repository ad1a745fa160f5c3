//! The command line as its user meets it: every kind of error with its place and
//! help, exit codes, reports, and what must never be shown.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod errors;
mod exit_codes;
mod manual;
mod packaging;
mod program;
mod release;
mod reports;
mod secrets;
