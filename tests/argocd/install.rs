//! The files that install the plugin: those in `deploy/argocd` are what the commands
//! print, and with them the repo-server gets a sidecar as Argo CD wants it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::objects::{find, objects};
use crate::support::run::germ_post;
use crate::support::tools;

/// The image in the files, which everybody replaces.
const IMAGE: &str = "--image=registry.example.org/germ-post-argocd:0.1.0";

fn printed(args: &[&str]) -> String {
    germ_post(&[&["argocd"], args].concat(), b"").expect_ok()
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/argocd")
}

#[test]
fn the_files_are_what_the_commands_print() {
    for (file, args) in [
        ("plugin.yaml", &["plugin-config"][..]),
        ("sidecar.yaml", &["sidecar", IMAGE]),
        ("helm-values.yaml", &["sidecar", IMAGE, "--as=helm-values"]),
    ] {
        let (path, printed) = (folder().join(file), printed(args));
        if std::env::var_os("GERM_UPDATE").is_some() {
            fs::write(&path, &printed).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap();
        assert!(kept == printed, "{file} is not what is printed; GERM_UPDATE=1 writes it anew\n{printed}");
    }
}

fn value(text: &str) -> Value {
    objects(text.as_bytes()).pop().unwrap().value
}

/// What the documentation of Argo CD asks of a sidecar, and what keeps it apart.
fn check_sidecar(container: &Value, volumes: &[Value]) {
    assert_eq!(container["command"], json!(["/var/run/argocd/argocd-cmp-server"]));
    let security = &container["securityContext"];
    assert_eq!((&security["runAsNonRoot"], &security["runAsUser"]), (&json!(true), &json!(999)));
    assert_eq!(security["readOnlyRootFilesystem"], true);
    let mount = |path: &str| {
        let mounts = container["volumeMounts"].as_array().unwrap();
        mounts.iter().find(|mount| mount["mountPath"] == path).unwrap_or_else(|| panic!("{path}"))["name"]
            .clone()
    };
    assert_eq!(mount("/var/run/argocd"), "var-files");
    assert_eq!(mount("/home/argocd/cmp-server/plugins"), "plugins");
    let volume = |name: &Value| volumes.iter().find(|volume| volume["name"] == *name).unwrap();
    assert_eq!(volume(&mount("/tmp"))["emptyDir"], json!({}));
    assert_ne!(mount("/tmp"), "tmp", "the repo-server's own");
    assert!(volume(&mount("/home/argocd/cmp-server/config/plugin.yaml"))["configMap"]["name"].is_string());
}

fn parts<'v>(pod: &'v Value, containers: &str, name: &str) -> (&'v Value, &'v [Value]) {
    let containers = pod[containers].as_array().unwrap();
    let container = containers.iter().find(|container| container["name"] == name).unwrap();
    (container, pod["volumes"].as_array().unwrap())
}

#[test]
fn the_sidecar_is_as_argo_cd_wants_it() {
    let patch = value(&printed(&["sidecar", IMAGE]));
    let (container, volumes) = parts(&patch["spec"]["template"]["spec"], "containers", "germ-post");
    check_sidecar(container, volumes);

    let values = value(&printed(&["sidecar", IMAGE, "--as=helm-values", "--name=other"]));
    let (container, volumes) = parts(&values["repoServer"], "extraContainers", "other");
    check_sidecar(container, volumes);
    let config =
        container["volumeMounts"].as_array().unwrap().iter().find(|mount| mount["name"] == "argocd-cmp-cm");
    assert_eq!(config.unwrap()["subPath"], "other.yaml");
    // The chart makes plugin.yaml of these.
    let plugin = value(&printed(&["plugin-config", "--name=other"]));
    assert_eq!(values["configs"]["cmp"]["plugins"]["other"], plugin["spec"]);
    assert_eq!(plugin["metadata"]["name"], "other");
}

#[test]
fn a_pinned_configuration_is_mounted_and_named() {
    let patch = value(&printed(&["sidecar", IMAGE, "--pinned=talos-prod"]));
    let (container, volumes) = parts(&patch["spec"]["template"]["spec"], "containers", "germ-post");
    check_sidecar(container, volumes);
    assert_eq!(
        container["env"],
        json!([{"name": "GERM_POST_PINNED", "value": "/etc/germ-post/germ-post.yaml"}])
    );
    let volume = volumes.iter().find(|volume| volume["name"] == "germ-post-pinned").unwrap();
    assert_eq!(volume["configMap"]["name"], "talos-prod");
}

#[test]
fn wrong_names_are_refused() {
    for name in ["Germ", "a b", "../x", ""] {
        let run = germ_post(&["argocd", "plugin-config", "--name", name], b"");
        assert_eq!(run.code, 2, "{name}");
        assert!(run.stdout.is_empty());
    }
}

/// The component on top of somebody's own installation.
#[test]
fn kustomize_puts_it_into_the_repo_server() {
    let Some(kustomize) = tools::kustomize() else { return };
    let place = tempfile::tempdir().unwrap();
    let copied = place.path().join("germ-post");
    fs::create_dir(&copied).unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copied.join(path.file_name().unwrap())).unwrap();
    }
    let write = |file: &str, text: &str| fs::write(place.path().join(file), text).unwrap();
    write(
        "kustomization.yaml",
        "namespace: argocd\nresources: [repo-server.yaml]\ncomponents: [germ-post]\n",
    );
    write(
        "repo-server.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: argocd-repo-server}\nspec:\n  template:\n    spec:\n      \
         containers:\n        - {name: argocd-repo-server, image: argocd}\n      volumes:\n        \
         - {name: var-files, emptyDir: {}}\n        - {name: plugins, emptyDir: {}}\n        - {name: tmp, emptyDir: {}}\n",
    );
    let output = Command::new(kustomize).arg("build").arg(place.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let built = objects(&output.stdout);
    let deployment = find(&built, "Deployment argocd/argocd-repo-server");
    let pod = &deployment.value["spec"]["template"]["spec"];
    assert_eq!(pod["containers"].as_array().unwrap().len(), 2);
    assert_eq!(pod["volumes"].as_array().unwrap().len(), 5);
    let (container, volumes) = parts(pod, "containers", "germ-post");
    check_sidecar(container, volumes);
    // The ConfigMap's name follows its content, so that a change restarts the pod.
    let config = built.iter().find(|object| object.value["kind"] == "ConfigMap").unwrap();
    let name = config.value["metadata"]["name"].as_str().unwrap();
    assert!(name.starts_with("germ-post-plugin-"), "{name}");
    assert!(volumes.iter().any(|volume| volume["configMap"]["name"] == name));
    let plugin = fs::read_to_string(folder().join("plugin.yaml")).unwrap();
    assert_eq!(config.value["data"]["plugin.yaml"], plugin);
}
