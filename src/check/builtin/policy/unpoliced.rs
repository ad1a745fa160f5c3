//! Pods that no policy is about, and that nobody says should be so.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::{Look, hit};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::policy::Network;
use crate::policy::pods::Workload;
use crate::policy::selector::Answer;
use crate::profile::glob;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unpoliced {
    /// Reasons by workload, `namespace/name` or `name`, both of which may have a `*`.
    explained: IndexMap<String, Value>,
    /// Whether namespaces without any policy in the stream are looked at as well.
    #[serde(default)]
    everywhere: bool,
}

impl Look for Unpoliced {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for (index, workload) in network.workloads.iter().enumerate() {
            // In the node's network no policy for pods reaches it.
            if workload.on_host || self.is_explained(workload) {
                continue;
            }
            let is_policed = network.policies.iter().any(|policy| {
                policy.specs.iter().any(|spec| network.is_about(policy, spec, index) != Answer::No)
            });
            let in_reach =
                self.everywhere || network.policies.iter().any(|policy| policy.home == workload.home);
            if !is_policed && in_reach {
                let message = format!("no policy is about the pods of {}", workload.identity);
                out.push(hit(scene, workload.id, &Path::new(), message));
            }
        }
        out
    }
}

impl Unpoliced {
    fn is_explained(&self, workload: &Workload) -> bool {
        let full = format!("{}/{}", workload.home.namespace, workload.identity.name);
        self.explained.iter().any(|(pattern, reason)| {
            let has_reason = reason.as_str().is_some_and(|reason| !reason.trim().is_empty());
            let name = if pattern.contains('/') { full.as_str() } else { workload.identity.name.as_str() };
            has_reason && glob::matches(pattern, name)
        })
    }
}
