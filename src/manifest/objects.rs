//! The objects inside a document: one, or the items of any object with an
//! `items` array, at any depth, as kubectl and Helm expand them. Items of a
//! typed list (`ServiceList`) get their kind from the list. Source:
//! `unstructuredJSONScheme` of `k8s.io/apimachinery`.

use serde_json::Value;

use super::identity::{Identity, split_api_version};
use crate::edit::Path;

/// One object of a document.
#[derive(Debug, Clone)]
pub struct ObjectRef {
    /// Where it lies in the document: empty, or the path of a list item.
    pub at: Path,
    /// What names it, a typed list's kind included.
    pub identity: Identity,
}

/// The objects of a document's value, in order. A list itself is not one of
/// them; an empty document has none.
pub fn objects(document: &Value) -> Vec<ObjectRef> {
    let mut out = Vec::new();
    collect(document, Vec::new(), None, &mut out);
    out
}

fn collect(value: &Value, at: Path, inherited: Option<(&str, &str)>, out: &mut Vec<ObjectRef>) {
    if !value.is_object() {
        return;
    }
    let mut identity = Identity::of(value);
    if let Some((api_version, kind)) = inherited
        && identity.kind.is_empty()
        && identity.version.is_empty()
    {
        identity.kind = kind.to_owned();
        let (group, version) = split_api_version(api_version);
        identity.group = group.to_owned();
        identity.version = version.to_owned();
    }
    match value.get("items") {
        Some(Value::Array(items)) => {
            let api_version = identity.api_version();
            let item_kind = identity.kind.strip_suffix("List").filter(|kind| !kind.is_empty());
            for (index, item) in items.iter().enumerate() {
                let mut path = at.clone();
                path.push("items".to_owned());
                path.push(index.to_string());
                collect(item, path, item_kind.map(|kind| (api_version.as_str(), kind)), out);
            }
        }
        _ => out.push(ObjectRef { at, identity }),
    }
}

/// Whether the last two tokens of a path are an item of a list object.
pub fn list_item_index(at: &[String]) -> Option<usize> {
    match at {
        [.., items, index] if items == "items" => index.parse().ok(),
        _ => None,
    }
}
