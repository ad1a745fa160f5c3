//! Ranges of versions as Helm reads them in `dependencies`
//! (<https://github.com/Masterminds/semver#checking-version-constraints>), which know
//! `^`, `~`, `1.2 - 1.4` and `!=`, and let pre-releases in only when asked for one.

use semver::{Prerelease, Version};

use crate::profile::version::parse_version;

/// A range: alternatives of comparisons that must all hold.
#[derive(Debug, Clone)]
pub struct Constraint {
    alternatives: Vec<Vec<Comparison>>,
}

#[derive(Debug, Clone)]
struct Comparison {
    operator: Operator,
    version: Version,
    /// How many of major, minor and patch were written.
    parts: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Tilde,
    Caret,
}

/// Longer ones in front of those that they begin with.
const OPERATORS: &[(&str, Operator)] = &[
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterEqual),
    ("=>", Operator::GreaterEqual),
    ("<=", Operator::LessEqual),
    ("=<", Operator::LessEqual),
    ("~>", Operator::Tilde),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("~", Operator::Tilde),
    ("^", Operator::Caret),
];

impl Constraint {
    /// Reads a range; `None` when it is none, or empty.
    pub fn parse(text: &str) -> Option<Self> {
        let alternatives = text.split("||").map(alternative).collect::<Option<Vec<_>>>()?;
        (!text.trim().is_empty()).then_some(Self { alternatives })
    }

    /// Whether a version, as a chart writes it, lies in the range.
    pub fn allows(&self, version: &str) -> bool {
        let Some(version) = parse_version(version) else { return false };
        self.alternatives.iter().any(|all| all.iter().all(|comparison| comparison.holds(&version)))
    }
}

fn alternative(text: &str) -> Option<Vec<Comparison>> {
    if let Some((low, high)) = text.split_once(" - ") {
        let low = Comparison::parse(Operator::GreaterEqual, low.trim())?;
        let high = Comparison::parse(Operator::LessEqual, high.trim())?;
        return Some(vec![low, high]);
    }
    let mut rest = text.trim();
    let mut out = Vec::new();
    while !rest.is_empty() {
        let known = OPERATORS.iter().find_map(|(sign, operator)| Some((rest.strip_prefix(sign)?, *operator)));
        let (behind, operator) = known.unwrap_or((rest, Operator::Equal));
        let behind = behind.trim_start();
        let end = behind.find([' ', ',']).unwrap_or(behind.len());
        out.push(Comparison::parse(operator, &behind[..end])?);
        rest = behind[end..].trim_start_matches([' ', ',']);
    }
    Some(out)
}

impl Comparison {
    fn parse(operator: Operator, text: &str) -> Option<Self> {
        let is_wild = |part: &&str| matches!(*part, "x" | "X" | "*");
        let numbers = text.split(['-', '+']).next().unwrap_or(text);
        let written: Vec<&str> = numbers.split('.').take_while(|part| !is_wild(part)).collect();
        let parts = written.len().min(3);
        let version = match (parts, numbers.split('.').any(|part| is_wild(&part))) {
            (0, _) => Version::new(0, 0, 0),
            (_, true) => parse_version(&written.join("."))?,
            (_, false) => parse_version(text)?,
        };
        Some(Self { operator, version, parts })
    }

    fn holds(&self, version: &Version) -> bool {
        // A pre-release is let in by a comparison that names one.
        if !version.pre.is_empty() && self.version.pre.is_empty() {
            return false;
        }
        match self.operator {
            Operator::Equal if self.parts < 3 => self.is_prefix_of(version),
            Operator::Equal => version == &without_build(&self.version, version),
            Operator::NotEqual if self.parts < 3 => !self.is_prefix_of(version),
            Operator::NotEqual => version != &without_build(&self.version, version),
            Operator::Less => version < &self.version,
            Operator::GreaterEqual => version >= &self.version,
            // `>1.2` is from 1.3 on, `<=1.2` up to the last 1.2.
            Operator::Greater => version > &self.version && (self.parts == 3 || !self.is_prefix_of(version)),
            Operator::LessEqual => version <= &self.version || (self.parts < 3 && self.is_prefix_of(version)),
            Operator::Tilde => version >= &self.version && self.shares(version, self.parts.min(2)),
            Operator::Caret => version >= &self.version && self.shares(version, self.leading()),
        }
    }

    fn is_prefix_of(&self, version: &Version) -> bool {
        self.shares(version, self.parts)
    }

    /// Whether the first parts are the same.
    fn shares(&self, version: &Version, parts: usize) -> bool {
        let (own, other) = (numbers(&self.version), numbers(version));
        own[..parts.min(3)] == other[..parts.min(3)]
    }

    /// Up to which part `^` holds on to a version: the first that is not zero, or the
    /// last that was written.
    fn leading(&self) -> usize {
        let first = numbers(&self.version).iter().position(|number| *number > 0);
        first.map_or(self.parts, |at| at + 1).min(self.parts)
    }
}

fn numbers(version: &Version) -> [u64; 3] {
    [version.major, version.minor, version.patch]
}

/// Build metadata is no part of a comparison.
fn without_build(own: &Version, other: &Version) -> Version {
    let pre = Prerelease::new(own.pre.as_str()).unwrap_or_default();
    Version { major: own.major, minor: own.minor, patch: own.patch, pre, build: other.build.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(range: &str, version: &str) -> bool {
        Constraint::parse(range).unwrap().allows(version)
    }

    #[test]
    fn ranges_are_read_as_helm_reads_them() {
        for (range, inside, outside) in [
            ("1.20.0", "1.20.0", "1.20.1"),
            ("1.20", "1.20.9", "1.21.0"),
            ("1.x.x", "1.99.0", "2.0.0"),
            ("*", "9.0.0", "9.0.0-rc.1"),
            ("^1.2.3", "1.9.0", "2.0.0"),
            ("^0.2.3", "0.2.9", "0.3.0"),
            ("^0", "0.9.0", "1.0.0"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            ("~1", "1.9.9", "2.0.0"),
            ("1.2 - 1.4.5", "1.4.5", "1.4.6"),
            (">= 1.2, < 2.0.0 || 3.x", "3.4.0", "2.5.0"),
            (">1.2", "1.3.0", "1.2.9"),
            ("<=1.2", "1.2.9", "1.3.0"),
            ("!=1.2.3", "1.2.4", "1.2.3"),
            (">=0.0.0-0", "4.4.40-rc1", "no version"),
            ("v1.2.3", "1.2.3+build", "1.2.3-rc.1"),
            ("= 1.2.3 ", "v1.2.3", "1.2.4"),
        ] {
            assert!(allows(range, inside), "{range} leaves {inside} out");
            assert!(!allows(range, outside), "{range} lets {outside} in");
        }
        assert!(Constraint::parse("").is_none());
        assert!(Constraint::parse("latest").is_none());
    }
}
