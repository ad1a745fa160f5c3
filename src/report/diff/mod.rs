//! What `germ-post diff` found, one file a format.

pub mod brief;
pub mod budget;
pub mod fold;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod human;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod side_by_side;
pub mod summary;
pub mod unified;
pub mod yaml_text;
