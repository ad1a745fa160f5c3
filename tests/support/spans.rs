//! What the spans of a tree promise: every node and indicator is where it says,
//! in order, inside its parent.

use germ_post::yaml::{Content, ScalarStyle, Tree};

/// Looks at every node; panics at a wrong span. Answers how many there are.
pub fn check(tree: &Tree<'_>) -> usize {
    let text = tree.text();
    let mut count = 0;
    for (id, node) in tree.nodes() {
        count += 1;
        let source = tree.source(id);
        match &node.content {
            Content::Scalar { style, .. } => match style {
                ScalarStyle::Plain => assert_eq!(source, source.trim_matches([' ', '\t', '\n', '\r'])),
                ScalarStyle::Single => assert!(source.starts_with('\'') && source.ends_with('\'')),
                ScalarStyle::Double => assert!(source.starts_with('"') && source.ends_with('"')),
                ScalarStyle::Literal => assert!(source.starts_with('|')),
                ScalarStyle::Folded => assert!(source.starts_with('>')),
            },
            Content::Mapping { flow, entries } => {
                let mut at = node.span.start;
                for entry in entries {
                    assert!(at <= tree.node(entry.key).outer_start());
                    at = tree.node(entry.value).span.end;
                    if let Some(colon) = entry.colon {
                        assert_eq!(&text[colon..=colon], ":");
                    }
                    assert!(*flow || entry.colon.is_some() || entry.question.is_some());
                    assert!(tree.node(entry.key).span.end <= tree.node(entry.value).span.start);
                }
                assert!(at <= node.span.end);
            }
            Content::Sequence { flow, items } => {
                let mut at = node.span.start;
                for item in items {
                    assert!(at <= item.dash.unwrap_or(at) && at <= tree.node(item.node).outer_start());
                    at = tree.node(item.node).span.end;
                    match item.dash {
                        Some(dash) => assert_eq!(&text[dash..=dash], "-"),
                        None => assert!(flow),
                    }
                }
                assert!(at <= node.span.end);
            }
            Content::Alias { .. } => assert!(source.starts_with('*')),
        }
    }
    count
}
