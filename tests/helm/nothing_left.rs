//! Releases of nothing. Helm 4 refuses an empty answer, even to an empty
//! question; one comment line satisfies both Helms and makes no object.

use crate::support::{helm::Helm, objects::objects, replay::Chart};

#[test]
fn a_chart_whose_every_document_is_dropped() {
    let chart = Chart::of_fixture("policies.yaml");
    for helm in Helm::both() {
        let arguments = ["--profile=talos", "--set=networkPolicies=all"];
        let rendered = helm.post_render(&chart, &arguments, &[]).expect_ok();
        assert!(objects(rendered.as_bytes()).is_empty(), "Helm {}:\n{rendered}", helm.major);
    }
}

#[test]
fn a_chart_that_renders_nothing() {
    let chart = Chart::replaying("");
    for helm in Helm::both() {
        for profile in ["--profile=none", "--profile=talos"] {
            let rendered = helm.post_render(&chart, &[profile], &[]).expect_ok();
            assert!(objects(rendered.as_bytes()).is_empty(), "Helm {}:\n{rendered}", helm.major);
        }
    }
}
