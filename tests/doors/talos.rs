//! A release as Talos' inline manifest, and back: `check --node-config` finds nothing in
//! what was exported, and what was changed, taken away or left behind since.

use std::fs;

use crate::support::run::{Run, germ_post, germ_post_in};

const RELEASE: &str = "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: net, namespace: kube-system}\n\
    spec:\n  selector: {matchLabels: {app: net}}\n  template:\n    metadata: {labels: {app: net}}\n    \
    spec: {containers: [{name: net, image: \"net:1.0.0\"}]}\n\
    ---\napiVersion: v1\nkind: Service\nmetadata: {name: net, namespace: kube-system}\n\
    spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}\n\
    ---\napiVersion: v1\nkind: Secret\nmetadata: {name: net, namespace: kube-system}\nstringData: {password: hunter-one}\n";

const PROFILE: &str = "--profile=talos";

/// The checks of a machine configuration beside a release, as JSON.
fn check(release: &str, machine: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("machine.yaml"), machine).unwrap();
    let args = [
        "check",
        PROFILE,
        "--node-config=machine.yaml",
        "--format=json",
        "--fail-on=never",
        "--only=talos/inline-manifest",
    ];
    germ_post_in(folder.path(), &args, release.as_bytes())
}

fn rules(run: Run) -> Vec<(String, String)> {
    let text = run.expect_ok();
    assert!(!text.contains("hunter"), "{text}");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    value["findings"].as_array().unwrap().iter().map(|f| (text(&f["rule"]), text(&f["message"]))).collect()
}

fn exported(args: &[&str]) -> String {
    let run = germ_post(
        &[&["export", "--as=talos-inline", "--name=net", PROFILE], args].concat(),
        RELEASE.as_bytes(),
    );
    assert!(
        run.stderr.contains("Secrets in the clear") && run.stderr.contains("Secret kube-system/net"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("hunter"));
    run.expect_ok()
}

#[test]
fn what_was_exported_is_the_release() {
    for args in [&[][..], &["--talos-version=1.14"][..]] {
        let machine = exported(args);
        // The profile's edits are in it.
        assert!(machine.contains("externalTrafficPolicy: Cluster"), "{machine}");
        assert_eq!(machine.contains("kind: KubeInlineManifestConfig"), !args.is_empty());
        assert_eq!(rules(check(RELEASE, &machine)), []);

        // An older image, another password, an object that is gone, and one that is new.
        let stale = machine.replace("net:1.0.0", "net:0.9.0").replace("hunter-one", "hunter-two");
        let release =
            RELEASE.replace("kind: Service\nmetadata: {name: net,", "kind: Service\nmetadata: {name: other,");
        let found = rules(check(&release, &stale));
        let message = |rule: &str| -> Vec<&str> {
            found.iter().filter(|(id, _)| id == rule).map(|(_, message)| message.as_str()).collect()
        };
        assert_eq!(
            message("talos/inline-manifest-differs"),
            [
                "manifest net: DaemonSet kube-system/net is not as in the release: spec.template.spec.containers[name=net].image",
                "manifest net: Secret kube-system/net is not as in the release: stringData.password",
            ]
        );
        assert_eq!(
            message("talos/inline-manifest-stale"),
            ["manifest net: Service kube-system/net is not in the release"]
        );
        assert_eq!(
            message("talos/inline-manifest-missing"),
            ["manifest net: it lacks Service kube-system/other"]
        );
    }
}

#[test]
fn a_manifest_of_something_else_is_not_compared() {
    let machine = "cluster:\n  inlineManifests:\n    - name: ns\n      contents: |\n        apiVersion: v1\n        \
        kind: Namespace\n        metadata: {name: ci}\n";
    assert_eq!(rules(check(RELEASE, machine)), []);
}

#[test]
fn what_is_shown_of_a_manifest_on_one_line_hides_it() {
    let machine = "cluster:\n  inlineManifests:\n    - {name: net, contents: \"apiVersion: v1\\nkind: Secret\\n\
        metadata: {name: net, namespace: kube-system}\\nstringData: {password: hunter-two}\\n\"}\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("machine.yaml"), machine).unwrap();
    for format in ["human", "json", "sarif", "gitlab", "junit", "github"] {
        let args = [
            "check",
            PROFILE,
            "--node-config=machine.yaml",
            "--fail-on=never",
            &format!("--format={format}"),
        ];
        let run = germ_post_in(folder.path(), &args, RELEASE.as_bytes());
        let text = run.expect_ok();
        assert!(text.contains("talos/inline-manifest-differs"), "{text}");
        assert!(!text.contains("hunter-two"), "{format}: {text}");
    }
}
