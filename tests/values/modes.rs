//! The ways to have the result: printed, written, compared, as an overlay.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::folder::{Folder, chart_yaml};

const OLD: &str = "# mine\ncilium:\n  k8sServiceHost: 10.0.0.1\n  adminPassword: hunter2\n";
const NEW: &str = "# mine\ncilium:\n  k8sServiceHost: localhost\n  adminPassword: hunter2\n";

#[test]
fn a_file_is_written_in_its_place_with_its_rights() {
    let folder = Folder::with(&[("real/values.yaml", OLD)]);
    let real = folder.path().join("real/values.yaml");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/values.yaml", folder.path().join("link.yaml")).unwrap();
    let run = folder.values(&["--profile", "talos", "-f", "link.yaml", "--write"]);
    assert!(run.stderr.contains("1 value set by 1 rule"), "{}", run.stderr);
    assert_eq!(run.expect_ok(), "");
    assert_eq!(folder.read("real/values.yaml"), NEW);
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(folder.path().join("link.yaml")).unwrap().is_symlink());
    assert_eq!(fs::read_dir(folder.path().join("real")).unwrap().count(), 1, "a draft is left");
    // Nothing to do touches nothing.
    let before = fs::metadata(&real).unwrap().modified().unwrap();
    folder.values(&["--profile", "talos", "-f", "link.yaml", "--write"]).expect_ok();
    assert_eq!(fs::metadata(&real).unwrap().modified().unwrap(), before);
}

#[test]
fn a_chart_gets_the_values_file_that_it_lacks() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "")),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/cilium/values.yaml", "ipam: {mode: cluster-pool}\n"),
    ]);
    let args = ["--profile", "talos", "--only", "talos/ipam", "--chart", "top", "--write"];
    folder.values(&args).expect_ok();
    assert_eq!(folder.read("top/values.yaml"), "cilium:\n  ipam:\n    mode: kubernetes\n");
}

#[test]
fn what_cannot_be_written_is_said() {
    let folder = Folder::with(&[]);
    folder.write("c.tgz", &crate::folder::archive(&[("c/Chart.yaml", &chart_yaml("cilium", "1.20.0", ""))]));
    let stdin = folder.values_of(&["--profile", "talos", "-f", "-", "--write"], OLD);
    assert_eq!((stdin.code, stdin.stdout.len()), (2, 0), "{}", stdin.summary());
    let archive = folder.values(&["--profile", "talos", "--chart", "c.tgz", "--write"]);
    assert_eq!(archive.code, 2, "{}", archive.summary());
    assert!(archive.stderr.contains("does not write into an archive"), "{}", archive.stderr);
    let nothing = folder.values(&["--profile", "talos"]);
    assert_eq!(nothing.code, 2, "{}", nothing.summary());
}

#[test]
fn a_check_shows_a_diff_without_passwords_and_writes_nothing() {
    let folder = Folder::with(&[("v.yaml", OLD)]);
    let run = folder.values(&["--profile", "talos", "-f", "v.yaml", "--check"]);
    assert_eq!(run.code, 1, "{}", run.summary());
    let diff = String::from_utf8(run.stdout).unwrap();
    assert!(diff.contains("--- a/v.yaml\n+++ b/v.yaml\n"), "{diff}");
    assert!(diff.contains("-  k8sServiceHost: 10.0.0.1\n+  k8sServiceHost: localhost\n"), "{diff}");
    assert!(diff.contains("adminPassword: ***") && !diff.contains("hunter2"), "{diff}");
    assert_eq!(folder.read("v.yaml"), OLD);
    folder.write("v.yaml", NEW.as_bytes());
    let run = folder.values(&["--profile", "talos", "-f", "v.yaml", "--check"]);
    assert_eq!((run.code, run.stdout.len()), (0, 0), "{}", run.summary());
    assert!(run.stderr.contains("nothing to do: the values are as the profile wants them"), "{}", run.stderr);
}

/// Every key has its rule in the comment in front of it, and the reason is told once.
#[test]
fn an_overlay_says_why() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "")),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
    ]);
    let args = ["--profile", "talos", "--only", "talos/kubeprism", "--chart", "top", "--overlay"];
    let run = folder.values(&args);
    assert!(run.stderr.contains("2 values in the overlay"), "{}", run.stderr);
    assert_eq!(
        run.expect_ok(),
        "# What the profile talos wants of the chart top 1.0.0, by `germ-post values --overlay`.\n\
         cilium:\n  \
         # talos/kubeprism: The API server through KubePrism. Before Cilium runs, the address\n  \
         # of the kubernetes Service leads nowhere. KubePrism is a balancer on every node that\n  \
         # leads to a healthy API server without any network of the cluster, so everything that\n  \
         # starts Cilium has to dial it.\n  \
         k8sServiceHost: localhost\n  \
         # talos/kubeprism: The API server through KubePrism\n  \
         k8sServicePort: 7445\n"
    );
    // A list that the user has cut down stays so.
    let list = "cilium: {securityContext: {capabilities: {ciliumAgent: [CHOWN, SYS_MODULE]}}}\n";
    let args =
        ["--profile", "talos", "--only", "talos/capabilities", "--chart", "top", "-f", "-", "--overlay"];
    let overlay = folder.values_of(&args, list).expect_ok();
    assert!(overlay.contains("ciliumAgent:\n      - CHOWN\n"), "{overlay}");
}

/// What the parent's file says already is not said again in one that is laid over it.
#[test]
fn a_file_over_a_chart_repeats_nothing() {
    let folder = Folder::with(&[
        ("top/Chart.yaml", &chart_yaml("top", "1.0.0", "")),
        ("top/values.yaml", "cilium: {kubeProxyReplacement: true, ipam: {mode: kubernetes}}\n"),
        ("top/charts/cilium/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        ("top/charts/cilium/values.yaml", "kubeProxyReplacement: \"false\"\nipam: {mode: cluster-pool}\n"),
    ]);
    let rules = ["--only", "talos/kube-proxy-replacement", "--only", "talos/ipam"];
    let mut args = vec!["--profile", "talos", "--chart", "top", "-f", "-"];
    args.extend(rules);
    assert_eq!(folder.values_of(&args, "a: 1\n").expect_ok(), "a: 1\n");
    // What overrules it is put right.
    assert_eq!(
        folder.values_of(&args, "cilium: {kubeProxyReplacement: false}\n").expect_ok(),
        "cilium: {kubeProxyReplacement: true}\n"
    );
    // A chart that is deployed itself has defaults, which another version may change.
    let chart = ["--profile", "cnp-platform", "--set", "pinnedCharts=c", "--chart", "c", "-f", "-"];
    folder.write("c/Chart.yaml", chart_yaml("c", "1.0.0", "").as_bytes());
    folder.write("c/values.yaml", b"networkPolicy: {enabled: false}\n");
    assert_eq!(folder.values_of(&chart, "").expect_ok(), "networkPolicy:\n  enabled: false\n");
}
