//! Policies against the real API server: it takes them, and says of every Service and
//! workload of the corpus what germ-post says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use germ_post::check::{self, Input};
use germ_post::profile::load;
use germ_post::rewrite;
use serde_json::{Value, json};

use super::proxy::Proxy;
use crate::support::cluster::Cluster;
use crate::support::parallel::map as each;
use crate::support::renderings;
use crate::support::run::germ_post;

/// Cilium's configuration in the cluster, and at the end of every stream without one:
/// what some policies read.
const CONFIGURATION: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cilium-config, namespace: kube-system}\n\
    data:\n  kube-proxy-replacement: \"true\"\n  enable-l2-announcements: \"true\"\n  ipam: kubernetes\n  \
    cgroup-root: /sys/fs/cgroup\n  kube-proxy-replacement-healthz-bind-address: \"\"\n";

/// Policies are in force a moment after they were made, the last one after the others.
const CANARY: &str = r#"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: zz-canary}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "object.metadata.name != 'canary'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: zz-canary}
spec: {policyName: zz-canary, validationActions: [Warn]}
"#;

/// Kinds that are asked about, and where they are made.
const KINDS: &[(&str, &str)] = &[
    ("Service", "/api/v1/namespaces/default/services"),
    ("ConfigMap", "/api/v1/namespaces/default/configmaps"),
    ("Pod", "/api/v1/namespaces/default/pods"),
    ("Deployment", "/apis/apps/v1/namespaces/default/deployments"),
    ("DaemonSet", "/apis/apps/v1/namespaces/default/daemonsets"),
    ("StatefulSet", "/apis/apps/v1/namespaces/default/statefulsets"),
    ("Job", "/apis/batch/v1/namespaces/default/jobs"),
    ("CronJob", "/apis/batch/v1/namespaces/default/cronjobs"),
    ("NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies"),
];

fn yaml(text: &str) -> Value {
    germ_post::yaml::parse(text).unwrap().read().unwrap()
}

fn apply(cluster: &Cluster, text: &str) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let output = cluster.kubectl(&["apply", "--server-side", "-f", file.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Puts policies in force.
fn enforce(cluster: &Cluster, proxy: &Proxy, policies: &str) {
    apply(cluster, policies);
    apply(cluster, CANARY);
    let canary = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "canary"}});
    let start = Instant::now();
    while proxy.would_create("/api/v1/namespaces/default/configmaps", &canary).warnings.is_empty() {
        assert!(start.elapsed() < Duration::from_secs(120), "the policies do not come into force");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The rule of each policy, by the policy's name.
fn rules_of(policies: &str) -> BTreeMap<String, String> {
    let stream = germ_post::yaml::Stream::cut(policies.as_bytes()).unwrap();
    let documents = stream.documents().iter().map(|document| yaml(stream.document_text(document)));
    let name = |policy: &Value, at: &str| policy.pointer(at).unwrap().as_str().unwrap().to_owned();
    documents
        .filter(|document| !document.is_null())
        .map(|policy| {
            (name(&policy, "/metadata/name"), name(&policy, "/metadata/annotations/germ-post.dev~1rule"))
        })
        .collect()
}

/// What was found: which rules call which objects wrong, by kind and name.
type Found = BTreeMap<(String, String), BTreeSet<String>>;

fn found(name: &str, text: &str, profiles: &[&str]) -> Found {
    let names: Vec<String> = profiles.iter().map(|name| (*name).to_owned()).collect();
    let loaded = load::load_with_checks(&names, &|path| fs::read_to_string(path)).unwrap();
    let params = loaded.params().unwrap();
    let rewrite = rewrite::Request { loaded, params, ..rewrite::Request::default() };
    let request = check::Request {
        rewrite,
        today: "2026-01-01".to_owned(),
        allow_empty: true,
        ..check::Request::default()
    };
    let input = Input { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let checked = check::check(&[input], &[], &request).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    let mut out = Found::new();
    for finding in checked.findings {
        if let Some(object) = finding.object {
            out.entry((object.kind, object.name)).or_default().insert(finding.rule);
        }
    }
    out
}

#[test]
fn the_server_says_what_germ_post_says() {
    let Some(cluster) = Cluster::start() else { return };
    let files = renderings();
    if files.is_empty() {
        return;
    }
    let exported = germ_post(&["export", "--as", "vap", "--profile", "talos"], b"").expect_ok();
    let rules = rules_of(&exported);
    let ids: BTreeSet<&str> = rules.values().map(String::as_str).collect();
    let reading: BTreeSet<String> = {
        let stream = germ_post::yaml::Stream::cut(exported.as_bytes()).unwrap();
        let documents = stream.documents().iter().map(|document| yaml(stream.document_text(document)));
        documents
            .filter(|policy| policy.pointer("/spec/paramKind").is_some())
            .map(|policy| rules[policy["metadata"]["name"].as_str().unwrap()].clone())
            .collect()
    };
    let proxy = Proxy::to(&cluster);
    apply(&cluster, CONFIGURATION);
    enforce(&cluster, &proxy, &exported);

    let verdicts = each(&files, |path: &std::path::PathBuf| said(path, &proxy, &rules));
    let (mut asked, mut warned, mut refused) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (path, verdicts) in files.iter().zip(verdicts) {
        let text = fs::read_to_string(path).unwrap();
        let has_configuration = text.contains("name: cilium-config");
        let stream = if has_configuration { text } else { format!("{text}\n---\n{CONFIGURATION}") };
        let name = path.file_name().unwrap().to_str().unwrap();
        // A check sees what the profile makes of an object, and the server sees it as it
        // comes; so that checks are asked without the profile.
        let edits = found(name, &stream, &["talos"]);
        let checks = found(
            name,
            &stream,
            &["checks-talos", "checks-cilium", "checks-kubernetes", "checks-policy", "checks-platform"],
        );
        let of_checks: BTreeSet<&String> = checks.values().flatten().collect();
        for ((kind, object), verdict) in verdicts {
            let Some(verdict) = verdict else {
                refused += 1;
                continue;
            };
            let key = (kind.clone(), object.clone());
            let is_compared = |rule: &&String| {
                // Which pods policies share the server is not asked, and its configuration
                // is not the one of a stream that brings its own.
                ids.contains(rule.as_str())
                    && !(has_configuration && reading.contains(*rule))
                    && *rule != "cnp/drop-bundled"
            };
            let edited = edits.get(&key).into_iter().flatten().filter(|rule| !of_checks.contains(rule));
            let expected: BTreeSet<String> =
                edited.chain(checks.get(&key).into_iter().flatten()).filter(is_compared).cloned().collect();
            let verdict: BTreeSet<String> = verdict.iter().filter(is_compared).cloned().collect();
            asked += 1;
            warned += usize::from(!verdict.is_empty());
            if verdict != expected {
                wrong.push(format!("{name} {kind} {object}: server {verdict:?}, germ-post {expected:?}"));
            }
        }
    }
    println!("{asked} objects asked about, {warned} warned of, {refused} that the server itself refuses");
    assert!(wrong.is_empty(), "{} of {asked} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked > 1000 && warned > 50, "{asked} asked, {warned} warned of");
}

/// What the server says of each object of a file: the rules that it warns of, or `None`
/// where it refuses the object for reasons of its own.
#[allow(clippy::type_complexity)]
fn said(
    path: &Path,
    proxy: &Proxy,
    rules: &BTreeMap<String, String>,
) -> Vec<((String, String), Option<BTreeSet<String>>)> {
    let bytes = fs::read(path).unwrap();
    let Ok(stream) = germ_post::yaml::Stream::cut(&bytes) else { return Vec::new() };
    let mut out = Vec::new();
    for document in stream.documents() {
        let Ok(tree) = germ_post::yaml::parse(stream.document_text(document)) else { continue };
        let Ok(mut value) = tree.read() else { continue };
        let kind = value["kind"].as_str().unwrap_or_default().to_owned();
        let Some((_, collection)) = KINDS.iter().find(|(known, _)| *known == kind) else { continue };
        let Some(name) = value["metadata"]["name"].as_str().map(str::to_owned) else { continue };
        value["metadata"]["namespace"] = json!("default");
        let answer = proxy.would_create(collection, &value);
        let of_policy = |warning: &String| {
            let name = warning.split_once("ValidatingAdmissionPolicy '")?.1.split('\'').next()?;
            rules.get(name).cloned()
        };
        let verdict = (answer.status < 300).then(|| answer.warnings.iter().filter_map(of_policy).collect());
        out.push(((kind, name), verdict));
    }
    out
}

#[test]
fn the_server_refuses_what_it_is_told_to_refuse() {
    let Some(cluster) = Cluster::start() else { return };
    let proxy = Proxy::to(&cluster);
    let exported =
        germ_post(&["export", "--as", "vap", "--profile", "talos", "--deny", "lb,talos/sys-module"], b"")
            .expect_ok();
    enforce(&cluster, &proxy, &exported);
    let service = |class: Value, policy: &str| {
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {
            "type": "LoadBalancer", "loadBalancerClass": class, "externalTrafficPolicy": policy, "ports": [{"port": 80}],
        }})
    };
    let create = |object: &Value| proxy.would_create("/api/v1/namespaces/default/services", object);
    let answer = create(&service(Value::Null, "Local"));
    let said = answer.body["message"].as_str().unwrap_or_default().to_owned();
    assert_eq!(answer.status, 422, "{answer:?}");
    assert!(said.contains("lb/external-traffic-policy: ") && said.contains("Fix: "), "{said}");
    assert_eq!(create(&service(Value::Null, "Cluster")).status, 201);
    assert_eq!(create(&service(json!("somebody.else/lb"), "Local")).status, 201);

    let pod = |capability: &str| {
        json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a"}, "spec": {
            "schedule": "@daily", "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [
                {"name": "a", "image": "a", "securityContext": {"capabilities": {"add": [capability]}}},
            ]}}}},
        }})
    };
    let create = |object: &Value| proxy.would_create("/apis/batch/v1/namespaces/default/cronjobs", object);
    assert_eq!(create(&pod("SYS_MODULE")).status, 422);
    assert_eq!(create(&pod("NET_ADMIN")).status, 201);
}

#[test]
fn what_cel_cannot_say_is_named() {
    let run = germ_post(&["export", "--as", "vap", "--profile", "talos"], b"");
    let error = run.stderr.clone();
    let text = run.expect_ok();
    let reason =
        "policy/webhook-without-remote-node is left out: the program computes it (`ingress-from-nodes`)";
    assert!(
        error.contains(&format!("germ-post: {reason}\n")) && text.contains(&format!("# {reason}\n")),
        "{error}"
    );
    let run = germ_post(&["export", "--as", "vap", "--profile", "talos", "--deny", "talos/none"], b"");
    assert!(run.code != 0 && run.stderr.contains("no rule is called `talos/none`"), "{}", run.stderr);
}

/// A definition that takes whatever comes.
fn definition(group: &str, kind: &str, plural: &str, version: &str) -> String {
    format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.{group}}}\n\
         spec:\n  group: {group}\n  scope: Namespaced\n  names: {{kind: {kind}, plural: {plural}}}\n  versions:\n    \
         - {{name: {version}, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, \
         x-kubernetes-preserve-unknown-fields: true}}}}}}\n"
    )
}

/// Makes a kind known.
fn define(cluster: &Cluster, group: &str, kind: &str, plural: &str, version: &str) {
    apply(cluster, &definition(group, kind, plural, version));
    let name = format!("crd/{plural}.{group}");
    let output = cluster.kubectl(&["wait", "--for=condition=Established", &name, "--timeout=60s"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn custom_resources_and_bundled_policies_are_warned_of() {
    let Some(cluster) = Cluster::start() else { return };
    let exported = germ_post(&["export", "--as", "vap", "--profile", "talos"], b"").expect_ok();
    let rules = rules_of(&exported);
    define(&cluster, "cilium.io", "CiliumL2AnnouncementPolicy", "ciliuml2announcementpolicies", "v2alpha1");
    let proxy = Proxy::to(&cluster);
    enforce(&cluster, &proxy, &exported);
    let warned = |collection: &str, object: &str| -> Vec<String> {
        let answer = proxy.would_create(collection, &yaml(object));
        assert_eq!(answer.status, 201, "{answer:?}");
        let names = answer.warnings.iter().filter_map(|warning| {
            rules.get(warning.split_once("ValidatingAdmissionPolicy '")?.1.split('\'').next()?).cloned()
        });
        names.collect()
    };
    let announcements = |spec: &str| {
        let object = format!(
            "{{apiVersion: cilium.io/v2alpha1, kind: CiliumL2AnnouncementPolicy, metadata: {{name: a}}, spec: {spec}}}"
        );
        warned("/apis/cilium.io/v2alpha1/namespaces/default/ciliuml2announcementpolicies", &object)
    };
    assert_eq!(announcements("{loadBalancerIPs: true}"), [""; 0]);
    assert_eq!(announcements("{}"), ["cilium/l2-policy-announces-nothing"]);
    assert_eq!(
        announcements("{externalIPs: true, interfaces: [eth0]}"),
        ["cilium/l2-policy-names-one-device"]
    );
    assert_eq!(announcements("{externalIPs: true, interfaces: ['^eth[0-9]+']}"), ["lb/l2-interfaces"]);

    let policies = |chart: &str| {
        let object = format!(
            "{{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {{name: a, labels: {{helm.sh/chart: {chart}}}}}, spec: {{podSelector: {{}}}}}}"
        );
        warned("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", &object)
    };
    assert_eq!(policies("argo-cd-10.1.1"), ["cnp/drop-bundled"]);
    assert_eq!(policies("argo-cd-apps-2.0.0"), [""; 0]);
}

#[test]
fn the_server_mutates_what_germ_post_would_edit() {
    let flags = [
        "--feature-gates=MutatingAdmissionPolicy=true",
        "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
    ];
    let Some(cluster) = Cluster::start_with(&flags) else { return };
    let run = germ_post(&["export", "--as", "map", "--profile", "talos"], b"");
    assert!(run.stderr.contains("germ-post: talos/kubeprism is left out: it edits lists"), "{}", run.stderr);
    let exported = run.expect_ok();
    define(&cluster, "gateway.envoyproxy.io", "EnvoyProxy", "envoyproxies", "v1alpha1");
    let proxy = Proxy::to(&cluster);
    apply(&cluster, &exported);
    let made = |collection: &str, text: &str| {
        let answer = proxy.would_create(collection, &yaml(text));
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.body
    };
    let services = "/api/v1/namespaces/default/services";
    let service = |more: &str| {
        format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: a}}, spec: {{type: LoadBalancer, externalTrafficPolicy: Local, ports: [{{port: 80}}]{more}}}}}"
        )
    };
    let policy = |made: &Value| made["spec"]["externalTrafficPolicy"].as_str().unwrap().to_owned();
    let config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: cilium-config}, data: {ipam: cluster-pool, \
        enable-ipv4: \"true\", cluster-pool-ipv4-cidr: 10.0.0.0/8, kube-proxy-replacement: \"false\"}}";
    let configs = "/api/v1/namespaces/default/configmaps";
    // The rule of the profile that comes last, and one of those that come before it.
    let start = Instant::now();
    while policy(&made(services, &service(""))) == "Local"
        || made(configs, config)["data"]["kube-proxy-replacement"] == "false"
    {
        assert!(start.elapsed() < Duration::from_secs(120), "the policies do not come into force");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(policy(&made(services, &service(""))), "Cluster");
    assert_eq!(policy(&made(services, &service(", loadBalancerClass: somebody.else/lb"))), "Local");

    let config = made(configs, config);
    assert_eq!(config["data"]["ipam"], "kubernetes");
    assert_eq!(config["data"]["kube-proxy-replacement"], "true");
    assert_eq!(config["data"].get("cluster-pool-ipv4-cidr"), None);

    let envoy = |spec: &str| {
        let text = format!(
            "{{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {{name: a}}, spec: {spec}}}"
        );
        let made = made("/apis/gateway.envoyproxy.io/v1alpha1/namespaces/default/envoyproxies", &text);
        let rewritten = germ_post(&["--profile=talos"], text.as_bytes()).expect_ok();
        assert_eq!(made["spec"], yaml(&rewritten)["spec"], "{spec}");
    };
    envoy("{}");
    envoy("{provider: {type: Kubernetes, kubernetes: {envoyService: {externalTrafficPolicy: Local}}}}");
    envoy("{provider: {type: Kubernetes, kubernetes: {envoyService: {type: NodePort}}}}");
}

#[test]
fn clusters_that_serve_none_are_told() {
    let run = germ_post(&["export", "--as", "map", "--profile", "talos", "--kube-version", "1.31"], b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("Kubernetes 1.31 serves no MutatingAdmissionPolicy"), "{}", run.stderr);
    let text = germ_post(&["export", "--as", "map", "--profile", "talos", "--kube-version", "1.36"], b"")
        .expect_ok();
    assert!(text.contains("apiVersion: admissionregistration.k8s.io/v1\n") && !text.contains("v1beta1"));
}
