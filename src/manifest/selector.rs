//! Label selectors, and the pods that a workload makes.

use serde_json::{Map, Value};

/// Where the pod template's metadata and spec lie in an object of this kind.
pub fn pod_template(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "Pod" => &[],
        "Deployment" | "DaemonSet" | "StatefulSet" | "ReplicaSet" | "ReplicationController" | "Job" => {
            &["spec", "template"]
        }
        "CronJob" => &["spec", "jobTemplate", "spec", "template"],
        _ => return None,
    })
}

/// The labels of the pods that an object makes, if it makes pods.
pub fn pod_labels<'v>(kind: &str, object: &'v Value) -> Option<&'v Map<String, Value>> {
    let mut at = object;
    for key in pod_template(kind)? {
        at = at.get(key)?;
    }
    at.get("metadata")?.get("labels")?.as_object()
}

/// Whether a `LabelSelector` (`matchLabels`, `matchExpressions`) selects the
/// labels. Cilium's source prefixes (`k8s:`, `any:`) are taken off first.
pub fn selects(selector: &Value, labels: &Map<String, Value>) -> bool {
    let value_of = |key: &str| labels.get(plain_key(key)).and_then(Value::as_str);
    let by_labels = selector.get("matchLabels").and_then(Value::as_object).is_none_or(|wanted| {
        wanted.iter().all(|(key, value)| value_of(key).is_some_and(|have| Some(have) == value.as_str()))
    });
    let by_expressions =
        selector.get("matchExpressions").and_then(Value::as_array).is_none_or(|expressions| {
            expressions.iter().all(|expression| {
                let key = expression.get("key").and_then(Value::as_str).unwrap_or("");
                let have = value_of(key);
                let named = || {
                    let values = expression.get("values").and_then(Value::as_array);
                    have.is_some() && values.is_some_and(|v| v.iter().any(|value| value.as_str() == have))
                };
                match expression.get("operator").and_then(Value::as_str) {
                    Some("In") => named(),
                    Some("NotIn") => !named(),
                    Some("Exists") => have.is_some(),
                    Some("DoesNotExist") => have.is_none(),
                    _ => false,
                }
            })
        });
    by_labels && by_expressions
}

/// `k8s:app` and `any:app` mean the pod label `app`.
fn plain_key(key: &str) -> &str {
    key.strip_prefix("k8s:").or_else(|| key.strip_prefix("any:")).unwrap_or(key)
}
