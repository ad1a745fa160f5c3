//! What the fast scan promises when it vouches for a document: the parser reads
//! it, reads the same head, and makes the same tree of it.

use germ_post::yaml::parse::parse_events;
use germ_post::yaml::{Content, Head, NodeId, Scan, Tree, parse, scalar::Scalar, scan};

/// The head as the parser's tree gives it.
pub fn head_of<'s>(tree: &Tree<'s>) -> Head<'s> {
    let string = |mapping: NodeId, name: &str| {
        let entry = tree.entry(mapping, name)?;
        match &tree.node(tree.resolve(entry.value)).content {
            Content::Scalar { value: Scalar::Str(text), .. } => Some(text.clone()),
            _ => None,
        }
    };
    let mut head = Head { empty: tree.root().is_none(), ..Head::default() };
    if let Some(root) = tree.root() {
        head.api_version = string(root, "apiVersion");
        head.kind = string(root, "kind");
        head.name = tree.entry(root, "metadata").and_then(|entry| string(entry.value, "name"));
        head.has_items = tree.entry(root, "items").is_some();
    }
    head
}

/// Whether the scan vouches for the text. Fails when it does so wrongly.
pub fn vouches(text: &str) -> bool {
    match scan(text) {
        Scan::Perhaps => false,
        Scan::Vouched(head) => {
            let tree = parse_events(text)
                .unwrap_or_else(|error| panic!("vouched, but: {error:?}\n{text:?}\n{text}"));
            // The comparison is an assertion inside.
            let quick = std::panic::catch_unwind(|| parse(text)).ok().and_then(Result::ok);
            assert!(quick.as_ref() == Some(&tree), "two trees of\n{text:?}\n{text}");
            assert_eq!(head, head_of(&tree), "another head\n{text:?}\n{text}");
            assert!(!tree.has_foreign_line_breaks(), "foreign line breaks\n{text:?}");
            assert!(tree.read().is_ok(), "not readable\n{text}");
            true
        }
    }
}
