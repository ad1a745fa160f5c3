//! The k3s profiles: their warnings last until the fact is stated, and what is
//! said of the API server's address is what the Talos profile says of it.

use serde_json::Value;

use super::folder::Folder;
use germ_post::profile::embedded;

const CILIUM: &str = "apiVersion: v1
kind: ConfigMap
metadata: {name: cilium-config, namespace: kube-system}
data: {ipam: kubernetes, kube-proxy-replacement: \"true\", cni-chaining-mode: none}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: cilium, namespace: kube-system}
spec: {template: {spec: {containers: [], volumes: []}}}
";

fn stderr(profile: &str, only: &str, facts: &str) -> String {
    let config = format!("apiVersion: germ-post.dev/v1\nkind: Config\nprofile: {profile}\n{facts}");
    let folder = Folder::with(&[("germ-post.yaml", &config), (".git/HEAD", "")]);
    let run = folder.run(&["--only", only], CILIUM);
    assert_eq!(run.code, 0, "{}", run.summary());
    run.stderr
}

#[test]
fn warnings_last_until_somebody_has_looked() {
    for (profile, rule, fact, wanted) in [
        ("k3s-kpr", "k3s/x509", "kubeProxyReplacementProved", "x509 errors from the API server"),
        ("k3s-portmap", "k3s/portmap", "portmapInstalled", "`portmap` must be in /opt/cni/bin"),
    ] {
        let said = stderr(profile, rule, "");
        assert!(said.contains("warning") && said.contains(wanted) && said.contains(fact), "{said}");
        let said = stderr(profile, rule, &format!("facts: {{{fact}: true}}\n"));
        assert!(!said.contains("warning"), "{said}");
    }
}

#[test]
fn evidence_and_guess_are_told_apart() {
    let text = crate::support::run::germ_post(&["explain", "k3s/x509"], b"").expect_ok();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in ["What is known:", "What is guessed, and unproven:", "bpftool cgroup tree", "issues/27900"]
    {
        assert!(text.contains(wanted), "`{wanted}` is not in\n{text}");
    }
}

/// The parts of a rule with the parameters' names taken out, guards included.
fn without_names(profile: &str, rule: &str, names: &[&str]) -> Vec<Value> {
    let tree = germ_post::yaml::parse(embedded::text(profile).unwrap()).unwrap();
    let value = tree.read().unwrap();
    let rules = value["rules"].as_array().unwrap().iter();
    let meant = rules.filter(|found| found["id"].as_str().unwrap().starts_with(rule));
    meant
        .map(|found| {
            let mut shape = found.clone();
            for prose in ["id", "title", "why", "source", "values"] {
                shape.as_object_mut().unwrap().remove(prose);
            }
            let text = names.iter().fold(shape.to_string(), |text, name| text.replace(name, "x"));
            serde_json::from_str(&text).unwrap()
        })
        .collect()
}

#[test]
fn the_api_server_is_dialled_from_the_same_places() {
    let talos = without_names("talos-os", "talos/kubeprism", &["kubePrismHost", "kubePrismPort"]);
    let k3s = without_names("k3s-kpr", "k3s/api-balancer", &["apiBalancerHost", "apiBalancerPort"]);
    assert_eq!(talos.len(), 3);
    assert_eq!(talos, k3s);
}
