//! germ-post as the post-renderer of a real Helm 3 and a real Helm 4: both are
//! started with the same words, and both must make the same objects of it, but
//! for what each Helm keeps from its post-renderers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod allowed_hosts;
mod cilium;
mod documents;
mod examples;
mod failure;
mod hooks;
mod installed;
mod nothing_left;
mod plugin;
mod profile_source;
mod run_helm;
mod template;
