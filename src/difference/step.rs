//! Where a change is, in the path language of profiles, with list items named by what
//! tells them apart rather than by their number: the same item has the same path in
//! two renderings.

use std::fmt::Write as _;

use crate::profile::path::spell_key;

/// One step of the way to a change.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A mapping's key.
    Key(String),
    /// `[name=cilium-agent]`: the item of a list whose fields have these values.
    Item(Vec<(String, String)>),
    /// `[=NET_ADMIN]`: the item that is this value.
    Value(String),
    /// `[3]`: an item that nothing but its place tells apart.
    Index(usize),
}

/// The way as text.
pub fn spell(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&spell_key(key));
            }
            Step::Item(fields) => {
                for (key, value) in fields {
                    let _ = write!(out, "[{key}={value}]");
                }
            }
            Step::Value(value) => {
                let _ = write!(out, "[={value}]");
            }
            Step::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
        }
    }
    out
}

/// Whether one way leads through the other's end, or to it.
pub fn overlap(one: &[Step], other: &[Step]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}
