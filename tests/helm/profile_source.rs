//! Where the profile comes from when it stands in no argument: the environment
//! and the file `germ-post.yaml`. Both Helms start a post-renderer with their
//! own environment and in their own working directory, which this rests on.

use std::fs;

use crate::support::{
    helm::{Helm, Run},
    release::Release,
    replay::Chart,
};

const CONFIG: &str = "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: talos\n";

fn assert_talos(helm: &Helm, run: Run) {
    let objects = Release::of(&run.expect_ok());
    let policy = &objects.get("Service demo")["spec"]["externalTrafficPolicy"];
    assert_eq!(policy, "Cluster", "Helm {}", helm.major);
}

#[test]
fn the_environment_can_name_it() {
    for mut helm in Helm::both() {
        helm.set("GERM_POST_PROFILE", "talos");
        let run = helm.post_render(&Chart::of_fixture("hooks.yaml"), &[], &[]);
        assert_talos(&helm, run);
    }
}

#[test]
fn a_file_in_helms_working_directory_can_name_it() {
    for helm in Helm::both() {
        fs::write(helm.working_directory().join("germ-post.yaml"), CONFIG).unwrap();
        let run = helm.post_render(&Chart::of_fixture("hooks.yaml"), &[], &[]);
        assert_talos(&helm, run);
    }
}

/// No profile is a mistake, never a silent no-op.
#[test]
fn without_one_helm_fails() {
    for helm in Helm::both() {
        let error = helm.post_render(&Chart::of_fixture("hooks.yaml"), &[], &[]).expect_failure();
        assert!(helm.major == 4 || error.contains("talos"), "{error}");
    }
}
