//! Rules and their plans in other tools' words, for those who cannot run a program
//! where they render, and for what never comes through a rendering: patches,
//! policies that an API server carries out itself, and manifests that Talos applies.

pub mod admission;
mod patches;
pub mod talos;
mod text;

pub use patches::{Format, export};
