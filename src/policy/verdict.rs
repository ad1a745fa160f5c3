//! What the policies of a stream mean for its pods: which of them are about a
//! workload, whether they deny by default, and which rules allow somebody in or out.

use super::model::{Direction, Effect, Peer, Policy, Rule, Spec};
use super::network::Network;
use super::ports::PodPort;
use super::selector::{Answer, Selector};

/// A rule with the policy that it is of.
#[derive(Debug, Clone, Copy)]
pub struct Ruling<'n> {
    /// The policy.
    pub policy: &'n Policy,
    /// The part of it.
    pub spec: &'n Spec,
    /// The rule.
    pub rule: &'n Rule,
}

impl Network {
    /// Whether a policy's selector means the pods of a workload.
    pub fn selects(&self, policy: &Policy, selector: &Selector, workload: usize) -> Answer {
        let Some(workload) = self.workloads.get(workload) else { return Answer::No };
        selector.selects(&policy.home, workload, &|name| self.namespace_labels(name))
    }

    /// The parts of policies that are about a workload's pods. None is about pods in
    /// the node's network.
    pub fn about(&self, workload: usize) -> Vec<(&Policy, &Spec)> {
        if self.workloads.get(workload).is_none_or(|workload| workload.on_host) {
            return Vec::new();
        }
        let all = self.policies.iter().flat_map(|policy| policy.specs.iter().map(move |spec| (policy, spec)));
        all.filter(|(policy, spec)| self.is_about(policy, spec, workload) == Answer::Yes).collect()
    }

    /// Whether a part of a policy is about a workload's pods.
    pub fn is_about(&self, policy: &Policy, spec: &Spec, workload: usize) -> Answer {
        match spec.subject() {
            Some(selector) => self.selects(policy, selector, workload),
            None => Answer::No,
        }
    }

    /// The workloads that a part of a policy is about.
    pub fn subjects(&self, policy: &Policy, spec: &Spec) -> Vec<usize> {
        let is_about = |index: &usize| {
            !self.workloads[*index].on_host && self.is_about(policy, spec, *index) == Answer::Yes
        };
        (0..self.workloads.len()).filter(is_about).collect()
    }

    /// Whether a workload's pods are denied what no policy allows.
    pub fn is_denied_by_default(&self, workload: usize, direction: Direction) -> bool {
        self.about(workload).iter().any(|(_, spec)| spec.side(direction).denies_by_default)
    }

    /// The rules about a workload's pods that have this effect.
    pub fn rulings(&self, workload: usize, direction: Direction, effect: Effect) -> Vec<Ruling<'_>> {
        let mut out = Vec::new();
        for (policy, spec) in self.about(workload) {
            let rules = spec.side(direction).rules.iter().filter(|rule| rule.effect == effect);
            out.extend(rules.map(|rule| Ruling { policy, spec, rule }));
        }
        out
    }

    /// The rules that allow somebody to reach a port of a workload's pods.
    pub fn admitting(&self, workload: usize, port: &PodPort) -> Vec<Ruling<'_>> {
        let mut rulings = self.rulings(workload, Direction::Ingress, Effect::Allow);
        rulings.retain(|ruling| ruling.rule.is_about_somebody() && ruling.rule.ports.covers(port));
        rulings
    }

    /// Whether a peer of a policy means the pods of a workload.
    pub fn means(&self, policy: &Policy, peer: &Peer, workload: usize) -> Answer {
        let on_host = self.workloads.get(workload).is_none_or(|workload| workload.on_host);
        match peer {
            // A pod in the node's network is the node.
            Peer::Pods(_) if on_host => Answer::No,
            Peer::Pods(selector) => self.selects(policy, selector, workload),
            Peer::Entity(entity) => match entity.as_str() {
                "all" | "cluster" => Answer::Yes,
                "host" | "remote-node" if on_host => Answer::Unknown,
                _ => Answer::No,
            },
            Peer::Service(namespace, name) => {
                let namespace = namespace.as_deref().or(policy.home.named());
                let service = self.service(namespace, name);
                let is_behind = service.is_some_and(|s| self.behind(s).any(|index| index == workload));
                if is_behind { Answer::Yes } else { Answer::No }
            }
            // NetworkPolicies may mean pods by their addresses, which no manifest tells.
            Peer::Cidr(..) if policy.is_cilium() => Answer::No,
            Peer::Cidr(cidr, except) if cidr.ends_with("/0") && except.is_empty() => Answer::Yes,
            Peer::Cidr(..) | Peer::Other(_) => Answer::Unknown,
            Peer::Host(_) => Answer::No,
        }
    }
}
