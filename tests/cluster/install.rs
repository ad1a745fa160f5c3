//! One cluster for each Helm, and in it a release of Cilium, one of a chart with
//! a load balancer, and one that must fail.

use std::fs;

use crate::support::{
    self,
    cluster::Cluster,
    helm::{Helm, Run},
    release::Release,
    replay::Chart,
    run::germ_post,
};

const TALOS: &[&str] = &["--profile=talos", "--set=networkPolicies=all"];

#[test]
fn helm_3_installs_what_the_profile_says() {
    installs(Helm::three());
}

#[test]
fn helm_4_installs_what_the_profile_says() {
    installs(Helm::four());
}

fn installs(helm: Option<Helm>) {
    let (Some(mut helm), Some(corpus)) = (helm, support::corpus()) else { return };
    let Some(cluster) = Cluster::start() else { return };
    helm.set("KUBECONFIG", cluster.kubeconfig());
    let vanilla = fs::read_to_string(corpus.join("cilium/cilium-1.20.0-vanilla.yaml")).unwrap();

    refuses_broken(&helm, &cluster, &vanilla);
    keeps_cilium(&helm, &cluster, &vanilla);
    keeps_load_balancer(&helm, &cluster);
    upgrades_by_germ_post(&helm, &cluster);
}

fn release(helm: &Helm, verb: &str, name: &str, chart: &Chart) -> Run {
    let mut arguments = vec![verb, name, chart.path().to_str().unwrap(), "--namespace=kube-system"];
    // A hook that is a Job would never end: no controller runs.
    arguments.extend(["--no-hooks", "--post-renderer", "germ-post"]);
    for argument in TALOS {
        arguments.extend(["--post-renderer-args", argument]);
    }
    helm.run(arguments)
}

fn refuses_broken(helm: &Helm, cluster: &Cluster, vanilla: &str) {
    let broken = vanilla.replace("- name: cilium-agent\n", "- name: agent\n");
    assert!(!release(helm, "install", "broken", &with_definition(&broken)).ok);
    let names = |kind| cluster.get(&[kind, "--namespace=kube-system"])["items"].as_array().unwrap().len();
    assert_eq!(names("daemonsets"), 0, "a failed release left objects");
    let listed = helm.run(["list", "--all-namespaces", "--short"]).expect_ok();
    assert_eq!(listed.trim(), "", "a failed release is listed");
}

fn keeps_cilium(helm: &Helm, cluster: &Cluster, vanilla: &str) {
    let chart = with_definition(vanilla);
    release(helm, "install", "cilium", &chart).expect_ok();

    let expected = Release::of(&germ_post(TALOS, vanilla.as_bytes()).expect_ok()).without_hooks();
    let stored =
        || Release::of(&helm.run(["get", "manifest", "cilium", "--namespace=kube-system"]).expect_ok());
    stored().assert_same(&expected, format!("the release that Helm {} stored", helm.major));

    let daemon_set = cluster.get(&["daemonset/cilium", "--namespace=kube-system"]);
    let pod = &daemon_set["spec"]["template"]["spec"];
    let named = |list: &str, name: &str| {
        pod[list].as_array().unwrap().iter().find(|item| item["name"] == name).cloned()
    };
    assert_eq!(named("initContainers", "mount-cgroup"), None);
    assert_eq!(named("volumes", "cilium-cgroup").unwrap()["hostPath"]["path"], "/sys/fs/cgroup");
    let agent = named("containers", "cilium-agent").unwrap();
    let host = agent["env"].as_array().unwrap().iter().find(|item| item["name"] == "KUBERNETES_SERVICE_HOST");
    assert_eq!(host.unwrap()["value"], "localhost");
    let config = cluster.get(&["configmap/cilium-config", "--namespace=kube-system"]);
    assert_eq!(config["data"]["cgroup-root"], "/sys/fs/cgroup");

    // The same chart once more: the rules find their work by name, not by what
    // the cluster holds, so the second release is the first.
    release(helm, "upgrade", "cilium", &chart).expect_ok();
    stored().assert_same(&expected, format!("the release that Helm {} upgraded", helm.major));
    let again = cluster.get(&["daemonset/cilium", "--namespace=kube-system"]);
    assert_eq!(again["metadata"]["generation"], daemon_set["metadata"]["generation"]);
}

fn keeps_load_balancer(helm: &Helm, cluster: &Cluster) {
    let chart = Chart::replaying(include_str!("load-balancer.yaml"));
    release(helm, "install", "demo", &chart).expect_ok();
    let service = cluster.get(&["service/demo", "--namespace=kube-system"]);
    assert_eq!(service["spec"]["externalTrafficPolicy"], "Cluster");
    assert_eq!(service["spec"].get("healthCheckNodePort"), None);
    let policies = cluster.get(&["networkpolicies", "--namespace=kube-system"]);
    assert_eq!(policies["items"].as_array().unwrap().len(), 0);
}

/// `germ-post helm -- upgrade`: the release is upgraded, or left as it is with the reason.
fn upgrades_by_germ_post(helm: &Helm, cluster: &Cluster) {
    let misses = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: misses\nrules:\n\
        - id: own/misses\n  title: Set what is not there\n  why: A test.\n  \
          match: {group: '', kind: Service}\n  edit: [{set: spec.type, value: ClusterIP, was: NodePort}]\n";
    fs::write(helm.working_directory().join("misses.yaml"), misses).unwrap();
    let chart = Chart::replaying(include_str!("load-balancer.yaml"));
    let upgrade = |profile: &[&str]| {
        let helms = ["--", "upgrade", "--install", "demo", chart.path().to_str().unwrap()];
        let more = ["--namespace=kube-system", "--no-hooks"];
        helm.germ_post([&["helm"], profile, &helms, &more].concat())
    };
    let run = upgrade(TALOS);
    assert!(run.stderr.contains("germ-post: ") && run.stderr.contains("[talos]"), "{}", run.stderr);
    assert!(run.expect_ok().contains("REVISION: 2"));
    let policy = || {
        let service = cluster.get(&["service/demo", "--namespace=kube-system"]);
        service["spec"]["externalTrafficPolicy"].clone()
    };
    assert_eq!(policy(), "Cluster");

    let run = upgrade(&["--profile=./misses.yaml"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("own/misses") && run.stderr.contains("spec.type"), "{}", run.stderr);
    let history = helm.run(["history", "demo", "--namespace=kube-system"]).expect_ok();
    assert!(!history.contains("\n3"), "a failed post-renderer is no revision:\n{history}");
    assert_eq!(policy(), "Cluster");
}

/// Cilium with the definition that its ServiceMonitors need, in `crds/`.
fn with_definition(rendering: &str) -> Chart {
    Chart::replaying(&format!("{}{rendering}", include_str!("servicemonitors.yaml")))
}
