//! Who may talk to whom, as a graph: workloads and everybody whom policies name are its
//! nodes, what policies allow or deny its edges. Between two workloads both sides are
//! asked, since a packet needs the leave of both.

use std::collections::BTreeMap;

use super::model::{Direction, Effect, Peer, Policy};
use super::network::Network;
use super::pods::Workload;
use super::ports::{PortRange, Ports, Which};
use super::selector::Answer;
use super::verdict::Ruling;

/// The graph.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// Workloads in the order of the stream, then whoever else policies name.
    pub nodes: Vec<Node>,
    /// The edges, in order of their ends.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its name.
    pub name: String,
    /// Its namespace, as far as it has one and manifests say it.
    pub namespace: Option<String>,
    /// Whether policies deny by default what comes in; `None` where that is not known.
    pub denies_ingress: Option<bool>,
    /// Whether policies deny by default what goes out.
    pub denies_egress: Option<bool>,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// The pods of a workload of the stream.
    Workload,
    /// Pods that are not in the stream.
    Pods,
    /// One of Cilium's entities, or everybody.
    Entity,
    /// Addresses.
    Addresses,
    /// A host by its name.
    Host,
    /// Something else.
    Other,
}

/// Whether traffic passes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It does.
    Allowed,
    /// One side allows it and the other does not, in these words.
    Halfway(String),
    /// A policy denies it.
    Denied,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Index in [`Graph::nodes`].
    pub from: usize,
    /// Index in [`Graph::nodes`].
    pub to: usize,
    /// Whether traffic passes.
    pub verdict: Verdict,
    /// On which ports.
    pub ports: Ports,
    /// The policies that say so, each once.
    pub policies: Vec<String>,
}

/// Ports and policies of one side of an edge.
type Said = BTreeMap<(usize, usize), (Vec<Ports>, Vec<String>)>;

impl Graph {
    /// The graph of a network.
    pub fn of(network: &Network) -> Self {
        let mut graph = Self::default();
        for (index, workload) in network.workloads.iter().enumerate() {
            let denies = |direction| network.is_denied_by_default(index, direction);
            graph.nodes.push(Node {
                kind: NodeKind::Workload,
                name: format!("{} {}", workload.identity.kind, workload.identity.name),
                namespace: workload.home.named().map(str::to_owned),
                denies_ingress: (!workload.on_host).then(|| denies(Direction::Ingress)),
                denies_egress: (!workload.on_host).then(|| denies(Direction::Egress)),
            });
        }
        let mut allowed = Said::new();
        let mut denied = Said::new();
        for index in 0..network.workloads.len() {
            for direction in Direction::BOTH {
                for (effect, said) in [(Effect::Allow, &mut allowed), (Effect::Deny, &mut denied)] {
                    for ruling in network.rulings(index, direction, effect) {
                        for other in graph.others(network, &ruling) {
                            let ends = match direction {
                                Direction::Ingress => (other, index),
                                Direction::Egress => (index, other),
                            };
                            let entry = said.entry(ends).or_default();
                            entry.0.push(ruling.rule.ports.clone());
                            let name = ruling.policy.identity.to_string();
                            if !entry.1.contains(&name) {
                                entry.1.push(name);
                            }
                        }
                    }
                }
            }
        }
        let edges = allowed.into_iter().map(|((from, to), (ports, policies))| {
            let (verdict, ports) = judge(network, from, to, union(&ports));
            Edge { from, to, verdict, ports, policies }
        });
        let mut edges: Vec<Edge> = edges.collect();
        edges.extend(denied.into_iter().map(|((from, to), (ports, policies))| Edge {
            from,
            to,
            verdict: Verdict::Denied,
            ports: union(&ports),
            policies,
        }));
        edges.sort_by(|a, b| (a.from, a.to, &a.verdict).cmp(&(b.from, b.to, &b.verdict)));
        graph.edges = edges;
        graph
    }

    /// The part of it that has to do with a namespace.
    pub fn of_namespace(&self, namespace: &str) -> Self {
        let is_in = |index: usize| {
            self.nodes.get(index).is_some_and(|node: &Node| node.namespace.as_deref() == Some(namespace))
        };
        let edges = self.edges.iter().filter(|edge| is_in(edge.from) || is_in(edge.to));
        let mut out = Self::default();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let edges: Vec<Edge> = edges.cloned().collect();
        for index in 0..self.nodes.len() {
            let has_edge = edges.iter().any(|edge| edge.from == index || edge.to == index);
            if is_in(index) || has_edge {
                places.insert(index, out.nodes.len());
                out.nodes.extend(self.nodes.get(index).cloned());
            }
        }
        out.edges = edges
            .into_iter()
            .filter_map(|edge| {
                Some(Edge { from: *places.get(&edge.from)?, to: *places.get(&edge.to)?, ..edge })
            })
            .collect();
        out
    }

    /// The nodes at the other end of a rule.
    fn others(&mut self, network: &Network, ruling: &Ruling<'_>) -> Vec<usize> {
        if ruling.rule.anybody {
            return vec![self.node(NodeKind::Entity, "everybody".to_owned(), None)];
        }
        let mut out = Vec::new();
        for at in &ruling.rule.peers {
            let meant = match &at.peer {
                // `cluster` is shown as such: an edge to every pod would hide the others.
                Peer::Pods(_) | Peer::Service(..) => (0..network.workloads.len())
                    .filter(|index| network.means(ruling.policy, &at.peer, *index) == Answer::Yes)
                    .collect(),
                _ => Vec::new(),
            };
            if meant.is_empty() {
                out.push(self.outside(ruling.policy, &at.peer));
            }
            out.extend(meant);
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    fn outside(&mut self, policy: &Policy, peer: &Peer) -> usize {
        match peer {
            Peer::Pods(selector) => {
                let own = selector.is_own().then(|| policy.home.named()).flatten();
                let namespace = own.or(selector.namespace()).map(str::to_owned);
                // The namespace stands beside the name.
                let name = match namespace {
                    Some(_) => super::selector::labels_in_words(&selector.pods),
                    None => selector.to_string(),
                };
                self.node(NodeKind::Pods, name, namespace)
            }
            Peer::Entity(entity) => self.node(NodeKind::Entity, entity.clone(), None),
            Peer::Cidr(..) => self.node(NodeKind::Addresses, peer.to_string(), None),
            Peer::Host(name) => self.node(NodeKind::Host, name.clone(), None),
            Peer::Service(namespace, name) => {
                let namespace = namespace.clone().or_else(|| policy.home.named().map(str::to_owned));
                self.node(NodeKind::Other, format!("Service {name}"), namespace)
            }
            Peer::Other(name) => self.node(NodeKind::Other, name.clone(), None),
        }
    }

    fn node(&mut self, kind: NodeKind, name: String, namespace: Option<String>) -> usize {
        let node = Node { kind, name, namespace, denies_ingress: None, denies_egress: None };
        match self.nodes.iter().position(|other| *other == node) {
            Some(index) => index,
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }
}

/// Whether traffic passes that at least one side allows.
fn judge(network: &Network, from: usize, to: usize, said: Ports) -> (Verdict, Ports) {
    let (Some(sender), Some(receiver)) = (network.workloads.get(from), network.workloads.get(to)) else {
        return (Verdict::Allowed, said);
    };
    let sends = side(network, from, Direction::Egress, to);
    let takes = side(network, to, Direction::Ingress, from);
    let (name, other) = (&sender.identity.name, &receiver.identity.name);
    match (sends, takes) {
        (None, _) => (Verdict::Halfway(format!("no policy lets {name} send it")), said),
        (_, None) => (Verdict::Halfway(format!("no policy lets {other} take it")), said),
        (Some(sends), Some(takes)) => {
            let both = meet(&resolved(sends, receiver), &resolved(takes, receiver));
            match &both {
                Ports::Only(list) if list.is_empty() => {
                    (Verdict::Halfway("the two sides name other ports".to_owned()), said)
                }
                _ => (Verdict::Allowed, both),
            }
        }
    }
}

/// The ports on which one side lets traffic with another workload pass; none where it
/// lets nothing pass.
fn side(network: &Network, workload: usize, direction: Direction, other: usize) -> Option<Ports> {
    if !network.is_denied_by_default(workload, direction) {
        return Some(Ports::All);
    }
    let means = |ruling: &Ruling<'_>| {
        ruling.rule.anybody
            || ruling.rule.peers.iter().any(|at| network.means(ruling.policy, &at.peer, other) == Answer::Yes)
    };
    let rulings = network.rulings(workload, direction, Effect::Allow);
    let ports: Vec<Ports> =
        rulings.iter().filter(|ruling| means(ruling)).map(|ruling| ruling.rule.ports.clone()).collect();
    (!ports.is_empty()).then(|| union(&ports))
}

fn union(all: &[Ports]) -> Ports {
    let mut out = Vec::new();
    for ports in all {
        match ports {
            Ports::All => return Ports::All,
            Ports::Only(list) => out.extend(list.iter().cloned()),
        }
    }
    out.sort();
    out.dedup();
    Ports::Only(out)
}

/// The ports with names turned into the numbers that the receiver gives them.
fn resolved(ports: Ports, receiver: &Workload) -> Ports {
    let Ports::Only(list) = ports else { return Ports::All };
    let of_receiver = |range: PortRange| {
        let Which::Named(name) = &range.which else { return range };
        let declared = receiver
            .ports
            .iter()
            .find(|served| served.port.name.as_ref().is_some_and(|named| named.eq_ignore_ascii_case(name)));
        match declared {
            Some(served) => {
                let number = served.port.number;
                PortRange { protocol: range.protocol, which: Which::Numbers(number, number) }
            }
            None => range,
        }
    };
    Ports::Only(list.into_iter().map(of_receiver).collect())
}

fn meet(one: &Ports, other: &Ports) -> Ports {
    match (one, other) {
        (Ports::All, ports) | (ports, Ports::All) => ports.clone(),
        (Ports::Only(one), Ports::Only(other)) => {
            let mut both: Vec<PortRange> =
                one.iter().flat_map(|a| other.iter().filter_map(|b| a.meet(b))).collect();
            both.sort();
            both.dedup();
            Ports::Only(both)
        }
    }
}
