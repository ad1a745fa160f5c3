//! Objects whose kinds are registered only by what the same release starts: Cilium's
//! operator makes the definitions of pools and policies when it runs. Until then an API
//! server refuses them, and Helm with them the whole release. A profile marks them for
//! Argo CD, which has the same trouble, and the mark serves here as well.

use serde_json::{Value, json};

use super::discovery::Served;
use crate::diagnostic::Diagnostic;
use crate::manifest::Identity;
use crate::manifest::objects::objects;
use crate::profile::path::get;
use crate::rewrite::survey::Survey;

/// The annotation, and the option in it, by which Argo CD takes an object whose kind is not
/// served yet. Source: `docs/user-guide/sync-options.md` of Argo CD.
const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";
const SKIP_DRY_RUN: &str = "SkipDryRunOnMissingResource=true";

/// An object of a release.
#[derive(Debug, Clone)]
pub struct Object {
    /// What names it.
    pub identity: Identity,
    /// All of it.
    pub value: Value,
}

/// An object that has to wait for its kind.
pub type Late = Object;

/// The objects of a stream, the items of lists each on its own.
pub fn objects_of(stream: &str) -> Result<Vec<Object>, Vec<Diagnostic>> {
    let survey = Survey::new(stream.as_bytes())?;
    let mut all = Vec::new();
    for index in 0..survey.heads.len() {
        let (_, document) = survey.parse(index).map_err(|error| vec![error])?;
        for object in objects(&document) {
            let value = get(&document, &object.at).cloned().unwrap_or_default();
            all.push(Object { identity: object.identity, value });
        }
    }
    Ok(all)
}

/// The objects that are not for now: their kinds are not served, no definition of them comes
/// with the release, and they are marked as late. One that is not marked is an error, since
/// nobody may ever register its kind.
pub fn late(objects: &[Object], served: &Served) -> Result<Vec<Late>, Diagnostic> {
    let defined = |identity: &Identity| {
        objects.iter().any(|object| {
            let spec = &object.value["spec"];
            object.identity.kind == "CustomResourceDefinition"
                && spec["group"] == identity.group.as_str()
                && spec["names"]["kind"] == identity.kind.as_str()
        })
    };
    let unknown = objects
        .iter()
        .filter(|object| served.resource(&object.identity).is_none() && !defined(&object.identity));
    let mut late = Vec::new();
    for object in unknown {
        if !is_marked(&object.value) {
            return Err(unserved(object));
        }
        late.push(object.clone());
    }
    Ok(late)
}

/// The objects that are marked as late, whatever is served.
pub fn marked(objects: &[Object]) -> Vec<Late> {
    objects.iter().filter(|object| is_marked(&object.value)).cloned().collect()
}

fn is_marked(object: &Value) -> bool {
    let options = object["metadata"]["annotations"][SYNC_OPTIONS].as_str().unwrap_or_default();
    options.split(',').any(|option| option.trim() == SKIP_DRY_RUN)
}

fn unserved(object: &Object) -> Diagnostic {
    let (kind, version) = (&object.identity.kind, object.identity.api_version());
    Diagnostic::contract("kind-unserved", format!("the API server does not serve {kind} of {version}"))
        .object(&object.identity)
        .note("nothing in the release defines it, so Helm would refuse the release as a whole")
        .help(format!("install the definition of {kind} first, or turn the object off in the chart's values"))
        .help(format!(
            "if something in the release registers it when it runs, annotate the object with \
             {SYNC_OPTIONS}: {SKIP_DRY_RUN}"
        ))
}

/// `GROUP/KIND` of each, every one once.
pub fn kinds(late: &[Late]) -> Vec<String> {
    let mut kinds: Vec<String> =
        late.iter().map(|object| format!("{}/{}", object.identity.group, object.identity.kind)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// A profile that takes these kinds out of a stream; `kinds` are written `GROUP/KIND`.
pub fn hold_back(kinds: &[String]) -> String {
    let mut text = String::from(
        "apiVersion: germ-post.dev/v1\nkind: Profile\nname: hold-back\nversion: 1.0.0\nrules:\n",
    );
    for (index, kind) in kinds.iter().enumerate() {
        let (group, kind) = kind.split_once('/').unwrap_or(("", kind));
        text.push_str(&format!(
            "  - id: bootstrap/hold-back-{}\n    \
             title: The kind is not registered yet\n    \
             why: What registers it comes with the same release, and has to run first.\n    \
             source: https://docs.cilium.io/en/stable/network/lb-ipam/\n    \
             match: {{group: {}, kind: {}}}\n    expect: any\n    edit: [{{drop: object}}]\n",
            index + 1,
            json!(group),
            json!(kind)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: cilium.io/v2
kind: Pool
metadata:
  name: b
  annotations:
    argocd.argoproj.io/sync-options: Prune=false, SkipDryRunOnMissingResource=true
---
apiVersion: example.org/v1
kind: Thing
metadata: {name: c}
";

    fn served() -> Served {
        let mut served = Served::default();
        served.note("v1", &json!({"resources": [{"name": "configmaps", "kind": "ConfigMap"}]}));
        served
    }

    #[test]
    fn only_what_is_marked_may_wait() {
        let all = objects_of(STREAM).unwrap();
        let error = late(&all, &served()).unwrap_err();
        assert_eq!(error.message, "the API server does not serve Thing of example.org/v1");
        let late = late(&all[..2], &served()).unwrap();
        assert_eq!(kinds(&late), ["cilium.io/Pool"]);
    }

    #[test]
    fn what_is_served_or_defined_by_the_release_need_not_wait() {
        let mut served = served();
        served.note("cilium.io/v2", &json!({"resources": [{"name": "pools", "kind": "Pool"}]}));
        let definition = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
            metadata: {name: things.example.org}\nspec: {group: example.org, names: {kind: Thing}}\n";
        served.note(
            "apiextensions.k8s.io/v1",
            &json!({"resources": [{"name": "customresourcedefinitions", "kind": "CustomResourceDefinition"}]}),
        );
        let all = objects_of(&format!("{STREAM}{definition}")).unwrap();
        assert!(late(&all, &served).unwrap().is_empty());
    }

    /// The profile is what its reader takes, and does what it says.
    #[test]
    fn holding_back_takes_the_kinds_out() {
        let text = hold_back(&["cilium.io/Pool".to_owned()]);
        let loaded =
            crate::profile::load::load(&["./hold-back.yaml".to_owned()], &|_| Ok(text.clone())).unwrap();
        let params = loaded.params().unwrap();
        let request = crate::rewrite::Request { loaded, params, ..Default::default() };
        let run = crate::rewrite::run(STREAM.as_bytes(), &request);
        let text = run.output.expect("it is proved").text();
        assert!(!text.contains("Pool") && text.contains("ConfigMap") && text.contains("Thing"), "{text}");
    }
}
