//! Spans and indicators of every node: of every document of the corpus, and of
//! what still parses when such documents are damaged.

use germ_post::yaml::{Content, ScalarStyle, Stream, Tree, parse};

use crate::support::{
    self,
    mutate::{Random, mutate, soup},
};

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

#[test]
fn every_span_of_damaged_documents_is_exact() {
    let texts = support::sample_documents(3000);
    let mut random = Random::new(5);
    let mut nodes = 0;
    for round in 0..40_000 {
        let damaged = match texts.get(round % (2 * texts.len()).max(1)) {
            Some(text) => mutate(text, 15, true, &mut random),
            None => soup(&mut random),
        };
        if let Ok(tree) = parse(&damaged) {
            nodes += check(&tree);
        }
    }
    assert!(nodes > 10_000, "the damage leaves too little to look at: {nodes}");
}

fn check(tree: &Tree<'_>) -> usize {
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
