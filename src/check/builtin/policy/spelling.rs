//! The same pods, named by other words in another policy: whoever looks for all that
//! may reach them finds half of it.

use serde::Deserialize;
use serde_json::Value;

use super::{Look, hit, peers, related, tally, value_at};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::policy::selector::{NAMESPACE_NAME, Namespaces, Operator, Requirement, Selector};
use crate::policy::{Network, Peer, Policy};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spelling {}

/// A peer as it is written.
struct Written<'n> {
    policy: &'n Policy,
    at: &'n Path,
    text: String,
    means: Selector,
}

impl Look for Spelling {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let all: Vec<Written<'_>> = peers(network)
            .filter_map(|(policy, peer)| {
                let Peer::Pods(selector) = &peer.peer else { return None };
                let value = value_at(scene, policy.id, &peer.at)?;
                // `{}` is how its own namespace is written.
                if selector.pods.is_empty() && selector.is_own() {
                    return None;
                }
                Some(Written { policy, at: &peer.at, text: sorted(value), means: resolved(selector, policy) })
            })
            .collect();
        let mut out = Vec::new();
        for one in &all {
            let same: Vec<&Written<'_>> = all
                .iter()
                .filter(|other| {
                    other.means == one.means && other.policy.is_cilium() == one.policy.is_cilium()
                })
                .collect();
            let counts = tally(same.iter().map(|written| written.text.as_str()));
            // The most common spelling is right; of equals, the first.
            let right = same.iter().rev().max_by_key(|written| counts.get(written.text.as_str()).copied());
            let Some(right) = right.filter(|right| right.text != one.text) else { continue };
            if right.policy.id == one.policy.id {
                continue;
            }
            let message = format!("{} are named by other words in {}", one.means, right.policy.identity);
            let mut found = hit(scene, one.policy.id, one.at, message);
            found.related.extend(related(scene, right.policy.id, right.at, "the same pods"));
            out.push(found);
        }
        out
    }
}

/// The selector with the policy's own namespace in the place of none.
fn resolved(selector: &Selector, policy: &Policy) -> Selector {
    let mut out = selector.clone();
    if let (Namespaces::Own, Some(name)) = (&selector.namespaces, policy.home.named()) {
        out.namespaces = Namespaces::Labelled(vec![Requirement {
            key: NAMESPACE_NAME.to_owned(),
            operator: Operator::In,
            values: vec![name.to_owned()],
        }]);
    }
    out
}

/// A value as text, the order of keys left out.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{key:?}:{}", sorted(value))).collect();
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(items) => items.iter().map(sorted).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
