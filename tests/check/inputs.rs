//! What is checked: stdin, files and folders together, configurations of nodes; what
//! cannot be read, and what must not be shown.

use std::fs;
use std::path::PathBuf;

use super::found::{TODAY, check};
use crate::support::run::{germ_post_in, scratch};

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch().join(format!("check-inputs-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cilium-config}\n\
                      data: {kube-proxy-replacement: \"false\"}\n";
const PORT: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n\
                    spec:\n  containers:\n  - name: a\n    ports: [{hostPort: 5000}]";

#[test]
fn files_are_one_stream_and_keep_their_places() {
    let folder = folder(
        "together",
        &[
            ("out/cilium.yaml", CONFIG),
            ("out/deep/pod.yml", PORT),
            ("out/more.json", "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}"),
            ("out/.hidden/bad.yaml", "a: ["),
            ("out/chart/Chart.yaml", "name: chart\n"),
            ("out/chart/templates/a.yaml", "{{ if }}"),
            ("out/notes.txt", "a: ["),
        ],
    );
    let found = check(&folder, &["--profile=checks-cilium", "out"], "");
    assert_eq!(found.lines("findings", "cilium/host-port-unserved"), ["out/deep/pod.yml:7"]);
    assert_eq!(found.list("findings")[0]["related"][0]["location"]["file"], "out/cilium.yaml");
    assert!(found.stderr.contains("out/chart is a chart; its templates are not checked"), "{}", found.stderr);
    let split = check(&folder, &["--profile=checks-cilium", "out/deep/pod.yml", "-"], CONFIG);
    assert_eq!(split.lines("findings", "cilium/host-port-unserved"), ["out/deep/pod.yml:7"]);
    assert_eq!(split.list("findings")[0]["related"][0]["location"]["file"], "<stdin>");
    let alone = check(&folder, &["--profile=checks-cilium", "out/deep/pod.yml"], "");
    assert_eq!(alone.code, 0, "nothing is known of the network");
}

#[test]
fn objects_without_a_namespace_share_none_with_another_file() {
    let pods = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n\
                spec: {template: {metadata: {labels: {app: web}}, spec: {containers: []}}}\n";
    let bundled = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web}\n\
                   spec: {podSelector: {}, policyTypes: [Egress], egress: [{}]}\n";
    let cilium = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: all}\n\
                  spec: {endpointSelector: {}}\n";
    let one = format!("{pods}---\n{bundled}");
    let in_namespace = |text: &str| text.replace("metadata: {name", "metadata: {namespace: shop, name");
    let folder = folder(
        "namespaces",
        &[
            ("one.yaml", &one),
            ("other.yaml", cilium),
            ("shop-one.yaml", &in_namespace(&one)),
            ("shop-other.yaml", &in_namespace(cilium)),
            ("both.yaml", &format!("{one}---\n{cilium}")),
        ],
    );
    let found = |files: &[&str]| {
        let mut args = vec!["--profile=checks-kubernetes"];
        args.extend(files);
        check(&folder, &args, "").lines("findings", "policy/all-egress-beside-cilium")
    };
    assert_eq!(found(&["one.yaml", "other.yaml"]), [] as [&str; 0]);
    assert_eq!(found(&["shop-one.yaml", "shop-other.yaml"]), ["shop-one.yaml:9"]);
    assert_eq!(found(&["both.yaml"]), ["both.yaml:9"]);
}

#[test]
fn what_cannot_be_checked_is_exit_2() {
    let folder = folder(
        "wrong",
        &[
            ("bad.yaml", "a: 1\nb: [\n"),
            ("template.yaml", "metadata: {{ .Values.name }}\nb: {{- x }}\n"),
            ("values.yaml", "replicas: 1\n"),
            ("empty/a.txt", ""),
            ("empty.yaml", "# nothing\n"),
        ],
    );
    let cases: &[(&[&str], &[&str])] = &[
        (&["bad.yaml"], &["unreadable-document", "bad.yaml:"]),
        (&["template.yaml"], &["template.yaml:1", "templates of charts", "helm template"]),
        (&["none.yaml"], &["cannot read none.yaml"]),
        (&["empty.yaml"], &["the input holds no object", "--allow-empty"]),
        (&["empty"], &["empty holds no .yaml, .yml or .json file", "no object"]),
        (&["--node-config", "values.yaml"], &["values.yaml: no configuration of a node", "k3d"]),
        (&["--only=talos/sys-modules"], &["no rule is called", "did you mean `talos/sys-module`?"]),
        (&["--skip=nothing"], &["no rule is called `nothing`"]),
        (&["--profile=talso"], &["did you mean `talos`?"]),
        (&["--target=lab"], &["germ-post.yaml"]),
    ];
    for (args, texts) in cases {
        let mut all = vec!["--profile=checks-talos"];
        all.retain(|_| !args.iter().any(|arg| arg.starts_with("--profile")));
        all.extend(*args);
        let found = check(&folder, &all, PORT);
        assert_eq!(found.code, 2, "{args:?}: {}", found.stderr);
        for text in *texts {
            assert!(found.stderr.contains(text), "{args:?}: `{text}` is not in {}", found.stderr);
        }
    }
    assert_eq!(check(&folder, &["--allow-empty", "empty.yaml"], "").code, 0);
}

#[test]
fn without_a_profile_the_common_checks_run() {
    let folder = folder(
        "bare",
        &[("a/germ-post.yaml", "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: checks-talos\n")],
    );
    let stream =
        format!("{CONFIG}---\n{PORT}\n    securityContext: {{capabilities: {{add: [SYS_MODULE]}}}}\n");
    assert_eq!(check(&folder, &[] as &[&str], &stream).rules(), ["cilium/host-port-unserved"]);
    let configured = check(&folder.join("a"), &[] as &[&str], &stream);
    assert_eq!(configured.rules(), ["talos/sys-module"]);
}

#[test]
fn a_node_configuration_brings_its_platforms_checks() {
    let talos = "version: v1alpha1\nmachine: {type: worker, features: {kubePrism: {enabled: false}}}\n";
    let folder = folder("nodes", &[("talos.yaml", talos), ("k3s.yaml", "disable-kube-proxy: true\n")]);
    let of = |file: &str| {
        let found = check(&folder, &["--node-config", file], CONFIG);
        found.rules().join(" ")
    };
    assert_eq!(of("talos.yaml"), "talos/kubeprism-off");
    assert_eq!(of("k3s.yaml"), "k3s/kube-proxy-missing");
}

#[test]
fn nothing_secret_is_shown() {
    let secret = "hunter2-abcdef";
    let stream = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: cilium-ca}}\ndata: {{ca.crt: {secret}}}\n---\n\
         {{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\
         {{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {{\"name\": \"s\"}}, \"stringData\": {{\"a\": \"{secret}\"}}}},\
         {{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {{\"name\": \"w\"}}, \"spec\": {{\"type\": \"LoadBalancer\", \"externalTrafficPolicy\": \"Local\"}}}}]}}\n---\n\
         apiVersion: v1\nkind: Secret\nmetadata: {{name: x, annotations: {{germ-post.dev/ignore.no.such: y}}}}\nstringData: {{b: {secret}}} # germ-post: ignore[no/rule] z\n"
    );
    let node = format!(
        "version: v1alpha1\nmachine: {{type: worker, token: {secret}, features: {{kubePrism: {{enabled: false}}}}}}\n"
    );
    let k3d = format!(
        "apiVersion: k3d.io/v1alpha5\nkind: Simple\noptions: {{k3s: {{extraArgs: [{{arg: --disable-kube-proxy}}, {{arg: --token={secret}}}]}}}}\n"
    );
    let profile = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nextends: [lb-l2]\nchecks: [checks-talos, checks-k3s]\nrules:\n\
                   \x20 - {id: own/value, title: A value, why: Because., check: [{match: {kind: Secret}, find: 'stringData.{a,b}', message: 'it is {value}'}]}\n\
                   \x20 - {id: own/token, title: A token, why: Because., check: [{match: {group: talos.dev}, find: machine.token, message: 'it is {value}'}]}\n\
                   \x20 - {id: own/set, title: A value, why: Because., match: {group: '', kind: Secret}, expect: any, edit: [{set: stringData.b, value: c, was: present, optional: true}]}\n";
    let folder = folder(
        "secret",
        &[("node.yaml", &node), ("k3d.yaml", &k3d), ("own.yaml", profile), ("s.yaml", &stream)],
    );
    for format in ["human", "json", "sarif", "junit", "github", "gitlab"] {
        let args = [
            "check",
            "--today",
            TODAY,
            "--profile=./own.yaml",
            "--format",
            format,
            "s.yaml",
            "--node-config",
            "node.yaml",
            "k3d.yaml",
        ];
        let run = germ_post_in(&folder, &args, b"");
        let text = String::from_utf8(run.stdout.clone()).unwrap();
        assert_eq!(run.code, 1, "{}", run.summary());
        for wanted in [
            "own/value",
            "own/token",
            "own/set",
            "lb/external-traffic-policy",
            "cilium/certificates-per-rendering",
            "talos/kubeprism-off",
            "suppression/unknown-rule",
        ] {
            assert!(text.contains(wanted), "{format}: {wanted} is not in {text}");
        }
        assert!(!text.contains("hunter2") && !run.stderr.contains("hunter2"), "{format}: {text}");
    }
}

#[test]
fn what_rewriting_cannot_do_is_a_finding() {
    let stream = CONFIG.replace("data: {", "data: {ipam: multi-pool, cgroup-root: /x, ");
    let found = check(&scratch(), &["--profile=talos"], &stream);
    let missed: Vec<&serde_json::Value> =
        found.list("findings").iter().filter(|finding| finding["rule"] == "talos/ipam").collect();
    assert_eq!(missed.len(), 1, "{}", found.json);
    assert_eq!(missed[0]["severity"], "error");
    assert_eq!(missed[0]["location"]["line"], 4);
    assert!(missed[0]["help"].to_string().contains("ipam=keep"), "{}", missed[0]);
    assert_eq!(found.code, 1);
}

#[test]
fn only_chooses_findings_and_skip_leaves_rules_out() {
    let folder = folder("choose", &[]);
    let stream = CONFIG.replace("data: {", "data: {enable-l2-announcements: \"true\", ");
    let of = |args: &[&str]| {
        let mut all = vec!["--profile=talos"];
        all.extend(args);
        check(&folder, &all, &stream).rules().join(" ")
    };
    let l2 = "cilium/l2-without-kube-proxy-replacement";
    // What the profile puts right is found once, as what it is.
    assert!(of(&[]).contains("talos/kube-proxy-replacement") && !of(&[]).contains(l2), "{}", of(&[]));
    assert_eq!(of(&["--only", l2]), "");
    assert_eq!(of(&["--skip=talos/kube-proxy-replacement", "--only", l2]), l2);
    assert_eq!(of(&["--only=talos/kube-proxy-replacement"]), "talos/kube-proxy-replacement");
    assert_eq!(of(&["--min-severity=error", "--only=suppression"]), "");
}
