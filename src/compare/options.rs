//! What a comparison leaves out, and what it hides.

use super::object_pattern::ObjectPattern;
use crate::profile::path::{PathExpr, Target};
use serde_json::Value;

/// How to compare.
#[derive(Debug, Default, Clone)]
pub struct Options {
    /// Values to mask beside those of Secrets.
    pub mask: Vec<FieldPattern>,
    /// Differences to leave out.
    pub ignore: Vec<FieldPattern>,
    /// Objects to leave out.
    pub ignore_objects: Vec<ObjectPattern>,
    /// Nothing is folded as churn.
    pub no_ignore: bool,
    /// What is merely written otherwise is told as well.
    pub style: bool,
    /// A side without objects is not an error.
    pub allow_empty: bool,
    /// The key of the hash that stands for masked values; another one every run.
    pub key: [u8; 32],
}

/// A field that was named: by a path of the path language, or by a JSON pointer.
#[derive(Debug, Clone)]
pub enum FieldPattern {
    /// In the path language.
    Path(PathExpr),
    /// RFC 6901.
    Pointer(Vec<String>),
}

impl FieldPattern {
    /// Reads either; a pointer begins with `/`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix('/') {
            Some(pointer) => {
                let tokens = pointer.split('/').map(|token| token.replace("~1", "/").replace("~0", "~"));
                Ok(Self::Pointer(tokens.collect()))
            }
            None => PathExpr::parse(text).map(Self::Path).map_err(|error| error.to_string()),
        }
    }

    /// The places in an object that it means.
    pub fn places(&self, kind: &str, object: &Value) -> Vec<Vec<String>> {
        match self {
            Self::Pointer(tokens) => vec![tokens.clone()],
            Self::Path(path) => path
                .targets(kind, object)
                .into_iter()
                .filter_map(|target| match target {
                    Target::Present(at) | Target::Absent(at) => Some(at),
                    Target::Broken { .. } => None,
                })
                .collect(),
        }
    }
}
