//! Large inputs of every kind go through in linear time.

use std::fmt::Write as _;

use germ_post::diagnostic::Class;

use crate::runs;

const MIB: usize = 1 << 20;

#[test]
fn a_line_of_64_mib_passes_and_is_edited_around() {
    let long = "x".repeat(64 * MIB);
    for value in [long.clone(), format!("\"{long}\""), format!("'{long}' # {long}")] {
        let text = format!("kind: Thing\nlong: {value}\nspec: {{old: 1}}\n");
        let wanted = text.replacen("old: 1", "new: here", 1);
        assert!(runs::output(&text) == wanted);
    }
    runs::passes(&format!("kind: Other\nlong: {long}\n"));
    runs::passes(&format!("[\"{long}\"]\n"));
}

#[test]
fn a_hundred_thousand_documents_pass_and_are_edited() {
    let document = "---\n# Source: a/templates/b.yaml\nkind: Thing\nmetadata:\n  name: n\nspec: {old: 1}\n";
    let text = document.repeat(100_000);
    assert!(runs::output(&text) == text.replace("old: 1", "new: here"));
    runs::passes(&text.replace("Thing", "Other"));
}

#[test]
fn every_unreadable_document_is_named() {
    let text = "---\nkind: Thing\na: [\n".repeat(20_000);
    let run = runs::edited(&text);
    assert_eq!((run.diagnostics.len(), run.class()), (20_000, Class::Input));
    let last = run.diagnostics.last().unwrap().place.as_ref().unwrap();
    assert!(last.line > 59_990, "{last:?}");
}

#[test]
fn every_missed_object_is_named_once() {
    let text = "---\nkind: Thing\nmetadata:\n  name: n\n".repeat(20_000);
    let run = runs::edited(&text);
    assert!(run.output.is_none());
    assert_eq!((run.diagnostics.len(), run.class()), (20_000, Class::Contract));
}

#[test]
fn a_hundred_thousand_keys_are_fine() {
    let mut text = "kind: Thing\nspec:\n".to_owned();
    for number in 0..100_000 {
        writeln!(text, "  k{number}: v").unwrap();
    }
    let wanted = text.clone() + "  new: here\n";
    assert!(runs::output(&text) == wanted);
    // Keys that are numbers are compared with each other.
    let numbers = text.replace("  k", "  ").replace("Thing", "Other");
    runs::passes(&numbers);
}

#[test]
fn thousands_of_items_go_from_one_list() {
    let mut text = "kind: List\nitems:\n".to_owned();
    let mut wanted = text.clone();
    for number in 0..10_000 {
        writeln!(text, "- kind: NetworkPolicy\n  name: p{number}").unwrap();
        let (thing, changed) = ("- kind: Thing\n  spec: {old: 1}\n", "- kind: Thing\n  spec: {new: here}\n");
        text.push_str(thing);
        wanted.push_str(changed);
    }
    assert!(runs::output(&text) == wanted);
    let list: String = (0..10_000).map(|number| format!("  - {number}\n  - kept\n")).collect();
    let kept = "  - kept\n".repeat(10_000);
    let head = "kind: Thing\nspec:\n  new: here\n  list:\n";
    assert!(runs::output(&format!("{head}{list}")) == format!("{head}{kept}"));
}

#[test]
fn one_line_of_json_takes_thousands_of_edits() {
    let thing =
        |spec: &str| format!("{{\"kind\":\"Thing\",\"spec\":{{{spec}}},\"pad\":\"{}\"}}", "x".repeat(400));
    let line = |spec: &str| format!("{{\"items\":[{}]}}\n", vec![thing(spec); 10_000].join(","));
    assert!(runs::output(&line("\"a\":1,\"old\":1")) == line("\"a\":1,\"new\":\"here\""));
    let policy = "{\"kind\":\"NetworkPolicy\"}";
    let mixed = vec![format!("{},{policy}", thing("\"new\":\"here\"")); 10_000].join(",");
    let left = vec![thing("\"new\":\"here\""); 10_000].join(",");
    assert!(runs::output(&format!("{{\"items\":[{mixed}]}}")) == format!("{{\"items\":[{left}]}}"));
}

#[test]
fn a_key_is_read_up_to_the_length_that_kubernetes_reads() {
    runs::passes(&format!("{}: v\n", "k".repeat(1024)));
    for text in [format!("{}: v\n", "k".repeat(1025)), format!("\"{}\": v\n", "k".repeat(64 * MIB))] {
        assert!(runs::untouched(&text).output.is_none());
    }
}

#[test]
fn much_of_nothing_is_fine() {
    for piece in [
        "\n",
        " \n",
        "# comment\n",
        "a: b # c\n\n\n",
        "- |\n  text\n\n\n",
        "- \"a\n\n  b\"\n",
        "- a\n\n  b\n",
    ] {
        runs::passes(&("kind: Other\n---\n".to_owned() + &piece.repeat(MIB / 4 / piece.len())));
    }
    for piece in ["a,", "a: b,", "[],", "{},", "\"a\",", "\n\n,", "? a : b,", "&a b,"] {
        let _ = runs::untouched(&format!("[x,{}]", piece.repeat(MIB / 4 / piece.len())));
        let _ = runs::untouched(&format!("{{x: y,{}}}", piece.repeat(MIB / 4 / piece.len())));
    }
}
