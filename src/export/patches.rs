//! Each object's operations as an RFC 6902 patch, with the old values as `test`, so
//! that a patch that no longer fits fails.

use serde_json::{Map, Value, json};

use super::text::{literally, unwritable, write};
use crate::diagnostic::Diagnostic;
use crate::edit::{Action, Operation, pointer};
use crate::manifest::Identity;
use crate::rewrite::Planned;
use crate::rewrite::document::PlannedDocument;
use crate::yaml;

/// The tools that patches can be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A `kustomization.yaml` for the stream as `rendered.yaml`.
    Kustomize,
    /// The `postRenderers` of a Flux `HelmRelease`.
    Flux,
}

/// A patch and the object that it is for.
struct Patch {
    target: Value,
    text: String,
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
            let target = target(&object.identity);
            if document.dropped.contains_key(&index) {
                patches.push(Patch { target, text: deletion(&object.identity) });
                continue;
            }
            let operations = operations(document, index)?;
            if !operations.is_empty() {
                patches.push(Patch { target, text: write(&Value::Array(operations))? });
            }
        }
    }
    let text = whole(&patches, format)?;
    // What is laid out by hand is read back.
    let read = yaml::parse(&text).ok().and_then(|tree| tree.read().ok());
    let expected: Value =
        patches.iter().map(|patch| json!({"target": patch.target, "patch": patch.text})).collect();
    let place = match format {
        Format::Kustomize => "/patches",
        Format::Flux => "/spec/postRenderers/0/kustomize/patches",
    };
    if read.as_ref().and_then(|read| read.pointer(place)) != Some(&expected) {
        return Err(unwritable());
    }
    Ok(text)
}

/// The operations on one object, each after a test of the value that it is about.
fn operations(document: &PlannedDocument<'_>, index: usize) -> Result<Vec<Value>, Diagnostic> {
    let object = &document.objects[index];
    let mut out = Vec::new();
    for planned in document.operations.iter().filter(|planned| planned.object == index) {
        if object.identity.is_secret() {
            return Err(Diagnostic::contract(
                "export-impossible",
                "a patch of a Secret would show its values",
            )
            .object(&object.identity));
        }
        let inside = planned.operation.path.get(object.at.len()..).unwrap_or(&[]).to_vec();
        let is_addition = matches!(planned.operation.action, Action::Add { .. });
        if let Some(old) = planned.old.as_ref().filter(|_| !is_addition) {
            out.push(json!({"op": "test", "path": pointer(&inside), "value": old}));
        }
        out.push(Operation { path: inside, action: planned.operation.action.clone() }.to_json_patch());
    }
    Ok(out)
}

/// The file around the patches, each as a literal block that people can review.
fn whole(patches: &[Patch], format: Format) -> Result<String, Diagnostic> {
    let (mut out, depth) = match format {
        Format::Kustomize => (
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - rendered.yaml\n"
                .to_owned(),
            0,
        ),
        Format::Flux => ("spec:\n  postRenderers:\n    - kustomize:\n".to_owned(), 8),
    };
    let margin = " ".repeat(depth);
    if patches.is_empty() {
        out.push_str(&format!("{margin}patches: []\n"));
        return Ok(out);
    }
    out.push_str(&format!("{margin}patches:\n"));
    for patch in patches {
        out.push_str(&format!("{margin}  - target:\n"));
        indent(&write(&patch.target)?, depth + 6, &mut out);
        out.push_str(&format!("{margin}    patch: |\n"));
        indent(&patch.text, depth + 6, &mut out);
    }
    Ok(out)
}

fn indent(text: &str, depth: usize, out: &mut String) {
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            out.push_str(&" ".repeat(depth));
        }
        out.push_str(line);
    }
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
            out.insert(key.to_owned(), Value::from(literally(text)));
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
