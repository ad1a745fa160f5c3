//! Rules of Cilium policies with peers of two kinds, which agents refuse as a whole: the
//! policy is accepted by the API server and is in force nowhere.

use serde::Deserialize;

use super::{Look, hit};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::Network;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MixedPeers {}

impl Look for MixedPeers {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in network.policies.iter().filter(|policy| policy.is_cilium()) {
            let sides = policy.specs.iter().flat_map(|spec| [&spec.ingress, &spec.egress]);
            for rule in sides.flat_map(|side| &side.rules) {
                let [first, .., last] = rule.kinds.as_slice() else { continue };
                let at = rule.at.iter().cloned().chain([last.clone()]).collect();
                let message = format!("{last} stands beside {first} in one rule");
                out.push(hit(scene, policy.id, &at, message));
            }
        }
        out
    }
}
