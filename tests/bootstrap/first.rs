//! The way that it is meant to go: a bare cluster, two passes, and nothing to do afterwards.

use crate::{support::release::Release, world::World};

#[test]
fn a_bare_cluster_gets_its_network_in_two_passes() {
    for world in World::both() {
        let what = format!("Helm {}", world.major);
        let plan = world.bootstrap(&["--dry-run"]).expect_ok();
        for line in [
            "pass 1",
            "without CiliumL2AnnouncementPolicy/platform, CiliumLoadBalancerIPPool/platform",
            "pass 2",
        ] {
            assert!(plan.contains(line), "{what}: {plan}");
        }
        assert_eq!(world.revisions(), (0, String::new()), "{what}: a plan does nothing");

        let run = world.bootstrap_in_a_living_cluster(&[]);
        let told = run.stderr.clone();
        let application = run.expect_ok();
        assert_eq!(world.revisions(), (2, "deployed".to_owned()), "{what}: {told}");
        let pool = world.cluster.get(&["ciliumloadbalancerippools.cilium.io/platform"]);
        assert_eq!(pool["spec"]["blocks"][0]["cidr"], "192.0.2.0/28");
        let config = world.cluster.get(&["configmap/cilium-config", "--namespace=kube-system"]);
        assert_eq!(config["data"]["cgroup-root"], "/sys/fs/cgroup", "{what}: the profile was applied");
        assert!(
            application.contains("kind: Application\n") && application.contains("name: germ-post\n"),
            "{application}"
        );
        assert!(told.contains("release cilium: as the profile says"), "{told}");

        // What the plugin of Argo CD generates is what Helm keeps, so that there is nothing to sync.
        let generated = world.template();
        let stored = world.helm(&["get", "manifest", "cilium", "--namespace=kube-system"]);
        let without_hooks = |text: &str| Release::of(text).without_hooks();
        without_hooks(&generated).assert_same(&without_hooks(&stored), format!("{what}: adopted"));

        // Nothing has changed since.
        let agent = || {
            world.cluster.get(&["daemonset/cilium", "--namespace=kube-system"])["metadata"]["resourceVersion"]
                .clone()
        };
        let before = agent();
        let again = world.bootstrap(&[]);
        assert!(again.stderr.contains("not upgraded"), "{what}: {}", again.stderr);
        assert_eq!(again.expect_ok(), application);
        assert_eq!(world.revisions(), (2, "deployed".to_owned()), "{what}");
        assert_eq!(agent(), before, "{what}");

        // What would cut off what runs is not done unasked.
        let moved = world.bootstrap(&["--param=ipam=keep"]);
        assert_eq!(moved.code, 3, "{what}: {}", moved.stderr);
        for said in ["`ipam` goes from", "ConfigMap kube-system/cilium-config", "--allow-disruption"] {
            assert!(moved.stderr.contains(said), "{what}: {}", moved.stderr);
        }
        assert_eq!(world.revisions().0, 2, "{what}");
        world.bootstrap(&["--param=ipam=keep", "--allow-disruption", "--dry-run"]).expect_ok();

        // With the kinds there, a change is one pass.
        let changed = world.bootstrap(&["--set=cilium.policyAuditMode=true"]);
        assert!(!changed.stderr.contains("pass 1"), "{what}: {}", changed.stderr);
        changed.expect_ok();
        assert_eq!(world.revisions().0, 3, "{what}");
        assert!(
            world.has("ciliumloadbalancerippools.cilium.io/platform"),
            "{what}: it was held back on an upgrade"
        );
    }
}

#[test]
fn the_script_does_the_same() {
    for world in World::both() {
        if world.major == 4 {
            // The script calls the post-renderer by its name, which under Helm 4 is an installed plugin.
            let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/helm4/germ-post");
            let installed =
                world.end(world.command("helm").args(["plugin", "install", plugin]).spawn().unwrap());
            assert_eq!(installed.code, 0, "{}", installed.stderr);
        }
        let script = world.bootstrap(&["--print-script"]).expect_ok();
        let run = std::thread::scope(|scope| {
            scope.spawn(|| world.live());
            world.end(world.command("sh").args(["-c", &script]).spawn().unwrap())
        });
        assert_eq!(run.code, 0, "Helm {}: {}\n{script}", world.major, run.stderr);
        assert_eq!(world.revisions(), (2, "deployed".to_owned()));
        assert!(world.has("ciliumloadbalancerippools.cilium.io/platform"));
        // It has made what the command makes.
        let same = world.bootstrap(&[]);
        assert!(same.stderr.contains("not upgraded"), "{}", same.stderr);
    }
}
