//! A tree of charts as Helm loads it: metadata, default values, schema, and the
//! charts below it, from folders and from archives.

pub mod archive;
pub mod constraint;
pub mod dependency;
pub mod enabled;
pub mod load;

pub use dependency::Dependency;
pub use enabled::{Branch, grow};
pub use load::{ChartFile, is_of_interest, load};

use serde_json::{Map, Value};

/// A chart.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What users call it: its folder or archive.
    pub shown_as: String,
    /// Its name.
    pub name: String,
    /// Its version, as written.
    pub version: String,
    /// Whether it is a library, which renders nothing.
    pub library: bool,
    /// What it says of the charts below it.
    pub dependencies: Vec<Dependency>,
    /// Its default values.
    pub values: Map<String, Value>,
    /// The bytes of its `values.yaml`, if it has one.
    pub values_file: Option<Vec<u8>>,
    /// The bytes of its `values.schema.json`, if it has one.
    pub schema: Option<Vec<u8>>,
    /// The charts in its folder `charts`, by name.
    pub charts: Vec<Chart>,
}
