//! Peers that were meant to be in another namespace. A selector that names none looks
//! into the policy's own, `{}` as well.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Look, hit, peers, related};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::policy::selector::{Answer, Operator, Selector};
use crate::policy::{Network, Peer, Policy};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnNamespace {
    /// Whether it looks for `{}` rather than for selectors with labels.
    #[serde(default)]
    empty: bool,
    /// Labels of pods whose namespace is known, though they are not in the stream.
    #[serde(default)]
    known: Vec<Known>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    namespace: String,
    labels: BTreeMap<String, String>,
}

impl Known {
    fn is_meant_by(&self, selector: &Selector) -> bool {
        self.labels.iter().all(|(key, value)| {
            selector.pods.iter().any(|wanted| {
                wanted.key == *key && wanted.operator == Operator::In && wanted.values == [value.as_str()]
            })
        })
    }
}

impl Look for OwnNamespace {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for (policy, at) in peers(network).filter(|(policy, _)| !policy.clusterwide) {
            let Peer::Pods(selector) = &at.peer else { continue };
            if !selector.is_own() || selector.pods.is_empty() != self.empty {
                continue;
            }
            out.extend(match self.empty {
                true => nobody_else(scene, network, policy, &at.at),
                false => self.elsewhere(scene, network, policy, selector, &at.at),
            });
        }
        out
    }
}

impl OwnNamespace {
    fn elsewhere(
        &self,
        scene: &Scene<'_>,
        network: &Network,
        policy: &Policy,
        selector: &Selector,
        at: &Path,
    ) -> Option<Hit> {
        let all = 0..network.workloads.len();
        if all.clone().any(|index| network.selects(policy, selector, index) != Answer::No) {
            return None;
        }
        let home =
            policy.home.named().map_or("its own namespace".to_owned(), |name| format!("namespace {name}"));
        let message = |namespace: &str| {
            format!("this selects pods of {home} only, and pods with these labels are in {namespace}")
        };
        // A release of one namespace is no other namespace than a named one for sure.
        let other = all.map(|index| &network.workloads[index]).find(|workload| {
            workload.home.named().is_some() && policy.home.named().is_some() && selector.fits_labels(workload)
        });
        if let Some(workload) = other {
            let mut found = hit(scene, policy.id, at, message(&workload.home.namespace));
            found.related.extend(related(scene, workload.id, &Path::new(), workload.identity.to_string()));
            return Some(found);
        }
        let known = self.known.iter().find(|known| {
            known.is_meant_by(selector) && policy.home.named().is_some_and(|home| home != known.namespace)
        })?;
        Some(hit(scene, policy.id, at, message(&known.namespace)))
    }
}

/// Whether the pods that the policy is about are all that `{}` means.
fn nobody_else(scene: &Scene<'_>, network: &Network, policy: &Policy, at: &Path) -> Option<Hit> {
    let home = policy.home.named()?;
    let mut own = network.workloads.iter().filter(|workload| workload.home == policy.home);
    let (only, more) = (own.next()?, own.next());
    let others = network
        .workloads
        .iter()
        .any(|workload| workload.home.named().is_some_and(|namespace| namespace != home));
    if more.is_some() || !others {
        return None;
    }
    let message =
        format!("`{{}}` is the pods of namespace {home}, and they are those of {} alone", only.identity);
    Some(hit(scene, policy.id, at, message))
}
