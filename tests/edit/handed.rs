//! The handed cases that ask for one edited value: the expected bytes.

use germ_post::edit::{Action, NewValue, Operation, Quotes, apply, splices};
use germ_post::yaml::{Stream, parse};

use crate::support;

/// The input of a case, and what it becomes when `path` in its last document is
/// set to `Cluster`.
fn edited(case: &str, path: &str) -> Option<(String, String)> {
    let file = support::handed_cases()?.join(case).join("input.yaml");
    let input = std::fs::read_to_string(file).unwrap();
    let stream = Stream::cut(input.as_bytes()).unwrap();
    let document = stream.documents().last().unwrap();
    let tree = parse(stream.document_text(document)).unwrap();
    let value = NewValue::Str { text: "Cluster".to_owned(), quotes: Quotes::Local };
    let path = path.split('/').map(str::to_owned).collect();
    let operations = [Operation { path, action: Action::Replace { value } }];
    let edited = apply(tree.text(), &splices(&tree, &operations).unwrap());
    let out = format!("{}{edited}{}", &input[..document.text.start], &input[document.text.end..]);
    Some((input, out))
}

#[test]
fn the_expected_bytes_come_out() {
    let service = "spec/externalTrafficPolicy";
    for (case, path) in [
        ("B05-list-shared-anchor", "items/1/spec/externalTrafficPolicy"),
        ("B06-folded-more-indented", service),
        ("B12-duplicate-keys", service),
        ("B30-alias-as-value", service),
        ("X01-tabs", service),
    ] {
        let Some((_, out)) = edited(case, path) else {
            return;
        };
        let expected = support::handed_cases().unwrap().join(case).join("expect.yaml");
        assert_eq!(out, std::fs::read_to_string(expected).unwrap(), "{case}");
    }
}

#[test]
fn what_a_merge_key_brings_is_overridden_behind_it() {
    let Some((input, out)) = edited("B27-merge-key-after-explicit", "spec/externalTrafficPolicy") else {
        return;
    };
    let line = "  externalTrafficPolicy: Cluster\n";
    assert_eq!(out, format!("{}{line}", input.replace(line, "")));

    let Some((input, out)) = edited("B28-policy-inherited-by-merge", "items/2/spec/externalTrafficPolicy")
    else {
        return;
    };
    assert_eq!(out, format!("{input}    externalTrafficPolicy: Cluster\n"));
}
