//! The handed cases that ask for one edited value: the expected bytes.

use germ_post::edit::{Action, NewValue, Operation, Quotes, apply, splices};
use germ_post::yaml::{Stream, parse};

use crate::support;

#[test]
fn the_expected_bytes_come_out() {
    let Some(cases) = support::handed_cases() else {
        return;
    };
    let service = "spec/externalTrafficPolicy";
    for (case, index, path) in [
        ("B05-list-shared-anchor", 1, "items/1/spec/externalTrafficPolicy"),
        ("B06-folded-more-indented", 1, service),
        ("B12-duplicate-keys", 1, service),
        ("B30-alias-as-value", 1, service),
        ("X01-tabs", 1, service),
    ] {
        let read = |name: &str| std::fs::read_to_string(cases.join(case).join(name)).unwrap();
        let (input, expected) = (read("input.yaml"), read("expect.yaml"));
        let stream = Stream::cut(input.as_bytes()).unwrap();
        let index = index - usize::from(stream.documents()[0].separator.is_some());
        let document = &stream.documents()[index];
        let tree = parse(stream.document_text(document)).unwrap();
        let value = NewValue::Str { text: "Cluster".to_owned(), quotes: Quotes::Local };
        let path = path.split('/').map(str::to_owned).collect();
        let splices = splices(&tree, &[Operation { path, action: Action::Replace { value } }]).unwrap();
        let edited = apply(tree.text(), &splices);
        let out = format!("{}{edited}{}", &input[..document.text.start], &input[document.text.end..]);
        assert_eq!(out, expected, "{case}");
    }
}
