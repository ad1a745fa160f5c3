//! The graph as text: a paragraph a workload, with what comes in and what goes out.

use super::by_namespace;
use crate::policy::graph::{Edge, Graph, NodeKind, Verdict};

/// The graph as text.
pub fn render(graph: &Graph) -> String {
    let mut out = String::new();
    for (namespace, nodes) in by_namespace(graph) {
        let workloads: Vec<usize> =
            nodes.into_iter().filter(|index| graph.nodes[*index].kind == NodeKind::Workload).collect();
        if workloads.is_empty() {
            continue;
        }
        match namespace {
            Some(namespace) => out.push_str(&format!("namespace {namespace}\n")),
            None => out.push_str("the release's namespace\n"),
        }
        for index in workloads {
            workload(graph, index, &mut out);
        }
        out.push('\n');
    }
    let count =
        |wanted: fn(&Verdict) -> bool| graph.edges.iter().filter(|edge| wanted(&edge.verdict)).count();
    let allowed = count(|verdict| *verdict == Verdict::Allowed);
    let halfway = count(|verdict| matches!(verdict, Verdict::Halfway(_)));
    let denied = count(|verdict| *verdict == Verdict::Denied);
    out.push_str(&format!("{allowed} allowed, {halfway} allowed by one side only, {denied} denied\n"));
    out
}

fn workload(graph: &Graph, index: usize, out: &mut String) {
    let node = &graph.nodes[index];
    out.push_str(&format!("  {}\n", node.name));
    for (word, arrow, denies) in [("in", "<-", node.denies_ingress), ("out", "->", node.denies_egress)] {
        let stance = match denies {
            Some(true) => "what is not listed is denied",
            Some(false) => "open, no policy denies anything",
            None => "in the node's network, where no policy for pods reaches",
        };
        out.push_str(&format!("    {word}: {stance}\n"));
        let edges = graph
            .edges
            .iter()
            .filter(|edge| if word == "in" { edge.to == index } else { edge.from == index });
        for edge in edges {
            let other = &graph.nodes[if word == "in" { edge.from } else { edge.to }];
            let name = match (&other.namespace, other.namespace == node.namespace) {
                (Some(namespace), false) => format!("{} in {namespace}", other.name),
                _ => other.name.clone(),
            };
            out.push_str(&format!("      {arrow} {name}: {}\n", said(edge)));
        }
    }
}

fn said(edge: &Edge) -> String {
    let by = edge.policies.join(", ");
    match &edge.verdict {
        Verdict::Allowed => format!("{}, by {by}", edge.ports),
        Verdict::Halfway(why) => format!("{}, by {by}, but {why}", edge.ports),
        Verdict::Denied => format!("DENIED {}, by {by}", edge.ports),
    }
}
