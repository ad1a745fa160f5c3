//! Documents that the two Helms hand over differently: lists, hard scalars,
//! `crds/`. The objects in the end are the same.

use crate::support::{
    helm::Helm,
    release::Release,
    replay::{Chart, fixture},
    run::germ_post,
};

const ARGUMENTS: [&str; 2] = ["--profile=talos", "--set=networkPolicies=all"];

/// Helm 3 sends a `List` whole, Helm 4 its items one by one.
#[test]
fn the_items_of_a_list_are_objects_under_both() {
    let alone = Release::of(&germ_post(&ARGUMENTS, fixture("list.yaml").as_bytes()).expect_ok());
    assert_eq!(alone.names(), ["ConfigMap demo", "Service demo"]);
    for helm in Helm::both() {
        let rendered = helm.post_render(&Chart::of_fixture("list.yaml"), &ARGUMENTS, &[]).expect_ok();
        let objects = Release::of(&rendered);
        objects.assert_same(&alone, format!("Helm {}", helm.major));
        assert_eq!(objects.get("Service demo")["spec"]["externalTrafficPolicy"], "Cluster");
        assert_eq!(objects.get("ConfigMap demo")["data"]["template"], "{{ .Release.Name }}");
        assert!(!rendered.contains("postrender"), "Helm {}:\n{rendered}", helm.major);
    }
}

/// Helm 3 sends `crds/` to the post-renderer and Helm 4 does not; a user sees
/// no difference, since no rule touches a definition.
#[test]
fn definitions_pass_unchanged() {
    let chart = Chart::of_fixture("crds.yaml");
    for helm in Helm::both() {
        let plain = helm.template(&chart, &["--include-crds"]).expect_ok();
        let rendered = helm.post_render(&chart, &ARGUMENTS, &["--include-crds"]).expect_ok();
        let definitions = |text: &str| text.split_once("# Source: demo/templates/").unwrap().0.to_owned();
        assert_eq!(definitions(&rendered), definitions(&plain), "Helm {}", helm.major);
        let changed = Release::of(&plain).differences(&Release::of(&rendered));
        assert_eq!(changed, [r#"Service demo /spec/externalTrafficPolicy "Local" -> "Cluster""#]);
    }
}

/// `--show-only` picks from what the post-renderer returns, by `# Source:` line.
#[test]
fn one_template_can_be_shown() {
    for helm in Helm::both() {
        let chart = Chart::of_fixture("hooks.yaml");
        let shown = helm.post_render(&chart, &ARGUMENTS, &["--show-only=templates/service.yaml"]).expect_ok();
        let objects = Release::of(&shown);
        assert_eq!(objects.names(), ["Service demo"]);
        assert_eq!(objects.get("Service demo")["spec"]["externalTrafficPolicy"], "Cluster");
    }
}
