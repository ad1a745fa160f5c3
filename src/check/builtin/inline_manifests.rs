//! Manifests that a node's configuration holds as text, and that Talos applies by
//! itself, held against the release: where they are not the same, two owners fight for
//! the same objects. No value is told, since there may be Secrets on both sides.

use serde::Deserialize;
use serde_json::Value;

use super::Builtin;
use crate::check::rules::{Hit, bad, meant};
use crate::check::scene::Scene;
use crate::difference::step::spell;
use crate::difference::{churn, walk};
use crate::manifest::{Identity, objects};
use crate::profile::matching::{Matcher, ObjectView};
use crate::profile::path::get;
use crate::profile::rule::Check;
use crate::profile::test_value::ValueTest;
use crate::yaml::{self, Stream};

/// What the profile tells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    /// What is looked for.
    of: Of,
}

/// What may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Of {
    /// Objects that are otherwise in the release.
    Differing,
    /// Objects that the release does not have any more.
    Stale,
    /// Objects of the release that the manifest lacks.
    Missing,
}

pub(super) struct InlineManifests {
    of: Of,
    /// Every object of the release is asked about.
    all: Matcher,
}

impl InlineManifests {
    pub(super) fn new(told: Told) -> Self {
        Self { of: told.of, all: Matcher::default() }
    }
}

/// How many fields, or objects, are named.
const NAMED: usize = 5;

impl Builtin for InlineManifests {
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit> {
        let Some(find) = &check.find else { return Vec::new() };
        let mut out = Vec::new();
        for actor in meant(scene, check) {
            for (at, path, value) in bad(scene, actor, find, &ValueTest::Present) {
                let Some(text) = value.as_ref().and_then(Value::as_str) else { continue };
                let name =
                    scene.view(actor).and_then(|view| name_beside(view.value, &at)).unwrap_or_default();
                for message in self.messages(scene, text) {
                    out.push(Hit {
                        actor,
                        at: at.clone(),
                        path: Some(path.clone()),
                        message: Some(format!("manifest {name}: {message}")),
                        value: None,
                        related: Vec::new(),
                        notes: Vec::new(),
                    });
                }
            }
        }
        out
    }

    fn matchers(&self) -> Vec<&Matcher> {
        Vec::new()
    }

    fn matchers_beside_nodes(&self) -> Vec<&Matcher> {
        vec![&self.all]
    }
}

impl InlineManifests {
    fn messages(&self, scene: &Scene<'_>, text: &str) -> Vec<String> {
        let held = held(text);
        let release: Vec<ObjectView<'_>> = scene
            .views()
            .filter(|(actor, _)| scene.actors.get(*actor).is_some_and(|actor| actor.source == 0))
            .map(|(_, view)| view)
            .collect();
        let partner = |identity: &Identity| release.iter().find(|view| is_same(identity, view.identity));
        // A manifest without an object of the release has nothing to do with it.
        if !held.iter().any(|(identity, _)| partner(identity).is_some()) {
            return Vec::new();
        }
        match self.of {
            Of::Differing => held
                .iter()
                .filter_map(|(identity, value)| {
                    Some((identity, differing(identity, value, partner(identity)?.value)?))
                })
                .map(|(identity, fields)| format!("{identity} is not as in the release: {fields}"))
                .collect(),
            Of::Stale => held
                .iter()
                .filter(|(identity, _)| partner(identity).is_none())
                .map(|(identity, _)| format!("{identity} is not in the release"))
                .collect(),
            Of::Missing => {
                let missing: Vec<String> = release
                    .iter()
                    .filter(|view| !is_hook(view.value))
                    .filter(|view| !held.iter().any(|(identity, _)| is_same(identity, view.identity)))
                    .map(|view| view.identity.to_string())
                    .collect();
                match missing.is_empty() {
                    true => Vec::new(),
                    false => vec![format!("it lacks {}", listed(&missing))],
                }
            }
        }
    }
}

/// The objects of a manifest's text. What Talos could not read is its own complaint.
fn held(text: &str) -> Vec<(Identity, Value)> {
    let Ok(stream) = Stream::cut(text.as_bytes()) else { return Vec::new() };
    let mut out = Vec::new();
    for document in stream.documents() {
        let value = yaml::parse(stream.document_text(document)).ok().and_then(|tree| tree.read().ok());
        let Some(value) = value.filter(|value| !value.is_null()) else { continue };
        for object in objects::objects(&value) {
            let inner = get(&value, &object.at).cloned().unwrap_or_default();
            out.push((object.identity, inner));
        }
    }
    out
}

/// Whether both name the same object; a namespace that is left to the client fits any.
fn is_same(one: &Identity, other: &Identity) -> bool {
    let namespaces = [&one.namespace, &other.namespace];
    one.group == other.group
        && one.kind == other.kind
        && one.name == other.name
        && (one.namespace == other.namespace || namespaces.iter().any(|namespace| namespace.is_empty()))
}

/// The fields in which an object differs, if it does in more than what every rendering
/// changes. Of a Secret only that it does.
fn differing(identity: &Identity, held: &Value, released: &Value) -> Option<String> {
    let kind = identity.kind.as_str();
    let fields: Vec<String> = walk::differences(kind, held, released)
        .into_iter()
        .filter(|difference| churn::of(kind, difference).is_none())
        .filter(|difference| !is_left_to_the_client(&difference.old_at, &difference.new_at))
        .map(|difference| spell(&difference.steps))
        .collect();
    (!fields.is_empty()).then(|| listed(&fields))
}

/// A namespace that only one side writes.
fn is_left_to_the_client(old: &[String], new: &[String]) -> bool {
    [old, new]
        .iter()
        .any(|at| matches!(at, [metadata, namespace] if metadata == "metadata" && namespace == "namespace"))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    match names.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}

fn is_hook(value: &Value) -> bool {
    value.pointer("/metadata/annotations/helm.sh~1hook").is_some()
}

/// The `name` in the mapping that a path's last step is in.
fn name_beside(object: &Value, at: &[String]) -> Option<String> {
    let (_, parent) = at.split_last()?;
    Some(get(object, parent)?.get("name")?.as_str()?.to_owned())
}
