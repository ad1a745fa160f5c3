//! `germ-post template` with both Helms: what comes out is what a release of that Helm
//! would hold, and what goes wrong is told before anything is printed.

use std::{fs, path::Path};

use crate::support::{
    helm::{Helm, Run},
    release::Release,
    replay::{Chart, fixture},
};

const TALOS: [&str; 2] = ["--profile=talos", "--param=networkPolicies=all"];

fn template(helm: &Helm, chart: &Path, more: &[&str]) -> Run {
    let fixed = ["template", "release", chart.to_str().unwrap(), "--namespace=kube-system"];
    helm.germ_post(fixed.iter().chain(more))
}

/// Kind and name of the objects that a profile marking everything has marked.
fn marked(rendered: &str) -> Vec<String> {
    let release = Release::of(rendered);
    let is_marked = |name: &&str| release.get(name).pointer("/metadata/labels/seen").is_some();
    release.names().into_iter().filter(is_marked).map(str::to_owned).collect()
}

fn label_all() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/helm/label-all.yaml");
    format!("--profile={}", path.display())
}

#[test]
fn rules_see_what_a_release_shows_its_post_renderer() {
    let all = label_all();
    let streams = format!("{}{}", fixture("hooks.yaml"), fixture("crds.yaml"));
    let chart = Chart::replaying(&streams);
    for helm in Helm::both() {
        // Helm itself with the same profile, without definitions: those a release keeps to
        // itself, but Helm 3's `template` shows them.
        let arguments = [all.as_str()];
        let of_release = marked(&helm.post_render(&chart, &arguments, &[]).expect_ok());
        assert!(!of_release.is_empty());
        let rendered = template(&helm, chart.path(), &[&all]).expect_ok();
        assert_eq!(marked(&rendered), of_release, "Helm {}", helm.major);
        let definitions = Release::of(&fixture("crds.yaml"));
        for name in definitions.names().into_iter().filter(|name| name.starts_with("CustomResource")) {
            assert_eq!(Release::of(&rendered).get(name), definitions.get(name), "Helm {}", helm.major);
        }

        let transformed = template(&helm, chart.path(), &[&all, "--hooks=transform"]).expect_ok();
        assert!(marked(&transformed).contains(&"Service demo-hook".to_owned()), "Helm {}", helm.major);
        let left = template(&helm, chart.path(), &[&all, "--hooks=leave"]).expect_ok();
        assert!(!marked(&left).contains(&"Service demo-hook".to_owned()), "Helm {}", helm.major);
    }
}

#[test]
fn flags_of_helm_reach_helm() {
    let chart = Chart::of_fixture("hooks.yaml");
    let write = |path: &str, text: &str| fs::write(chart.path().join(path), text).unwrap();
    write("values.yaml", "a: chart\nb: chart\nc: chart\n");
    write("more.yaml", "a: file\n");
    write("text", "from a file");
    write(
        "templates/values.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata:\n  values: {{ toJson .Values | quote }}\n  \
         about: {{ printf \"%s %s %s %t\" .Release.Name .Release.Namespace .Capabilities.KubeVersion.Version (.Capabilities.APIVersions.Has \"a.b/v1\") | quote }}\n",
    );
    let file = chart.path().join("more.yaml");
    let path = chart.path().join("text");
    for helm in Helm::both() {
        let set_file = format!("--set-file=d={}", path.display());
        let rendered = template(
            &helm,
            chart.path(),
            &[
                "--profile=none",
                "--values",
                file.to_str().unwrap(),
                "--set=b=line",
                "--set-string=c=1",
                &set_file,
                "--kube-version=1.33.0",
                "--api-versions=a.b/v1",
                "--no-hooks",
            ],
        )
        .expect_ok();
        let release = Release::of(&rendered);
        let data = &release.get("ConfigMap values")["data"];
        assert_eq!(data["values"], r#"{"a":"file","b":"line","c":"1","d":"from a file"}"#);
        assert_eq!(data["about"], "release kube-system v1.33.0 true");
        assert!(!rendered.contains("demo-hook"), "{rendered}");
    }
}

#[test]
fn the_machine_does_not_change_what_is_rendered() {
    let chart = Chart::replaying("");
    fs::write(
        chart.path().join("templates/about.yaml"),
        "kind: About\napiVersion: v1\nmetadata: {name: {{ .Release.Namespace }}}\n",
    )
    .unwrap();
    for mut helm in Helm::both() {
        helm.set("HELM_NAMESPACE", "elsewhere");
        helm.set("HELM_KUBECONTEXT", "elsewhere");
        helm.set("KUBECONFIG", "/none");
        let chart = chart.path().to_str().unwrap();
        let rendered = helm.germ_post(["template", "release", chart, "--profile=none"]).expect_ok();
        assert_eq!(Release::of(&rendered).names(), ["About default"]);
    }
}

#[test]
fn errors_name_the_cause_and_print_nothing() {
    let chart = Chart::replaying("");
    let template_file = chart.path().join("templates/bad.yaml");
    for helm in Helm::both() {
        let failure = |more: &[&str]| template(&helm, chart.path(), more).expect_failure();

        fs::write(&template_file, "{{ fail (printf \"no address for %s\" .Values.a) }}\n").unwrap();
        let said = failure(&["--profile=none", "--set=a=hunter2"]);
        let first = said.lines().next().unwrap();
        assert!(first.starts_with("error[helm-failed]: Helm cannot render the chart: "), "{said}");
        assert!(first.contains("no address for ***"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");

        fs::write(&template_file, "kind: Thing\nmetadata: [\n").unwrap();
        assert!(failure(&["--profile=none"]).contains("templates/bad.yaml"));

        fs::write(&template_file, "# nothing\n").unwrap();
        let said = failure(&["--profile=none"]);
        assert!(said.starts_with("error[empty-result]: the chart renders no object"), "{said}");
        template(&helm, chart.path(), &["--profile=none", "--allow-empty"]).expect_ok();

        assert!(failure(&["--profile=talso"]).contains("talos"));
        assert!(failure(&["--profile=none", "--post-renderer=x"]).contains("--post-renderer"));
        let said = helm.germ_post(["template", "Wrong_Name", ".", "--profile=none"]).expect_failure();
        assert!(said.starts_with("error[release-name-invalid]"), "{said}");
    }
}

#[test]
fn rules_that_drop_everything_are_named() {
    let chart = Chart::of_fixture("policies.yaml");
    for helm in Helm::both() {
        let said = template(&helm, chart.path(), &TALOS).expect_failure();
        assert!(said.starts_with("error[empty-result]: no object is left: rules drop"), "{said}");
        assert!(said.contains("cnp/drop-bundled drops some"), "{said}");
    }
}

#[test]
fn dependencies_are_fetched_when_that_is_asked_for() {
    let chart = Chart::of_fixture("hooks.yaml");
    let folder = tempfile::tempdir().unwrap();
    let child = folder.path().join("child");
    fs::create_dir_all(child.join("templates")).unwrap();
    fs::write(child.join("Chart.yaml"), "apiVersion: v2\nname: child\nversion: 1.0.0\n").unwrap();
    fs::write(child.join("templates/a.yaml"), "kind: Child\napiVersion: v1\nmetadata: {name: child}\n")
        .unwrap();
    let file = chart.path().join("Chart.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let child = child.display();
    fs::write(
        &file,
        format!("{text}\ndependencies: [{{name: child, version: 1.0.0, repository: 'file://{child}'}}]\n"),
    )
    .unwrap();
    for helm in Helm::both() {
        fs::remove_dir_all(chart.path().join("charts")).ok();
        let said = template(&helm, chart.path(), &["--profile=none"]).expect_failure();
        assert!(said.starts_with("error[dependencies-missing]"), "{said}");
        assert!(said.contains("child") && said.contains("helm dependency build"), "{said}");
        let rendered = template(&helm, chart.path(), &["--profile=none", "--dependency-build"]).expect_ok();
        assert!(Release::of(&rendered).names().contains(&"Child child"));
        // Now it is there, and nothing has to be fetched.
        template(&helm, chart.path(), &["--profile=none"]).expect_ok();
    }
}
