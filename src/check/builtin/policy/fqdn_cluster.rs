//! Pods that may reach hosts by name and nobody in the cluster: a policy with toFQDNs
//! denies all other egress, to Services next door as well.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Look, hit, name_of, related};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::policy::egress::{CLUSTER_ANNOTATION, lists_cluster, lists_hosts};
use crate::policy::model::{Direction, Effect};
use crate::policy::ports::{Ports, Which};
use crate::policy::{Network, Peer, Rule};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FqdnCluster {
    /// Whether it looks at workloads that list hosts, rather than at policies.
    #[serde(default)]
    lists: bool,
    /// Hosts by workload, as the configuration has them.
    #[serde(default)]
    hosts: Map<String, Value>,
    /// Destinations in the cluster by workload.
    #[serde(default)]
    cluster: Map<String, Value>,
}

impl Look for FqdnCluster {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        if self.lists { self.listed(scene, network) } else { self.policies(scene, network) }
    }
}

impl FqdnCluster {
    fn listed(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for (index, workload) in network.workloads.iter().enumerate() {
            let Some(view) = scene.view(workload.id) else { continue };
            let lists = lists_hosts(view.identity, view.value, &self.hosts);
            if lists && !self.is_covered(scene, network, index) {
                let message =
                    format!("{} lists hosts, and may reach nobody in the cluster", workload.identity);
                out.push(hit(scene, workload.id, &Path::new(), message));
            }
        }
        out
    }

    fn policies(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in &network.policies {
            for spec in policy.specs.iter().filter(|spec| spec.egress.denies_by_default) {
                let by_name = spec
                    .egress
                    .allowing()
                    .find(|rule| rule.peers.iter().any(|peer| matches!(peer.peer, Peer::Host(_))));
                let Some(rule) = by_name else { continue };
                for workload in network.subjects(policy, spec) {
                    if self.is_covered(scene, network, workload) {
                        continue;
                    }
                    let name = name_of(network, workload);
                    let at = rule.at.iter().cloned().chain(["toFQDNs".to_owned()]).collect();
                    let message = format!("{name} may reach hosts by name, and nobody in the cluster");
                    let mut found = hit(scene, policy.id, &at, message);
                    let id = network.workloads[workload].id;
                    found.related.extend(related(scene, id, &Path::new(), "these pods"));
                    out.push(found);
                }
            }
        }
        out
    }

    /// Whether somebody thought of the cluster: a rule, or a list that may be empty.
    fn is_covered(&self, scene: &Scene<'_>, network: &Network, workload: usize) -> bool {
        let view = network.workloads.get(workload).and_then(|workload| scene.view(workload.id));
        let is_listed = view.is_some_and(|view| lists_cluster(view.identity, view.value, &self.cluster));
        let on_policy = |id: usize| {
            scene.view(id).is_some_and(|view| {
                view.value
                    .pointer("/metadata/annotations")
                    .is_some_and(|all| all.get(CLUSTER_ANNOTATION).is_some())
            })
        };
        let rulings = network.rulings(workload, Direction::Egress, Effect::Allow);
        is_listed || rulings.iter().any(|ruling| reaches_cluster(ruling.rule) || on_policy(ruling.policy.id))
    }
}

/// Whether a rule leads to somebody in the cluster, DNS left out.
fn reaches_cluster(rule: &Rule) -> bool {
    let only_dns = rule.sees_dns || is_dns(&rule.ports);
    !only_dns && (rule.anybody || rule.peers.iter().any(|peer| peer.peer.is_in_cluster()))
}

fn is_dns(ports: &Ports) -> bool {
    match ports {
        Ports::All => false,
        Ports::Only(list) => list.iter().all(|range| range.which == Which::Numbers(53, 53)),
    }
}
