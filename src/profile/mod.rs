//! Profiles as data: the file format, loading with `extends`, parameters, the
//! path language, and matching objects. Knows objects, not editing.

pub mod compile;
pub mod embedded;
pub mod file;
pub mod glob;
pub mod head_index;
pub mod lint;
pub mod load;
pub mod lock;
pub mod matching;
pub mod params;
pub mod path;
pub mod rule;
#[cfg(test)]
mod schema;
pub mod template;
pub mod test_value;
pub mod values_face;
pub mod version;
