//! The comments of a document, found by what lies between its nodes.

use std::ops::Range;

use germ_post::yaml::{Content, ScalarStyle, Tree};

/// Byte ranges of all comments in order.
pub fn comments(tree: &Tree<'_>) -> Vec<Range<usize>> {
    let text = tree.text();
    let mut scalars: Vec<Range<usize>> = tree
        .nodes()
        .filter(|(_, node)| matches!(node.content, Content::Scalar { .. } | Content::Alias { .. }))
        .map(|(_, node)| node.span.clone())
        .collect();
    // The header line of a block scalar may have a comment of its own.
    for (_, node) in tree.nodes() {
        if let Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. } = node.content {
            let line = text[node.span.clone()].find('\n').map_or(node.span.end, |at| node.span.start + at);
            scalars.retain(|span| *span != node.span);
            scalars.push(line..node.span.end);
        }
    }
    scalars.sort_by_key(|span| (span.start, span.end));
    let mut out = Vec::new();
    let mut at = 0;
    for span in scalars.iter().chain([&(text.len()..text.len())]) {
        while at < span.start {
            let Some(found) = text[at..span.start].find('#').map(|found| at + found) else {
                break;
            };
            let begins = found == 0 || text[..found].ends_with([' ', '\t', '\n', '\u{feff}']);
            at = found + 1;
            if begins {
                let end = text[found..].find(['\r', '\n']).map_or(text.len(), |end| found + end);
                out.push(found..end);
                at = end;
            }
        }
        at = at.max(span.end);
    }
    out
}
