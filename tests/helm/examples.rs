//! The files in `examples/` for tools that are not here: what helmfile and Terraform would call
//! is called, with the words that stand in the files, and Flux's scripts are run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{
    helm::{Helm, KUBE_VERSION, Run},
    release::Release,
};

fn examples(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(path)
}

fn stand_in() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/stand-in/cilium").display().to_string()
}

fn assert_rewritten(rendering: &str) {
    let objects = Release::of(rendering);
    let config = &objects.get("ConfigMap kube-system/cilium-config")["data"];
    assert_eq!(config["cgroup-root"], "/sys/fs/cgroup", "{config}");
}

/// helmfile passes `postRenderer` on as it is, and each argument as one word. Source: its
/// `state.go`, read for `facts/helm-and-argocd.md`.
#[test]
fn helmfile_calls_both_helms_so() {
    let text = fs::read_to_string(examples("helmfile/helmfile.yaml")).unwrap();
    let file: Value = serde_saphyr::from_str(&text).unwrap();
    let defaults = &file["helmDefaults"];
    let release = &file["releases"][0];
    let chart = examples("helmfile").join(release["chart"].as_str().unwrap());
    assert!(chart.join("Chart.yaml").is_file(), "{}", chart.display());
    let mut words = vec![
        "template".to_owned(),
        release["name"].as_str().unwrap().to_owned(),
        chart.display().to_string(),
        format!("--namespace={}", release["namespace"].as_str().unwrap()),
        KUBE_VERSION.to_owned(),
        "--post-renderer".to_owned(),
        defaults["postRenderer"].as_str().unwrap().to_owned(),
    ];
    let arguments = defaults["postRendererArgs"].as_array().unwrap();
    words.extend(
        arguments.iter().map(|argument| format!("--post-renderer-args={}", argument.as_str().unwrap())),
    );
    for helm in Helm::both() {
        assert_rewritten(&helm.run(&words).expect_ok());
        assert!(helm.working_directory().join("germ-post-report.json").is_file());
    }
}

/// Terraform's provider has Helm 3 in it, which is called with the words of the file.
#[test]
fn terraform_calls_helm_3_so() {
    let Some(helm) = Helm::three() else { return };
    let text = fs::read_to_string(examples("terraform/main.tf")).unwrap();
    let postrender = text.split_once("postrender = {").unwrap().1.split_once("\n  }").unwrap().0;
    let after = |name: &str| {
        let line = postrender.lines().find(|line| line.trim().starts_with(name)).unwrap();
        line.split_once('=').unwrap().1.trim().to_owned()
    };
    let program: String = serde_json::from_str(&after("binary_path")).unwrap();
    let arguments: Vec<String> = serde_json::from_str(&after("args")).unwrap();
    assert!(text.contains("${path.module}/../../charts/stand-in/cilium"));
    let chart = stand_in();
    let mut words = vec!["template", "cilium", &chart, "--namespace=kube-system", KUBE_VERSION];
    words.extend(["--post-renderer", &program]);
    words.extend(arguments.iter().flat_map(|argument| ["--post-renderer-args", argument]));
    let first = helm.run(&words).expect_ok();
    assert_rewritten(&first);
    // It is run at plan and again at apply, and both have to agree.
    assert_eq!(helm.run(&words).expect_ok(), first);
}

fn script(helm: &Helm, name: &str, words: &[&str]) -> Run {
    let path =
        format!("{}:/usr/bin:/bin", Path::new(env!("CARGO_BIN_EXE_germ-post")).parent().unwrap().display());
    let output = Command::new("bash")
        .arg(examples("flux").join(name))
        .args(words)
        .env("PATH", path)
        .env("HELM_BIN", &helm.program)
        .current_dir(helm.working_directory())
        .output()
        .unwrap();
    output.into()
}

#[test]
fn flux_gets_values_or_a_rendering() {
    let chart = stand_in();
    for helm in Helm::both() {
        let map: Value =
            serde_saphyr::from_str(&script(&helm, "values.sh", &[&chart, "talos"]).expect_ok()).unwrap();
        assert_eq!(map["kind"], "ConfigMap");
        let values = helm.working_directory().join("values.yaml");
        fs::write(&values, map["data"]["values.yaml"].as_str().unwrap()).unwrap();
        let values = format!("--values={}", values.display());
        let words = ["template", "cilium", &chart, "--namespace=kube-system", &values, KUBE_VERSION];
        assert_rewritten(&helm.run(words).expect_ok());

        let run = script(&helm, "render.sh", &["cilium", &chart, "kube-system", "talos", "out"]);
        assert!(run.ok, "{}", run.stderr);
        let rendered = helm.working_directory().join("out/rendered.yaml");
        assert_rewritten(&fs::read_to_string(rendered).unwrap());
        let run = script(&helm, "render.sh", &["cilium", "nowhere", "kube-system", "talos", "out"]);
        assert!(!run.ok, "a chart that is not there is no success");
    }
}
