//! What Argo CD needs of a first sync of Cilium with its load balancing: pools and L2
//! policies whose kinds nobody knows yet must not stop it, and no sync wave may wait for a
//! Service that gets its address from them.

use std::fs;

use crate::support::{
    self,
    objects::{Object, objects},
    run::germ_post,
};

const OPTIONS: &str = "/metadata/annotations/argocd.argoproj.io~1sync-options";
const WAVE: &str = "/metadata/annotations/argocd.argoproj.io~1sync-wave";

/// A rendering of the corpus under `talos`.
fn rewritten(file: &str) -> Option<Vec<Object>> {
    let stream = fs::read(support::corpus()?.join(file)).unwrap();
    Some(objects(germ_post(&["--profile", "talos"], &stream).expect_ok().as_bytes()))
}

fn is_late(object: &Object) -> bool {
    let kind = object.value["kind"].as_str().unwrap_or_default();
    ["CiliumLoadBalancerIPPool", "CiliumL2AnnouncementPolicy"].contains(&kind)
}

fn check(file: &str, late: usize) {
    let Some(objects) = rewritten(file) else { return };
    let of_kind = objects.iter().filter(|object| is_late(object)).count();
    assert_eq!(of_kind, late, "{file}");
    for object in &objects {
        let options = object.value.pointer(OPTIONS).and_then(|value| value.as_str());
        assert_eq!(
            options.is_some_and(|options| options.contains("SkipDryRunOnMissingResource=true")),
            is_late(object),
            "{file}: {}",
            object.name
        );
        assert_eq!(object.value.pointer(WAVE), None, "{file}: {}", object.name);
    }
    let waits = |object: &&Object| object.value["spec"]["type"] == "LoadBalancer";
    assert!(late > 0 || objects.iter().any(|object| waits(&object)), "{file} shows nothing");
}

#[test]
fn a_load_balancer_of_ciliums_ingress_waits_for_no_wave() {
    for version in ["1.17.17", "1.18.12", "1.20.0"] {
        check(&format!("cilium/cilium-{version}-vanilla-ingress.yaml"), 0);
    }
}

#[test]
fn pools_and_policies_do_not_stop_the_first_sync() {
    for version in ["1.18.12", "1.20.0"] {
        check(&format!("cilium/wrapper-cilium-{version}-vanilla-lbon.yaml"), 2);
    }
}
