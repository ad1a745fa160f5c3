//! Which kinds an API server serves, from the lists that it gives under `/api/v1` and
//! `/apis/GROUP/VERSION`. Source: `APIResourceList` of `k8s.io/apimachinery`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::manifest::Identity;

/// The kinds that are served.
#[derive(Debug, Clone, Default)]
pub struct Served {
    /// By `apiVersion`, then by kind.
    versions: BTreeMap<String, BTreeMap<String, Resource>>,
}

/// How a kind is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its name in URLs: `daemonsets`.
    pub plural: String,
    /// Whether its objects have a namespace.
    pub namespaced: bool,
}

impl Served {
    /// Notes what one list holds; one of a group that is gone is empty.
    pub fn note(&mut self, api_version: &str, list: &Value) {
        let resources = list["resources"].as_array().into_iter().flatten();
        let kinds = resources.filter_map(|resource| {
            let plural = resource["name"].as_str()?;
            // `daemonsets/status` and the like are no kinds.
            let kind = resource["kind"].as_str().filter(|_| !plural.contains('/'))?;
            let namespaced = resource["namespaced"].as_bool().unwrap_or_default();
            Some((kind.to_owned(), Resource { plural: plural.to_owned(), namespaced }))
        });
        self.versions.insert(api_version.to_owned(), kinds.collect());
    }

    /// How an object's kind is asked for, if it is served.
    pub fn resource(&self, identity: &Identity) -> Option<&Resource> {
        self.versions.get(&identity.api_version())?.get(&identity.kind)
    }

    /// `GROUP/VERSION` and `GROUP/VERSION/KIND` of all, as charts are told of them.
    pub fn api_versions(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (version, kinds) in &self.versions {
            names.push(version.clone());
            names.extend(kinds.keys().map(|kind| format!("{version}/{kind}")));
        }
        names
    }
}

/// The `apiVersion`s in the list under `/apis`, `v1` among them.
pub fn versions(groups: &Value) -> Vec<String> {
    let groups = groups["groups"].as_array().into_iter().flatten();
    let versions = groups.flat_map(|group| group["versions"].as_array().into_iter().flatten());
    let named = versions.filter_map(|version| version["groupVersion"].as_str());
    std::iter::once("v1").chain(named).map(str::to_owned).collect()
}

/// The path that lists the kinds of an `apiVersion`.
pub fn path(api_version: &str) -> String {
    match api_version.contains('/') {
        true => format!("/apis/{api_version}"),
        false => format!("/api/{api_version}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_tells_kinds_and_their_names() {
        let mut served = Served::default();
        let list = json!({"groupVersion": "apps/v1", "resources": [
            {"name": "daemonsets", "kind": "DaemonSet", "namespaced": true},
            {"name": "daemonsets/status", "kind": "DaemonSet", "namespaced": true},
            {"name": "deployments/scale", "kind": "Scale", "namespaced": true},
        ]});
        served.note("apps/v1", &list);
        served.note("cilium.io/v2", &Value::Null);
        let of = |api_version: &str, kind: &str| {
            let identity = Identity::of(&json!({"apiVersion": api_version, "kind": kind}));
            served.resource(&identity).map(|resource| resource.plural.clone())
        };
        assert_eq!(of("apps/v1", "DaemonSet").as_deref(), Some("daemonsets"));
        assert_eq!(of("apps/v1", "Scale"), None);
        assert_eq!(of("apps/v1beta1", "DaemonSet"), None);
        assert_eq!(served.api_versions(), ["apps/v1", "apps/v1/DaemonSet", "cilium.io/v2"]);
    }

    #[test]
    fn the_core_group_has_its_own_path() {
        let groups = json!({"groups": [{"name": "apps", "versions": [{"groupVersion": "apps/v1"}]}]});
        assert_eq!(versions(&groups), ["v1", "apps/v1"]);
        assert_eq!((path("v1").as_str(), path("apps/v1").as_str()), ("/api/v1", "/apis/apps/v1"));
    }
}
