//! A release whose chart lists hosts gets the policy that allows them, by both Helms,
//! as an object of the release; for a hook it is a hook, where Helm shows hooks.

use std::path::Path;

use serde_json::Value;

use crate::support::helm::Helm;
use crate::support::objects::objects;

fn rendered(helm: &Helm, more: &[&str]) -> Vec<Value> {
    let chart = Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/allowed-hosts");
    let mut args = vec!["template", "front", chart.to_str().unwrap(), "--namespace=shop"];
    args.extend(["--post-renderer", "germ-post", "--post-renderer-args", "--profile=network-policy"]);
    args.extend(more);
    objects(helm.run(args).expect_ok().as_bytes()).into_iter().map(|object| object.value).collect()
}

#[test]
fn a_release_gets_the_policy_of_its_hosts() {
    for helm in Helm::both() {
        let policies = |more: &[&str]| -> Vec<Value> {
            let all = rendered(&helm, more);
            all.into_iter().filter(|object| object["kind"] == "CiliumNetworkPolicy").collect()
        };
        let on = ["--post-renderer-args", "--set=fqdnEgress=true"];
        assert!(policies(&[]).is_empty(), "it is off by default");
        assert!(policies(&[&on[..], &["--set", "allowedHosts=null"]].concat()).len() < 2);
        let made = policies(&on);
        let named = |name: &str| made.iter().find(|policy| policy["metadata"]["name"] == name);
        let policy = named("front-deployment-egress").unwrap_or_else(|| panic!("{made:?}"));
        let labels = &policy["metadata"]["labels"];
        assert_eq!(labels["app.kubernetes.io/managed-by"], "Helm");
        assert_eq!(labels["app.kubernetes.io/instance"], "front");
        assert_eq!(labels["helm.sh/chart"], "allowed-hosts-0.1.0");
        let pods = &policy["spec"]["endpointSelector"]["matchLabels"];
        assert_eq!(pods["app.kubernetes.io/component"], "web");
        let egress = policy["spec"]["egress"].as_array().unwrap();
        let named_hosts = egress.iter().filter(|rule| rule.get("toFQDNs").is_some()).count();
        assert_eq!((egress.len(), named_hosts), (4, 2), "DNS, two ports, one destination: {egress:?}");
        let mixed =
            egress.iter().any(|rule| rule.get("toFQDNs").is_some() && rule.get("toEndpoints").is_some());
        assert!(!mixed, "{egress:?}");
        // Helm 3 keeps hooks from its post-renderers.
        let hook = named("front-migration-job-egress");
        assert_eq!(hook.is_some(), helm.major == 4, "{made:?}");
        if let Some(hook) = hook {
            let annotations = &hook["metadata"]["annotations"];
            assert_eq!(annotations["helm.sh/hook"], "pre-install,pre-upgrade");
            assert_eq!(annotations["helm.sh/hook-weight"], "-1");
        }
    }
}
