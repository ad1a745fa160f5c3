//! Policies that are about no pod of the stream: a label that is spelt otherwise leaves
//! pods open that were to be closed.

use serde::Deserialize;

use super::{Look, hit};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::model::Subject;
use crate::policy::selector::Answer;
use crate::policy::{Network, Policy, Spec};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct WithoutPods {
    /// Whether it looks for policies whose pods are all in the node's network, rather
    /// than for those without pods.
    #[serde(default)]
    on_host: bool,
}

impl Look for WithoutPods {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in &network.policies {
            for spec in &policy.specs {
                let Subject::Pods(_, at) = &spec.subject else { continue };
                out.extend(
                    fault(network, policy, spec, self.on_host)
                        .map(|message| hit(scene, policy.id, at, message)),
                );
            }
        }
        out
    }
}

fn fault(network: &Network, policy: &Policy, spec: &Spec, on_host: bool) -> Option<String> {
    // Where the stream has no pod that could be meant, another one may have it.
    if !policy.clusterwide && !network.has_pods_in(&policy.home) {
        return None;
    }
    let about = |on_host: bool| {
        let all =
            network.workloads.iter().enumerate().filter(move |(_, workload)| workload.on_host == on_host);
        let mut answers = all.map(|(index, _)| network.is_about(policy, spec, index));
        answers.any(|answer| answer != Answer::No)
    };
    if about(false) || network.workloads.is_empty() {
        return None;
    }
    match about(true) {
        true => on_host.then(|| {
            "the pods that this selects are in the node's network, where no policy for pods reaches"
                .to_owned()
        }),
        false => (!on_host).then(|| "this selects no pod of the stream".to_owned()),
    }
}
