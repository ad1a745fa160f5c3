//! The graph as a Mermaid flowchart, which code hosts draw in Markdown.

use super::{by_namespace, is_open, label};
use crate::policy::graph::{Graph, NodeKind, Verdict};

/// The graph as a flowchart.
pub fn render(graph: &Graph) -> String {
    let mut out = "flowchart LR\n".to_owned();
    for (group, (namespace, nodes)) in by_namespace(graph).into_iter().enumerate() {
        if let Some(namespace) = namespace {
            out.push_str(&format!("  subgraph g{group} [\"{}\"]\n", quoted(namespace)));
        }
        for index in nodes {
            let node = &graph.nodes[index];
            let name = quoted(&node.name);
            let (open, close) = match node.kind {
                NodeKind::Workload => ("[", "]"),
                NodeKind::Pods => ("[/", "/]"),
                _ => ("([", "])"),
            };
            out.push_str(&format!("    n{index}{open}\"{name}\"{close}\n"));
            if is_open(node, node.denies_ingress) {
                out.push_str(&format!("    class n{index} open\n"));
            }
        }
        if namespace.is_some() {
            out.push_str("  end\n");
        }
    }
    let mut bad = Vec::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        let arrow = if edge.verdict == Verdict::Allowed { "-->" } else { "-.->" };
        let text = quoted(&label(edge));
        out.push_str(&format!("  n{} {arrow}|\"{text}\"| n{}\n", edge.from, edge.to));
        if edge.verdict != Verdict::Allowed {
            bad.push(index.to_string());
        }
    }
    if !bad.is_empty() {
        out.push_str(&format!("  linkStyle {} stroke:#c0392b\n", bad.join(",")));
    }
    out.push_str("  classDef open stroke-dasharray:4 3\n");
    out
}

/// Text between double quotes.
fn quoted(text: &str) -> String {
    text.replace('&', "#amp;").replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;")
}
