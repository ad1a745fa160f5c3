//! Policies on the network itself: in its namespace, on Cilium's own pods, or on every pod
//! of the cluster, DNS among them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Look, hit};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::policy::model::{Direction, Subject};
use crate::policy::selector::{Namespaces, Operator, Selector};
use crate::policy::{Network, Policy, Spec};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NetworkItself {
    /// The namespaces of the network.
    namespaces: Vec<String>,
    /// The labels of its pods, wherever they are.
    labels: BTreeMap<String, Vec<String>>,
}

impl Look for NetworkItself {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for policy in &network.policies {
            for spec in &policy.specs {
                let Subject::Pods(selector, at) = &spec.subject else { continue };
                let Some(message) = self.fault(policy, spec, selector) else { continue };
                out.push(hit(scene, policy.id, at, message));
            }
        }
        out
    }
}

impl NetworkItself {
    fn fault(&self, policy: &Policy, spec: &Spec, selector: &Selector) -> Option<String> {
        let denies = Direction::BOTH.iter().any(|direction| spec.side(*direction).denies_by_default);
        let is_ours = |namespace: &str| self.namespaces.iter().any(|name| name == namespace);
        let own = selector.pods.iter().find(|wanted| {
            wanted.operator == Operator::In
                && self.labels.get(&wanted.key).is_some_and(|ours| {
                    !wanted.values.is_empty() && wanted.values.iter().all(|value| ours.contains(value))
                })
        });
        if let Some(label) = own {
            return Some(format!("this is about the network's own pods, {label}"));
        }
        let namespace = policy.home.named().filter(|_| !policy.clusterwide).or(selector.namespace());
        if let Some(namespace) = namespace.filter(|namespace| is_ours(namespace)) {
            return Some(format!("this is about pods of {namespace}, where the network lives"));
        }
        let is_all = policy.clusterwide && selector.namespaces == Namespaces::All && selector.pods.is_empty();
        (is_all && denies).then(|| {
            let first = self.namespaces.first().map(String::as_str).unwrap_or_default();
            format!("this denies by default for every pod of the cluster, those of {first} among them")
        })
    }
}
