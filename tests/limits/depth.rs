//! Nesting: up to 1,000 levels are read, more are an error, and none overflows
//! the stack, however many there are.

use germ_post::yaml::parse;

use crate::runs;

/// Each way to nest, at a depth, so that it is well-formed.
fn nested(depth: usize) -> Vec<String> {
    vec![
        (0..depth).map(|level| format!("{}a:\n", " ".repeat(level))).collect(),
        "- ".repeat(depth) + "a\n",
        "? ".repeat(depth) + "a\n",
        "[".repeat(depth) + &"]".repeat(depth),
        "{a: ".repeat(depth) + &"}".repeat(depth),
        "[a: ".repeat(depth / 2) + &"]".repeat(depth / 2),
    ]
}

fn in_a_thing(text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("  {line}\n")).collect();
    format!("kind: Thing\nspec: {{}}\nextra:\n{lines}")
}

#[test]
fn a_thousand_levels_are_read_and_edited() {
    for text in nested(900) {
        if !text.starts_with('?') {
            parse(&text).unwrap().read().unwrap();
            runs::passes(&text);
            let thing = in_a_thing(&text);
            let wanted = thing.replacen("spec: {}", "spec:\n  new: here", 1);
            assert!(runs::output(&thing) == wanted);
        }
    }
}

#[test]
fn more_levels_are_an_error() {
    for depth in [1001, 1010, 5000, 100_000] {
        // Deep block mappings take a megabyte at 1,400 levels already.
        for text in nested(depth.min(5000)).into_iter().take(3).chain(nested(depth).into_iter().skip(3)) {
            let deepest = if text.starts_with("[a") { 2002 } else { 0 };
            if depth >= deepest {
                assert!(parse(&text).is_err(), "{}", &text[..20]);
                assert!(runs::untouched(&text).output.is_none());
                assert!(runs::edited(&in_a_thing(&text)).output.is_none());
            }
        }
    }
}

#[test]
fn endless_openings_are_an_error_in_linear_time() {
    const LENGTH: usize = 64 << 20;
    for opening in
        ["[", "{", "{a: ", "[a, ", "- ", "? ", "&a ", "!x ", "*a ", "'", "\"", "|\n", "\"\\\n", "[\n"]
    {
        // An odd number: single quotes in pairs are one long text.
        let text = opening.repeat(LENGTH / opening.len() - 1);
        assert!(runs::untouched(&text).output.is_none(), "{opening:?}");
    }
}

#[test]
fn absent_values_in_front_of_a_long_comment_take_linear_time() {
    let text = "? ".repeat(900) + "a\n" + &"# a comment\n\n".repeat(1 << 20);
    let _ = parse(&text);
    let text = "- ".repeat(900) + "\n" + &"# a comment\n".repeat(1 << 20);
    runs::passes(&text);
}
