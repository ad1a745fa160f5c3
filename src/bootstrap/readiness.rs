//! Whether something in a cluster is as far as it has to be, from what kubectl prints of it:
//! the rules are those of `kubectl rollout status` and `kubectl wait`. Source:
//! `k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go`.

use serde_json::Value;

/// How far something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// As far as it has to be; what there is.
    Ready(String),
    /// Not yet; what is missing.
    Waiting(String),
}

/// All nodes of a `NodeList`; a cluster without a node is not ready.
pub fn nodes(list: &Value) -> Readiness {
    let all: Vec<&Value> = list["items"].as_array().into_iter().flatten().collect();
    let waiting: Vec<&str> =
        all.iter().filter(|node| !condition(node, "Ready")).filter_map(|node| name(node)).collect();
    match (all.len(), waiting.as_slice()) {
        (0, _) => Readiness::Waiting("no node has joined".to_owned()),
        (all, []) => Readiness::Ready(format!("{all} of {all} nodes are Ready")),
        (all, waiting) => {
            let ready = all - waiting.len();
            Readiness::Waiting(format!("{ready} of {all} nodes are Ready, not {}", some(waiting)))
        }
    }
}

/// A CustomResourceDefinition, or nothing.
pub fn established(definition: &Value) -> Readiness {
    match definition {
        Value::Null => Readiness::Waiting("not registered".to_owned()),
        _ if condition(definition, "Established") => Readiness::Ready("established".to_owned()),
        _ => Readiness::Waiting("registered, not established".to_owned()),
    }
}

/// The pods of a DaemonSet or a Deployment: all are of the present template, and available.
pub fn rollout(workload: &Value) -> Readiness {
    if workload.is_null() {
        return Readiness::Waiting("not there".to_owned());
    }
    let status = |field: &str| workload["status"][field].as_u64().unwrap_or_default();
    let seen = workload["status"]["observedGeneration"].as_u64().unwrap_or_default();
    if seen < workload["metadata"]["generation"].as_u64().unwrap_or_default() {
        return Readiness::Waiting("no controller has looked at it yet".to_owned());
    }
    let (wanted, updated, available) = if workload["kind"] == "DaemonSet" {
        let wanted = status("desiredNumberScheduled");
        (wanted, status("updatedNumberScheduled"), status("numberAvailable"))
    } else {
        let wanted = workload["spec"]["replicas"].as_u64().unwrap_or(1);
        (wanted, status("updatedReplicas"), status("availableReplicas"))
    };
    // A DaemonSet that no node was found for runs nowhere, which is nothing to go on with.
    let none = wanted == 0 && workload["kind"] == "DaemonSet";
    match (none, updated >= wanted, available >= wanted) {
        (true, ..) => Readiness::Waiting("no node wants a pod of it".to_owned()),
        (_, false, _) => Readiness::Waiting(format!("{updated} of {wanted} pods are of the new template")),
        (_, _, false) => Readiness::Waiting(format!("{available} of {wanted} pods are available")),
        _ => Readiness::Ready(format!("{available} of {wanted} pods are available")),
    }
}

/// Whether a condition holds.
fn condition(object: &Value, kind: &str) -> bool {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    conditions.any(|condition| condition["type"] == kind && condition["status"] == "True")
}

fn name(object: &Value) -> Option<&str> {
    object["metadata"]["name"].as_str()
}

/// The first few of many names.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    match names.len() {
        ..=SHOWN => names.join(", "),
        more => format!("{} and {} more", names[..SHOWN].join(", "), more - SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(name: &str, ready: &str) -> Value {
        json!({"metadata": {"name": name}, "status": {"conditions": [{"type": "Ready", "status": ready}]}})
    }

    fn waiting(readiness: Readiness) -> String {
        match readiness {
            Readiness::Waiting(why) => why,
            Readiness::Ready(what) => panic!("{what}"),
        }
    }

    #[test]
    fn every_node_has_to_be_ready() {
        assert_eq!(waiting(nodes(&json!({"items": []}))), "no node has joined");
        let two = json!({"items": [node("a", "True"), node("b", "Unknown")]});
        assert_eq!(waiting(nodes(&two)), "1 of 2 nodes are Ready, not b");
        let many = json!({"items": (0..5).map(|i| node(&format!("n{i}"), "False")).collect::<Vec<_>>()});
        assert_eq!(waiting(nodes(&many)), "0 of 5 nodes are Ready, not n0, n1, n2 and 2 more");
        let one = json!({"items": [node("a", "True")]});
        assert_eq!(nodes(&one), Readiness::Ready("1 of 1 nodes are Ready".to_owned()));
    }

    #[test]
    fn a_rollout_is_done_when_new_pods_are_available() {
        let daemon_set = |generation, seen, wanted, updated, available| {
            json!({"kind": "DaemonSet", "metadata": {"generation": generation}, "status": {
                "observedGeneration": seen, "desiredNumberScheduled": wanted,
                "updatedNumberScheduled": updated, "numberAvailable": available,
            }})
        };
        assert_eq!(waiting(rollout(&Value::Null)), "not there");
        assert_eq!(waiting(rollout(&daemon_set(2, 1, 3, 3, 3))), "no controller has looked at it yet");
        assert_eq!(waiting(rollout(&daemon_set(1, 1, 0, 0, 0))), "no node wants a pod of it");
        assert_eq!(waiting(rollout(&daemon_set(1, 1, 3, 2, 3))), "2 of 3 pods are of the new template");
        assert_eq!(waiting(rollout(&daemon_set(1, 1, 3, 3, 2))), "2 of 3 pods are available");
        assert!(matches!(rollout(&daemon_set(1, 1, 3, 3, 3)), Readiness::Ready(_)));
        let deployment = json!({"kind": "Deployment", "metadata": {"generation": 1}, "spec": {"replicas": 0},
            "status": {"observedGeneration": 1}});
        assert!(matches!(rollout(&deployment), Readiness::Ready(_)));
    }

    #[test]
    fn a_definition_counts_when_it_is_established() {
        assert_eq!(waiting(established(&Value::Null)), "not registered");
        assert_eq!(waiting(established(&json!({"status": {}}))), "registered, not established");
        let there = json!({"status": {"conditions": [{"type": "Established", "status": "True"}]}});
        assert!(matches!(established(&there), Readiness::Ready(_)));
    }
}
