//! Who may talk to whom, a file a format.

pub mod dot;
pub mod json;
pub mod mermaid;
pub mod svg;
pub mod text;

use crate::policy::graph::{Edge, Graph, Node, NodeKind, Verdict};

/// The nodes by namespace, in order; those without one come last, under no name.
fn by_namespace(graph: &Graph) -> Vec<(Option<&str>, Vec<usize>)> {
    let mut out: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let namespace = node.namespace.as_deref();
        match out.iter_mut().find(|(name, _)| *name == namespace) {
            Some((_, nodes)) => nodes.push(index),
            None => out.push((namespace, vec![index])),
        }
    }
    out.sort_by_key(|(namespace, _)| (namespace.is_none(), *namespace));
    out
}

/// What an edge is labelled with.
fn label(edge: &Edge) -> String {
    match &edge.verdict {
        Verdict::Allowed => edge.ports.to_string(),
        Verdict::Halfway(why) => format!("{}: {why}", edge.ports),
        Verdict::Denied => format!("denied: {}", edge.ports),
    }
}

/// Whether a node is open in a direction because no policy is about it.
fn is_open(node: &Node, denies: Option<bool>) -> bool {
    node.kind == NodeKind::Workload && denies == Some(false)
}
