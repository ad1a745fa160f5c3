//! The last edits of a plan: annotations that carry a hash of another object.
//! They follow from the final value of that object and from nothing else, so
//! that a new version of this program or of a profile never restarts a pod.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::document::PlannedDocument;
use crate::edit::{Action, NewValue, Operation as PatchOperation, Path};
use crate::profile::matching::{Alone, ObjectView};
use crate::profile::path::Target;
use crate::profile::rule::{Edit, Operation};

/// The hash that a `restamp` edit writes; `None` unless what it hashes was edited.
pub fn hash(edit: &Edit, documents: &[PlannedDocument<'_>]) -> Option<String> {
    let Operation::Restamp { of, of_path, .. } = &edit.operation else { return None };
    let mut changed = false;
    let mut hashed = Sha256::new();
    for other in documents {
        for index in 0..other.objects.len() {
            let (Some(before), Some(after)) = (other.original_object(index), other.object(index)) else {
                continue;
            };
            if !of.matches(before, &Alone) || other.dropped.contains_key(&index) {
                continue;
            }
            changed |= before.value != after.value;
            for value in of_path.values(&after.identity.kind, after.value) {
                hashed.update(canonical(value));
            }
        }
    }
    changed.then(|| hashed.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The operations that write the hash into one object.
pub fn operations(edit: &Edit, hash: &str, view: ObjectView<'_>) -> Vec<PatchOperation> {
    let Operation::Restamp { path, .. } = &edit.operation else { return Vec::new() };
    path.targets(&view.identity.kind, view.value)
        .into_iter()
        .filter_map(|target| match target {
            Target::Present(at) => Some(replace(at, hash)),
            _ => None,
        })
        .collect()
}

fn replace(path: Path, hash: &str) -> PatchOperation {
    PatchOperation { path, action: Action::Replace { value: NewValue::from(&Value::from(hash)) } }
}

/// JSON with sorted keys: the same for the same data, however it is written.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| key.as_str());
            let inner: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", inner.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}
