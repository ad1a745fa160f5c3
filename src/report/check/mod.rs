//! The findings of `germ-post check`, one file a format.

pub mod human;
pub mod json;
