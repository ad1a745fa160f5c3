//! The profile language and the commands around it, by the real program. What a
//! profile can say is shown by the profiles in `right/`, which hold their own
//! tests; what it must not say by those in `wrong/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod config;
mod docs;
mod example;
mod explain;
mod export;
mod folder;
mod k3s;
mod lint;
mod lock;
mod outcomes;
mod right;
mod shipped;
mod wrong;
