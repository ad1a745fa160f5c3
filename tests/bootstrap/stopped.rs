//! Runs that stop half-way, and the next ones, which go on.

use std::process::Command;

use crate::world::World;

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_kind_that_never_comes_is_waited_for_and_told() {
    for world in World::both() {
        let run = world.bootstrap(&["--crd-timeout=1s"]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(
            run.stderr.contains(
                "kind CiliumL2AnnouncementPolicy: cilium.io/v2alpha1 does not know it yet, after 1s"
            ),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains("kubectl --namespace kube-system get pods"), "{}", run.stderr);
        assert!(run.stderr.contains("the same command goes on from here"), "{}", run.stderr);
        assert_eq!(world.revisions(), (1, "deployed".to_owned()));
        world.bootstrap_in_a_living_cluster(&[]).expect_ok();
        assert!(world.has("ciliumloadbalancerippools.cilium.io/platform"));
    }
}

/// Helm waits for a hook that never ends: Ctrl-C there, and then the same command again.
#[test]
fn an_interrupted_installation_goes_on() {
    for world in World::both() {
        let what = format!("Helm {}", world.major);
        let child = world.start(&["--context=test", "--timeout=60s"]);
        world.wait_for("the hook", || world.has("job/hubble-generate-certs"));
        signal("INT", child.id());
        let run = world.end(child);
        assert_eq!(run.code, 2, "{what}: {}", run.stderr);
        assert!(run.stderr.contains("told to stop"), "{what}: {}", run.stderr);
        assert_eq!(world.revisions(), (1, "failed".to_owned()), "{what}");
        world.bootstrap_in_a_living_cluster(&[]).expect_ok();
        assert_eq!(world.revisions().1, "deployed", "{what}");
    }
}

/// Nobody had the time to mark the release: it is pending for ever.
#[test]
fn a_killed_helm_is_recovered_from() {
    for world in World::both() {
        let what = format!("Helm {}", world.major);
        let mut child = world.start(&["--context=test", "--timeout=60s"]);
        world.wait_for("the hook", || world.has("job/hubble-generate-certs"));
        let helm = Command::new("pgrep").args(["-P", &child.id().to_string()]).output().unwrap();
        let helm: u32 = String::from_utf8(helm.stdout).unwrap().trim().parse().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        signal("KILL", helm);
        assert_eq!(world.revisions(), (1, "pending-install".to_owned()), "{what}");

        let plan = world.bootstrap(&["--dry-run"]).expect_ok();
        assert!(plan.contains("recover"), "{what}: {plan}");
        let run = world.bootstrap_in_a_living_cluster(&["--recover-after=1s"]);
        assert!(run.stderr.contains("release cilium is pending-install"), "{what}: {}", run.stderr);
        run.expect_ok();
        assert_eq!(world.revisions().1, "deployed", "{what}");
        assert!(world.has("ciliumloadbalancerippools.cilium.io/platform"), "{what}");
    }
}
