//! The charts that ship, rendered by real Helms: the wrapper chart of the platform, with a
//! small chart of the same shape in place of Cilium's, which needs a network to be fetched.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod wrapper;
