//! A small Service of type LoadBalancer that shows whether the network hands out addresses
//! and answers for them. It leads to the cluster's DNS, which runs everywhere and answers
//! on TCP, so that no image has to be fetched.

use serde_json::{Map, Value, json};

use super::late::Object;

/// The Service's name.
pub const NAME: &str = "germ-post-smoke";

/// The port that it answers on.
pub const PORT: u16 = 53;

/// The Service, with the labels that the release's pools and policies ask of Services.
pub fn service(namespace: &str, release: &[Object]) -> Value {
    let mut labels = Map::new();
    labels.insert("app.kubernetes.io/managed-by".to_owned(), json!("germ-post"));
    let selectors = release
        .iter()
        .filter(|object| object.identity.group == "cilium.io")
        .filter_map(|object| object.value.pointer("/spec/serviceSelector/matchLabels")?.as_object());
    for (name, value) in selectors.flatten() {
        labels.insert(name.clone(), value.clone());
    }
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": NAME, "namespace": namespace, "labels": labels},
        "spec": {
            "type": "LoadBalancer",
            "externalTrafficPolicy": "Cluster",
            "selector": {"k8s-app": "kube-dns"},
            "ports": [{"name": "dns-tcp", "port": PORT, "targetPort": PORT, "protocol": "TCP"}],
        },
    })
}

/// The address that the Service got.
pub fn address(service: &Value) -> Option<&str> {
    let given = service.pointer("/status/loadBalancer/ingress/0")?;
    given["ip"].as_str().or_else(|| given["hostname"].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::late::objects_of;

    #[test]
    fn the_service_is_one_that_pool_and_policy_select() {
        let release = "apiVersion: cilium.io/v2\nkind: CiliumLoadBalancerIPPool\nmetadata: {name: a}\n\
            spec: {serviceSelector: {matchLabels: {pool: blue}}}\n";
        let service = service("kube-system", &objects_of(release).unwrap());
        assert_eq!(service["metadata"]["labels"]["pool"], "blue");
        assert_eq!(address(&service), None);
        let given = json!({"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}});
        assert_eq!(address(&given), Some("192.0.2.1"));
    }
}
