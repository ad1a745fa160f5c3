//! What Argo CD gets from the plugin is what `helm upgrade --install --post-renderer
//! germ-post` put into a real cluster, with both Helms: the same objects, hooks and
//! definitions among them, field by field.

use std::fs;

use serde_json::{Value, json};

use crate::support::{self, argocd::Call, cluster::Cluster, helm::Helm, release::Release, replay::Chart};

/// Marks everything that rules see, so that a document which only one side shows them
/// comes out different.
const PROFILE: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: marked\nextends: [talos]\n\
    rules:\n  - id: seen/all\n    title: A label on everything\n    why: To show what rules see.\n    match: {}\n    \
    edit:\n      - {set: metadata.labels.seen, value: \"true\", parents: create}\n";

#[test]
fn helm_3_and_the_plugin_are_in_sync() {
    in_sync(Helm::three());
}

#[test]
fn helm_4_and_the_plugin_are_in_sync() {
    in_sync(Helm::four());
}

fn in_sync(helm: Option<Helm>) {
    let Some(mut helm) = helm else { return };
    let Some(cluster) = Cluster::start() else { return };
    helm.set("KUBECONFIG", cluster.kubeconfig());
    // For manifests that name no namespace.
    assert!(
        cluster.kubectl(&["config", "set-context", "--current", "--namespace=kube-system"]).status.success()
    );

    let small = small();
    installed_and_generated_are_the_same(&helm, &cluster, &small);
    let live = |kind: &str, name: &str| cluster.get(&[kind, name, "--namespace=kube-system"]);
    let marked = |kind: &str, name: &str| live(kind, name).pointer("/metadata/labels/seen").is_some();
    assert!(marked("service", "small"));
    assert_eq!(marked("configmap", "small-hook"), helm.major == 4);
    assert!(!marked("crd", "things.example.org") && !marked("crd", "others.example.org"));
    assert_eq!(live("service", "small")["spec"]["externalTrafficPolicy"], "Cluster");

    let Some(corpus) = support::corpus() else { return };
    let vanilla = fs::read_to_string(corpus.join("cilium/cilium-1.20.0-vanilla.yaml")).unwrap();
    let cilium = Chart::replaying(&format!("{}{vanilla}", include_str!("servicemonitors.yaml")));
    let call = application("cilium");
    copy(&cilium, &call);
    installed_and_generated_are_the_same(&helm, &cluster, &call);
}

/// A chart with a definition in each of two documents, a hook, a Secret, a load balancer,
/// and what depends on the cluster.
fn small() -> Call {
    let call = application("small");
    let definition = |plural: &str, kind: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.example.org}}\n\
             spec:\n  group: example.org\n  scope: Namespaced\n  names: {{kind: {kind}, plural: {plural}}}\n  versions:\n    \
             - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}\n"
        )
    };
    call.write(
        "crds/both.yaml",
        &format!("{}---\n{}", definition("things", "Thing"), definition("others", "Other")),
    );
    call.write(
        "templates/config.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small}\ndata:\n  \
         version: {{ .Capabilities.KubeVersion.Version }}\n  \
         has: \"{{ .Capabilities.APIVersions.Has \"apps/v1\" }} {{ .Capabilities.APIVersions.Has \"none/v1\" }}\"\n  \
         release: {{ .Release.Name }} in {{ .Release.Namespace }}, {{ .Release.Service }}\n",
    );
    call.write(
        "templates/hook.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small-hook, annotations: {helm.sh/hook: pre-install}}\n",
    );
    call.write(
        "templates/secret.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: small}\ndata: {a: aHVudGVyMg==}\n",
    );
    call.write(
        "templates/service.yaml",
        "apiVersion: v1\nkind: Service\nmetadata: {name: small}\nspec:\n  type: LoadBalancer\n  \
         externalTrafficPolicy: Local\n  ports: [{port: 80}]\n",
    );
    call
}

fn application(name: &str) -> Call {
    let mut call = Call::at(name);
    call.set("ARGOCD_APP_NAME", name);
    call.set("ARGOCD_APP_NAMESPACE", "kube-system");
    call.write("../marked.yaml", PROFILE);
    call.parameters(json!([{"name": "profile", "array": ["/marked.yaml"]}]));
    call
}

fn copy(chart: &Chart, call: &Call) {
    fs::remove_dir_all(call.folder()).unwrap();
    let copied =
        std::process::Command::new("cp").arg("-r").arg(chart.path()).arg(call.folder()).status().unwrap();
    assert!(copied.success());
}

fn installed_and_generated_are_the_same(helm: &Helm, cluster: &Cluster, call: &Call) {
    let name = call.folder().file_name().unwrap().to_str().unwrap().to_owned();
    let folder = call.folder();
    let profile = format!("--profile={}", call.root().join("marked.yaml").display());
    let mut flags = vec!["upgrade", "--install", &name, folder.to_str().unwrap(), "--namespace=kube-system"];
    flags.extend(["--post-renderer", "germ-post", "--post-renderer-args", &profile]);
    helm.run(flags).expect_ok();

    let generated = generated(helm, cluster, call);
    let plugin = Release::of(&generated);

    // What Helm keeps of the release: manifests and hooks; it forgets definitions.
    let kept = |what: &str| helm.run(["get", what, &name, "--namespace=kube-system"]).expect_ok();
    let definitions: String = generated
        .split_inclusive("---\n")
        .filter(|document| document.contains("kind: CustomResourceDefinition"))
        .collect();
    let release = format!("{}\n---\n{}\n---\n{definitions}", kept("manifest"), kept("hooks"));
    Release::of(&release).assert_same(&plugin, format!("{name} under Helm {}", helm.major));

    // What the cluster has: all of it, and what the server and Helm add.
    let file = call.place().join("generated.yaml");
    fs::write(&file, &generated).unwrap();
    let live = cluster.get(&["-f", file.to_str().unwrap()]);
    let live = live["items"].as_array().unwrap();
    assert_eq!(live.len(), plugin.names().len());
    let mut compared = 0;
    for object in live {
        let kind = object["kind"].as_str().unwrap();
        let named = |name: &&str| {
            let (found, rest) = name.split_once(' ').unwrap();
            found == kind && rest.rsplit('/').next() == object["metadata"]["name"].as_str()
        };
        let names = plugin.names();
        let Some(name) = names.iter().find(|name| named(name)) else { panic!("{kind} is not generated") };
        let mut missing = Vec::new();
        uncovered("", plugin.get(name), object, &mut missing);
        assert!(missing.is_empty(), "{name} under Helm {}: {missing:?}", helm.major);
        compared += 1;
    }
    assert_eq!(compared, plugin.names().len());
}

/// What the plugin prints, told of the cluster what Argo CD would tell.
fn generated(helm: &Helm, cluster: &Cluster, call: &Call) -> String {
    let raw = |path: &str| cluster.kubectl(&["get", "--raw", path]).stdout;
    let version: Value = serde_json::from_slice(&raw("/version")).unwrap();
    let versions = cluster.kubectl(&["api-versions"]).stdout;
    let versions = String::from_utf8(versions).unwrap().trim().replace('\n', ",");
    let output = {
        let mut command = call.command("generate");
        command
            .env("HELM_BIN", &helm.program)
            .env("KUBE_VERSION", version["gitVersion"].as_str().unwrap().trim_start_matches('v'))
            .env("KUBE_API_VERSIONS", versions);
        command.output().unwrap()
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The places at which `live` has not what `wanted` says. What is empty may be gone.
fn uncovered(path: &str, wanted: &Value, live: &Value, missing: &mut Vec<String>) {
    match (wanted, live) {
        (Value::Object(wanted), Value::Object(live)) => {
            for (name, value) in wanted {
                match live.get(name) {
                    Some(found) => uncovered(&format!("{path}/{name}"), value, found, missing),
                    None if is_empty(value) => {}
                    None => missing.push(format!("{path}/{name} is missing")),
                }
            }
        }
        (Value::Array(wanted), Value::Array(live)) if wanted.len() == live.len() => {
            for (index, (wanted, live)) in wanted.iter().zip(live).enumerate() {
                uncovered(&format!("{path}/{index}"), wanted, live, missing);
            }
        }
        _ if wanted == live || same_quantity(wanted, live) => {}
        _ => missing.push(format!("{path} is {live}, not {wanted}")),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => !is,
        Value::String(text) => text.is_empty(),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.values().all(is_empty),
    }
}

/// A quantity or a port that the server writes as the other of number and text.
fn same_quantity(wanted: &Value, live: &Value) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    !wanted.is_object() && !wanted.is_array() && text(wanted) == text(live)
}
