//! Every child of every hand-written document removed, replaced and joined by a
//! neighbour, one after the other: nothing is left to chance.

use germ_post::edit::{Action, NewValue, Operation};
use germ_post::yaml::parse;
use serde_json::{Value, json};

use crate::checks::check;
use crate::documents::DOCUMENTS;

fn paths(value: &Value, path: &[String], out: &mut Vec<(Vec<String>, usize)>) {
    let mut visit = |token: String, value: &Value| {
        let path: Vec<String> = path.iter().cloned().chain([token]).collect();
        paths(value, &path, out);
    };
    let length = match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| visit(key.clone(), value));
            usize::MAX
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| visit(index.to_string(), value));
            items.len()
        }
        _ => usize::MAX - 1,
    };
    out.push((path.to_vec(), length));
}

#[test]
fn every_place_takes_every_edit() {
    let values = [
        json!("text"),
        json!("one\ntwo\n"),
        json!("no"),
        json!(1),
        json!(null),
        json!({}),
        json!([]),
        json!({"k": {"l": ["m", {"o": 1, "p": 2}]}}),
        json!([[1, [2]], {"k": "v", "l": {}}]),
    ];
    let mut count = 0;
    let mut refused = 0;
    for (_, text) in DOCUMENTS {
        let value = parse(text).unwrap().read().unwrap();
        let mut all = Vec::new();
        paths(&value, &[], &mut all);
        let mut run = |path: &[String], action: Action| {
            count += 1;
            refused += usize::from(check(text, &[Operation { path: path.to_vec(), action }]).is_err());
        };
        for (path, length) in &all {
            if !path.is_empty() {
                run(path, Action::Remove);
            }
            let child = |token: String| [path.as_slice(), &[token]].concat();
            for value in &values {
                let value = NewValue::from(value);
                if !path.is_empty() {
                    run(path, Action::Replace { value: value.clone() });
                }
                let add = Action::Add { value, after: Vec::new() };
                match *length {
                    usize::MAX => run(&child("added".to_owned()), add),
                    length if length < 1000 => {
                        (0..=length).for_each(|at| run(&child(at.to_string()), add.clone()))
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(count > 5000 && refused * 20 < count, "{refused} of {count} refused");
}

/// Kubernetes' reader bounds the length of a key that has a colon, and of none other.
#[test]
fn a_key_without_a_colon_may_be_too_long_for_one() {
    let mut texts = Vec::new();
    for length in [1024, 1025] {
        let key = "k".repeat(length);
        let text = format!("a: {{{key}, b}}\n");
        let operation = Operation {
            path: vec!["a".to_owned(), key],
            action: Action::Replace { value: NewValue::from(&json!(1)) },
        };
        texts.push(check(&text, &[operation]).is_ok());
    }
    assert_eq!(texts, [true, false]);
}
