//! Keys that charts call alike: switches of bundled policies, and the traffic policy of
//! LoadBalancer Services.

use serde_json::{Value, json};

use crate::folder::{Folder, chart_yaml, read};

/// The overlay for a single chart, and what was said.
fn overlay(name: &str, values: &str, args: &[&str]) -> (Value, String) {
    let folder = Folder::with(&[("c/Chart.yaml", &chart_yaml(name, "1.0.0", "")), ("c/values.yaml", values)]);
    let mut all = vec!["--chart", "c", "--overlay"];
    all.extend(args);
    let run = folder.values(&all);
    let said = run.stderr.clone();
    (read(&run.expect_ok()), said)
}

const ALL: [&str; 4] = ["--profile", "cnp-platform", "--set", "networkPolicies=all"];

#[test]
fn all_turns_every_switch_off_and_pinned_those_of_its_charts() {
    let values = "networkPolicy: {enabled: true}\nserver:\n  networkPolicy: {enabled: true, create: false}\n";
    let off = json!({"networkPolicy": {"enabled": false}, "server": {"networkPolicy": {"enabled": false, "create": false}}});
    assert_eq!(overlay("some", values, &ALL).0, off);
    assert_eq!(overlay("some", values, &["--profile", "cnp-platform"]).0, json!({}));
    assert_eq!(overlay("argo-cd", values, &["--profile", "cnp-platform"]).0, off);
    let pinned = ["--profile", "cnp-platform", "--set", "pinnedCharts=some"];
    assert_eq!(overlay("some", values, &pinned).0, off);
    assert_eq!(
        overlay("some", values, &["--profile", "cnp-platform", "--set", "networkPolicies=none"]).0,
        json!({})
    );
}

#[test]
fn switches_of_one_chart_are_that_charts_alone() {
    for (chart, values, wanted) in [
        ("metallb", "networkpolicies: {enabled: true}\n", json!({"networkpolicies": {"enabled": false}})),
        (
            "longhorn",
            "networkPolicies: {enabled: false, restrictInternalTraffic: true}\n",
            json!({"networkPolicies": {"enabled": false, "restrictInternalTraffic": false}}),
        ),
        ("flux2", "policies: {create: true}\n", json!({"policies": {"create": false}})),
        (
            "strimzi-kafka-operator",
            "operatorNetworkPolicy: {enabled: true}\n",
            json!({"operatorNetworkPolicy": {"enabled": false}}),
        ),
    ] {
        assert_eq!(overlay(chart, values, &ALL).0, wanted, "{chart}");
        assert_eq!(overlay("other", values, &ALL).0, json!({}), "{chart}");
    }
}

#[test]
fn what_makes_no_policy_or_cilium_policies_is_left_and_named() {
    for (chart, values, key) in [
        ("keda", "networkPolicy: {enabled: true}\n", "networkPolicy.enabled"),
        ("loki", "networkPolicy: {enabled: true, flavor: cilium}\n", "networkPolicy.enabled"),
        (
            "kube-prometheus-stack",
            "prometheus: {networkPolicy: {enabled: true, flavor: cilium}}\n",
            "prometheus.networkPolicy.enabled",
        ),
        ("kube-state-metrics", "kubeResources: {networkpolicies: true}\n", "kubeResources.networkpolicies"),
        ("strimzi-kafka-operator", "generateNetworkPolicy: true\n", "generateNetworkPolicy"),
        (
            "opentelemetry-operator",
            "manager: {featureGatesMap: {operator.networkpolicy: true}}\n",
            "manager.featureGatesMap.\"operator.networkpolicy\"",
        ),
        (
            "vcluster",
            "sync: {toHost: {networkPolicies: {enabled: true}}}\n",
            "sync.toHost.networkPolicies.enabled",
        ),
    ] {
        let (overlay, said) = overlay(chart, values, &ALL);
        assert_eq!(overlay, json!({}), "{chart}");
        assert!(said.contains(&format!("cnp/drop-bundled leaves {key}: ")), "{chart}: {said}");
    }
    // Of Kubernetes' own flavor it is a switch like others.
    let values = "networkPolicy: {enabled: true, flavor: kubernetes}\n";
    assert_eq!(overlay("loki", values, &ALL).0, json!({"networkPolicy": {"enabled": false}}));
}

/// Names that a loose pattern would hit.
#[test]
fn names_that_only_look_alike_are_no_switches() {
    let values = "k8sNetworkPolicy: {enabled: true}\nnetworkPolicies: {enabled: true}\nnetworkPolicyEnabled: true\n\
                  networkPolicy: {allowExternal: true}\nx: {networkPolicy: {enabled: {a: 1}}}\n";
    let (found, said) = overlay("some", values, &ALL);
    assert_eq!(found, json!({}));
    assert!(said.contains("x.networkPolicy.enabled: it holds more than a single value"), "{said}");
}

#[test]
fn a_switch_that_is_text_becomes_a_switch() {
    let (overlay, _) = overlay("some", "networkPolicy: {enabled: \"true\"}\n", &ALL);
    assert_eq!(overlay, json!({"networkPolicy": {"enabled": false}}));
}

#[test]
fn a_chart_below_has_its_own_say() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("argo-cd", "10.0.0", "")),
        ("top/values.yaml", "networkPolicy: {enabled: true}\nredis-ha: {networkPolicy: {enabled: true}}\n"),
        ("top/charts/redis-ha/Chart.yaml", &chart_yaml("redis-ha", "4.0.0", "")),
        ("top/charts/redis-ha/values.yaml", "networkPolicy: {enabled: true}\nlabels: {}\n"),
    ]);
    let run = folder.values(&["--chart", "top", "--profile", "cnp-platform", "--overlay"]);
    assert_eq!(read(&run.expect_ok()), json!({"networkPolicy": {"enabled": false}}));
}

const LB: [&str; 2] = ["--profile", "lb-l2"];

#[test]
fn traffic_policies_of_load_balancers_are_set_where_the_chart_has_them() {
    let service = |fields: &str| format!("server: {{service: {{{fields}}}}}\n");
    let cluster = json!({"server": {"service": {"externalTrafficPolicy": "Cluster"}}});
    for (fields, wanted) in [
        ("type: LoadBalancer, externalTrafficPolicy: Local", cluster.clone()),
        ("type: LoadBalancer, externalTrafficPolicy: \"\"", cluster.clone()),
        ("type: LoadBalancer, externalTrafficPolicy: Cluster", json!({})),
        ("type: ClusterIP, externalTrafficPolicy: Local", json!({})),
        ("type: LoadBalancer, externalTrafficPolicy: Local, loadBalancerClass: other", json!({})),
        (
            "type: LoadBalancer, externalTrafficPolicy: Local, loadBalancerClass: io.cilium/l2-announcer",
            cluster,
        ),
        ("type: LoadBalancer", json!({})),
        (
            "type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 31000",
            json!({"server": {"service": {"externalTrafficPolicy": "Cluster", "healthCheckNodePort": null}}}),
        ),
        ("type: LoadBalancer, healthCheckNodePort: \"\"", json!({})),
    ] {
        assert_eq!(overlay("some", &service(fields), &LB).0, wanted, "{fields}");
    }
    let traefik = "service: {type: LoadBalancer, spec: {externalTrafficPolicy: Local}}\n";
    assert_eq!(
        overlay("traefik", traefik, &LB).0,
        json!({"service": {"spec": {"externalTrafficPolicy": "Cluster"}}})
    );
    let nginx = "controller: {service: {type: LoadBalancer, internal: {externalTrafficPolicy: Local}}}\n";
    assert_eq!(
        overlay("ingress-nginx", nginx, &LB).0,
        json!({"controller": {"service": {"internal": {"externalTrafficPolicy": "Cluster"}}}})
    );
}

/// The type may be the user's, the policy the chart's.
#[test]
fn a_user_makes_a_load_balancer_of_a_chart() {
    let folder = Folder::with(&[
        ("c/Chart.yaml", &chart_yaml("some", "1.0.0", "")),
        ("c/values.yaml", "service: {type: ClusterIP, externalTrafficPolicy: Local}\n"),
    ]);
    let run = |args: &[&str], text: &str| folder.values_of(args, text);
    let with_chart = ["--profile", "lb-l2", "--chart", "c", "-f", "-"];
    assert_eq!(
        run(&with_chart, "service:\n  type: LoadBalancer\n").expect_ok(),
        "service:\n  type: LoadBalancer\n  externalTrafficPolicy: Cluster\n"
    );
    // Without the chart the file alone does not tell the type.
    let alone = run(&["--profile", "lb-l2", "-f", "-"], "service:\n  externalTrafficPolicy: Local\n");
    assert!(alone.stderr.contains("the file does not say its `type`"), "{}", alone.stderr);
    assert_eq!(alone.expect_ok(), "service:\n  externalTrafficPolicy: Local\n");
}
