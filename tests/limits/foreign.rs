//! U+0085, U+2028 and U+2029: line breaks to Kubernetes' reader, characters to
//! YAML 1.2. Nobody needs to know which unless the document is edited.

use crate::runs;

const BREAKS: [&str; 3] = ["\u{85}", "\u{2028}", "\u{2029}"];

#[test]
fn they_pass_untouched_when_no_rule_wants_the_document() {
    for mark in BREAKS {
        runs::passes(&format!("kind: Other\nspec: {{a: \"b{mark}c\"}}\ntext: |\n  a{mark}b\n# c{mark}d\n"));
    }
}

#[test]
fn they_are_refused_when_a_rule_edits_the_document() {
    for mark in BREAKS {
        for text in [
            format!("kind: Thing\nspec: {{a: \"b{mark}c\"}}\n"),
            format!("kind: Thing\n# a{mark}b\nspec: {{}}\n"),
            format!("kind: Thing\nspec: {{}}\ntext: |\n  a{mark}b\n"),
        ] {
            runs::untouched(&text).output.unwrap();
            let run = runs::edited(&text);
            assert!(run.output.is_none());
            assert_eq!(run.diagnostics[0].code, "edit-refused");
            assert!(run.diagnostics[0].to_string().contains("U+0085, U+2028 or U+2029"));
        }
    }
}

#[test]
fn another_document_of_the_stream_is_edited_all_the_same() {
    let text = "kind: Other\ntext: \"a\u{2028}b\"\n---\nkind: Thing\nspec: {old: 1}\n";
    assert_eq!(runs::output(text), text.replace("old: 1", "new: here"));
}

#[test]
fn a_document_that_is_so_already_is_no_edit() {
    runs::passes("kind: Thing\nspec: {new: here, a: \"b\u{85}c\"}\n");
}
