//! NetworkPolicies that a chart brings along and that allow everybody what another policy
//! denies by default. Policies add up: the widest of them decides.

use serde::Deserialize;

use super::{Look, hit, related};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::model::{Direction, Subject};
use crate::policy::{Network, Peer, Policy, Rule, Spec};
use crate::profile::matching::charts_of;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Widening {}

impl Look for Widening {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in network.policies.iter().filter(|policy| !policy.is_cilium()) {
            let charts = charts(scene, policy);
            if charts.is_empty() {
                continue;
            }
            for spec in &policy.specs {
                for direction in Direction::BOTH {
                    for rule in spec.side(direction).allowing().filter(|rule| is_open(rule)) {
                        let denying = network.subjects(policy, spec).into_iter().find_map(|workload| {
                            network.about(workload).into_iter().find(|(other, part)| {
                                other.id != policy.id
                                    && charts != self::charts(scene, other)
                                    && denies(part, direction, rule)
                                    && !is_told_elsewhere(rule, direction, other)
                            })
                        });
                        let Some((other, part)) = denying else { continue };
                        let message = match direction {
                            Direction::Ingress => format!("everybody may reach {}", rule.ports),
                            Direction::Egress => format!("everybody may be reached on {}", rule.ports),
                        };
                        let mut found = hit(scene, policy.id, &rule.at, message);
                        let at = match &part.subject {
                            Subject::Pods(_, at) => at,
                            Subject::Nodes => &part.at,
                        };
                        let note = format!("{} denies by default what it does not allow", other.identity);
                        found.related.extend(related(scene, other.id, at, note));
                        out.push(found);
                    }
                }
            }
        }
        out
    }
}

/// The charts that a policy's own words say it is of.
fn charts(scene: &Scene<'_>, policy: &Policy) -> Vec<String> {
    let view = scene.view(policy.id);
    let charts = view.map(charts_of).unwrap_or_default();
    charts.into_iter().map(|(name, _)| name.to_owned()).collect()
}

fn is_open(rule: &Rule) -> bool {
    rule.anybody || rule.peers.iter().any(|at| matches!(&at.peer, Peer::Cidr(..)) && at.peer.is_world())
}

/// Whether a part denies by default, and is not as wide itself.
fn denies(part: &Spec, direction: Direction, rule: &Rule) -> bool {
    let side = part.side(direction);
    side.denies_by_default
        && !side.allowing().any(|own| is_open(own) && (own.ports.is_all() || own.ports == rule.ports))
}

/// What `policy/all-egress-beside-cilium` says already.
fn is_told_elsewhere(rule: &Rule, direction: Direction, other: &Policy) -> bool {
    direction == Direction::Egress && rule.anybody && rule.ports.is_all() && other.is_cilium()
}
