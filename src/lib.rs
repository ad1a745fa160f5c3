//! germ-post: a Helm post-renderer that rewrites only the bytes a target
//! platform needs, proves that nothing else changed, and says which rule
//! changed what and why.
//!
//! The modules stand in the order in which they may depend on each other (see
//! `ARCHITECTURE.md`). Everything here takes bytes and returns values; only the
//! binary's command line touches stdio, the environment and the clock.
#![forbid(unsafe_code)]

pub mod argocd;
pub mod bootstrap;
pub mod check;
pub mod compare;
pub mod diagnostic;
pub mod difference;
pub mod edit;
pub mod export;
pub mod helm;
pub mod krm;
pub mod manifest;
pub mod policy;
pub mod profile;
pub mod report;
pub mod rewrite;
pub mod values;
pub mod yaml;
