//! The graph in the language of Graphviz.

use super::{by_namespace, is_open, label};
use crate::policy::graph::{Graph, NodeKind, Verdict};

/// The graph as `digraph`.
pub fn render(graph: &Graph) -> String {
    let mut out =
        "digraph policies {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n".to_owned();
    for (group, (namespace, nodes)) in by_namespace(graph).into_iter().enumerate() {
        if let Some(namespace) = namespace {
            out.push_str(&format!("  subgraph cluster_{group} {{\n    label=\"{}\";\n", quoted(namespace)));
        }
        for index in nodes {
            let node = &graph.nodes[index];
            let shape = match node.kind {
                NodeKind::Workload => "box",
                NodeKind::Pods => "parallelogram",
                _ => "ellipse",
            };
            let style = if is_open(node, node.denies_ingress) { ", style=dashed" } else { "" };
            out.push_str(&format!(
                "    n{index} [label=\"{}\", shape={shape}{style}];\n",
                quoted(&node.name)
            ));
        }
        if namespace.is_some() {
            out.push_str("  }\n");
        }
    }
    for edge in &graph.edges {
        let style = match edge.verdict {
            Verdict::Allowed => "",
            _ => ", style=dashed, color=\"#c0392b\"",
        };
        let text = quoted(&label(edge));
        out.push_str(&format!("  n{} -> n{} [label=\"{text}\"{style}];\n", edge.from, edge.to));
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
