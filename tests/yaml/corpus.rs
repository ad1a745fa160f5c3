//! Spans and indicators of every node of every document of the corpus.

use germ_post::yaml::{Content, ScalarStyle, Stream, Tree, parse};

use crate::support;

#[test]
fn every_span_of_the_corpus_is_exact() {
    let mut nodes = 0;
    for file in support::renderings() {
        let bytes = std::fs::read(&file).unwrap();
        let stream = Stream::cut(&bytes).unwrap();
        let mut at = 0;
        for document in stream.documents() {
            if let Some(separator) = &document.separator {
                assert_eq!(separator.start, at);
                at = separator.end;
            }
            assert_eq!(document.text.start, at);
            at = document.text.end;
            let text = stream.document_text(document);
            let tree = parse(text).unwrap_or_else(|error| {
                panic!("{}: byte {}: {error}", file.display(), document.text.start + error.offset)
            });
            nodes += check(&tree);
            tree.read().unwrap();
        }
        assert_eq!(at, bytes.len());
    }
    assert!(nodes > 1_000_000 || !support::in_ci());
}

fn check(tree: &Tree<'_>) -> usize {
    let text = tree.text();
    let mut count = 0;
    for (id, node) in tree.nodes() {
        count += 1;
        let source = tree.source(id);
        match &node.content {
            Content::Scalar { style, .. } => match style {
                ScalarStyle::Plain => assert_eq!(source, source.trim()),
                ScalarStyle::Single => assert!(source.starts_with('\'') && source.ends_with('\'')),
                ScalarStyle::Double => assert!(source.starts_with('"') && source.ends_with('"')),
                ScalarStyle::Literal => assert!(source.starts_with('|')),
                ScalarStyle::Folded => assert!(source.starts_with('>')),
            },
            Content::Mapping { flow, entries } => {
                for entry in entries {
                    if let Some(colon) = entry.colon {
                        assert_eq!(&text[colon..=colon], ":");
                    }
                    assert!(*flow || entry.colon.is_some() || entry.question.is_some());
                    assert!(tree.node(entry.key).span.end <= tree.node(entry.value).span.start);
                    assert!(tree.node(entry.value).span.end <= node.span.end);
                    assert!(node.span.start <= tree.node(entry.key).span.start);
                }
            }
            Content::Sequence { flow, items } => {
                for item in items {
                    match item.dash {
                        Some(dash) => assert_eq!(&text[dash..=dash], "-"),
                        None => assert!(flow),
                    }
                    assert!(tree.node(item.node).span.end <= node.span.end);
                    assert!(node.span.start <= tree.node(item.node).span.start);
                }
            }
            Content::Alias { .. } => assert!(source.starts_with('*')),
        }
    }
    count
}
