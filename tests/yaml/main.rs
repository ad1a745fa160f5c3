//! The reading layer over real charts: every document parses, every span is
//! where it says, and every byte of a stream belongs to one document.
#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stderr)]

#[path = "../support/mod.rs"]
mod support;

mod corpus;
mod matches;
mod scan;
