//! Text for a block scalar that replaces another one: the same header as far as
//! the new text can stand under it, the same indentation, and other chomping
//! only where the end of the text calls for it.

use crate::yaml::quote;

/// The pieces of a block scalar's source.
#[derive(Debug)]
pub(super) struct BlockScalar<'t> {
    /// `|`, `>-`, `|2+`.
    indicators: &'t str,
    /// The lines behind the header line.
    body: &'t str,
}

impl<'t> BlockScalar<'t> {
    /// Takes the source of a block scalar apart.
    pub(super) fn new(source: &'t str) -> Self {
        let length =
            source.bytes().take_while(|b| matches!(b, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9')).count();
        let body = source.split_once('\n').map_or("", |(_, body)| body);
        Self { indicators: &source[..length], body }
    }

    /// `|`, `>-`, `|2+`.
    pub(super) fn indicators(&self) -> &'t str {
        self.indicators
    }

    /// How long the indicators are.
    pub(super) fn indicators_len(&self) -> usize {
        self.indicators.len()
    }

    /// How long the lines behind the header line are.
    pub(super) fn body_len(&self) -> usize {
        self.body.len()
    }

    /// Indicators and body for `text`, when a block scalar can hold it here.
    /// `old` is what the scalar reads as now.
    pub(super) fn rewritten(&self, old: &str, text: &str, line_break: &str) -> Option<(String, String)> {
        // At the end of a text without a final line break, readers that add one
        // and readers that don't would read different strings.
        if !self.body.ends_with('\n') || !holds(text) {
            return None;
        }
        let stripped = text.trim_end_matches('\n');
        let one_line = !stripped.contains('\n');
        let style = if self.indicators.starts_with('>') && one_line { '>' } else { '|' };
        let kept = self.indicators.contains('+');
        let chomping = match text.len() - stripped.len() {
            0 if self.indicators.contains('-') || !one_line => "-",
            1 if kept => "+",
            1 => "",
            // Blank lines that follow the scalar must not become a part of it.
            2.. if kept => "+",
            _ => return None,
        };
        let explicit: String = self.indicators.chars().filter(char::is_ascii_digit).collect();
        let indent = " ".repeat(self.indent(old)?);
        let mut body = String::with_capacity(text.len() + 16);
        for line in stripped.split('\n') {
            if !line.is_empty() {
                body.push_str(&indent);
                body.push_str(line);
            }
            body.push_str(line_break);
        }
        for _ in 1..text.len() - stripped.len() {
            body.push_str(line_break);
        }
        Some((format!("{style}{explicit}{chomping}"), body))
    }

    /// The indentation that is not content: what the source has more of, in
    /// front of its first text, than the value.
    pub(super) fn indent(&self, old: &str) -> Option<usize> {
        let first = |text: &str| {
            let line =
                text.split('\n').find(|line| !line.trim_end_matches('\r').trim_matches(' ').is_empty())?;
            Some(line.bytes().take_while(|byte| *byte == b' ').count())
        };
        first(self.body)?.checked_sub(first(old)?)
    }
}

/// Whether a block scalar without indentation indicator holds exactly `text`.
fn holds(text: &str) -> bool {
    let printable = text.split(['\n', '\t']).all(quote::is_printable_text);
    let lines = text.trim_end_matches('\n').split('\n');
    let blank = |line: &str| !line.is_empty() && line.trim_matches([' ', '\t']).is_empty();
    printable
        && !text.is_empty()
        && !text.starts_with([' ', '\t', '\n', '\u{feff}'])
        // On one line, quotes show a blank at the end.
        && (text.contains('\n') || !text.ends_with([' ', '\t']))
        && !lines.into_iter().any(blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(source: &str, old: &str, text: &str) -> Option<(String, String)> {
        BlockScalar::new(source).rewritten(old, text, "\n")
    }

    fn pair(indicators: &str, body: &str) -> Option<(String, String)> {
        Some((indicators.to_owned(), body.to_owned()))
    }

    #[test]
    fn the_header_stays_where_it_can() {
        assert_eq!(rewritten("|\n  a\n  b\n", "a\nb\n", "c\n\nd\n"), pair("|", "  c\n\n  d\n"));
        assert_eq!(rewritten("|- # x\n    a\n", "a", "c\nd"), pair("|-", "    c\n    d\n"));
        assert_eq!(rewritten("|+\n  a\n\n", "a\n\n", "c\n"), pair("|+", "  c\n"));
        assert_eq!(rewritten("|+\n  a\n", "a\n", "c\n\n\n"), pair("|+", "  c\n\n\n"));
        assert_eq!(rewritten("|2\n   a\n", " a\n", "c\nd\n"), pair("|2", "  c\n  d\n"));
    }

    #[test]
    fn chomping_follows_the_text() {
        assert_eq!(rewritten("|\n  a\n", "a\n", "c\nd"), pair("|-", "  c\n  d\n"));
        assert_eq!(rewritten("|-\n  a\n", "a", "c\n"), pair("|", "  c\n"));
        assert_eq!(rewritten("|\n  a\n", "a\n", "c\n\n"), None);
        assert_eq!(rewritten("|\n  a\n", "a\n", "c"), None);
    }

    #[test]
    fn folded_text_stays_folded_on_one_line_only() {
        assert_eq!(rewritten(">-\n  a\n  b\n", "a b", "c d"), pair(">-", "  c d\n"));
        assert_eq!(rewritten(">\n  a\n  b\n", "a b\n", "c\nd\n"), pair("|", "  c\n  d\n"));
    }

    #[test]
    fn texts_that_would_read_differently_are_not_taken() {
        for text in [" c\n", "c\n  \nd\n", "\nc\n", "c\u{7}\n", "c\r\n", "\n", ""] {
            assert_eq!(rewritten("|\n  a\n", "a\n", text), None, "{text:?}");
        }
        assert_eq!(rewritten("|-\n  a\n", "a", ""), None);
        assert_eq!(rewritten("|\n  a", "a", "c\n"), None);
        assert_eq!(rewritten("|\n", "", "c\n"), None);
    }
}
