//! germ-post as Argo CD's plugin: first alone, in an environment like the one that Argo
//! CD makes, with a Helm that tells what it was asked; then with real Helms, and with the
//! real argocd-cmp-server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod dependencies;
mod docs;
mod install;
mod names;
mod native;
mod parameters;
mod pinned;
mod refused;
mod result;
mod server;
mod stopped;
