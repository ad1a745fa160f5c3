//! `germ-post helm-plugin install` for both real Helms: what it installs works as Helm's own
//! installation would, and no Helm 3 loses its plugins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{
    helm::{Helm, KUBE_VERSION},
    release::Release,
    replay::{Chart, fixture},
};

fn plugins(helm: &Helm) -> PathBuf {
    PathBuf::from(helm.run(["env", "HELM_PLUGINS"]).expect_ok().trim())
}

fn write(folder: &Path, name: &str, text: &str) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("plugin.yaml"), text).unwrap();
}

const OF_HELM_3: &str = "name: other\nversion: 1.0.0\nusage: other\ndescription: other\ncommand: echo\n";

fn install(helm: &Helm, more: &[&str]) -> crate::support::helm::Run {
    helm.germ_post(["helm-plugin", "install"].iter().chain(more))
}

/// `helm germ-post …`, for a command of germ-post and for one of Helm.
fn works(helm: &Helm) {
    let folder = helm.working_directory();
    fs::write(folder.join("before.yaml"), fixture("hooks.yaml")).unwrap();
    let words =
        ["germ-post", "diff", "--profile", "talos", "--format", "brief", "before.yaml", "--exit-code"];
    let run = helm.run(words);
    assert!(run.stdout.contains("Service demo"), "{}{}", run.stdout, run.stderr);
    assert_eq!(run.code, Some(1), "flags and the exit code come through");

    let chart = Chart::of_fixture("hooks.yaml");
    let rendered = helm.run([
        "germ-post",
        "--profile=talos",
        "--",
        "template",
        "release",
        chart.path().to_str().unwrap(),
        "--namespace",
        "elsewhere",
        KUBE_VERSION,
    ]);
    assert!(rendered.stderr.contains("[talos]"), "{}", rendered.stderr);
    let objects = Release::of(&rendered.expect_ok());
    assert_eq!(objects.get("Service demo")["spec"]["externalTrafficPolicy"], "Cluster");

    // Helm keeps the namespace to itself, and says it to the plugin in a variable.
    let chart = chart.path();
    fs::write(
        chart.join("templates/namespace.yaml"),
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: told}\ndata: {in: '{{ .Release.Namespace }}'}\n",
    )
    .unwrap();
    let rendered = helm.run([
        "germ-post",
        "template",
        "release",
        chart.to_str().unwrap(),
        "--profile=talos",
        "-n",
        "elsewhere",
        KUBE_VERSION,
    ]);
    assert_eq!(Release::of(&rendered.expect_ok()).get("ConfigMap told")["data"]["in"], "elsewhere");
}

#[test]
fn helm_3_gets_its_commands() {
    let Some(helm) = Helm::three() else { return };
    write(&plugins(&helm), "other", OF_HELM_3);
    for _ in ["first", "again"] {
        let said = install(&helm, &[]).expect_ok();
        assert!(said.contains("helm germ-post --profile talos -- upgrade"), "{said}");
    }
    let listed = helm.run(["plugin", "list"]).expect_ok();
    assert!(listed.contains("germ-post") && listed.contains("other"), "{listed}");
    works(&helm);
    helm.run(["plugin", "uninstall", "germ-post"]).expect_ok();
    assert!(!plugins(&helm).join("germ-post").exists());
}

#[test]
fn helm_4_gets_the_post_renderer_and_its_commands() {
    let Some(helm) = Helm::four_without_plugin() else { return };
    for _ in ["first", "again"] {
        install(&helm, &[]).expect_ok();
    }
    let run = helm.run(["plugin", "list"]);
    assert_eq!(run.stderr, "");
    assert_eq!(run.expect_ok().matches("germ-post").count(), 2);
    let run = helm.post_render(&Chart::of_fixture("hooks.yaml"), &["--profile=talos"], &[]);
    assert_eq!(Release::of(&run.expect_ok()).get("Service demo")["spec"]["externalTrafficPolicy"], "Cluster");
    works(&helm);
    helm.run(["plugin", "uninstall", "germ-post", "germ-post-cli"]).expect_ok();
    assert!(!plugins(&helm).join("germ-post").exists());
}

/// The folders of the archive, installed by Helm itself.
#[test]
fn the_folders_of_a_release_work_as_well() {
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    let folders = [(Helm::three(), "helm3/germ-post"), (Helm::four(), "helm4/germ-post-cli")];
    for (helm, folder) in folders {
        let Some(helm) = helm else { continue };
        helm.run(["plugin", "install", deploy.join(folder).to_str().unwrap()]).expect_ok();
        works(&helm);
    }
}

#[test]
fn helm_4_does_not_take_helm_3_its_plugins() {
    let (Some(three), Some(four)) = (Helm::three(), Helm::four_without_plugin()) else { return };
    let three = three.in_the_home_of(&four);
    write(&plugins(&four), "other", OF_HELM_3);
    let stderr = install(&four, &[]).expect_failure();
    assert!(stderr.starts_with("error[helm-3-would-lose-plugins]"), "{stderr}");
    assert!(!plugins(&four).join("germ-post").exists());
    let three_lists = || three.run(["plugin", "list"]);
    assert!(three_lists().expect_ok().contains("other"));

    install(&four, &["--for-both"]).expect_ok();
    assert!(three_lists().expect_ok().contains("germ-post"));
    works(&three);
    works(&four);

    install(&four, &["--force"]).expect_ok();
    assert!(!three_lists().ok, "Helm 3 reads Helm 4's plugins now: the guard is not needed any more");
    let stderr = install(&three, &[]).expect_failure();
    assert!(stderr.starts_with("error[helm-3-reads-no-plugins]"), "{stderr}");
}

#[test]
fn a_plugin_of_somebody_else_is_not_replaced() {
    let Some(helm) = Helm::three() else { return };
    write(&plugins(&helm), "germ-post", OF_HELM_3);
    assert!(install(&helm, &[]).expect_failure().starts_with("error[plugin-in-the-way]"));
    install(&helm, &["--force"]).expect_ok();
    assert!(helm.run(["plugin", "list"]).expect_ok().contains("germ-post"));
}

/// Where germ-post is not in PATH the plugin brings its own way to it.
#[test]
fn it_works_without_the_path() {
    for helm in [Helm::three(), Helm::four_without_plugin()] {
        let Some(mut helm) = helm else { continue };
        helm.set("PATH", "/usr/bin:/bin");
        install(&helm, &[]).expect_ok();
        works(&helm);
    }
}
