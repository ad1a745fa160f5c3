//! YAML as Kubernetes reads it: the stream cut into documents, documents
//! parsed into nodes that know their bytes, and scalars with the meaning that
//! `sigs.k8s.io/yaml` gives them. Nothing here knows about Kubernetes objects
//! or about editing.

pub mod deserialize;
mod line_index;
pub mod means;
pub mod parse;
pub mod quote;
pub mod read;
pub mod scalar;
pub mod scan;
pub mod stream;
pub mod tree;

pub use parse::{ParseError, parse};
pub use scan::{Head, Scan, scan};
pub use stream::{Document, Stream};
pub use tree::{Content, Entry, Item, Key, Node, NodeId, ScalarStyle, Tree};
