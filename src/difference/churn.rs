//! Differences that every rendering brings and nobody reviews: checksums, the chart's
//! version in labels, certificates made anew, and what a cluster adds to an object.
//! They are folded and counted.

use serde::Serialize;
use serde_json::Value;

use super::walk::Difference;
use crate::manifest::template::FILENAME_ANNOTATION;

/// A kind of churn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Churn {
    /// An annotation with a hash of something else, or with something random.
    Checksum,
    /// A label that repeats the chart's or the application's version.
    ChartLabel,
    /// A certificate or a key that the chart makes for each rendering.
    Certificate,
    /// A field that the cluster or the client writes.
    Cluster,
}

impl Churn {
    /// All of them.
    pub const ALL: [Churn; 4] = [Churn::Checksum, Churn::ChartLabel, Churn::Certificate, Churn::Cluster];

    /// `3 checksums`.
    pub fn counted(self, number: usize) -> String {
        let (one, many) = match self {
            Churn::Checksum => ("checksum", "checksums"),
            Churn::ChartLabel => ("chart label", "chart labels"),
            Churn::Certificate => ("certificate", "certificates"),
            Churn::Cluster => ("field of the cluster", "fields of the cluster"),
        };
        format!("{number} {}", if number == 1 { one } else { many })
    }
}

/// Metadata that no manifest has and a cluster writes.
const OF_CLUSTER: &[&str] =
    &["managedFields", "generation", "resourceVersion", "uid", "creationTimestamp", "selfLink"];

/// Annotations of clients.
const OF_CLIENT: &[&str] = &[
    "kubectl.kubernetes.io/last-applied-configuration",
    "objectset.rio.cattle.io/applied",
    "deployment.kubernetes.io/revision",
    FILENAME_ANNOTATION,
];

/// Labels with a version in them. Source: Helm's recommended labels.
const CHART_LABELS: &[&str] = &["helm.sh/chart", "chart", "app.kubernetes.io/version"];

/// What kind of churn a difference is, if it is.
pub fn of(kind: &str, difference: &Difference) -> Option<Churn> {
    let at = if difference.new.is_some() { &difference.new_at } else { &difference.old_at };
    let path: Vec<&str> = at.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["status", ..] => return Some(Churn::Cluster),
        ["metadata", field] if OF_CLUSTER.contains(field) => return Some(Churn::Cluster),
        ["metadata", "annotations", key] if OF_CLIENT.contains(key) => return Some(Churn::Cluster),
        // That a chart has it now, or not any more, is as little news as another version.
        [.., "metadata", "labels", key] if CHART_LABELS.contains(key) && any(difference, is_version) => {
            return Some(Churn::ChartLabel);
        }
        [.., "metadata", "annotations", key]
            if is_checksum_key(key) && both(difference, is_opaque) || *key == "rollme" =>
        {
            return Some(Churn::Checksum);
        }
        _ => {}
    }
    let holds_certificates = match path.as_slice() {
        ["data" | "stringData", _] => kind == "Secret",
        [.., "caBundle"] => true,
        _ => false,
    };
    (holds_certificates && both(difference, is_pem)).then_some(Churn::Certificate)
}

/// What is new or gone is no churn here: only that something is another one is.
fn both(difference: &Difference, test: fn(&str) -> bool) -> bool {
    let passes = |value: &Option<Value>| value.as_ref().and_then(Value::as_str).is_some_and(test);
    passes(&difference.old) && passes(&difference.new)
}

/// What is there passes.
fn any(difference: &Difference, test: fn(&str) -> bool) -> bool {
    let passes = |value: &Option<Value>| value.as_ref().is_none_or(|value| value.as_str().is_some_and(test));
    passes(&difference.old) && passes(&difference.new)
}

fn is_checksum_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["checksum", "hash", "sha256"].iter().any(|word| key.contains(word))
}

/// A hash, in hex or base64.
fn is_opaque(text: &str) -> bool {
    text.len() >= 8
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-'))
}

fn is_version(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// PEM, in clear or in base64.
fn is_pem(text: &str) -> bool {
    text.starts_with("-----BEGIN ") || text.starts_with("LS0tLS1CRUdJTi")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::walk::differences;
    use super::*;

    fn churn(kind: &str, old: Value, new: Value) -> Vec<Option<Churn>> {
        differences(kind, &old, &new).iter().map(|difference| of(kind, difference)).collect()
    }

    #[test]
    fn churn_is_told_from_changes() {
        let annotation = |key: &str, value: &str| json!({"spec": {"template": {"metadata": {"annotations": {key: value}}}}});
        let hash = |seed: char| seed.to_string().repeat(64);
        let of =
            |key: &str, old: &str, new: &str| churn("Deployment", annotation(key, old), annotation(key, new));
        assert_eq!(of("checksum/config", &hash('a'), &hash('b')), [Some(Churn::Checksum)]);
        assert_eq!(
            of("cilium.io/cilium-configmap-checksum", &hash('a'), &hash('b')),
            [Some(Churn::Checksum)]
        );
        assert_eq!(of("prometheus.io/port", "9090", "9091"), [None]);
        let label = |value: &str| json!({"metadata": {"labels": {"helm.sh/chart": value}}});
        assert_eq!(churn("Service", label("a-1.0.0"), label("a-1.1.0")), [Some(Churn::ChartLabel)]);
        assert_eq!(churn("Service", json!({}), json!({"metadata": {"labels": {"a": "b"}}})), [None]);
        let new = json!({"metadata": {"labels": {"a": "b", "helm.sh/chart": "a-1.0.0"}}});
        let old = json!({"metadata": {"labels": {"a": "b"}}});
        assert_eq!(churn("Service", old, new), [Some(Churn::ChartLabel)]);
        let selector = |value: &str| json!({"spec": {"selector": {"matchLabels": {"helm.sh/chart": value}}}});
        assert_eq!(churn("Deployment", selector("a-1.0.0"), selector("a-1.1.0")), [None]);
        let secret = |value: &str| json!({"data": {"tls.crt": value}});
        assert_eq!(
            churn("Secret", secret("LS0tLS1CRUdJTiBD"), secret("LS0tLS1CRUdJTiBE")),
            [Some(Churn::Certificate)]
        );
        assert_eq!(churn("Secret", secret("aHVudGVy"), secret("LS0tLS1CRUdJTiBE")), [None]);
        assert_eq!(churn("ConfigMap", secret("LS0tLS1CRUdJTiBD"), secret("LS0tLS1CRUdJTiBE")), [None]);
        assert_eq!(churn("Pod", json!({}), json!({"status": {"phase": "x"}})), [Some(Churn::Cluster)]);
    }
}
