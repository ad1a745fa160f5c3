//! Doors beside the post-renderer: rules that an API server carries out itself, Talos'
//! inline manifests, KRM functions. Each is held against what germ-post makes of the
//! same objects, by the real programs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "how much was compared is worth a line")]

#[path = "../support/mod.rs"]
mod support;

mod admission;
mod krm;
mod proxy;
mod talos;
