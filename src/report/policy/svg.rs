//! The graph as a picture: who sends stands on the left, who receives on the right, by
//! namespace, and each edge has a place of its own at its end, where its ports are
//! written. It needs no program to be looked at but a browser.

use std::collections::BTreeMap;

use super::{by_namespace, is_open, label};
use crate::policy::graph::{Graph, Node, Verdict};

const WIDTH: usize = 1180;
const BOX: usize = 300;
const LEFT: usize = 20;
const RIGHT: usize = WIDTH - BOX - 20;
/// From one edge's end to the next.
const SLOT: usize = 18;
const TITLE: usize = 26;
const TOP: usize = 64;

/// A column of boxes.
struct Column {
    shapes: String,
    /// The heights at which the edges of a node end, by edge.
    ends: BTreeMap<usize, usize>,
    height: usize,
}

/// The picture.
pub fn render(graph: &Graph) -> String {
    let left = column(graph, LEFT, "sends", |edge| edge.from, |node| node.denies_egress);
    let right = column(graph, RIGHT, "receives", |edge| edge.to, |node| node.denies_ingress);
    let height = left.height.max(right.height) + 30;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Who may talk to whom</title>\n\
         <style>\n.box{{fill:#f4f6f8;stroke:#44546a;stroke-width:1.5}}.open{{stroke-dasharray:5 3;fill:#fff}}\n\
         .group{{font-weight:bold;fill:#44546a}}.head{{font-size:14px;fill:#44546a}}\n\
         .edge{{fill:none;stroke:#2e75b6;stroke-width:1.3}}.bad{{stroke:#c0392b;stroke-dasharray:4 3}}\n\
         .ports{{font-size:11px;fill:#1f4e79;text-anchor:end;paint-order:stroke;stroke:#fff;stroke-width:4px}}\n\
         .badports{{fill:#c0392b}}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    out.push_str(&left.shapes);
    out.push_str(&right.shapes);
    let mut words = String::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        let (Some(from), Some(to)) = (left.ends.get(&index), right.ends.get(&index)) else { continue };
        let is_bad = edge.verdict != Verdict::Allowed;
        let (start, end) = (LEFT + BOX, RIGHT);
        let bend = (start + end) / 2;
        let class = if is_bad { "edge bad" } else { "edge" };
        let policies = escaped(&edge.policies.join(", "));
        out.push_str(&format!(
            "<path class=\"{class}\" d=\"M{start},{from} C{bend},{from} {bend},{to} {end},{to}\">\
             <title>{policies}</title></path>\n\
             <path d=\"M{end},{to} l-7,-3.5 v7 z\" fill=\"{}\"/>\n",
            if is_bad { "#c0392b" } else { "#2e75b6" },
        ));
        let class = if is_bad { "ports badports" } else { "ports" };
        let (x, y) = (end - 12, to - 3);
        words.push_str(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>\n",
            escaped(&shortened(&label(edge), 64))
        ));
    }
    // Words stand over lines.
    out.push_str(&words);
    out.push_str("</svg>\n");
    out
}

fn column(
    graph: &Graph,
    x: usize,
    title: &str,
    end: fn(&crate::policy::graph::Edge) -> usize,
    denies: fn(&Node) -> Option<bool>,
) -> Column {
    let mut column = Column {
        shapes: format!("<text class=\"head\" x=\"{x}\" y=\"24\">{title}</text>\n"),
        ends: BTreeMap::new(),
        height: TOP,
    };
    for (namespace, nodes) in by_namespace(graph) {
        let is_seen = |index: &usize| {
            let is_end = graph.edges.iter().any(|edge| end(edge) == *index);
            is_end || denies(&graph.nodes[*index]).is_some()
        };
        let nodes: Vec<usize> = nodes.into_iter().filter(is_seen).collect();
        if nodes.is_empty() {
            continue;
        }
        let name = namespace.map_or("no namespace".to_owned(), |name| format!("namespace {name}"));
        let y = column.height;
        column
            .shapes
            .push_str(&format!("<text class=\"group\" x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(&name)));
        column.height += 10;
        for index in nodes {
            let node = &graph.nodes[index];
            let mine: Vec<usize> =
                (0..graph.edges.len()).filter(|edge| end(&graph.edges[*edge]) == index).collect();
            let height = TITLE.max(mine.len() * SLOT + 10);
            let top = column.height;
            let class = if is_open(node, denies(node)) { "box open" } else { "box" };
            let stance = match denies(node) {
                Some(true) => "what is not drawn is denied",
                Some(false) => "open: no policy denies anything",
                None => "",
            };
            column.shapes.push_str(&format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{BOX}\" height=\"{height}\" rx=\"4\">\
                 <title>{stance}</title></rect>\n<text x=\"{}\" y=\"{}\">{}</text>\n",
                x + 10,
                top + 17,
                escaped(&shortened(&node.name, 44)),
            ));
            let first = top + height / 2 + SLOT / 2 - mine.len() * SLOT / 2;
            column.ends.extend(mine.into_iter().enumerate().map(|(slot, edge)| (edge, first + slot * SLOT)));
            column.height += height + 8;
        }
        column.height += 26;
    }
    column
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
