//! CiliumNetworkPolicy and CiliumClusterwideNetworkPolicy → model. Sources: Cilium's
//! `pkg/policy/api/rule_validation.go` (when a rule denies by default) and
//! `pkg/k8s/apis/cilium.io/utils/utils.go` (which namespaces a selector means), the
//! same in 1.17.17, 1.18.2, 1.19.6 and 1.20.0.

use serde_json::Value;

use crate::edit::Path;

use super::model::{Direction, Effect, Peer, PeerAt, Rule, Side, Spec, Subject, below};
use super::ports::{PortRange, Ports, Protocol};
use super::selector::{Selector, reserved};

/// The fields that name peers, in either direction.
const PEER_FIELDS: &[&str] = &[
    "fromEndpoints",
    "fromEntities",
    "fromCIDR",
    "fromCIDRSet",
    "fromNodes",
    "fromGroups",
    "toEndpoints",
    "toEntities",
    "toCIDR",
    "toCIDRSet",
    "toNodes",
    "toGroups",
    "toServices",
    "toFQDNs",
];

/// `spec` and each of `specs`.
pub(super) fn specs(value: &Value, clusterwide: bool) -> Vec<Spec> {
    let one = value.get("spec").map(|spec| (vec!["spec".to_owned()], spec));
    let several = value.get("specs").and_then(Value::as_array).into_iter().flatten().enumerate();
    let several = several.map(|(index, spec)| (vec!["specs".to_owned(), index.to_string()], spec));
    let all = one.into_iter().chain(several).filter(|(_, spec)| spec.is_object());
    all.map(|(at, spec)| part(spec, at, clusterwide)).collect()
}

fn part(spec: &Value, at: Path, clusterwide: bool) -> Spec {
    let subject = match spec.get("endpointSelector").filter(|selector| !selector.is_null()) {
        Some(selector) if clusterwide => {
            Subject::Pods(Selector::of_cilium(selector, true), below(&at, &["endpointSelector"]))
        }
        Some(selector) => Subject::Pods(Selector::of_own_pods(selector), below(&at, &["endpointSelector"])),
        None => Subject::Nodes,
    };
    let side = |direction: Direction| {
        let word = direction.word();
        let mut rules = Vec::new();
        for (field, effect) in [(word.to_owned(), Effect::Allow), (format!("{word}Deny"), Effect::Deny)] {
            let list = spec.get(&field).and_then(Value::as_array).into_iter().flatten();
            rules.extend(list.enumerate().map(|(index, value)| {
                rule(value, below(&at, &[&field, &index.to_string()]), effect, clusterwide)
            }));
        }
        let said = spec.get("enableDefaultDeny").and_then(|said| said.get(word)).and_then(Value::as_bool);
        Side { denies_by_default: said.unwrap_or(!rules.is_empty()), rules }
    };
    Spec { subject, ingress: side(Direction::Ingress), egress: side(Direction::Egress), at }
}

fn rule(value: &Value, at: Path, effect: Effect, clusterwide: bool) -> Rule {
    let mut peers = Vec::new();
    let mut kinds = Vec::new();
    let mut names_peers = false;
    for field in PEER_FIELDS {
        let Some(list) = value.get(field).and_then(Value::as_array) else { continue };
        names_peers = true;
        if !list.is_empty() {
            kinds.push((*field).to_owned());
        }
        for (index, value) in list.iter().enumerate() {
            let at = below(&at, &[field, &index.to_string()]);
            peers.push(PeerAt { at, peer: peer(field, value, clusterwide) });
        }
    }
    let lists = |name: &str| value.get(name).and_then(Value::as_array).filter(|list| !list.is_empty());
    let to_ports = lists("toPorts");
    // An item without `ports` is about all of them.
    let ports = to_ports.map_or(Ports::All, |items| {
        let mut all = Vec::new();
        for item in items {
            match item.get("ports").and_then(Value::as_array) {
                Some(ports) => all.extend(ports.iter().map(|port| PortRange::read(port, Protocol::Any))),
                None => return Ports::All,
            }
        }
        Ports::Only(all)
    });
    let sees_dns = to_ports.into_iter().flatten().any(|item| {
        let dns = item.get("rules").and_then(|rules| rules.get("dns")).and_then(Value::as_array);
        dns.is_some_and(|dns| !dns.is_empty())
    });
    let icmps = lists("icmps");
    // `- {}` allows nothing: it is how a policy denies by default. Ports without peers
    // are everybody's.
    let anybody = !names_peers && (to_ports.is_some() || icmps.is_some());
    let ports = if icmps.is_some() && to_ports.is_none() { Ports::Only(Vec::new()) } else { ports };
    Rule { at, effect, peers, anybody, ports, sees_dns, kinds }
}

fn peer(field: &str, value: &Value, clusterwide: bool) -> Peer {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let plain = || value.as_str().unwrap_or_default().to_owned();
    match field {
        "fromEndpoints" | "toEndpoints" => match reserved(value) {
            Some(entity) => Peer::Entity(entity),
            None => Peer::Pods(Selector::of_cilium(value, clusterwide)),
        },
        "fromEntities" | "toEntities" => Peer::Entity(plain()),
        "fromCIDR" | "toCIDR" => Peer::Cidr(plain(), Vec::new()),
        "fromCIDRSet" | "toCIDRSet" => {
            let except = value.get("except").and_then(Value::as_array).into_iter().flatten();
            let except = except.filter_map(|cidr| cidr.as_str().map(str::to_owned)).collect();
            match (text("cidr"), text("cidrGroupRef")) {
                (Some(cidr), _) => Peer::Cidr(cidr, except),
                (None, Some(group)) => Peer::Other(format!("CIDR group {group}")),
                (None, None) => Peer::Other("CIDR groups by label".to_owned()),
            }
        }
        "toFQDNs" => {
            Peer::Host(text("matchName").or_else(|| text("matchPattern")).unwrap_or_default().to_lowercase())
        }
        "toServices" => match value.get("k8sService") {
            Some(service) => {
                let text = |name: &str| service.get(name).and_then(Value::as_str).map(str::to_owned);
                Peer::Service(text("namespace"), text("serviceName").unwrap_or_default())
            }
            None => Peer::Other("Services by label".to_owned()),
        },
        "fromNodes" | "toNodes" => Peer::Other("nodes by label".to_owned()),
        _ => Peer::Other("a group of the cloud".to_owned()),
    }
}
