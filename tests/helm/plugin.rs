//! The Helm 4 plugin folder as such. That it works is what every test of Helm 4
//! in this program shows.

use std::{fs, path::Path};

use crate::support::{helm::Helm, release::Release, replay::Chart};

/// Helm 4 shows the plugin's version, so it must be that of the program.
#[test]
fn the_plugin_has_the_version_of_the_program() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/helm4/germ-post/plugin.yaml");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.lines().any(|line| line == concat!("version: ", env!("CARGO_PKG_VERSION"))), "{text}");
}

/// The plugin is listed and gives no warning, which Helm prints at every start
/// about a plugin.yaml with a field that it does not know.
#[test]
fn helm_4_takes_the_plugin_without_a_word() {
    let Some(helm) = Helm::four() else { return };
    let run = helm.run(["plugin", "list"]);
    assert_eq!(run.stderr, "");
    assert!(run.expect_ok().lines().any(|line| line.starts_with("germ-post")));
    let run = helm.post_render(&Chart::of_fixture("hooks.yaml"), &["--profile=none"], &[]);
    assert_eq!(run.stderr, "");
}

/// A user with both Helms has one data home for both, and Helm 3 cannot read a
/// plugin folder of Helm 4: it warns and goes on without plugins. Post-rendering
/// is not one of them there.
#[test]
fn helm_3_post_renders_beside_the_plugin() {
    let (Some(three), Some(four)) = (Helm::three(), Helm::four()) else {
        return;
    };
    let beside = three.in_the_home_of(&four);
    assert!(!beside.run(["plugin", "list"]).ok, "Helm 3 reads Helm 4's plugins now: tell users so");
    let run = beside.post_render(&Chart::of_fixture("hooks.yaml"), &["--profile=talos"], &[]);
    assert!(run.stderr.contains("unknown field"), "{}", run.stderr);
    let objects = Release::of(&run.expect_ok());
    assert_eq!(objects.get("Service demo")["spec"]["externalTrafficPolicy"], "Cluster");
}
