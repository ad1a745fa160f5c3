//! `charts/cilium`: valid for both Helms, complete without a word about any kind of node,
//! and made fit for each by the profiles.

use serde_json::Value;

use crate::support::{
    helm::{Helm, Run},
    platform_chart::PlatformChart,
    release::Release,
    run::germ_post,
};

const POOL: [&str; 2] =
    ["--set=loadBalancer.enabled=true", "--set=loadBalancer.addresses[0].cidr=192.0.2.0/28"];

fn render(helm: &Helm, chart: &PlatformChart, more: &[&str]) -> Run {
    let mut arguments = vec!["template", "cilium", chart.path(), "--namespace=kube-system"];
    arguments.extend(["--kube-version=1.34.0"]);
    arguments.extend(more);
    helm.run(arguments)
}

#[test]
fn both_helms_find_nothing_to_say_against_it() {
    let chart = PlatformChart::vendored();
    for helm in Helm::both() {
        for more in [&[][..], &POOL] {
            let mut arguments = vec!["lint", "--strict", chart.path()];
            arguments.extend(more);
            let said = helm.run(arguments).expect_ok();
            assert!(!said.contains("[WARNING]") && !said.contains("[ERROR]"), "{said}");
        }
    }
}

#[test]
fn both_helms_render_the_same_objects() {
    let chart = PlatformChart::vendored();
    let (Some(three), Some(four)) = (Helm::three(), Helm::four()) else { return };
    let of = |helm: &Helm| Release::of(&render(helm, &chart, &POOL).expect_ok());
    of(&three).assert_same(&of(&four), "Helm 3 against Helm 4".to_owned());
}

#[test]
fn the_pool_and_its_policy_come_when_asked_for() {
    let chart = PlatformChart::vendored();
    let Some(helm) = Helm::three() else { return };
    let kinds = |more: &[&str]| -> Vec<String> {
        let text = render(&helm, &chart, more).expect_ok();
        text.lines().filter_map(|line| line.strip_prefix("kind: Cilium")).map(str::to_owned).collect()
    };
    assert_eq!(kinds(&[]), [""; 0]);
    assert_eq!(kinds(&POOL), ["L2AnnouncementPolicy", "LoadBalancerIPPool"]);
    let old = render(&helm, &chart, &[&POOL[..], &["--set=loadBalancer.poolVersion=v2alpha1"]].concat());
    assert!(old.expect_ok().contains("apiVersion: cilium.io/v2alpha1\nkind: CiliumLoadBalancerIPPool"));
}

/// A mistake is told when the chart is rendered, with the place of the value.
#[test]
fn wrong_values_are_refused() {
    let chart = PlatformChart::vendored();
    for helm in Helm::both() {
        for (values, said) in [
            (&["--set=loadBalancer.enabled=true"][..], "/loadBalancer/addresses"),
            (&[POOL[0], "--set=loadBalancer.addresses[0].cdir=192.0.2.0/28"], "/loadBalancer/addresses/0"),
            (&[POOL[0], POOL[1], "--set=loadBalancer.poolVersion=v1"], "/loadBalancer/poolVersion"),
            (&["--set=loadbalancer.enabled=true"], "loadbalancer"),
            (&[POOL[0], POOL[1], "--set=cilium.l2announcements.enabled=false"], "l2announcements"),
        ] {
            let error = render(&helm, &chart, values).expect_failure();
            assert!(error.contains(said), "Helm {} on {values:?}: {error}", helm.major);
        }
    }
}

#[test]
fn profiles_make_it_fit_for_their_nodes() {
    let chart = PlatformChart::vendored();
    let Some(helm) = Helm::three() else { return };
    let rendered = render(&helm, &chart, &POOL).expect_ok();
    let talos = germ_post(&["--profile=talos"], rendered.as_bytes()).expect_ok();
    assert!(talos.contains("name: KUBERNETES_SERVICE_HOST") && !talos.contains("SYS_MODULE"), "{talos}");
    let k3s = germ_post(&["--profile=k3s-kpr"], rendered.as_bytes()).expect_ok();
    assert!(k3s.contains("127.0.0.1") && k3s.contains("10.42.0.0/16"), "{k3s}");
    let unknown = ["talos", "kubeprism", "7445", "k3s"];
    let values = include_str!("../../charts/cilium/values.yaml");
    let settings: String = values.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    for word in unknown {
        assert!(!settings.to_lowercase().contains(word), "the values speak of {word}");
    }
}

/// Without its context options a handler makes a series for every pod or address.
#[test]
fn every_handler_of_metrics_says_whose_traffic_it_counts() {
    let chart = PlatformChart::vendored();
    let Some(helm) = Helm::three() else { return };
    let rendered = render(&helm, &chart, &[]).expect_ok();
    let release = Release::of(&rendered);
    let config = release.get("ConfigMap kube-system/cilium-config");
    let Some(Value::String(metrics)) = config.pointer("/data/hubble-metrics") else {
        panic!("no metrics in {config}")
    };
    let handlers: Vec<&str> = metrics.split(' ').collect();
    assert_eq!(handlers.len(), 6, "{metrics}");
    for handler in handlers {
        let (name, options) = handler.split_once(':').expect(handler);
        assert_ne!(name, "httpV2");
        for option in [
            "sourceContext=workload-name|reserved-identity",
            "destinationContext=workload-name|reserved-identity",
            "labelsContext=source_namespace,destination_namespace",
        ] {
            assert!(options.split(';').any(|it| it == option), "{handler} lacks {option}");
        }
    }
}
