//! What the policies by host name look like to a real API server: it takes them, and
//! keeps them, under a definition of the shape of Cilium's. Where `GERM_CILIUM_CRDS`
//! names a folder with Cilium's own definitions, a file a version, these are asked too.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::cluster::Cluster;
use crate::support::run::germ_post;

/// A workload with every kind of entry that may be listed.
const WORKLOAD: &str = r#"apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: everything
  namespace: shop
  labels: {app.kubernetes.io/name: everything, app.kubernetes.io/managed-by: Helm}
  annotations:
    germ-post.dev/allowed-hosts: >-
      api.github.com, api.github.com:22, *.example.org:8000-8100, **.example.net:123/udp,
      xn--mnchen-3ya.example:443/any, _sip._tcp.example.org:5060/sctp
    germ-post.dev/allowed-cluster: "@own @cluster:9090 @kube-apiserver @host data/app=db&tier=sql:5432 logs"
spec:
  serviceName: everything
  selector:
    matchLabels: {app: everything}
    matchExpressions: [{key: tier, operator: In, values: [back]}]
  template:
    metadata: {labels: {app: everything, tier: back}}
    spec: {containers: [{name: everything, image: "everything:1.0.0"}]}
"#;

fn definitions() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/cilium-network-policies.yaml");
    let more = std::env::var_os("GERM_CILIUM_CRDS").map(PathBuf::from);
    let mut more: Vec<PathBuf> = more
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|e| e.unwrap().path())
        .collect();
    more.sort();
    [own].into_iter().chain(more).collect()
}

#[test]
fn the_server_takes_policies_by_name() {
    let Some(cluster) = Cluster::start() else { return };
    let run = |args: &[&str]| {
        let output = cluster.kubectl(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["create", "namespace", "shop"]);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let args = ["--profile=network-policy", "--set=fqdnEgress=true", "--set=ciliumVersion=1.20.0"];
    let made = germ_post(&args, WORKLOAD.as_bytes()).expect_ok();
    let policy = file("policy.yaml", made.split_once("---\n").unwrap().1);
    // The same with a name where only a pattern fits, and with a field that is none.
    let text = fs::read_to_string(&policy).unwrap();
    let bad = [
        file("bad-name.yaml", &text.replace("matchName: api.github.com", "matchName: \"*.github.com\"")),
        file("bad-field.yaml", &text.replace("toFQDNs:", "toNames:")),
    ];
    for definition in definitions() {
        run(&["apply", "--server-side", "--force-conflicts", "-f", definition.to_str().unwrap()]);
        run(&["wait", "--for=condition=Established", "crd/ciliumnetworkpolicies.cilium.io", "--timeout=60s"]);
        run(&["apply", "-f", &policy]);
        let kept = cluster.get(&["ciliumnetworkpolicy/everything-statefulset-egress", "--namespace=shop"]);
        let sent = germ_post::yaml::parse(&text).unwrap().read().unwrap();
        assert_eq!(kept["spec"], sent["spec"], "{}", definition.display());
        assert_eq!(kept["metadata"]["labels"], sent["metadata"]["labels"]);
        for bad in &bad {
            let output = cluster.kubectl(&["apply", "-f", bad]);
            assert!(!output.status.success(), "{bad} is taken under {}", definition.display());
        }
        run(&["delete", "ciliumnetworkpolicies", "--all", "--namespace=shop"]);
    }
}
