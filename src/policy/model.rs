//! One model for the three kinds of policies: whom a policy is about, whether it
//! denies what it does not allow, and whom it allows, each with its place in the
//! object.

use serde_json::Value;

use crate::edit::Path;
use crate::manifest::{Home, Identity};

use super::ports::Ports;
use super::selector::Selector;
use super::{cilium, kubernetes};

/// The two ways of traffic, seen from the pods that a policy is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards them.
    Ingress,
    /// From them.
    Egress,
}

impl Direction {
    /// Both.
    pub const BOTH: [Direction; 2] = [Direction::Ingress, Direction::Egress];

    /// `ingress`, `egress`.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Ingress => "ingress",
            Direction::Egress => "egress",
        }
    }
}

/// A policy.
#[derive(Debug, Clone)]
pub struct Policy {
    /// What the caller knows the object by.
    pub id: usize,
    /// What names it.
    pub identity: Identity,
    /// Where it lives.
    pub home: Home,
    /// Whether it is about pods of every namespace.
    pub clusterwide: bool,
    /// Its parts: `spec`, and each of `specs`.
    pub specs: Vec<Spec>,
}

/// A part of a policy that is about some pods.
#[derive(Debug, Clone)]
pub struct Spec {
    /// Its place in the object.
    pub at: Path,
    /// Whom it is about.
    pub subject: Subject,
    /// What it says of traffic towards them.
    pub ingress: Side,
    /// What it says of traffic from them.
    pub egress: Side,
}

/// Whom a policy is about.
#[derive(Debug, Clone)]
pub enum Subject {
    /// Pods, and the place of the selector.
    Pods(Selector, Path),
    /// Nodes: a host policy, which is about no pod.
    Nodes,
}

/// What a policy says of one direction.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// Whether pods are denied what no policy allows, because of this one.
    pub denies_by_default: bool,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// Whether a rule allows or denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It allows.
    Allow,
    /// It denies, whatever others allow.
    Deny,
}

/// A rule of a policy.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its place in the object.
    pub at: Path,
    /// What it does.
    pub effect: Effect,
    /// Whom it is about.
    pub peers: Vec<PeerAt>,
    /// Whether it names nobody, so that it is about everybody.
    pub anybody: bool,
    /// Which ports it is about.
    pub ports: Ports,
    /// Whether names are looked up through it, so that Cilium learns addresses.
    pub sees_dns: bool,
    /// The kinds of peers that it names, as the fields are called.
    pub kinds: Vec<String>,
}

/// A peer with its place in the object.
#[derive(Debug, Clone)]
pub struct PeerAt {
    /// Its place.
    pub at: Path,
    /// Who.
    pub peer: Peer,
}

/// Who is at the other end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Peer {
    /// Pods.
    Pods(Selector),
    /// One of Cilium's entities: `world`, `cluster`, `host`, `kube-apiserver`, …
    Entity(String),
    /// Addresses; the exceptions are those that are not meant.
    Cidr(String, Vec<String>),
    /// Addresses behind a host name, or behind a pattern of names.
    Host(String),
    /// A Service: namespace, if it is named, and name.
    Service(Option<String>, String),
    /// Something that manifests do not resolve, such as a group of a cloud.
    Other(String),
}

impl Policy {
    /// Reads an object; `None` where it is no policy.
    pub fn of(id: usize, identity: &Identity, release: usize, value: &Value) -> Option<Self> {
        let home = Home::of(&identity.namespace, release);
        let clusterwide = identity.kind == "CiliumClusterwideNetworkPolicy";
        let specs = match (identity.group.as_str(), identity.kind.as_str()) {
            ("cilium.io", "CiliumNetworkPolicy" | "CiliumClusterwideNetworkPolicy") => {
                cilium::specs(value, clusterwide)
            }
            ("networking.k8s.io" | "extensions", "NetworkPolicy") => kubernetes::specs(value),
            _ => return None,
        };
        Some(Self { id, identity: identity.clone(), home, clusterwide, specs })
    }

    /// Whether Cilium alone knows its kind.
    pub fn is_cilium(&self) -> bool {
        self.identity.group == "cilium.io"
    }
}

impl Spec {
    /// What it says of a direction.
    pub fn side(&self, direction: Direction) -> &Side {
        match direction {
            Direction::Ingress => &self.ingress,
            Direction::Egress => &self.egress,
        }
    }

    /// The selector of the pods that it is about.
    pub fn subject(&self) -> Option<&Selector> {
        match &self.subject {
            Subject::Pods(selector, _) => Some(selector),
            Subject::Nodes => None,
        }
    }
}

impl Side {
    /// The rules that allow something.
    pub fn allowing(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.effect == Effect::Allow)
    }
}

impl Rule {
    /// Whether it allows anybody at all, or nobody.
    pub fn is_about_somebody(&self) -> bool {
        self.anybody || !self.peers.is_empty()
    }

    /// Whether it names this entity.
    pub fn names_entity(&self, name: &str) -> bool {
        self.peers.iter().any(|peer| matches!(&peer.peer, Peer::Entity(entity) if entity == name))
    }

    /// Whether everything that the entity stands for is meant by it.
    pub fn includes_entity(&self, name: &str) -> bool {
        self.anybody || self.peers.iter().any(|peer| peer.peer.includes_entity(name))
    }
}

/// What `cluster` stands for beside the pods. Source: `InitEntities` in Cilium's
/// `pkg/policy/api/entity.go`.
const CLUSTER: &[&str] =
    &["host", "remote-node", "init", "ingress", "unmanaged", "health", "kube-apiserver", "cluster"];

impl Peer {
    /// Whether everything that the entity stands for is meant by it.
    pub fn includes_entity(&self, name: &str) -> bool {
        match self {
            Peer::Entity(entity) => match entity.as_str() {
                "all" => true,
                "cluster" => CLUSTER.contains(&name),
                entity => entity == name,
            },
            // Cilium does not take addresses of pods and nodes for those of a CIDR.
            Peer::Cidr(cidr, except) => name == "world" && is_everywhere(cidr) && except.is_empty(),
            _ => false,
        }
    }

    /// Whether it is all the addresses there are, outside of the cluster.
    pub fn is_world(&self) -> bool {
        self.includes_entity("world")
    }

    /// Whether it can only be somebody inside of the cluster.
    pub fn is_in_cluster(&self) -> bool {
        match self {
            Peer::Pods(_) | Peer::Service(..) => true,
            Peer::Entity(entity) => entity == "all" || CLUSTER.contains(&entity.as_str()),
            _ => false,
        }
    }
}

impl std::fmt::Display for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Peer::Pods(selector) => write!(f, "{selector}"),
            Peer::Entity(entity) | Peer::Host(entity) | Peer::Other(entity) => f.write_str(entity),
            Peer::Cidr(cidr, except) if except.is_empty() => f.write_str(cidr),
            Peer::Cidr(cidr, except) => write!(f, "{cidr} but {}", except.join(", ")),
            Peer::Service(Some(namespace), name) => write!(f, "Service {namespace}/{name}"),
            Peer::Service(None, name) => write!(f, "Service {name}"),
        }
    }
}

/// `0.0.0.0/0`, `::/0`.
fn is_everywhere(cidr: &str) -> bool {
    cidr.ends_with("/0")
}

/// A path with more steps.
pub(super) fn below(at: &Path, steps: &[&str]) -> Path {
    at.iter().cloned().chain(steps.iter().map(|step| (*step).to_owned())).collect()
}
