//! The findings of `germ-post check`, one file a format.

pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod origin;
pub mod sarif;
