//! Checks of network policies, a file each, over the model of [`crate::policy`]: what
//! policies allow by mistake, and what they deny by mistake.

mod denied_port;
mod fqdn_cluster;
mod fqdn_dns;
mod from_nodes;
mod mixed_peers;
mod network_itself;
mod own_namespace;
mod spelling;
mod unpoliced;
mod widening;
mod without_pods;
mod world;

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Builtin, matcher, told};
use crate::check::finding::Related;
use crate::check::rules::{Hit, meant};
use crate::check::scene::Scene;
use crate::diagnostic::Diagnostic;
use crate::edit::Path;
use crate::policy::network::Asked;
use crate::policy::{Network, Policy};
use crate::profile::file::MatchFile;
use crate::profile::matching::Matcher;
use crate::profile::path::spell;
use crate::profile::rule::{Check, Computed};

/// A check of policies that was told what it needs.
trait Look {
    /// What is bad in a network.
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit>;
}

struct PolicyCheck {
    look: Box<dyn Look>,
    needs: Vec<Matcher>,
}

/// The check of this name, if it is one of policies.
pub(super) fn build(computed: &Computed) -> Result<Option<Box<dyn Builtin>>, Diagnostic> {
    let look: Box<dyn Look> = match computed.name.as_str() {
        "ingress-from-nodes" => Box::new(told::<from_nodes::FromNodes>(computed)?),
        "port-without-rule" => Box::new(told::<denied_port::DeniedPort>(computed)?),
        "selector-of-own-namespace" => Box::new(told::<own_namespace::OwnNamespace>(computed)?),
        "fqdn-without-dns" => Box::new(told::<fqdn_dns::FqdnDns>(computed)?),
        "fqdn-denies-cluster" => Box::new(told::<fqdn_cluster::FqdnCluster>(computed)?),
        "mixed-peers" => Box::new(told::<mixed_peers::MixedPeers>(computed)?),
        "world-without-ports" => Box::new(told::<world::World>(computed)?),
        "policy-on-network" => Box::new(told::<network_itself::NetworkItself>(computed)?),
        "pod-without-policy" => Box::new(told::<unpoliced::Unpoliced>(computed)?),
        "widens-default-deny" => Box::new(told::<widening::Widening>(computed)?),
        "peers-spelt-differently" => Box::new(told::<spelling::Spelling>(computed)?),
        "policy-without-pods" => Box::new(told::<without_pods::WithoutPods>(computed)?),
        _ => return Ok(None),
    };
    Ok(Some(Box::new(PolicyCheck { look, needs: needs() })))
}

/// Everything that the model is made of.
fn needs() -> Vec<Matcher> {
    let kinds = [
        json!({"group": "cilium.io", "kind": ["CiliumNetworkPolicy", "CiliumClusterwideNetworkPolicy"]}),
        json!({"group": ["networking.k8s.io", "extensions"], "kind": "NetworkPolicy"}),
        json!({"podTemplate": "any"}),
        json!({"group": "", "kind": ["Service", "Namespace"]}),
        json!({"group": "admissionregistration.k8s.io", "kind": "*WebhookConfiguration"}),
        json!({"group": "apiregistration.k8s.io", "kind": "APIService"}),
        json!({
            "group": "apiextensions.k8s.io",
            "kind": "CustomResourceDefinition",
            "fields": {"spec.conversion.webhook.clientConfig.service": "present"},
        }),
        json!({"group": "monitoring.coreos.com", "kind": ["ServiceMonitor", "PodMonitor"]}),
    ];
    let compiled = kinds.into_iter().filter_map(|kind| {
        let file: MatchFile = serde_json::from_value(kind).ok()?;
        matcher(&file).ok()
    });
    compiled.collect()
}

impl Builtin for PolicyCheck {
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit> {
        let network = scene.network();
        // Pods without policies are somebody's business only where there are some.
        if network.policies.is_empty() && network.workloads.is_empty() {
            return Vec::new();
        }
        let mut hits = self.look.look(scene, network);
        let wanted: HashSet<usize> = meant(scene, check).collect();
        hits.retain(|hit| wanted.contains(&hit.actor));
        let mut seen = HashSet::new();
        hits.retain(|hit| seen.insert((hit.actor, hit.at.clone(), hit.message.clone())));
        hits
    }

    fn matchers(&self) -> Vec<&Matcher> {
        self.needs.iter().collect()
    }
}

/// Something bad at a place of an object.
fn hit(scene: &Scene<'_>, actor: usize, at: &Path, message: String) -> Hit {
    let path = scene.view(actor).map(|view| spell(view.value, at)).filter(|path| !path.is_empty());
    Hit {
        actor,
        at: at.clone(),
        path,
        message: Some(message),
        value: None,
        related: Vec::new(),
        notes: Vec::new(),
    }
}

/// Something elsewhere, if it has a place.
fn related(scene: &Scene<'_>, actor: usize, at: &Path, note: impl Into<String>) -> Option<Related> {
    let location = scene.location(&scene.spot(actor, at)?)?;
    Some(Related { note: note.into(), location })
}

/// Who asks for a port.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Asker {
    /// The API server, for webhooks and aggregated APIs.
    Webhooks,
    /// A load balancer.
    LoadBalancers,
    /// People and programs, through the API server's proxy.
    Proxied,
    /// Prometheus.
    Metrics,
    /// The kubelet.
    Probes,
}

impl Asker {
    /// The ports that are asked; `services` names those that are reached by proxy,
    /// `namespace/name` or `name`.
    fn asked<'n>(self, network: &'n Network, services: &[String]) -> Vec<Asked<'n>> {
        match self {
            Asker::Webhooks => network.called(),
            Asker::LoadBalancers => network.balanced(),
            Asker::Metrics => network.measured(),
            Asker::Probes => network.probed(),
            Asker::Proxied => {
                let named = services.iter().filter_map(|named| match named.split_once('/') {
                    Some((namespace, name)) => network.service(Some(namespace), name),
                    None => network.service(None, named),
                });
                named.flat_map(|service| network.served(service)).collect()
            }
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Asker::Webhooks => "the API server calls it",
            Asker::LoadBalancers => "a load balancer leads to it",
            Asker::Proxied => "it is reached through the API server's proxy",
            Asker::Metrics => "Prometheus asks it",
            Asker::Probes => "the kubelet asks it",
        }
    }
}

/// The name of a workload, as `Deployment shop/web`.
fn name_of(network: &Network, workload: usize) -> String {
    network.workloads.get(workload).map(|workload| workload.identity.to_string()).unwrap_or_default()
}

/// Every peer of every policy, with the rule's direction left out.
fn peers(network: &Network) -> impl Iterator<Item = (&Policy, &crate::policy::model::PeerAt)> {
    network.policies.iter().flat_map(|policy| {
        let sides = policy.specs.iter().flat_map(|spec| [&spec.ingress, &spec.egress]);
        let rules = sides.flat_map(|side| &side.rules);
        rules.flat_map(|rule| &rule.peers).map(move |peer| (policy, peer))
    })
}

/// How often each value occurs.
fn tally<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut out = HashMap::new();
    values.for_each(|value| *out.entry(value).or_default() += 1);
    out
}

/// The value at a place of an object.
fn value_at<'s>(scene: &'s Scene<'_>, actor: usize, at: &Path) -> Option<&'s Value> {
    crate::profile::path::get(scene.view(actor)?.value, at)
}
