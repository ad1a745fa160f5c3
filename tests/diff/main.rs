//! `germ-post diff`, by the real program. What every shipped danger warns of and what
//! it leaves alone stands in `dangers/`, a file a rule; no code is needed for a new one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod attribution;
mod budget;
mod cases;
mod chart;
mod ci;
mod corpus;
mod danger_cases;
mod docs;
mod fleet;
mod formats;
mod found;
mod masking;
mod page;
mod pairing;
mod patches;
mod sides;
mod values;
