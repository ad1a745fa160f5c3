//! The plan for a stream in other tools' words, for those who cannot run a
//! program where they render: each object's operations as an RFC 6902 patch, with
//! the old values as `test`, so that a patch that no longer fits fails.

use serde_json::{Map, Value, json};

use crate::diagnostic::Diagnostic;
use crate::edit::{self, Action, NewValue, Operation, pointer};
use crate::manifest::Identity;
use crate::rewrite::Planned;
use crate::yaml;

/// The tools that patches can be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A `kustomization.yaml` for the stream as `rendered.yaml`.
    Kustomize,
    /// The `postRenderers` of a Flux `HelmRelease`.
    Flux,
}

/// The patches as a YAML text. Refuses what they cannot say.
pub fn export(planned: &Planned<'_>, format: Format) -> Result<String, Diagnostic> {
    if !planned.plan.emitted.is_empty() {
        return Err(Diagnostic::contract(
            "export-impossible",
            "a patch cannot add objects, and a rule of the profile does",
        )
        .help("leave the rule out with --skip, and apply its objects in another way"));
    }
    let mut patches = Vec::new();
    for document in &planned.plan.documents {
        for (index, object) in document.objects.iter().enumerate() {
            if document.dropped.contains_key(&index) {
                patches
                    .push(json!({"target": target(&object.identity), "patch": deletion(&object.identity)}));
                continue;
            }
            let mut operations = Vec::new();
            for planned in document.operations.iter().filter(|planned| planned.object == index) {
                if object.identity.is_secret() {
                    return Err(Diagnostic::contract(
                        "export-impossible",
                        "a patch of a Secret would show its values",
                    )
                    .object(&object.identity));
                }
                let inside = planned.operation.path.get(object.at.len()..).unwrap_or(&[]).to_vec();
                if let Some(old) =
                    planned.old.as_ref().filter(|_| !matches!(planned.operation.action, Action::Add { .. }))
                {
                    operations.push(json!({"op": "test", "path": pointer(&inside), "value": old}));
                }
                let operation = Operation { path: inside, action: planned.operation.action.clone() };
                operations.push(operation.to_json_patch());
            }
            if !operations.is_empty() {
                let patch = write(&Value::Array(operations))?;
                patches.push(json!({"target": target(&object.identity), "patch": patch}));
            }
        }
    }
    let whole = match format {
        Format::Kustomize => json!({
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": ["rendered.yaml"],
            "patches": patches,
        }),
        Format::Flux => json!({"spec": {"postRenderers": [{"kustomize": {"patches": patches}}]}}),
    };
    write(&whole)
}

/// Kustomize takes the fields of a target for regular expressions, anchored.
fn target(identity: &Identity) -> Value {
    let mut out = Map::new();
    for (key, text) in [
        ("group", &identity.group),
        ("version", &identity.version),
        ("kind", &identity.kind),
        ("name", &identity.name),
        ("namespace", &identity.namespace),
    ] {
        if !text.is_empty() {
            out.insert(key.to_owned(), Value::from(text.replace('.', "\\.")));
        }
    }
    Value::Object(out)
}

fn deletion(identity: &Identity) -> String {
    format!(
        "$patch: delete\napiVersion: {}\nkind: {}\nmetadata:\n  name: {}\n",
        identity.api_version(),
        identity.kind,
        yaml::quote::double(&identity.name)
    )
}

/// A value as block YAML, by the same writer that edits manifests.
fn write(value: &Value) -> Result<String, Diagnostic> {
    let failed = || Diagnostic::contract("export-impossible", "the patches cannot be written as YAML");
    let empty = if value.is_array() { "[]\n" } else { "{}\n" };
    let tree = yaml::parse(empty).map_err(|_| failed())?;
    let replace = Operation { path: Vec::new(), action: Action::Replace { value: NewValue::from(value) } };
    let splices = edit::splices(&tree, &[replace]).map_err(|_| failed())?;
    Ok(edit::apply(empty, &splices))
}
