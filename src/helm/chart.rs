//! A chart's own description, as far as fetching what it depends on needs it.

use serde::Deserialize;

use crate::diagnostic::Diagnostic;

/// `Chart.yaml`, in part.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Chart {
    /// The chart's name.
    #[serde(default)]
    pub name: String,
    /// The charts that it depends on.
    #[serde(default)]
    pub dependencies: Option<Vec<Dependency>>,
}

/// A chart that another one depends on.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Dependency {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Where it comes from: `https://…`, `oci://…`, `file://…`, `@alias`, or nothing
    /// when it lies in `charts/`.
    #[serde(default)]
    pub repository: Option<String>,
}

impl Chart {
    /// Reads a `Chart.yaml`; `shown_as` is its name in errors.
    pub fn parse(shown_as: &str, text: &str) -> Result<Self, Diagnostic> {
        serde_saphyr::from_str(text).map_err(|error| {
            let first = error.to_string();
            let first = first.lines().next().unwrap_or_default();
            Diagnostic::input("chart-unreadable", format!("{shown_as} is no Chart.yaml: {first}"))
        })
    }

    /// The charts that it depends on.
    pub fn dependencies(&self) -> &[Dependency] {
        self.dependencies.as_deref().unwrap_or_default()
    }

    /// The repositories that Helm has to know by name before it builds from a
    /// `Chart.lock`, each once, in order. OCI registries and folders need no name.
    pub fn repositories(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for dependency in self.dependencies() {
            let Some(url) = dependency.repository.as_deref() else { continue };
            if (url.starts_with("https://") || url.starts_with("http://")) && !found.contains(&url) {
                found.push(url);
            }
        }
        found
    }
}

/// The name of a file in `charts/` that holds a dependency: its archive.
/// `is_archive_of("cilium", "cilium-1.20.0.tgz")`.
pub fn is_archive_of(name: &str, file: &str) -> bool {
    let version = file.strip_suffix(".tgz").and_then(|stem| stem.strip_prefix(name));
    let version = version.and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|version| {
        version.trim_start_matches('v').starts_with(|first: char| first.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_those_that_need_a_name() {
        let text = "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies:\n\
            - {name: b, version: 1.x, repository: https://charts.example.org}\n\
            - {name: c, version: 1.x, repository: https://charts.example.org, alias: d}\n\
            - {name: e, version: 1.x, repository: oci://example.org/charts}\n\
            - {name: f, version: 1.x, repository: file://../f}\n\
            - {name: g, version: 1.x, repository: '@named'}\n\
            - {name: h, version: 1.x}\n\
            - {name: i, version: 1.x, repository: ''}\n";
        let chart = Chart::parse("Chart.yaml", text).unwrap();
        assert_eq!(chart.repositories(), ["https://charts.example.org"]);
        assert_eq!(chart.dependencies().len(), 7);
        assert!(Chart::parse("Chart.yaml", "name: a\ndependencies:\n").unwrap().dependencies().is_empty());
        let error = Chart::parse("x/Chart.yaml", "- a\n").unwrap_err();
        assert!(error.message.starts_with("x/Chart.yaml is no Chart.yaml: "), "{error}");
    }

    #[test]
    fn an_archive_is_told_by_its_name() {
        assert!(is_archive_of("cilium", "cilium-1.20.0.tgz"));
        assert!(is_archive_of("cilium", "cilium-v1.20.0.tgz"));
        assert!(!is_archive_of("cilium", "cilium-extras-1.0.0.tgz"));
        assert!(!is_archive_of("cilium", "cilium.tgz"));
    }
}
