//! The hand-written streams of `edge/`: what their annotation `edge/want` says,
//! object by object.

use serde_json::{Value, json};

use crate::support::objects::{Object, find, objects};
use crate::support::{self, run};

fn after_talos(file: &str, args: &[&str]) -> Option<(Vec<Object>, Vec<Object>)> {
    let path = support::corpus()?.join("edge").join(file);
    let input = std::fs::read(path).unwrap();
    let run = run::germ_post(&[&["--profile", "talos"], args].concat(), &input);
    assert_eq!(run.code, 0, "{}", run.summary());
    let again = run::germ_post(&[&["--profile", "talos"], args].concat(), &run.stdout);
    assert_eq!(again.stdout, run.stdout, "the second run changes something");
    Some((objects(&input), objects(&run.stdout)))
}

/// Asserts that the object is what it was, but for these paths.
fn assert_changed(before: &[Object], after: &[Object], name: &str, set: &[(&str, Value)], gone: &[&str]) {
    let mut wanted = find(before, name).value.clone();
    for (pointer, value) in set {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = wanted.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        parent.insert(key.to_owned(), value.clone());
    }
    for pointer in gone {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let removed = wanted.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key);
        assert!(removed.is_some(), "{name} has no {pointer}");
    }
    assert_eq!(find(after, name).value, wanted, "{name}");
}

fn assert_untouched(before: &[Object], after: &[Object], name: &str) {
    assert_eq!(find(after, name).text, find(before, name).text, "{name}");
}

#[test]
fn services() {
    let Some((before, after)) = after_talos("services.yaml", &[]) else {
        return;
    };
    assert_eq!(before.len(), after.len());
    let cluster = || ("/spec/externalTrafficPolicy", json!("Cluster"));
    assert_changed(&before, &after, "Service lb-absent", &[cluster()], &[]);
    assert_changed(&before, &after, "Service lb-empty", &[cluster()], &[]);
    assert_changed(&before, &after, "Service lb-local-hcnp", &[cluster()], &["/spec/healthCheckNodePort"]);
    assert_untouched(&before, &after, "Service nodeport-local");
    // Decided: another controller serves this class, so the rule is not about it.
    assert_untouched(&before, &after, "Service lb-other-class");
    assert_untouched(&before, &after, "Service knative");
    let in_list = ("/items/0/spec/externalTrafficPolicy", json!("Cluster"));
    assert_changed(&before, &after, "List ?", &[in_list], &[]);
}

#[test]
fn announcement_policies() {
    let Some((before, after)) = after_talos("l2.yaml", &["--set", "argocdDryRun=keep"]) else {
        return;
    };
    assert_eq!(before.len(), after.len());
    assert_changed(
        &before,
        &after,
        "CiliumL2AnnouncementPolicy upstream-example",
        &[
            ("/spec/nodeSelector", json!({"matchLabels": {"kubernetes.io/os": "linux"}})),
            ("/spec/interfaces", json!(["^en"])),
        ],
        &[],
    );
    assert_untouched(&before, &after, "CiliumL2AnnouncementPolicy no-selector-no-interfaces");
    // The stream does not say which Cilium this is for.
    assert_untouched(&before, &after, "CiliumLoadBalancerIPPool old-api");
}

#[test]
fn address_pools_follow_the_version() {
    for (version, wanted) in [
        ("1.17.17", "cilium.io/v2alpha1"),
        ("1.18.0", "cilium.io/v2"),
        ("1.19.6", "cilium.io/v2"),
        ("1.20.0", "cilium.io/v2"),
    ] {
        let param = format!("ciliumVersion={version}");
        let Some((before, after)) = after_talos("l2.yaml", &["--set", &param, "--set", "argocdDryRun=keep"])
        else {
            return;
        };
        let pool = "CiliumLoadBalancerIPPool old-api";
        assert_changed(&before, &after, pool, &[("/apiVersion", json!(wanted))], &[]);
        let policy = find(&after, "CiliumL2AnnouncementPolicy upstream-example");
        assert_eq!(policy.value["apiVersion"], "cilium.io/v2alpha1", "{version}");
    }
}

#[test]
fn envoy_proxies() {
    let Some((before, after)) = after_talos("envoyproxy.yaml", &[]) else {
        return;
    };
    assert_eq!(before.len(), after.len());
    let policy = "/spec/provider/kubernetes/envoyService/externalTrafficPolicy";
    assert_changed(&before, &after, "EnvoyProxy no-policy", &[(policy, json!("Cluster"))], &[]);
    // The CRD demands the provider's type beside everything else in it.
    let provider = json!({
        "type": "Kubernetes",
        "kubernetes": {"envoyService": {"externalTrafficPolicy": "Cluster"}},
    });
    assert_changed(&before, &after, "EnvoyProxy bare", &[("/spec/provider", provider)], &[]);
}
