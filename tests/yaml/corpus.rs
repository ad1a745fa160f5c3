//! Spans and indicators of every node: of every document of the corpus, and of
//! what still parses when such documents are damaged.

use germ_post::yaml::{Stream, parse};

use crate::support::{
    self,
    mutate::{Random, mutate, soup},
    spans::check,
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
