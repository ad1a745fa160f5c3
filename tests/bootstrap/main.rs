//! `germ-post bootstrap` against a real API server, by both Helms. No controller runs there
//! and no node: the test plays them, and Cilium's operator, which registers its kinds when it
//! runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod around;
mod first;
mod refused;
mod stopped;
mod world;
