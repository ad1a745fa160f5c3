//! `germ-post init` against the real API: nodes, Cilium's configuration and its
//! agents are there, and the file that comes of it is right and can be used.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{self, cluster::Cluster, tools};

/// A node and its status, which only the subresource sets.
const NODE: &str = "{apiVersion: v1, kind: Node, metadata: {name: one}}";
const STATUS: &str =
    r#"{"status": {"nodeInfo": {"osImage": "Talos (v1.11.2)", "kubeletVersion": "v1.34.1"}}}"#;

#[test]
fn init_writes_down_what_the_cluster_says() {
    let (Some(corpus), Some(kubectl), Some(cluster)) =
        (support::corpus(), tools::kubectl(), Cluster::start())
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(&kubectl, bin.join("kubectl")).unwrap();
    let run = |args: &[&str]| germ_post(folder.path(), &cluster, args);
    let apply = |text: &str| {
        fs::write(folder.path().join("objects.yaml"), text).unwrap();
        let file = folder.path().join("objects.yaml");
        succeeds(cluster.kubectl(&["apply", "--server-side", "-f", file.to_str().unwrap()]));
    };
    let written = || fs::read_to_string(folder.path().join("germ-post.yaml")).unwrap();

    // A cluster whose nodes have just come up.
    apply(NODE);
    succeeds(cluster.kubectl(&["patch", "node", "one", "--subresource=status", "--patch", STATUS]));
    succeeds(run(&["init", "--context=test"]));
    assert_eq!(
        written(),
        "# Written once by `germ-post init` from the context test; review and keep it in Git.\n\
         # Nodes: Talos (v1.11.2); kubelet: v1.34.1\n\
         apiVersion: germ-post.dev/v1\nkind: Config\nprofile: talos\nfacts:\n  clusterState: new\n"
    );

    // A file that is there stays, unless it is to be replaced.
    let again = run(&["init", "--context=test"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force replaces it"));

    // With Cilium in it as its chart renders it, the pods keep their addresses.
    let vanilla = fs::read_to_string(corpus.join("cilium/cilium-1.20.0-vanilla.yaml")).unwrap();
    let of_cilium: Vec<String> = support::objects::objects(vanilla.as_bytes())
        .into_iter()
        .filter(|object| {
            ["ConfigMap kube-system/cilium-config", "DaemonSet kube-system/cilium"]
                .contains(&object.name.as_str())
        })
        .map(|object| object.text)
        .collect();
    assert_eq!(of_cilium.len(), 2);
    apply(&of_cilium.join("\n---\n"));
    succeeds(run(&["init", "--context=test", "--force"]));
    let text = written();
    assert!(text.contains("# Cilium runs with ipam: cluster-pool\n"), "{text}");
    let facts = "profile: talos\nfacts:\n  clusterState: existing\n  ciliumVersion: \"1.20.0\"\n";
    assert!(text.contains(facts), "{text}");
    assert!(text.ends_with("params:\n  ipam: keep\n"), "{text}");

    // The file is used as it is, and can be locked.
    succeeds(run(&["profiles", "lock"]));
    succeeds(run(&["profiles", "lock", "--check"]));
    let rendered = support::run::germ_post_in(folder.path(), &["--quiet"], vanilla.as_bytes()).expect_ok();
    assert!(rendered.contains("ipam: \"cluster-pool\""));
    assert!(rendered.contains("KUBERNETES_SERVICE_HOST"));

    let nowhere = run(&["init", "--context=nowhere", "--force"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("kubectl config get-contexts"));
    assert!(written().starts_with(&text), "a failed init leaves the file");
}

fn germ_post(folder: &Path, cluster: &Cluster, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_germ-post"))
        .args(args)
        .current_dir(folder)
        .env_clear()
        .env("PATH", folder.join("bin"))
        .env("HOME", folder)
        .env("KUBECONFIG", cluster.kubeconfig())
        .output()
        .unwrap()
}

fn succeeds(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
