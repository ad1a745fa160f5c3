//! `# germ-post: ignore[rule] reason`, behind something or on the lines directly
//! above it, suppresses findings in the largest thing that begins there: a field
//! with all that is in it, an item of a list, or at the top of a document its
//! objects.

use std::ops::Range;

use super::{Scope, Suppression};
use crate::check::finding::SuppressedBy;
use crate::check::scene::{Scene, Spot};
use crate::yaml::{Content, Tree};

/// What every such comment holds.
pub const MARK: &str = "germ-post: ignore";

/// Every comment that suppresses something.
pub(super) fn all(scene: &Scene<'_>) -> Vec<Suppression> {
    let mut out = Vec::new();
    for (source, of) in scene.sources.iter().enumerate() {
        for (document, planned) in of.documents.iter().enumerate() {
            for comment in comments(&planned.tree) {
                let here = |range: Range<usize>| Spot { source, document, object: 0, range };
                let location = scene.location(&here(comment.at.clone()));
                let covered = covered(&planned.tree, comment.at.start);
                for rule in &comment.rules {
                    let misplaced = match (&covered, rule.is_empty()) {
                        (None, _) => Some("nothing follows the comment".to_owned()),
                        (_, true) => Some(format!("it names no rule; write `# {MARK}[rule] reason`")),
                        _ => None,
                    };
                    out.push(Suppression {
                        by: SuppressedBy::Comment,
                        rule: rule.clone(),
                        reason: comment.reason.clone(),
                        scope: Scope::Range(here(covered.clone().unwrap_or(0..0))),
                        location: location.clone(),
                        object: None,
                        misplaced,
                        ended: None,
                    });
                }
            }
        }
    }
    out
}

struct Comment {
    /// From the `#` to the end of the line.
    at: Range<usize>,
    rules: Vec<String>,
    reason: String,
}

fn comments(tree: &Tree<'_>) -> Vec<Comment> {
    let text = tree.text();
    let found = memchr::memmem::find_iter(text.as_bytes(), MARK.as_bytes());
    found.filter_map(|at| comment(tree, at)).collect()
}

fn comment(tree: &Tree<'_>, mark: usize) -> Option<Comment> {
    let text = tree.text();
    let start = text[..mark].trim_end_matches([' ', '\t']).strip_suffix('#')?.len();
    // In a text, a `#` is a character like any other.
    let in_scalar = tree
        .nodes()
        .any(|(_, node)| matches!(node.content, Content::Scalar { .. }) && node.span.contains(&start));
    if in_scalar {
        return None;
    }
    let end = text[mark..].find(['\r', '\n']).map_or(text.len(), |at| mark + at);
    let rest = &text[mark + MARK.len()..end];
    let (rules, reason) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((rules, reason)) => (rules.split(',').map(|rule| rule.trim().to_owned()).collect(), reason),
        None => (vec![String::new()], rest),
    };
    let reason = reason.trim_start_matches([':', ' ', '\t']).trim_end().to_owned();
    Some(Comment { at: start..end, rules, reason })
}

/// The largest thing that begins on the line of the comment or, where it stands
/// alone, on the first line behind it that is no comment.
fn covered(tree: &Tree<'_>, comment: usize) -> Option<Range<usize>> {
    let text = tree.text();
    let line_start = text[..comment].rfind('\n').map_or(0, |at| at + 1);
    let mut line = line_start..comment;
    if text[line.clone()].trim().is_empty() {
        let mut at = text[comment..].find('\n').map(|end| comment + end + 1)?;
        loop {
            let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
            let content = text[at..end].trim();
            if content.is_empty() {
                return None;
            }
            if !content.starts_with('#') {
                line = at..end;
                break;
            }
            at = end + 1;
        }
    }
    let begins = |offset: usize| line.contains(&offset);
    let mut best: Option<Range<usize>> = None;
    let mut offer = |range: Range<usize>| {
        if best.as_ref().is_none_or(|best| range.len() > best.len()) {
            best = Some(range);
        }
    };
    for (_, node) in tree.nodes() {
        match &node.content {
            Content::Mapping { entries, .. } => {
                for entry in entries {
                    let start = tree.node(entry.key).outer_start();
                    if begins(start) {
                        offer(start..tree.node(entry.value).span.end.max(start + 1));
                    }
                }
            }
            Content::Sequence { items, .. } => {
                for item in items {
                    let start = item.dash.unwrap_or(tree.node(item.node).span.start);
                    if begins(start) {
                        offer(start..tree.node(item.node).span.end.max(start + 1));
                    }
                }
            }
            Content::Scalar { .. } | Content::Alias { .. } => {}
        }
    }
    // At the top, the document is meant.
    match tree.root().map(|root| tree.node(root).span.clone()) {
        Some(root) if begins(root.start) => Some(root),
        _ => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(text: &str) -> Vec<(Vec<String>, String, Option<String>)> {
        let tree = crate::yaml::parse(text).unwrap();
        let comments = comments(&tree).into_iter();
        comments
            .map(|comment| {
                let covered = covered(&tree, comment.at.start).map(|range| text[range].trim().to_owned());
                (comment.rules, comment.reason, covered)
            })
            .collect()
    }

    fn one(text: &str) -> Option<String> {
        let mut found = covers(text);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0).2
    }

    #[test]
    fn a_comment_covers_the_largest_thing_that_begins_there() {
        assert_eq!(one("a: 1\nb: 2 # germ-post: ignore[x/y] why\n").as_deref(), Some("b: 2"));
        assert_eq!(
            one("a: 1\n# germ-post: ignore[x/y] why\nb:\n  c: 2\nd: 1\n").as_deref(),
            Some("b:\n  c: 2")
        );
        assert_eq!(
            one("a:\n  # germ-post: ignore[x/y] why\n  # and more\n  - b: 1\n    c: 2\n  - d: 3\n")
                .as_deref(),
            Some("- b: 1\n    c: 2")
        );
        assert_eq!(one("# germ-post: ignore[x/y] why\na: 1\nb: 2\n").as_deref(), Some("a: 1\nb: 2"));
        assert_eq!(one("a: 1\n# germ-post: ignore[x/y] why\n\nb: 2\n"), None);
        assert_eq!(one("a: 1\n# germ-post: ignore[x/y] why\n"), None);
    }

    #[test]
    fn rules_and_reason_are_read() {
        let found =
            covers("a: 1 # germ-post: ignore[x/y, z/w]: because of that  \r\nb: 2 #germ-post: ignore\r\n");
        assert_eq!(found[0].0, ["x/y", "z/w"]);
        assert_eq!(found[0].1, "because of that");
        assert_eq!((found[1].0.as_slice(), found[1].1.as_str()), ([String::new()].as_slice(), ""));
    }

    #[test]
    fn text_is_no_comment() {
        assert!(covers("a: |\n  # germ-post: ignore[x/y] why\nb: \"# germ-post: ignore[x/y]\"\n").is_empty());
    }
}
