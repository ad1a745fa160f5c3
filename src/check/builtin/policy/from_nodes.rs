//! Pods that are reached through a node, by rules that forget the node. The API
//! server's packets come from another node, and those of a load balancer are handed on
//! by the node that got them: Cilium knows both as `remote-node`, or as `host`.

use serde::Deserialize;

use super::{Asker, Look, hit, name_of, related};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::model::Direction;
use crate::policy::verdict::Ruling;
use crate::policy::{Network, Peer};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FromNodes {
    /// Who asks.
    of: Asker,
    /// The Services that are reached by proxy.
    #[serde(default)]
    services: Vec<String>,
    /// The entities whose being allowed shows what was meant.
    names: Vec<String>,
    /// The entities that have to be allowed beside them.
    needs: Vec<String>,
}

impl Look for FromNodes {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for asked in self.of.asked(network, &self.services) {
            if !network.is_denied_by_default(asked.workload, Direction::Ingress) {
                continue;
            }
            let rulings = network.admitting(asked.workload, &asked.port);
            let allowed = |entity: &str| rulings.iter().any(|ruling| ruling.rule.includes_entity(entity));
            let Some(named) = self.names.iter().find(|name| allowed(name)) else { continue };
            let missing: Vec<&str> =
                self.needs.iter().map(String::as_str).filter(|need| !allowed(need)).collect();
            // What NetworkPolicies allow everybody, Cilium allows nodes as well.
            let is_ours =
                |ruling: &&Ruling<'_>| ruling.policy.is_cilium() && ruling.rule.includes_entity(named);
            let Some(ruling) = rulings.iter().find(is_ours).filter(|_| !missing.is_empty()) else { continue };
            let place = ruling.rule.peers.iter().find(|at| at.peer.includes_entity(named));
            let at = place.map_or(&ruling.rule.at, |place| &place.at);
            let shown = place.map_or(named.clone(), |place| match &place.peer {
                Peer::Cidr(cidr, _) => cidr.clone(),
                _ => named.clone(),
            });
            let message = format!(
                "{shown} may reach port {} of {}, and {} may not",
                asked.port,
                name_of(network, asked.workload),
                missing.join(" and "),
            );
            let mut found = hit(scene, ruling.policy.id, at, message);
            let of = asked.service.map(|service| service.identity.to_string()).unwrap_or_default();
            let note = format!("{}, through {of}", self.of.in_words());
            found.related.extend(related(scene, asked.id, &asked.at, note));
            out.push(found);
        }
        out
    }
}
