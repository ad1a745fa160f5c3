//! `germ-post check --values` and `explain`: which edits become needless with which value.

use serde_json::Value;

use crate::support::run::germ_post;

const STREAM: &str = "---\n# Source: platform/charts/net/templates/cilium-configmap.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cilium-config, namespace: kube-system}\ndata: {ipam: cluster-pool, enable-ipv4: \"false\", enable-ipv6: \"false\"}\n---\n# Source: platform/charts/argo-cd/templates/np.yaml\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a, namespace: argocd, labels: {helm.sh/chart: argo-cd-10.1.1}}\nspec: {podSelector: {}}\n";

fn checked(args: &[&str]) -> String {
    let mut all = vec![
        "check",
        "--profile",
        "talos",
        "--only",
        "talos/ipam",
        "--only",
        "cnp/drop-bundled",
        "--exit-zero",
    ];
    all.extend(args);
    germ_post(&all, STREAM.as_bytes()).expect_ok()
}

#[test]
fn a_check_names_the_values_under_the_keys_of_the_charts_above() {
    let human = checked(&["--values"]);
    assert!(human.contains("net.ipam.mode: \"kubernetes\""), "{human}");
    assert!(human.contains("argo-cd.**.networkPolicy.create: false (if it is there)"), "{human}");
    assert!(!checked(&[]).contains("needless"), "nobody asked for it");
}

#[test]
fn the_values_are_data_in_json() {
    let json: Value = serde_json::from_str(&checked(&["--values", "--format", "json"])).unwrap();
    let finding = json["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "talos/ipam").unwrap();
    assert_eq!(
        finding["values"],
        serde_json::json!([{"chart": "cilium", "path": "net.ipam.mode", "value": "\"kubernetes\"", "whereItIs": false}])
    );
}

#[test]
fn explain_tells_the_values_of_every_kind() {
    let explained = |rule: &str| germ_post(&["explain", rule], b"").expect_ok();
    let text = explained("talos/cgroup");
    assert!(
        text.contains(
            "Values of the chart cilium that make it needless\n  cgroup.autoMount.enabled: false\n"
        ),
        "{text}"
    );
    let text = explained("talos/capabilities");
    assert!(text.contains("make it needless (when capabilities is refused)\n"), "{text}");
    let text = explained("lb/external-traffic-policy");
    assert!(
        text.contains(
            "  **.externalTrafficPolicy: \"Cluster\", if the chart has it, where type is LoadBalancer"
        ),
        "{text}"
    );
    let text = explained("cilium/gateway-api-on");
    assert!(
        text.contains("Values of the chart cilium that put it right\n  gatewayAPI.enabled: false\n"),
        "{text}"
    );
    let text = explained("cnp/drop-bundled");
    assert!(text.contains("  not **.networkPolicy.enabled of keda: "), "{text}");
}
