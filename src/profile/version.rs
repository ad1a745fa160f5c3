//! Versions and ranges as charts and profiles write them: `>=1.18 <1.21`, where
//! a pre-release counts as the release it leads to when it is compared with a
//! range's lower bound.

use semver::Version;

/// A range of versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    text: String,
    /// Alternatives; each is a list of comparisons that must all hold.
    pub(crate) alternatives: Vec<Vec<(Comparison, Version)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessEqual,
    Equal,
    Greater,
    GreaterEqual,
    /// The same up to the parts that were written: `1.18` or `1.18.x`.
    Prefix(usize),
}

/// Reads a version; `v` in front and missing parts are allowed.
pub fn parse_version(text: &str) -> Option<Version> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let (numbers, rest) = match text.find(['-', '+']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let parts = numbers.split('.').count();
    if parts > 3 || numbers.is_empty() {
        return None;
    }
    Version::parse(&format!("{numbers}{}{rest}", ".0".repeat(3 - parts))).ok()
}

impl Range {
    /// Reads a range: comparisons (`<`, `<=`, `=`, `>`, `>=`, `1.18`, `1.18.x`,
    /// `*`) joined by blanks or commas, alternatives by `||`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut alternatives = Vec::new();
        for alternative in text.split("||") {
            let mut comparisons = Vec::new();
            let spaced = alternative
                .replace([',', ' '], "\n")
                .replace("<\n", "<")
                .replace(">\n", ">")
                .replace("=\n", "=");
            for word in spaced.lines().filter(|word| !word.is_empty()) {
                if word != "*" {
                    comparisons.push(
                        comparison(word).ok_or_else(|| format!("`{word}` is not a version comparison"))?,
                    );
                }
            }
            alternatives.push(comparisons);
        }
        Ok(Self { text: text.to_owned(), alternatives })
    }

    /// Whether the version lies in the range.
    pub fn contains(&self, version: &Version) -> bool {
        let release = Version::new(version.major, version.minor, version.patch);
        self.alternatives.iter().any(|comparisons| {
            comparisons.iter().all(|(comparison, bound)| match comparison {
                Comparison::Less => release < *bound,
                Comparison::LessEqual => version <= bound,
                Comparison::Equal => version == bound,
                Comparison::Greater => version > bound,
                Comparison::GreaterEqual => release >= *bound || version >= bound,
                Comparison::Prefix(parts) => {
                    version.major == bound.major
                        && (*parts < 2 || version.minor == bound.minor)
                        && (*parts < 3 || (version.patch == bound.patch && version.pre == bound.pre))
                }
            })
        })
    }

    /// The range as written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn comparison(word: &str) -> Option<(Comparison, Version)> {
    let (comparison, version) = if let Some(rest) = word.strip_prefix(">=") {
        (Comparison::GreaterEqual, rest)
    } else if let Some(rest) = word.strip_prefix("<=") {
        (Comparison::LessEqual, rest)
    } else if let Some(rest) = word.strip_prefix('>') {
        (Comparison::Greater, rest)
    } else if let Some(rest) = word.strip_prefix('<') {
        (Comparison::Less, rest)
    } else if let Some(rest) = word.strip_prefix('=') {
        (Comparison::Equal, rest)
    } else {
        let plain = word.trim_end_matches(".x").trim_end_matches(".*");
        let numbers = plain.split(['-', '+']).next().unwrap_or(plain);
        (Comparison::Prefix(numbers.split('.').count()), plain)
    };
    Some((comparison, parse_version(version)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(range: &str, version: &str) -> bool {
        Range::parse(range).unwrap().contains(&parse_version(version).unwrap())
    }

    #[test]
    fn ranges_hold_what_they_say() {
        assert!(within(">=1.18 <1.21", "1.20.2"));
        assert!(within(">= 1.18, < 1.21", "v1.18.0"));
        assert!(!within(">=1.18 <1.21", "1.21.0"));
        assert!(!within(">=1.18 <1.21", "1.21.0-pre.0"));
        assert!(within(">=1.21", "1.21.0-pre.0"));
        assert!(within("1.18", "1.18.7"));
        assert!(within("1.18.x || 1.20", "1.20.0"));
        assert!(!within("1.18.x || 1.20", "1.19.0"));
        assert!(within("*", "0.0.1"));
        assert!(Range::parse(">=x").is_err());
    }
}
