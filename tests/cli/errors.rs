//! One test for each way in which a run can go wrong.

use std::fs;
use std::process::Command;

use tempfile::tempdir;

use crate::program::{fails, germ_post, run, run_bytes, start, succeeds};
use crate::support;

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: edge\nspec:\n  type: LoadBalancer\n";

#[test]
fn no_profile_lists_what_there_is() {
    let folder = tempdir().unwrap();
    fails(
        &mut germ_post(folder.path()),
        SERVICE,
        2,
        &["error[no-profile]", "talos-os", "--profile NAME", "germ-post.yaml"],
    );
}

#[test]
fn an_unknown_profile_is_guessed_at() {
    let folder = tempdir().unwrap();
    let mut command = germ_post(folder.path());
    fails(
        command.args(["--profile", "talso"]),
        SERVICE,
        2,
        &["there is no profile `talso`", "did you mean `talos`?"],
    );
}

#[test]
fn a_profile_with_an_unknown_field_shows_it() {
    let folder = tempdir().unwrap();
    let text = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: mine\nrules:\n- id: a/b\n  title: t\n  why: w\n  mach: {kind: Service}\n";
    fs::write(folder.path().join("mine.yaml"), text).unwrap();
    let mut command = germ_post(folder.path());
    let texts = [
        "error[profile-invalid]",
        "--> mine.yaml:8:3",
        "mach: {kind: Service}",
        "^^^^",
        "did you mean `match`?",
    ];
    fails(command.args(["--profile", "mine.yaml"]), SERVICE, 2, &texts);
}

#[test]
fn an_unreadable_document_is_placed_without_its_text() {
    let folder = tempdir().unwrap();
    let input = "---\n# Source: demo/templates/a.yaml\nkind: A\n---\n# Source: demo/templates/secret.yaml\nkind: Secret\nstringData:\n  password: \"hunter2\n";
    for profile in ["talos", "none"] {
        let mut command = germ_post(folder.path());
        let texts = ["document 2 of 2", "<stdin>:8:13", "demo/templates/secret.yaml"];
        let stderr = fails(command.args(["--profile", profile]), input, 2, &texts);
        assert!(!stderr.contains("hunter2"), "{stderr}");
    }
}

#[test]
fn input_that_is_not_utf_8_is_refused() {
    let folder = tempdir().unwrap();
    let mut command = germ_post(folder.path());
    command.args(["--profile", "none"]);
    let output = run_bytes(&mut command, b"a: 1\nb: \xff\n");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(stderr.contains("not UTF-8") && stderr.contains("<stdin>:2:4"), "{stderr}");
}

#[test]
fn a_terminal_on_stdin_is_not_waited_for() {
    let folder = tempdir().unwrap();
    if Command::new("script").arg("--version").output().is_err() {
        return support::skip("the program `script`");
    }
    let program = format!("{} --profile none", env!("CARGO_BIN_EXE_germ-post"));
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &program, "/dev/null"])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("stdin is a terminal") && said.contains("helm template"), "{said}");
}

#[test]
fn a_missed_rule_names_rule_object_path_and_place() {
    let folder = tempdir().unwrap();
    let input = "---\n# Source: cilium/templates/cilium-agent/daemonset.yaml\napiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: cilium\n  namespace: kube-system\nspec:\n  template:\n    spec:\n      containers:\n      - name: agent\n        image: x\n";
    let mut command = germ_post(folder.path());
    let texts = [
        "error[rule-missed]",
        "talos/capabilities",
        "in DaemonSet kube-system/cilium",
        "containers[name=cilium-agent]",
        "<stdin>:12:7",
        "cilium/templates/cilium-agent/daemonset.yaml",
        "explain talos/capabilities",
    ];
    fails(command.args(["--profile", "talos"]), input, 3, &texts);
}

#[test]
fn parameters_are_checked_and_guessed_at() {
    let folder = tempdir().unwrap();
    let with = |set: &str| {
        let mut command = germ_post(folder.path());
        command.args(["--profile", "talos", "--set", set]);
        command
    };
    fails(&mut with("kubePrismPort=many"), SERVICE, 2, &["`kubePrismPort` takes a port number"]);
    fails(
        &mut with("kubePrismPrt=1"),
        SERVICE,
        2,
        &["no parameter `kubePrismPrt`", "did you mean `kubePrismPort`?"],
    );
    fails(&mut with("networkPolicies=some"), SERVICE, 2, &["takes one of: pinned, all, none"]);
    fails(&mut with("networkPolicies"), SERVICE, 2, &["is not NAME=VALUE"]);
}

#[test]
fn rule_filters_are_checked_and_guessed_at() {
    let folder = tempdir().unwrap();
    let mut command = germ_post(folder.path());
    let texts = ["no rule is called `lb/external-traffic`"];
    fails(
        command.args(["--profile", "talos", "--skip", "lb/external-trafic-policy"]),
        SERVICE,
        2,
        &["did you mean `lb/external-traffic-policy`?"],
    );
    let mut command = germ_post(folder.path());
    // A prefix is no mistake.
    let (stdout, _) =
        succeeds(command.args(["--profile", "talos", "--skip", "lb/external-traffic"]), SERVICE);
    assert_eq!(stdout, SERVICE, "{texts:?}");
}

#[test]
fn usage_errors_are_2_and_help_is_0() {
    let folder = tempdir().unwrap();
    fails(germ_post(folder.path()).arg("--no-such-flag"), "", 2, &["--no-such-flag"]);
    let output = run(germ_post(folder.path()).arg("--help"), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Exit codes"));
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let folder = tempdir().unwrap();
    let big = format!("{SERVICE}---\n").repeat(20_000);
    let mut command = germ_post(folder.path());
    command.args(["--profile", "none"]);
    let mut child = start(&mut command);
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), big.as_bytes()).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn a_kept_object_is_left_alone_and_reported() {
    let folder = tempdir().unwrap();
    let kept = |annotation: &str| {
        SERVICE.replace(
            "  name: edge\n",
            &format!("  name: edge\n  annotations: {{{annotation}: \"the router does it\"}}\n"),
        )
    };
    for annotation in ["germ-post.dev/keep", "germ-post.dev/keep.lb.external-traffic-policy"] {
        let input = kept(annotation);
        let mut command = germ_post(folder.path());
        let (stdout, stderr) = succeeds(command.args(["--profile", "talos", "-v"]), &input);
        assert_eq!(stdout, input);
        assert!(stderr.contains("lb/external-traffic-policy leaves Service edge"), "{stderr}");
        assert!(stderr.contains("the router does it"), "{stderr}");
    }
    let other = kept("germ-post.dev/keep.talos.cgroup");
    let (stdout, _) = succeeds(germ_post(folder.path()).args(["--profile", "talos"]), &other);
    assert_ne!(stdout, other);
}

#[test]
fn a_running_cluster_keeps_its_addresses_until_somebody_decides() {
    let folder = tempdir().unwrap();
    let input = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cilium-config\ndata:\n  ipam: cluster-pool\n  enable-ipv4: \"true\"\n  cluster-pool-ipv4-cidr: 10.0.0.0/8\n  cluster-pool-ipv4-mask-size: \"24\"\n  kube-proxy-replacement: \"true\"\n";
    let with = |sets: &[&str]| {
        let mut command = germ_post(folder.path());
        command.args(["--profile", "talos-os", "--only", "talos/ipam"]);
        for set in sets {
            command.args(["--set", set]);
        }
        command
    };
    fails(&mut with(&["clusterState=existing"]), input, 3, &["talos/ipam-decided", "--set ipam=keep"]);
    let (kept, _) = succeeds(&mut with(&["clusterState=existing", "ipam=keep"]), input);
    assert_eq!(kept, input);
    let (moved, _) = succeeds(&mut with(&["clusterState=existing", "ipam=kubernetes"]), input);
    assert!(moved.contains("ipam: kubernetes") && !moved.contains("cluster-pool"), "{moved}");
    let (fresh, _) = succeeds(&mut with(&["clusterState=new"]), input);
    assert_eq!(fresh, moved);
}
