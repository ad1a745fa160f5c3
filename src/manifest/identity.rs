//! What names a Kubernetes object: group, version, kind, namespace and name.

use std::fmt;

use serde_json::Value;

/// The identity of an object as its manifest states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Identity {
    /// API group; empty for the core group.
    pub group: String,
    /// API version without the group.
    pub version: String,
    /// Kind.
    pub kind: String,
    /// `metadata.namespace`; empty where the manifest leaves it to the client.
    pub namespace: String,
    /// `metadata.name`, or `metadata.generateName` with a `*` behind it.
    pub name: String,
}

impl Identity {
    /// The identity of an object's value.
    pub fn of(value: &Value) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned();
        let metadata = value.get("metadata");
        let (group, version) =
            split_api_version(value.get("apiVersion").and_then(Value::as_str).unwrap_or(""));
        let mut name = text(metadata.and_then(|m| m.get("name")));
        if name.is_empty()
            && let Some(prefix) = metadata.and_then(|m| m.get("generateName")).and_then(Value::as_str)
        {
            name = format!("{prefix}*");
        }
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: text(value.get("kind")),
            namespace: text(metadata.and_then(|m| m.get("namespace"))),
            name,
        }
    }

    /// Whether this is a core Secret, whose values are shown nowhere.
    pub fn is_secret(&self) -> bool {
        self.group.is_empty() && self.kind == "Secret"
    }

    /// `group/version`, or the version alone in the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }
}

impl fmt::Display for Identity {
    /// `DaemonSet kube-system/cilium`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind.as_str(), self.namespace.as_str()) {
            ("", _) => write!(f, "object {}", self.name),
            (kind, "") => write!(f, "{kind} {}", self.name),
            (kind, namespace) => write!(f, "{kind} {namespace}/{}", self.name),
        }
    }
}

/// `apps/v1` → (`apps`, `v1`); `v1` → (``, `v1`).
pub fn split_api_version(text: &str) -> (&str, &str) {
    text.split_once('/').unwrap_or(("", text))
}
