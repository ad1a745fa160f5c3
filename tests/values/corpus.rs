//! The values face over real charts' trees: what it writes is what the corpus was
//! rendered with.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::folder::read;
use crate::support::{self, run::germ_post};

/// The Cilium trees, each with the key that its values stand under.
const TREES: &[(&str, Option<&str>)] =
    &[("cilium-1.17.17", None), ("cilium-1.20.0", None), ("wrapper-cilium", Some("cilium"))];

/// Each group of Talos' values with the rule that wants it.
const GROUPS: &[(&str, &str)] = &[
    ("talos-cgroup", "talos/cgroup"),
    ("talos-capabilities", "talos/capabilities"),
    ("talos-kubeprism", "talos/kubeprism"),
    ("talos-ipam", "talos/ipam"),
    ("talos-kpr-true", "talos/kube-proxy-replacement"),
    ("talos-gatewayapi-off", "cilium/gateway-api-on"),
];

fn tree(name: &str) -> Option<PathBuf> {
    Some(support::corpus()?.join("chart-trees").join(name))
}

fn wanted(name: &str) -> Value {
    let file = support::corpus().unwrap().join(format!("values/{name}.yaml"));
    read(&std::fs::read_to_string(file).unwrap())
}

fn run(args: &[&str], tree: &str) -> Option<String> {
    let chart = self::tree(tree)?;
    let mut all = vec!["values", "--chart", chart.to_str().unwrap()];
    all.extend(args);
    Some(germ_post(&all, b"").expect_ok())
}

/// Under the key of a chart below, where there is one.
fn under(key: Option<&str>, value: Value) -> Value {
    match key {
        Some(key) => json!({ key: value }),
        None => value,
    }
}

#[test]
fn the_overlay_is_the_official_list_with_kube_proxy_replacement() {
    for (name, key) in TREES {
        let Some(overlay) = run(&["--profile", "talos", "--overlay"], name) else { return };
        let mut official = wanted("cilium/talos");
        official["kubeProxyReplacement"] = wanted("cilium/talos-kpr-true")["kubeProxyReplacement"].clone();
        assert_eq!(read(&overlay), under(*key, official), "{name}");
    }
}

#[test]
fn group_by_group() {
    for (name, key) in TREES {
        for (group, rule) in GROUPS {
            let args = ["--profile", "talos", "--only", rule, "--overlay"];
            let Some(overlay) = run(&args, name) else { return };
            assert_eq!(read(&overlay), under(*key, wanted(&format!("cilium/{group}"))), "{name}: {group}");
        }
    }
}

#[test]
fn k3s_values_are_those_that_the_corpus_was_rendered_with() {
    let pool = ["--set", "podCIDR=10.42.0.0/16"];
    let rules = ["k3s/api-balancer", "k3s/kube-proxy-replacement", "k3s/pod-cidr"];
    let mut args = vec!["--profile", "k3s-kpr", "--overlay"];
    args.extend(pool);
    args.extend(rules.iter().flat_map(|rule| ["--only", rule]));
    let Some(overlay) = run(&args, "cilium-1.20.0") else { return };
    let mut kpr = wanted("cilium/k3s-kpr");
    // One node is the corpus' business, and the mode is the chart's default.
    kpr.as_object_mut().unwrap().remove("operator");
    kpr["ipam"].as_object_mut().unwrap().remove("mode");
    assert_eq!(read(&overlay), kpr);

    let rules = ["k3s/portmap-chaining", "k3s/pod-cidr", "k3s/no-l2-announcements"];
    let mut args = vec!["--profile", "k3s-portmap", "--overlay"];
    args.extend(pool);
    args.extend(rules.iter().flat_map(|rule| ["--only", rule]));
    let overlay = run(&args, "cilium-1.20.0").unwrap();
    let mut portmap = wanted("cilium/k3s-portmap");
    portmap.as_object_mut().unwrap().remove("operator");
    portmap["ipam"].as_object_mut().unwrap().remove("mode");
    assert_eq!(read(&overlay), portmap);
}

#[test]
fn bundled_policies_are_turned_off_as_the_corpus_turned_them_off() {
    let Some(overlay) = run(&["--profile", "talos", "--overlay"], "wrapper-argocd") else { return };
    assert_eq!(read(&overlay), json!({"argo-cd": wanted("argo-cd-10.1.1-nonp")}));
    let overlay = run(&["--profile", "talos", "--overlay"], "wrapper-messaging").unwrap();
    let off = wanted("bitnami-rabbitmq-cluster-operator-4.4.40-nonp");
    assert_eq!(read(&overlay), json!({"rabbitmq-cluster-operator": off}));
}

/// Every key of the overlay is in the written file with the same value, all other
/// values are as they were, no line is touched but those of the edits, and twice is once.
#[test]
fn a_written_file_is_the_old_one_with_the_overlay_in_it() {
    for name in ["cilium-1.17.17", "cilium-1.20.0", "wrapper-cilium", "wrapper-argocd", "wrapper-messaging"] {
        let Some(new) = run(&["--profile", "talos"], name) else { return };
        let overlay = read(&run(&["--profile", "talos", "--overlay"], name).unwrap());
        let old = std::fs::read_to_string(tree(name).unwrap().join("values.yaml")).unwrap();
        let mut merged = read(&old);
        lay(&mut merged, &overlay);
        assert_eq!(read(&new), merged, "{name}");
        let chart = tree(name).unwrap();
        let again = germ_post(
            &["values", "--profile", "talos", "--chart", chart.to_str().unwrap(), "-f", "-"],
            new.as_bytes(),
        );
        assert_eq!(again.expect_ok(), new, "{name}: twice is not once");
        let kept = old.lines().filter(|line| new.lines().any(|other| other == *line)).count();
        assert!(old.lines().count() - kept <= 11, "{name}: {} lines went", old.lines().count() - kept);
    }
}

fn lay(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                lay(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}

/// 1.17 has the key as a comment only.
#[test]
fn a_key_that_is_there_as_a_comment_goes_behind_it() {
    let Some(new) = run(&["--profile", "talos"], "cilium-1.17.17") else { return };
    assert!(new.contains("\n#kubeProxyReplacement: \"false\"\nkubeProxyReplacement: true\n"));
}

/// Real values files with LoadBalancer Services, told to answer from every node: what
/// comes out is the file that the corpus was rendered with.
#[test]
fn traffic_policies_of_real_values_become_what_the_corpus_says() {
    let Some(corpus) = support::corpus() else { return };
    for name in [
        "grafana-12.11.1-np-lb",
        "haproxy-1.29.0-lb",
        "keycloakx-7.1.11-np",
        "argo-cd-10.1.1-ha-lb",
        "victoria-metrics-single-0.45.0-lb",
        "victoria-metrics-single-0.45.0-hcnp",
        "victoria-logs-single-0.13.9-lb",
        "app-template-4.1.1",
    ] {
        let file = corpus.join(format!("values/{name}.yaml"));
        let run = germ_post(&["values", "--profile", "lb-l2", "-f", file.to_str().unwrap()], b"");
        let mut wanted = wanted(&format!("{name}-etpcluster"));
        // Beside Cluster the API server refuses it; the chart's own switch leaves it.
        if let Some(service) = wanted.pointer_mut("/server/service").and_then(Value::as_object_mut) {
            service.remove("healthCheckNodePort");
        }
        assert_eq!(read(&run.expect_ok()), wanted, "{name}");
    }
}
