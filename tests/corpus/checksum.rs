//! The checksum of cilium-config on pod templates: made of the ConfigMap's final
//! data and of nothing else, so that neither another rule nor another profile
//! restarts an agent.

use serde_json::Value;

use crate::support::objects::{find, objects};
use crate::support::{self, run};

const ANNOTATION: &str = "cilium.io/cilium-configmap-checksum";

/// The checksums on the agent's and on the operator's pods.
fn checksums(args: &[&str], stream: &[u8]) -> [String; 2] {
    let run = run::germ_post(args, stream);
    assert_eq!(run.code, 0, "{}", run.summary());
    let objects = objects(&run.stdout);
    ["DaemonSet kube-system/cilium", "Deployment kube-system/cilium-operator"].map(|name| {
        let annotations = &find(&objects, name).value["spec"]["template"]["metadata"]["annotations"];
        annotations[ANNOTATION].as_str().unwrap_or_default().to_owned()
    })
}

#[test]
fn the_checksum_is_made_of_the_data_alone() {
    let files: Vec<_> = support::renderings()
        .into_iter()
        .filter(|file| file.to_string_lossy().ends_with("-vanilla-rollout.yaml"))
        .collect();
    assert!(files.is_empty() || files.len() >= 3, "only {} renderings with checksums", files.len());
    for file in files {
        let stream = std::fs::read(&file).unwrap();
        let rendered = checksums(&["--profile", "none"], &stream);
        let [agent, operator] = checksums(&["--profile", "talos"], &stream);
        assert_eq!(agent, operator, "{}", file.display());
        assert!(agent.len() == 64 && agent.bytes().all(|byte| byte.is_ascii_hexdigit()), "{agent}");
        assert_ne!(agent, rendered[0], "{}", file.display());

        // Rules that leave the data alone, other profiles, other objects.
        let others = ["--profile", "talos-os", "--skip", "talos/kubeprism", "--skip", "talos/capabilities"];
        assert_eq!(checksums(&others, &stream)[0], agent, "{}", file.display());
        let mut longer = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n".to_vec();
        longer.extend_from_slice(&stream);
        assert_eq!(checksums(&["--profile", "talos"], &longer)[0], agent, "{}", file.display());

        // Other data, and untouched data.
        let kept = checksums(&["--profile", "talos", "--set", "ipam=keep"], &stream);
        assert_ne!(kept[0], agent, "{}", file.display());
        let untouched = checksums(&["--profile", "talos-os", "--only", "talos/kubeprism"], &stream);
        assert_eq!(untouched, rendered, "{}", file.display());
    }
}

#[test]
fn the_checksum_does_not_depend_on_how_the_data_is_written() {
    let stream = |data: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: cilium-config, namespace: kube-system}}\n{data}---\n\
             apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: cilium-operator, namespace: kube-system}}\n\
             spec: {{template: {{metadata: {{annotations: {{{ANNOTATION}: old}}}}, spec: {{containers: []}}}}}}\n"
        )
    };
    let args = ["--profile", "talos-os", "--only", "talos/ipam", "--only", "talos/configmap-checksum"];
    let checksum = |data: &str| {
        let run = run::germ_post(&args, stream(data).as_bytes());
        assert_eq!(run.code, 0, "{}", run.summary());
        let objects = objects(&run.stdout);
        let deployment = &find(&objects, "Deployment kube-system/cilium-operator").value;
        deployment["spec"]["template"]["metadata"]["annotations"][ANNOTATION].clone()
    };
    let pool = "cluster-pool-ipv4-cidr: 10.0.0.0/8, cluster-pool-ipv4-mask-size: '24'";
    let flow = checksum(&format!("data: {{ipam: cluster-pool, enable-ipv4: 'true', {pool}}}\n"));
    let block = checksum(
        "data:\n  # another order\n  cluster-pool-ipv4-mask-size: \"24\"\n  enable-ipv4: \"true\"\n  \
         cluster-pool-ipv4-cidr: |-\n    10.0.0.0/8\n  ipam: 'cluster-pool'\n",
    );
    assert_ne!(flow, Value::from("old"));
    assert_eq!(flow, block);
}
