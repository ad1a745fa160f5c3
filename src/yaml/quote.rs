//! How a string can be written so that every reader that matters takes it for
//! that string: Kubernetes' own (YAML 1.1) and the YAML 1.2 readers of other
//! tools. The choice of style is the caller's; this file knows what is safe.

use std::fmt::Write as _;

use super::scalar;

/// Where a plain scalar would stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In block style.
    Block,
    /// Between the brackets of a flow collection.
    Flow,
}

/// Whether `text` may be written without quotes at `place`, as key or value.
pub fn plain_is_safe(text: &str, place: Place) -> bool {
    is_plain_syntax(text, place)
        && scalar::plain_reads_as_string(text)
        && !looks_like_number_or_date(text)
        // A merge key, and the default key of YAML 1.1.
        && !matches!(text, "<<" | "=")
}

/// Whether `text` without quotes is one plain scalar and nothing else.
fn is_plain_syntax(text: &str, place: Place) -> bool {
    if text.is_empty() || text.starts_with(' ') || text.ends_with([' ', ':']) {
        return false;
    }
    // Comments, keys, and the marks between documents.
    if text.contains(" #") || text.contains(": ") || text.starts_with("---") || text.starts_with("...") {
        return false;
    }
    let begins_well = match text.as_bytes() {
        [b'-' | b'?' | b':', next, ..] => place == Place::Block && *next != b' ',
        [first, ..] => !b"-?:,[]{}#&*!|>'\"%@`".contains(first),
        [] => false,
    };
    let fits_flow = || !text.contains([',', '[', ']', '{', '}', '?']) && colons_are_text_in_flow(text);
    begins_well && is_printable_text(text) && (place == Place::Block || fits_flow())
}

/// A colon in flow style is text for all readers where a letter, a digit, a `/`
/// or a `.` follows; in front of anything else they have disagreed.
fn colons_are_text_in_flow(text: &str) -> bool {
    text.split(':')
        .skip(1)
        .all(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.')))
}

/// Whether the text can be written as it is: printable characters of one line.
pub fn is_printable_text(text: &str) -> bool {
    text.chars().all(is_printable)
}

/// Printable for go-yaml without an escape, and no line break to any reader.
fn is_printable(c: char) -> bool {
    matches!(c, '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
        || c >= '\u{10000}'
}

/// Texts that are strings to Kubernetes' reader but numbers (`1e400`, `1:30`,
/// `.5_0`) or dates (`2024-01-01`) to another one: quoted when written, so that
/// all agree. `10.0.0.0/8` and `1.2.3` are strings to everyone.
fn looks_like_number_or_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let date = bytes.len() > 5
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[5].is_ascii_digit();
    let numeric = bytes.iter().all(|byte| byte.is_ascii_digit() || b"+-.:_eE".contains(byte));
    let dots = bytes.iter().filter(|byte| **byte == b'.').count();
    let begins =
        matches!(bytes, [b'0'..=b'9' | b'+' | b'-' | b'.', ..]) && bytes.iter().any(u8::is_ascii_digit);
    date || (begins && numeric && (dots < 2 || text.contains(':')))
}

/// Whether `text` can be written between single quotes on one line.
pub fn single_is_safe(text: &str) -> bool {
    is_printable_text(text)
}

/// `text` between single quotes. Only for texts of [`single_is_safe`].
pub fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// `text` between double quotes, on one line. Escapes are JSON's, so that the
/// result is valid in JSON documents too.
pub fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_printable(c) => out.push(c),
            // Everything above U+FFFF is printable. Writing into a String cannot fail.
            c => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    const PLAIN: &[&str] = &[
        "a",
        "a b",
        "^en",
        "10.0.0.0/8",
        "1.2.3",
        "v1.2.3",
        "a:b",
        "http://x:80/y",
        "-foo",
        "--flag=x",
        "=x",
        "a=b",
        "a#b",
        "$(VAR)",
        "/sys/fs/cgroup",
        "it's",
        "é😀",
        "tRue",
        "x-y_z",
        "1.2.3-rc.1",
        "12:30pm",
        "0xZZ",
        "1-a",
        "<<x",
        "~x",
        "a,b",
        "a[0]",
        "{{x",
        "1 2",
    ];
    const QUOTED: &[&str] = &[
        "",
        " a",
        "a ",
        "yes",
        "No",
        "y",
        "on",
        "OFF",
        "true",
        "null",
        "~",
        "0644",
        "0o17",
        "0x1F",
        "1e3",
        "1_000",
        "1.10",
        "-1",
        "+1",
        ".5",
        ".inf",
        "-.INF",
        ".nan",
        "1e400",
        "1:30",
        "12:30:45",
        "2024-01-01",
        "2001-12-14 21:59:43",
        "a: b",
        "a:",
        ": a",
        "a #b",
        "#a",
        "- a",
        "-",
        "?",
        ":",
        "? a",
        "---",
        "...",
        "--- x",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "'a'",
        "\"a\"",
        "%a",
        "@a",
        "`a",
        "[a]",
        "{a}",
        "a\nb",
        "a\tb",
        "a\rb",
        "a\u{85}b",
        "a\u{2028}b",
        "\u{feff}a",
        "a\u{7f}b",
        "<<",
        "=",
        "08",
        "1_",
        "+.inf",
    ];

    #[test]
    fn strings_that_need_no_quotes_have_none() {
        for text in PLAIN.iter().filter(|text| **text != "{{x") {
            assert!(plain_is_safe(text, Place::Block), "{text}");
        }
        assert!(!plain_is_safe("{{x", Place::Block));
        for text in ["a,b", "a[0]", "a?b", "-a", "a:\"b"] {
            assert!(!plain_is_safe(text, Place::Flow), "{text}");
        }
        assert!(plain_is_safe("http://x:80/y", Place::Flow));
    }

    #[test]
    fn strings_that_some_reader_takes_for_more_are_quoted() {
        for text in QUOTED {
            assert!(!plain_is_safe(text, Place::Block), "{text:?}");
            assert!(!plain_is_safe(text, Place::Flow), "{text:?}");
        }
    }

    #[test]
    fn every_way_of_writing_reads_back() {
        for text in PLAIN.iter().chain(QUOTED) {
            let mut ways = vec![double(text)];
            if single_is_safe(text) {
                ways.push(single(text));
            }
            if plain_is_safe(text, Place::Block) {
                ways.push((*text).to_owned());
            }
            for way in ways {
                for document in [format!("{way}: 1\nk: {way}\n"), format!("- {way}\n- k: {way} # c\n")] {
                    let tree = parse(&document).unwrap_or_else(|error| panic!("{document}: {error}"));
                    let read = tree.read().unwrap();
                    let (key, value) = match &read {
                        serde_json::Value::Array(items) => (items[0].as_str(), items[1]["k"].as_str()),
                        map => {
                            (map.as_object().unwrap().keys().next().map(String::as_str), map["k"].as_str())
                        }
                    };
                    assert_eq!((key, value), (Some(*text), Some(*text)), "{document}");
                }
            }
            if plain_is_safe(text, Place::Flow) {
                let document = format!("{{{text}: [{text}, {text}], k: {text}}}");
                let read = parse(&document).unwrap().read().unwrap();
                assert_eq!(read["k"].as_str(), Some(*text), "{document}");
                assert_eq!(read[*text][1].as_str(), Some(*text), "{document}");
            }
        }
    }

    #[test]
    fn double_quotes_are_json() {
        for text in QUOTED.iter().chain(PLAIN).chain(&["\u{0}\u{1f}\u{7f}\\\"/", "😀\u{ffff}"]) {
            assert_eq!(serde_json::from_str::<String>(&double(text)).unwrap(), **text);
        }
    }
}
