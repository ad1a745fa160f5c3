//! `helm install --post-renderer germ-post` into a real API server, by both
//! Helms: what the server keeps is what the profile says, and a release that
//! breaks a rule leaves nothing behind. What rules add is accepted as well.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod in_sync;
mod init;
mod install;
mod policy;
mod registry;
