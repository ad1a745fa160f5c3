//! `--chart DIR --base REF`: rendered by the real Helm 3 and 4 from git, each side with
//! its own configuration, and nothing of the checkout touched.

use std::fs;
use std::path::Path;

use super::sides::git;
use crate::support::helm::{Helm, Run};

const TEMPLATE: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}\nspec:\n  replicas: {{ .Values.replicas }}\n  template: {spec: {containers: [{name: web, image: {{ .Values.image | quote }}}]}}\n";

const PROFILE: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nrules:\n- id: own/paused\n  title: Paused\n  why: A test.\n  match: {kind: Deployment}\n  edit: [{set: spec.paused, value: true}]\n";

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// A repository with a chart, in Helm's working directory.
fn repository(helm: &mut Helm) -> std::path::PathBuf {
    helm.set("PATH", std::env::var_os("PATH").unwrap());
    let root = helm.working_directory();
    git(&root, &["init", "-q"]);
    write(
        &root,
        &[
            ("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"),
            ("charts/web/values.yaml", "replicas: 1\nimage: web:1\n"),
            ("charts/web/templates/web.yaml", TEMPLATE),
            ("prod.yaml", "replicas: 2\n"),
        ],
    );
    commit(&root, "one");
    git(&root, &["branch", "base"]);
    root
}

fn commit(root: &Path, message: &str) {
    git(root, &["add", "-A"]);
    let (code, _, error) = git(root, &["commit", "-qm", message]);
    assert_eq!(code, Some(0), "{error}");
}

fn diff(helm: &Helm, args: &[&str]) -> Run {
    let mut all = vec!["diff", "--chart=charts/web", "--base=base"];
    all.extend(args);
    helm.germ_post(all)
}

#[test]
fn both_sides_are_rendered_and_the_helm_is_named() {
    for mut helm in Helm::both() {
        let root = repository(&mut helm);
        write(
            &root,
            &[
                ("charts/web/values.yaml", "replicas: 1\nimage: web:2\n"),
                ("prod.yaml", "replicas: 3\n"),
                ("untracked.txt", "x"),
            ],
        );
        let before = git(&root, &["status", "--porcelain", "--untracked-files=all"]).1;
        let run = diff(&helm, &["-f", "prod.yaml", "-n", "shop"]);
        assert!(run.ok, "{}", run.stderr);
        let major = format!("rendered by Helm v{}.", helm.major);
        for wanted in [&major, "base (", "the working tree", "± Deployment shop/web", "- 2", "+ 3", "+ web:2"]
        {
            assert!(run.stdout.contains(wanted), "`{wanted}` is not in\n{}", run.stdout);
        }
        assert_eq!(git(&root, &["status", "--porcelain", "--untracked-files=all"]).1, before);
        assert_eq!(git(&root, &["worktree", "list"]).1.lines().count(), 1);
        assert_eq!(
            fs::read_dir(helm.working_directory().join("../tmp")).unwrap().count(),
            0,
            "nothing is left behind"
        );
        // From one commit to another, whatever the working tree is.
        let same = diff(&helm, &["--head=base", "--format=brief"]);
        assert_eq!(same.stdout, "no difference in 1 object\n", "{}", same.stderr);
        let set = diff(&helm, &["--helm-set=replicas=7", "--release=other", "--format=json"]);
        assert!(
            set.stdout.contains("\"name\": \"other\"") && !set.stdout.contains("replicas"),
            "{}",
            set.stdout
        );
    }
}

#[test]
fn a_side_that_does_not_render_is_an_error() {
    for mut helm in Helm::both() {
        let root = repository(&mut helm);
        write(&root, &[("charts/web/templates/web.yaml", "{{ fail \"not like this\" }}")]);
        let run = diff(&helm, &["--exit-code"]);
        assert!(!run.ok && run.stdout.is_empty(), "{}", run.stdout);
        for wanted in ["not like this", "it is the chart of the working tree"] {
            assert!(run.stderr.contains(wanted), "{}", run.stderr);
        }
        git(&root, &["checkout", "-q", "."]);
        for (args, wanted) in [
            (&["--base=nowhere"][..], "git knows no commit `nowhere`"),
            (&["--head=base", "-f", "new.yaml"], "there is no file of values new.yaml in base ("),
        ] {
            write(&root, &[("new.yaml", "replicas: 3\n")]);
            let mut all = vec!["diff", "--chart=charts/web"];
            if !args[0].starts_with("--base") {
                all.push("--base=base");
            }
            all.extend(args);
            let run = helm.germ_post(all);
            assert!(!run.ok && run.stderr.contains(wanted), "{}", run.stderr);
        }
        git(&root, &["mv", "charts/web", "charts/moved"]);
        let moved = helm.germ_post(["diff", "--chart=charts/moved", "--base=base"]);
        assert!(moved.stderr.contains("there is no chart charts/moved in base ("), "{}", moved.stderr);
    }
}

#[test]
fn each_side_has_its_own_configuration() {
    let Some(mut helm) = Helm::three() else { return };
    let root = repository(&mut helm);
    let config = |profile: &str| format!("apiVersion: germ-post.dev/v1\nkind: Config\nprofile: {profile}\n");
    write(&root, &[("germ-post.yaml", &config("none"))]);
    commit(&root, "configured");
    git(&root, &["branch", "-f", "base"]);
    write(&root, &[("germ-post.yaml", &config("./own.yaml")), ("own.yaml", PROFILE)]);
    let run = diff(&helm, &[]);
    assert!(run.ok, "{}", run.stderr);
    assert!(run.stdout.contains("+ spec.paused: true  [own/paused]"), "{}", run.stdout);
    assert!(run.stdout.contains("1 by 1 rule"), "{}", run.stdout);
}

#[test]
fn vendored_dependencies_that_git_does_not_have_are_shared() {
    let Some(mut helm) = Helm::three() else { return };
    let root = repository(&mut helm);
    let chart = "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: sub, version: 1.0.0, repository: 'https://charts.example'}]\n";
    write(&root, &[("charts/web/Chart.yaml", chart), (".gitignore", "charts/web/charts/\n")]);
    commit(&root, "depends");
    git(&root, &["branch", "-f", "base"]);
    let missing = diff(&helm, &[]);
    assert!(!missing.ok && missing.stderr.contains("sub"), "{}", missing.stderr);
    write(
        &root,
        &[
            ("charts/web/charts/sub/Chart.yaml", "apiVersion: v2\nname: sub\nversion: 1.0.0\n"),
            (
                "charts/web/charts/sub/templates/a.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sub}\n",
            ),
            ("charts/web/values.yaml", "replicas: 5\nimage: web:1\n"),
        ],
    );
    let run = diff(&helm, &["--format=brief"]);
    assert!(run.ok, "{}", run.stderr);
    assert!(
        run.stdout.contains("± Deployment default/web  1 change") && !run.stdout.contains("sub"),
        "{}",
        run.stdout
    );
}
