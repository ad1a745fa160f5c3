//! `germ-post.dev/ignore.<rule id, / written as .>: "<reason>"` on an object
//! suppresses that rule's findings there. `germ-post.dev/keep` and
//! `germ-post.dev/keep.<rule>`, which keep rules from editing, do so as well.

use serde_json::Value;

use super::{Scope, Suppression};
use crate::check::finding::SuppressedBy;
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::manifest::selector::pod_template;
use crate::profile::path::get;
use crate::rewrite::plan::KEEP_ANNOTATION;

/// The annotation; a rule's id follows behind a dot.
pub const IGNORE_ANNOTATION: &str = "germ-post.dev/ignore";

/// Every annotation that suppresses something.
pub(super) fn all(scene: &Scene<'_>) -> Vec<Suppression> {
    let mut out = Vec::new();
    for (source, of) in scene.sources.iter().enumerate() {
        for (document, planned) in of.documents.iter().enumerate() {
            for object in 0..planned.objects.len() {
                let Some(view) = planned.original_object(object) else { continue };
                let at = Path::from(["metadata".to_owned(), "annotations".to_owned()]);
                let mut found = read(view.value, &at, Scope::Object(source, document, object));
                for keys in pod_template(&view.identity.kind).into_iter().filter(|keys| !keys.is_empty()) {
                    let path: Path =
                        keys.iter().map(|key| (*key).to_owned()).chain(at.iter().cloned()).collect();
                    let of_pods = read(view.value, &path, Scope::Object(source, document, object));
                    found.extend(of_pods.into_iter().map(|(path, mut suppression)| {
                        suppression.misplaced =
                            Some("it stands on the pods, not on the object that makes them".to_owned());
                        (path, suppression)
                    }));
                }
                for (path, mut suppression) in found {
                    suppression.object = Some(view.identity.clone());
                    suppression.location =
                        scene.spot_at(source, document, object, &path).and_then(|spot| scene.location(&spot));
                    out.push(suppression);
                }
            }
        }
    }
    out
}

/// The suppressing annotations at a path, each with its own path.
fn read(object: &Value, at: &Path, scope: Scope) -> Vec<(Path, Suppression)> {
    let mut out = Vec::new();
    for (name, value) in get(object, at).and_then(Value::as_object).into_iter().flatten() {
        let of_keep = || {
            let rest = name.strip_prefix(KEEP_ANNOTATION)?;
            let rule = if rest.is_empty() { Some("*") } else { rest.strip_prefix('.') };
            Some((SuppressedBy::Keep, rule?.to_owned()))
        };
        let of_ignore = || {
            let rest = name.strip_prefix(IGNORE_ANNOTATION)?;
            Some((SuppressedBy::Annotation, rest.trim_start_matches('.').to_owned()))
        };
        let Some((by, dotted)) = of_ignore().or_else(of_keep) else { continue };
        let mut path = at.clone();
        path.push(name.clone());
        // Ids have no dot, so the way back from dots is plain.
        let suppression = Suppression {
            by,
            rule: dotted.replace('.', "/"),
            reason: value.as_str().unwrap_or_default().trim().to_owned(),
            scope: scope.clone(),
            location: None,
            object: None,
            misplaced: dotted.is_empty().then(|| {
                format!("it names no rule; write `{IGNORE_ANNOTATION}.<rule>`, a `/` of the id as a dot")
            }),
            ended: None,
        };
        out.push((path, suppression));
    }
    out
}
