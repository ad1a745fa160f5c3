//! The fuzzers' targets on stable Rust: on the inputs of all cases, on hostile
//! seeds, and on a bounded number of mutations of both. `cargo +nightly fuzz`
//! goes on from there (`fuzz/`).
#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stderr)]
// The targets bring along what they need, since libFuzzer builds them alone.
#![allow(clippy::duplicate_mod)]

#[path = "../support/mod.rs"]
mod support;

mod smoke;
mod targets;
