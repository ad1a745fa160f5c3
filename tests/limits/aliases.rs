//! Anchors and aliases: many are fine, aliases that multiply are an error, in a
//! document that a rule wants as in one that none does.

use std::fmt::Write as _;

use crate::runs;

fn laughs(list: bool) -> String {
    let mut text = "a0: &a0 lol\n".to_owned();
    for level in 1..30 {
        let below = level - 1;
        let items = vec![format!("*a{below}"); 9].join(", ");
        match list {
            true => writeln!(text, "a{level}: &a{level} [{items}]").unwrap(),
            false if level == 1 => text.push_str("a1: &a1 {k: v}\n"),
            false => writeln!(text, "a{level}: &a{level} {{<<: [{items}]}}").unwrap(),
        }
    }
    text
}

#[test]
fn a_bomb_is_refused_wherever_it_lies() {
    for text in [laughs(true), laughs(false)] {
        runs::is_unreadable(&text, "aliases expand to more nodes");
        runs::is_unreadable(&format!("kind: Thing\nspec: {{}}\n{text}"), "aliases expand to more nodes");
    }
}

#[test]
fn ten_thousand_anchors_are_fine() {
    let mut text = "kind: Thing\nspec: {old: 1}\nanchors:\n".to_owned();
    for number in 0..10_000 {
        writeln!(text, "- &a{number} {{k: v}}").unwrap();
    }
    text.push_str("aliases:\n");
    for number in 0..10_000 {
        writeln!(text, "- *a{number}").unwrap();
    }
    let wanted = text.replace("spec: {old: 1}", "spec: {new: here}");
    assert!(runs::output(&text) == wanted);
    runs::passes(&text.replace("Thing", "Other"));
}

#[test]
fn one_anchor_may_be_set_again_and_again() {
    let text = "kind: Thing\nspec: {}\nlist:\n".to_owned() + &"- &a x\n- *a\n".repeat(20_000);
    assert!(runs::output(&text).contains("spec:\n  new: here\n"));
}

#[test]
fn a_large_mapping_is_written_out_where_it_is_edited() {
    let mut text = "kind: Thing\nbase: &base\n".to_owned();
    for number in 0..20_000 {
        writeln!(text, "  k{number}: v{number}").unwrap();
    }
    let out = runs::output(&(text.clone() + "spec: *base\n"));
    assert!(out.starts_with(&text));
    assert!(out.ends_with("  k19999: v19999\n  new: here\n"));
    let merged = text.clone() + "spec:\n  <<: *base\n  k7: other\n";
    assert!(runs::output(&merged) == merged + "  new: here\n");
}
