//! `germ-post check`, by the real program. What every shipped check finds and what
//! it leaves alone is shown by the folders in `cases/`; no code is needed for a new
//! one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod cases;
mod corpus;
mod docs;
mod formats;
mod found;
mod inputs;
mod profiles;
mod suppress;
