//! Helm's version, as `helm version --template {{.Version}}` prints it. What depends
//! on it is what a release's post-renderer gets to see.

use std::fmt;

/// The version of a Helm; the patch is left out where Helm does not know it itself
/// (`v3.22`, built by `go install`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 3 or 4.
    pub major: u64,
    /// The minor version.
    pub minor: u64,
    /// The patch, if it is known.
    pub patch: Option<u64>,
}

impl Version {
    /// Reads what Helm printed: `v4.3.1`, `v3.22.0+g1234567`, `v3.22`.
    pub fn parse(text: &str) -> Option<Self> {
        let numbers = text.trim().strip_prefix('v')?;
        let numbers = numbers.split(['+', '-']).next()?;
        let mut parts = numbers.split('.').map(|part| part.parse::<u64>());
        let major = parts.next()?.ok()?;
        let minor = parts.next()?.ok()?;
        let patch = parts.next().transpose().ok()?;
        Some(Self { major, minor, patch })
    }

    /// Whether a release of this Helm hands hooks to its post-renderer: Helm 4 does,
    /// Helm 3 never did. Source: both run in `tests/helm/hooks.rs`.
    pub fn post_renders_hooks(self) -> bool {
        self.major >= 4
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "v{}.{}", self.major, self.minor)?;
        self.patch.map_or(Ok(()), |patch| write!(out, ".{patch}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_helm_prints_them() {
        let read = |text| Version::parse(text).map(|version| version.to_string());
        assert_eq!(read("v4.3.1\n").as_deref(), Some("v4.3.1"));
        assert_eq!(read("v3.22.0+g1234567").as_deref(), Some("v3.22.0"));
        assert_eq!(read("v3.22").as_deref(), Some("v3.22"));
        assert_eq!(read("v4.0.0-rc.1").as_deref(), Some("v4.0.0"));
        for wrong in ["", "3.22.0", "version.BuildInfo{}", "v3", "v3.x.1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_helm_4_shows_hooks() {
        assert!(!Version::parse("v3.99.0").unwrap().post_renders_hooks());
        assert!(Version::parse("v4.0.0").unwrap().post_renders_hooks());
    }
}
