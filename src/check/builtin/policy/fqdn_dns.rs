//! toFQDNs whose pods no rule lets Cilium see the answers of DNS for: then no name ever
//! has an address, and nothing is allowed.

use serde::Deserialize;

use super::{Look, hit};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::model::{Direction, Effect};
use crate::policy::{Network, Peer, Policy, Spec};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FqdnDns {}

impl Look for FqdnDns {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in &network.policies {
            for spec in &policy.specs {
                let by_name = spec
                    .egress
                    .allowing()
                    .find(|rule| rule.peers.iter().any(|peer| matches!(peer.peer, Peer::Host(_))));
                let Some(rule) = by_name.filter(|_| !is_seen(network, policy, spec)) else { continue };
                let at = rule.at.iter().cloned().chain(["toFQDNs".to_owned()]).collect();
                let message = "hosts are allowed by name, and no rule lets Cilium see the answers of DNS";
                out.push(hit(scene, policy.id, &at, message.to_owned()));
            }
        }
        out
    }
}

/// Whether some rule about the same pods sees DNS.
fn is_seen(network: &Network, policy: &Policy, spec: &Spec) -> bool {
    if spec.egress.allowing().any(|rule| rule.sees_dns) {
        return true;
    }
    let subjects = network.subjects(policy, spec);
    if !subjects.is_empty() {
        return subjects.iter().all(|workload| {
            let rulings = network.rulings(*workload, Direction::Egress, Effect::Allow);
            rulings.iter().any(|ruling| ruling.rule.sees_dns)
        });
    }
    // Of pods that are not in the stream, the selectors have to tell.
    network.policies.iter().filter(|other| other.clusterwide || other.home == policy.home).any(|other| {
        other.specs.iter().any(|part| {
            let (Some(wider), Some(own)) = (part.subject(), spec.subject()) else { return false };
            let includes = wider.pods.iter().all(|requirement| own.pods.contains(requirement));
            includes && part.egress.allowing().any(|rule| rule.sees_dns)
        })
    })
}
