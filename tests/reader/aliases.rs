//! Anchors, aliases, merge keys and colliding keys: generated small documents,
//! and documents whose aliases multiply.

use crate::support::mutate::Random;

const KEYS: &[&str] = &[
    "a",
    "b",
    "c",
    "1",
    "\"1\"",
    "1.0",
    "0x1",
    "1.5",
    "\"1.5\"",
    "true",
    "\"true\"",
    "yes",
    "y",
    "<<",
    "<<",
    "\"<<\"",
    "!!merge <<",
    "! <<",
    "!!str 1",
    "*z",
    "&w b",
];

const LEAVES: &[&str] =
    &["1", "s", "*x", "*y", "*z", "*w", "", "~", "[*x, *y]", "[*z]", "{}", "[]", "\"s\"", "<<"];

/// Small documents of keys and values that get in each other's way.
pub fn tangles(count: usize) -> impl Iterator<Item = String> {
    let mut random = Random::new(11);
    (0..count).map(move |_| {
        let mut text = "p: &x {a: 1, b: 2}\nq: &y {b: 3, 1: 4}\nr: &z k\n".to_owned();
        for _ in 0..1 + random.below(5) {
            text += &entry(&mut random, 0);
            text.push('\n');
        }
        text
    })
}

fn entry(random: &mut Random, depth: usize) -> String {
    let key = random.pick(KEYS);
    if key.ends_with("<<") && random.below(4) > 0 {
        return format!("{key} : {}", random.pick(&["*x", "*y", "[*x, *y]", "{a: 9, 1: 9}", "[{b: 9}, *y]"]));
    }
    format!("{key} : {}", value(random, depth))
}

fn value(random: &mut Random, depth: usize) -> String {
    match random.below(10) {
        _ if depth > 2 => random.pick(LEAVES).to_owned(),
        0..=3 => random.pick(LEAVES).to_owned(),
        4..=6 => {
            let entries = (0..random.below(4)).map(|_| entry(random, depth + 1)).collect::<Vec<_>>();
            format!("{{{}}}", entries.join(", "))
        }
        7..=8 => {
            let items = (0..random.below(4)).map(|_| format!("q{}", value(random, 9))).collect::<Vec<_>>();
            format!("[{}]", items.join(", "))
        }
        _ => format!("&{} {}", random.pick(&["x", "y", "z"]), value(random, depth + 1)),
    }
}

/// Documents around the limits of what aliases may expand to.
pub fn multiplied() -> Vec<String> {
    let repeated = |count: usize, text: &str| vec![text; count].join(", ");
    let mut documents = Vec::new();
    for aliases in [2, 9, 10, 11, 50, 99, 100, 101, 102, 110, 1000, 9900, 20_000] {
        for size in [1, 2, 10, 99, 100, 101] {
            let list = format!("a: &a [{}]\n", repeated(size, "x"));
            let entries: Vec<_> = (0..size).map(|number| format!("k{number}: x")).collect();
            let map = format!("a: &a {{{}}}\n", entries.join(", "));
            documents.push(format!("{list}b: [{}]\n", repeated(aliases, "*a")));
            documents.push(format!("{map}b: [{}]\n", repeated(aliases.min(2000), "*a")));
            let merges: String =
                (0..aliases.min(2000)).map(|at| format!("b{at}:\n  <<: [*a, *a]\n")).collect();
            documents.push(map + &merges);
        }
    }
    for levels in 2..9 {
        let mut text = format!("a0: &a0 [{}]\n", repeated(9, "x"));
        for level in 1..levels {
            text += &format!("a{level}: &a{level} [{}]\n", repeated(9, &format!("*a{}", level - 1)));
        }
        documents.push(text);
    }
    documents
}
