//! `networking.k8s.io/v1` NetworkPolicy → model. What a field means when it is
//! absent: <https://kubernetes.io/docs/concepts/services-networking/network-policies/>.

use serde_json::Value;

use crate::edit::Path;

use super::model::{Direction, Effect, Peer, PeerAt, Rule, Side, Spec, Subject, below};
use super::ports::{PortRange, Ports, Protocol};
use super::selector::Selector;

/// The one part of a NetworkPolicy.
pub(super) fn specs(value: &Value) -> Vec<Spec> {
    let Some(spec) = value.get("spec").filter(|spec| spec.is_object()) else { return Vec::new() };
    let at: Path = vec!["spec".to_owned()];
    let selector = Selector::of_kubernetes(spec.get("podSelector"), None);
    let types = spec.get("policyTypes").and_then(Value::as_array).filter(|types| !types.is_empty());
    let is_about = |direction: Direction, word: &str| match types {
        Some(types) => types.iter().any(|kind| kind.as_str() == Some(word)),
        // Absent types mean ingress always, egress where it has rules.
        None => direction == Direction::Ingress || spec.get("egress").is_some_and(|list| !list.is_null()),
    };
    vec![Spec {
        subject: Subject::Pods(selector, below(&at, &["podSelector"])),
        ingress: side(spec, &at, Direction::Ingress, is_about(Direction::Ingress, "Ingress")),
        egress: side(spec, &at, Direction::Egress, is_about(Direction::Egress, "Egress")),
        at,
    }]
}

fn side(spec: &Value, at: &Path, direction: Direction, is_about: bool) -> Side {
    // Rules of a direction that the policy is not about do nothing.
    let rules = spec.get(direction.word()).and_then(Value::as_array).filter(|_| is_about);
    let rules = rules.into_iter().flatten().enumerate().map(|(index, value)| {
        let at = below(at, &[direction.word(), &index.to_string()]);
        rule(value, at, direction)
    });
    Side { denies_by_default: is_about, rules: rules.collect() }
}

fn rule(value: &Value, at: Path, direction: Direction) -> Rule {
    let field = if direction == Direction::Ingress { "from" } else { "to" };
    let list = |name: &str| value.get(name).and_then(Value::as_array).filter(|list| !list.is_empty());
    let peers: Vec<PeerAt> = list(field)
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(index, value)| PeerAt { at: below(&at, &[field, &index.to_string()]), peer: peer(value) })
        .collect();
    let ports = match list("ports") {
        None => Ports::All,
        Some(list) => Ports::Only(list.iter().map(|port| PortRange::read(port, Protocol::Tcp)).collect()),
    };
    Rule {
        at,
        effect: Effect::Allow,
        anybody: peers.is_empty(),
        peers,
        ports,
        sees_dns: false,
        kinds: vec![field.to_owned()],
    }
}

fn peer(value: &Value) -> Peer {
    if let Some(block) = value.get("ipBlock") {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let except = block.get("except").and_then(Value::as_array).into_iter().flatten();
        return Peer::Cidr(text(block.get("cidr")), except.map(|cidr| text(Some(cidr))).collect());
    }
    Peer::Pods(Selector::of_kubernetes(value.get("podSelector"), value.get("namespaceSelector")))
}
