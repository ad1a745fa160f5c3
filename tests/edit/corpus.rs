//! Random patches on documents of real charts, where hardly anything may be
//! refused.

use std::collections::HashMap;

use germ_post::yaml::{Content, Stream, parse};

use crate::checks::check;
use crate::patches::Seed;
use crate::random::{effort, patch};
use crate::support::{self, mutate::Random};

const PATCHES: u32 = 1500;

#[test]
fn real_documents_take_any_edit() {
    let files = support::renderings();
    if files.is_empty() {
        return;
    }
    let mut random = Random::new(6901 + u64::from(effort()));
    let mut refused: HashMap<String, u32> = HashMap::new();
    let mut edited = 0;
    while edited < PATCHES * effort() {
        let file = &files[random.next() as usize % files.len()];
        let bytes = std::fs::read(file).unwrap();
        let stream = Stream::cut(&bytes).unwrap();
        let documents = stream.documents();
        for _ in 0..8 {
            let document = &documents[random.next() as usize % documents.len()];
            let text = stream.document_text(document);
            // Long documents are many of a kind and slow to check.
            let tree = match parse(text) {
                Ok(tree) if tree.root().is_some() && text.len() < 40_000 => tree,
                _ => continue,
            };
            let shared = tree.nodes().any(|(_, node)| matches!(node.content, Content::Alias { .. }));
            let count = [1, 1, 4][random.next() as usize % 3];
            let seeds: Vec<Seed> = (0..count).map(|_| Seed::new(random.next(), random.next())).collect();
            edited += 1;
            if let Err(error) = check(text, &patch(text, &seeds)) {
                assert!(shared || is_listed(&error.kind), "{}: {error} at {}", file.display(), error.offset);
                *refused.entry(error.to_string()).or_default() += 1;
            }
        }
    }
    assert!(refused.values().sum::<u32>() * 200 < edited, "{refused:?}");
}

/// What plain documents may be refused for.
fn is_listed(kind: &germ_post::edit::Refusal) -> bool {
    use germ_post::edit::Refusal::*;
    matches!(kind, CommentWouldBecomeText | CommentInFlow | OpenBlockScalar)
}
