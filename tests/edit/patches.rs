//! Random patches that are valid for the value they are made for. Everything is
//! chosen by plain numbers, so that proptest can shrink them.

use germ_post::edit::{Action, NewValue, Operation, Path, Quotes};
use serde_json::{Value, json};

/// An operation before it is known for which document.
#[derive(Debug, Clone, Copy)]
pub struct Seed {
    /// Which node.
    pub place: u32,
    /// What is done there.
    pub deed: u8,
    /// Which value.
    pub value: u32,
    /// Index, key, quotes and order.
    pub detail: u32,
}

impl Seed {
    /// From two random numbers.
    pub fn new(first: u64, second: u64) -> Self {
        Self {
            place: first as u32,
            deed: (first >> 32) as u8,
            value: second as u32,
            detail: (second >> 32) as u32,
        }
    }

    /// The operation on `document`; `None` if nothing fits.
    pub fn operation(self, document: &Value) -> Option<Operation> {
        let mut places = Vec::new();
        collect(document, &mut Vec::new(), &mut places);
        let (path, node) = places.get(self.place as usize % places.len())?;
        let value = || value(self.value, self.detail);
        let detail = self.detail as usize / 4;
        match (self.deed % 8, node) {
            (0 | 1, Value::Object(map)) => {
                let names: Vec<&String> = map.keys().collect();
                let key = match KEYS.get(detail % (KEYS.len() + 4)) {
                    Some(key) => (*key).to_owned(),
                    None => (*names.get(detail % names.len().max(1))?).clone(),
                };
                let after = names.get(detail / 16 % (names.len() + 2)).map(|name| (*name).clone());
                let action = Action::Add { value: value(), after: after.into_iter().collect() };
                Some(Operation { path: with(path, key), action })
            }
            (0 | 1, Value::Array(items)) => {
                let at = detail % (items.len() + 2);
                let token = if at > items.len() { "-".to_owned() } else { at.to_string() };
                Some(Operation {
                    path: with(path, token),
                    action: Action::Add { value: value(), after: Vec::new() },
                })
            }
            _ if path.is_empty() => None,
            (2 | 3, _) => Some(Operation { path: path.clone(), action: Action::Remove }),
            (4, Value::Object(map)) => {
                // Most of it stays: one key goes, one changes.
                let mut map = map.clone();
                if let Some(key) = map.keys().nth(detail % map.len().max(1)).cloned() {
                    map.shift_remove(&key);
                }
                map.insert("changed".to_owned(), json!(1));
                Some(replace(path, NewValue::from(&Value::Object(map))))
            }
            (4, Value::Array(items)) => {
                let mut items = items.clone();
                let at = detail % (items.len() + 1);
                items.insert(at, json!("changed"));
                items.truncate(at + 3);
                Some(replace(path, NewValue::from(&Value::Array(items))))
            }
            _ => Some(replace(path, value())),
        }
    }
}

fn replace(path: &Path, value: NewValue) -> Operation {
    Operation { path: path.clone(), action: Action::Replace { value } }
}

fn with(path: &Path, token: String) -> Path {
    let mut path = path.clone();
    path.push(token);
    path
}

fn collect<'v>(value: &'v Value, path: &mut Path, out: &mut Vec<(Path, &'v Value)>) {
    out.push((path.clone(), value));
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                path.push(key.clone());
                collect(value, path, out);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                path.push(index.to_string());
                collect(value, path, out);
                path.pop();
            }
        }
        _ => {}
    }
}

const KEYS: &[&str] =
    &["new", "new key", "yes", "a: b", "1", "", "é", "x/y~z", "#no", "kubernetes.io/x", "null"];

const STRINGS: &[&str] = &[
    "text",
    "yes",
    "0644",
    "1e3",
    "~",
    "a: b",
    "# x",
    "",
    " ",
    "two words",
    "10.0.0.0/8",
    "1.2.3",
    "-flag",
    "- item",
    "it's",
    "say \"hi\"",
    "back\\slash",
    "http://x:80/y",
    "é😀",
    "one\ntwo\n",
    "one\n\n two\n\n",
    "\nlead",
    "tab\there",
    "trailing ",
    "a,b",
    "[x]",
    "{y}",
    "*a",
    "&a",
    "!t",
    "%d",
    "@at",
    "`q",
    "null",
    "2024-01-01",
    "1:30",
    "=",
    "<<",
    "key:",
    "a #b",
    "\u{feff}bom",
    "\u{85}",
    "\r\n",
    "one\ntwo",
    "?",
    "|",
    ">",
    "---",
    "... x",
    "long enough to be wrapped by an emitter that wraps, which this one does not do, since lines are never broken",
];

/// A value of any kind.
fn value(choice: u32, detail: u32) -> NewValue {
    let quotes = match detail % 4 {
        0 | 1 => Quotes::Local,
        2 => Quotes::Single,
        _ => Quotes::Double,
    };
    let string = |at: u32| NewValue::Str { text: STRINGS[at as usize % STRINGS.len()].to_owned(), quotes };
    let rest = choice / 16;
    match choice % 16 {
        0..=6 => string(rest),
        7 => NewValue::Plain(json!(rest)),
        8 => NewValue::Plain(json!(-1.5)),
        9 => NewValue::Plain(json!(rest.is_multiple_of(2))),
        10 => NewValue::Plain(Value::Null),
        11 => NewValue::Sequence(Vec::new()),
        12 => NewValue::Mapping(Vec::new()),
        13 => {
            NewValue::Sequence(vec![string(rest), string(rest / 7), NewValue::from(&json!([1, {"k": []}]))])
        }
        14 => NewValue::Mapping(vec![
            ("name".to_owned(), string(rest)),
            ("list".to_owned(), NewValue::Sequence(vec![string(rest / 3)])),
        ]),
        _ => NewValue::from(&json!({"a": {"b": [{"c": 1, "d": "no"}, [2, [3]]]}, "e": "f"})),
    }
}
