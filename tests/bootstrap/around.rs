//! What else is looked at: whether addresses are given out, and who would undo the changes.

use std::net::TcpListener;

use serde_json::json;

use crate::world::World;

const SMOKE: &str = "service/germ-post-smoke";

/// Gives the Service of the smoke test an address, as Cilium does.
fn announce(world: &World, address: &str) {
    world.wait_for("the Service", || world.has(SMOKE));
    world.status(SMOKE, &json!({"loadBalancer": {"ingress": [{"ip": address}]}}));
}

#[test]
fn a_smoke_test_says_whether_an_address_is_given_and_answered_for() {
    let Some(world) = World::one() else { return };
    world.bootstrap_in_a_living_cluster(&[]).expect_ok();

    let none = world.bootstrap(&["--smoke", "--timeout=1s"]);
    assert_eq!(none.code, 2, "{}", none.stderr);
    assert!(none.stderr.contains("a LoadBalancer Service: it has no address, after 1s"), "{}", none.stderr);
    assert!(!world.has(SMOKE), "it was left behind");

    // No machine has this address, so nobody answers.
    let silent = std::thread::scope(|scope| {
        scope.spawn(|| announce(&world, "127.0.0.77"));
        world.bootstrap(&["--smoke", "--timeout=5s"])
    });
    assert_eq!(silent.code, 2, "{}", silent.stderr);
    assert!(silent.stderr.contains("a LoadBalancer Service: it got 127.0.0.77"), "{}", silent.stderr);
    assert!(silent.stderr.contains("127.0.0.77:53: nobody answers"), "{}", silent.stderr);
    assert!(!world.has(SMOKE), "it was left behind");

    // Only root may listen there.
    let Ok(_listener) = TcpListener::bind("127.0.0.78:53") else { return };
    let answered = std::thread::scope(|scope| {
        scope.spawn(|| announce(&world, "127.0.0.78"));
        world.bootstrap(&["--smoke"])
    });
    assert!(answered.stderr.contains("127.0.0.78:53: answers"), "{}", answered.stderr);
    answered.expect_ok();
    assert!(!world.has(SMOKE), "it was left behind");
}

#[test]
fn an_application_that_would_undo_it_is_named_with_the_way_to_pause_it() {
    let Some(world) = World::one() else { return };
    world.apply(&json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "applications.argoproj.io"},
        "spec": {
            "group": "argoproj.io",
            "scope": "Namespaced",
            "names": {"kind": "Application", "plural": "applications"},
            "versions": [{"name": "v1alpha1", "served": true, "storage": true, "schema": {
                "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}],
        },
    }));
    world.wait_for("the kind", || {
        world.cluster.kubectl(&["get", "applications.argoproj.io"]).status.success()
    });
    world.apply(&json!({
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "network", "namespace": "default"},
        "spec": {"syncPolicy": {"automated": {"selfHeal": true}}},
        "status": {"resources": [{"kind": "DaemonSet", "namespace": "kube-system", "name": "cilium"}]},
    }));
    let plan = world.bootstrap(&["--dry-run"]).expect_ok();
    assert!(plan.contains("Application default/network undoes what this changes"), "{plan}");
    assert!(plan.contains("kubectl --namespace default patch application network --type merge"), "{plan}");
}
