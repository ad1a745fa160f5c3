//! The graph as JSON, versioned.

use serde_json::{Value, json};

use crate::policy::graph::{Graph, NodeKind, Verdict};

/// The graph as JSON.
///
/// # Errors
/// None that is known: the model has no value that JSON lacks.
pub fn render(graph: &Graph) -> Result<String, serde_json::Error> {
    let nodes = graph.nodes.iter().enumerate().map(|(index, node)| {
        json!({
            "id": index,
            "kind": match node.kind {
                NodeKind::Workload => "workload",
                NodeKind::Pods => "pods",
                NodeKind::Entity => "entity",
                NodeKind::Addresses => "addresses",
                NodeKind::Host => "host",
                NodeKind::Other => "other",
            },
            "name": node.name,
            "namespace": node.namespace,
            "deniesIngress": node.denies_ingress,
            "deniesEgress": node.denies_egress,
        })
    });
    let edges = graph.edges.iter().map(|edge| {
        let (verdict, why) = match &edge.verdict {
            Verdict::Allowed => ("allowed", Value::Null),
            Verdict::Halfway(why) => ("halfway", Value::from(why.as_str())),
            Verdict::Denied => ("denied", Value::Null),
        };
        json!({
            "from": edge.from,
            "to": edge.to,
            "verdict": verdict,
            "why": why,
            "ports": edge.ports.to_string(),
            "policies": edge.policies,
        })
    });
    let graph = json!({
        "version": 1,
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&graph)? + "\n")
}
