//! Rules that name the whole Internet and no port.

use serde::Deserialize;

use super::{Look, hit};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::Network;
use crate::policy::model::Direction;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct World {}

impl Look for World {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in &network.policies {
            for direction in Direction::BOTH {
                let rules = policy.specs.iter().flat_map(|spec| spec.side(direction).allowing());
                for rule in rules.filter(|rule| rule.ports.is_all()) {
                    let Some(at) = rule.peers.iter().find(|at| at.peer.is_world()) else { continue };
                    let message = match direction {
                        Direction::Egress => format!("{} may be reached on every port", at.peer),
                        Direction::Ingress => format!("{} may reach every port", at.peer),
                    };
                    out.push(hit(scene, policy.id, &at.at, message));
                }
            }
        }
        out
    }
}
