//! Real Cilium releases, rendered without a thought for Talos, through both
//! Helms: what comes out is what the chart renders with Talos' values.

use std::fs;

use crate::support::{self, helm::Helm, release::Release, replay::Chart, run::germ_post};

const VERSIONS: [&str; 4] = ["1.17.17", "1.18.12", "1.19.6", "1.20.0"];

fn rendering(version: &str, side: &str) -> Option<String> {
    let file = support::corpus()?.join(format!("cilium/cilium-{version}-{side}.yaml"));
    Some(fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// All others rest on this: what the replayed chart renders is, byte for byte,
/// what the real one rendered.
#[test]
fn the_replayed_chart_renders_what_the_real_one_did() {
    let Some(helm) = Helm::three() else { return };
    for version in VERSIONS {
        let Some(vanilla) = rendering(version, "vanilla") else {
            return;
        };
        assert_eq!(helm.template(&Chart::replaying(&vanilla), &[]).expect_ok(), vanilla, "{version}");
    }
}

#[test]
fn vanilla_releases_become_talos_releases() {
    for helm in Helm::both() {
        for version in VERSIONS {
            let (Some(vanilla), Some(talos)) = (rendering(version, "vanilla"), rendering(version, "talos"))
            else {
                return;
            };
            let what = format!("Cilium {version} under Helm {}", helm.major);
            let rendered =
                helm.post_render(&Chart::replaying(&vanilla), &["--profile=talos"], &[]).expect_ok();
            let objects = Release::of(&rendered);

            let alone = Release::of(&germ_post(&["--profile=talos"], vanilla.as_bytes()).expect_ok());
            objects.assert_same(&alone, format!("{what}, against germ-post alone"));
            objects
                .assert_same(&Release::of(&talos), format!("{what}, against the chart with Talos' values"));
            assert_eq!(objects.sources(), Release::of(&vanilla).sources(), "{what}: where objects come from");
            assert!(!rendered.contains("postrender"), "{what}: a trace of Helm's bookkeeping is left");
        }
    }
}

/// Helm 3 hands its text over as it is and prints the answer as it is: so the
/// bytes that no rule touches come through, from the template to the release.
#[test]
fn helm_3_keeps_every_byte_that_no_rule_touches() {
    let Some(helm) = Helm::three() else { return };
    for version in VERSIONS {
        let Some(vanilla) = rendering(version, "vanilla") else {
            return;
        };
        let chart = Chart::replaying(&vanilla);
        let untouched = helm.post_render(&chart, &["--profile=none"], &[]).expect_ok();
        assert_eq!(untouched, vanilla, "{version} under the empty profile");
        let talos = helm.post_render(&chart, &["--profile=talos"], &[]).expect_ok();
        assert_eq!(
            talos,
            germ_post(&["--profile=talos"], vanilla.as_bytes()).expect_ok(),
            "{version} under talos"
        );
    }
}
