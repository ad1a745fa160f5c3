//! The fast scan against the parser: whatever it vouches for must parse, and its
//! head must be the tree's. Over the corpus, over damaged pieces of it, and over
//! a table of what is and what is not plain.

use germ_post::yaml::{Scan, Stream, scan};

use crate::support::{
    self,
    mutate::{Random, mutate},
    vouched::vouches,
};

#[test]
fn the_corpus_is_read_the_same_and_nearly_all_of_it_vouched_for() {
    let (mut all, mut vouched) = (0, 0);
    for file in support::renderings() {
        let bytes = std::fs::read(&file).unwrap();
        let stream = Stream::cut(&bytes).unwrap();
        for document in stream.documents() {
            let text = stream.document_text(document);
            all += text.len();
            vouched += if vouches(text) { text.len() } else { 0 };
        }
    }
    println!("{vouched} of {all} bytes vouched for");
    assert!(vouched * 100 >= all * 97, "only {vouched} of {all} bytes are vouched for");
}

#[test]
fn damaged_documents_are_never_vouched_for_wrongly() {
    let texts = support::sample_documents(3000);
    let mut random = Random::new(2026);
    let mut vouched = 0;
    for round in 0..60_000 {
        let Some(text) = texts.get(round % texts.len().max(1)) else {
            return;
        };
        let damaged = mutate(text, 40, true, &mut random);
        vouched += usize::from(vouches(&damaged));
    }
    println!("{vouched} of 60000 damaged documents vouched for");
    assert!(vouched > 10_000, "the damage leaves too little to compare: {vouched}");
}

#[test]
fn plain_documents_are_vouched_for() {
    for text in PLAIN {
        assert!(vouches(text), "{text:?}");
    }
}

#[test]
fn unusual_documents_are_left_to_the_parser() {
    for text in UNUSUAL {
        assert_eq!(scan(text), Scan::Perhaps, "{text:?}");
    }
}

/// No `unusual` spelling may be vouched for anywhere in a document either.
#[test]
fn unusual_values_are_left_to_the_parser_wherever_they_stand() {
    let values = [
        "&a b",
        "*a",
        "!x y",
        "!!str y",
        "<<: {}",
        "? a",
        "@a",
        "`a",
        "%a",
        ".inf",
        "-.Inf",
        "+.INF",
        ".NaN",
        "{a: b",
        "[a",
        "[a]]",
        "{a: b}}",
        "[a] b",
        "'a' b",
        "\"a\" b",
        "\"\\/\"",
        "\"\\ud83d\"",
        "\"\\q\"",
        "'a",
        "\"a",
        "|x",
        "|0",
        "||",
        "|-1-",
        ">\tx",
        "a: b",
        "a:",
        "- a",
        "|#c",
        "'a'#c",
        "\ta",
        "]",
        "}",
        ",",
        "[a, , b]",
        "{a:b}",
        "{a}",
        "[a: b]",
        "[.inf]",
        "{y: 1}",
        "{<<: {}}",
        "{~: 1}",
        "[?]",
        "[a #b]",
        "\"\\x4\"",
        "\"\\u00e\"",
    ];
    for value in values {
        for text in
            [format!("k: {value}\n"), format!("- {value}\n"), format!("a:\n  b:\n  - c: {value}\n    d: e\n")]
        {
            if value == "a: b" || value == "a:" || value == "- a" {
                vouches(&text);
            } else {
                assert_eq!(scan(&text), Scan::Perhaps, "{text:?}");
            }
        }
    }
}

#[test]
fn the_head_is_what_the_last_key_says() {
    let cases = [
        ("kind: A\nkind: B\n", Some("B"), None),
        ("kind: A\nkind:\n", None, None),
        ("kind: 1\n", None, None),
        ("kind: \"1\"\n", Some("1"), None),
        ("kind: yes\n", None, None),
        ("kind:\n  A\n", Some("A"), None),
        ("kind:\n- A\n", None, None),
        ("kind: A # c\n", Some("A"), None),
        ("'kind': A\n\"metadata\":\n  'name': b\n", Some("A"), Some("b")),
        ("metadata:\n  name: a\nmetadata:\n  x: b\n", None, None),
        ("metadata:\n  name: a\n  name:\n    name: b\n", None, None),
        ("metadata:\n  labels:\n    name: a\n", None, None),
        ("metadata:\n- name: a\n", None, None),
        ("other:\n  name: a\n", None, None),
        ("metadata:\n  name: a\n\nother:\n  name: b\n", None, Some("a")),
        ("  kind: A\n  metadata:\n        name: b", Some("A"), Some("b")),
        ("metadata:\r\n  name: a b\r\n\r\nkind: A\r\n", Some("A"), Some("a b")),
        ("- kind: A\n", None, None),
        ("metadata: {}\nkind: A", Some("A"), None),
    ];
    for (text, kind, name) in cases {
        let Scan::Vouched(head) = scan(text) else { panic!("{text:?}") };
        assert_eq!((head.kind.as_deref(), head.name.as_deref()), (kind, name), "{text:?}");
        assert!(vouches(text));
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    let big = 400_000;
    let texts = [
        "- ".repeat(big),
        "a: ".repeat(big),
        "[".repeat(big),
        format!("a: {}", "[a, ".repeat(big)),
        format!("a: \"{}", "\n ".repeat(big)),
        format!("a: \"{}", "\\n".repeat(big)),
        format!("a: |\n{}", " \n".repeat(big)),
        format!("a: b\n{}", " c\n".repeat(big)),
        format!("- \"a\n{}", " b\n".repeat(big)),
        format!("a:\n{}", "- b\n".repeat(big)),
        format!("a: {}", "#:".repeat(big)),
        (0..2000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
        " ".repeat(big),
        "é".repeat(big),
    ];
    let start = std::time::Instant::now();
    for text in &texts {
        scan(text);
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

const PLAIN: &[&str] = &[
    "",
    "\n",
    "# c\n",
    "  # c\n\n",
    "a: b",
    "a: b\n",
    "a:\n",
    "a:",
    "a:\nb:\n",
    "a: b # c\n",
    "a: b#c\n",
    "a: b:c\n",
    "a: http://b:1/#c\n",
    "a: b\n c\n  d\n\n e\nf: g\n",
    "a: b\n  - c\n",
    "a:\n  b\n  c\nd: e\n",
    "a: 'b'\n",
    "a: 'b''c'   # d\n",
    "a: \"b\\n\\\"c\\u00e9\\x41\"\n",
    "a: \"b\n  c\\\n\n  d\"\ne: f\n",
    "a: 'b\n\n  c'\n",
    "a:\n  \"b\"\n",
    "\"a b\": c\n'd': e\n",
    "a: |\n  b\n   c\n\n  d\ne: f\n",
    "a: |-\n  b\n",
    "a: >+ # c\n  b\n\n\n",
    "a: |2\n    b\n  c\n",
    "a: |-2\n    b\n",
    "a: |2-\n    b\n",
    "a: |\nb: c\n",
    "a: |\n  # b\n# c\nd: e\n",
    "a: |\n  b",
    "a: |\n\n\n  b\n",
    "- |\n b\n- c\n",
    "- a\n- b\n",
    "- - a\n  - b\n- c\n",
    "-\n  a: b\n-\n- c\n",
    "- a: b\n  c: d\n-   e: f\n    g: h\n",
    "a:\n- b\n- c: d\n  e:\n  - f\n  -\n    - g\nh: i\n",
    "a:\n  - b\n  - c\nd: e\n",
    "a:\n- |\n  b\n- c\n",
    "a: {}\nb: []\nc: [a, \"b\", 'c', -1, --d=e]\nd: {a: b, \"c\": {}, 'd': [e]} # f\n",
    "- {}\n- []\n- [a b]\n",
    "a: -1\nb: --c\nd: .5\ne: -x\n",
    "a: b\r\nc:\r\n- d\r\n- e: |\r\n    f\r\n\r\n  g: 'h'\r\n",
    "a: b\tc\n",
    "a: |\n  b\td\n  \tc\n",
    "é: ü # ö\n日本: 語\n",
    "a.b/c-d_e: f\na b: c\na[0]: b\n",
    "  a: b\n  c:\n    d: e\n",
    "a:\n\n  # c\n  b: c\n# d\n  e: f\n",
];

const UNUSUAL: &[&str] = &[
    "a",
    "a b\nc",
    "'a'\n",
    "{}",
    "{\"a\": 1}\n",
    "[a]\n",
    "| \n a\n",
    "\u{feff}a: b\n",
    "a: b\u{85}c\n",
    "a: b # \u{2028}\n",
    "a: b\u{2029}\n",
    "a: b\u{feff}\n",
    "a: b\u{ffff}\n",
    "a: \u{7f}\n",
    "a: \u{0}\n",
    "a: b\rc: d\n",
    "---\na: b\n",
    "--- a: b\n",
    "a: b\n---\n",
    "a: b\n...\n",
    "...\n",
    "%YAML 1.1\n",
    "? a\n",
    "? a: b\n",
    "a: b\n c: d\n",
    "a: b\n c:\n",
    "a: 'b'\n c\n",
    "a: b # c\n d\n",
    "a: b\n # c\n d\n",
    "a:\n    b: c\n  d: e\n",
    "a:\n  b: c\n d: e\n",
    " a: b\nc: d\n",
    "a: b\n- c\n",
    "- a\nb: c\n",
    "a:\n- b\n c\n: d\n",
    "a: |\n   \n  b\n",
    "a: |\n \tb\n",
    "a: |\n  b\n \tc\n",
    "a: |3\n  b\n",
    "\ta: b\n",
    "a:\n\tb: c\n",
    "-\ta\n",
    "a: b\n\t\nc: d\n",
    "1: a\n",
    "1.5: a\n",
    "y: a\n",
    "on: a\n",
    "Null: a\n",
    "~: a\n",
    ": a\n",
    "<<: a\n",
    "a: \"b\nc\"\n",
    "'a\n b': c\n",
    "a : b\n",
    "metadata: {name: a}\n",
    "kind: a\n  b\n",
    "kind: \"\\x41\"\n",
    "kind: |\n  a\n",
];
