//! `germ-post export`: real kustomize makes of the exported patches what
//! germ-post makes of its rules, and Flux gets the same patches.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::folder::{Folder, MAP, fails, setter};
use crate::support::{self, release::Release, run::germ_post, tools};

fn yaml(text: &str) -> Value {
    germ_post::yaml::parse(text).unwrap().read().unwrap()
}

fn patches(value: &Value, at: &str) -> Vec<Value> {
    value.pointer(at).unwrap().as_array().unwrap().clone()
}

#[test]
fn kustomize_makes_the_same_of_the_patches() {
    let (Some(corpus), Some(kustomize)) = (support::corpus(), tools::kustomize()) else { return };
    let vanilla = fs::read_to_string(corpus.join("cilium/cilium-1.20.0-vanilla.yaml")).unwrap();
    let export = |tool: &str| {
        germ_post(&["export", "--as", tool, "--profile=talos-os"], vanilla.as_bytes()).expect_ok()
    };
    let kustomization = export("kustomize");
    let folder = Folder::with(&[("rendered.yaml", &vanilla), ("kustomization.yaml", &kustomization)]);
    let output = Command::new(kustomize).arg("build").arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let own = germ_post(&["--profile=talos-os"], vanilla.as_bytes()).expect_ok();
    Release::of(&String::from_utf8(output.stdout).unwrap()).assert_same(&Release::of(&own), "kustomize");

    // People review them.
    assert!(kustomization.contains("    patch: |\n      - op: "), "{kustomization}");
    let flux = yaml(&export("flux"));
    let own = patches(&yaml(&kustomization), "/patches");
    assert!(own.len() >= 3, "{} patches", own.len());
    assert_eq!(patches(&flux, "/spec/postRenderers/0/kustomize/patches"), own);
    for patch in own {
        assert!(yaml(patch["patch"].as_str().unwrap()).is_array());
    }
}

#[test]
fn dropped_objects_and_old_values_are_in_the_patches() {
    let policy = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a.b, namespace: n}\nspec: {podSelector: {}}\n";
    let kustomization = germ_post(
        &["export", "--as=kustomize", "--profile=cnp-platform", "--set=networkPolicies=all"],
        policy.as_bytes(),
    )
    .expect_ok();
    let all = patches(&yaml(&kustomization), "/patches");
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["target"]["name"], "a\\.b");
    let patch = yaml(all[0]["patch"].as_str().unwrap());
    assert_eq!((&patch["$patch"], &patch["metadata"]["name"]), (&"delete".into(), &"a.b".into()));
    if let Some(kustomize) = tools::kustomize() {
        let stream = format!("{policy}---\n{}", policy.replace("a.b", "axb"));
        let folder = Folder::with(&[("rendered.yaml", &stream), ("kustomization.yaml", &kustomization)]);
        let output = Command::new(kustomize).arg("build").arg(folder.path()).output().unwrap();
        let left = Release::of(&String::from_utf8(output.stdout).unwrap());
        assert_eq!(left.names(), ["NetworkPolicy n/axb"]);
    }

    let folder = Folder::with(&[("p.yaml", &setter("p", "x", "\"a\\n\\n b\\t\""))]);
    let export = |tool: &str, stream: &str| folder.run(&["export", tool, "--profile=./p.yaml"], stream);
    let all = patches(&yaml(&export("--as=kustomize", MAP).expect_ok()), "/patches");
    let patch = yaml(all[0]["patch"].as_str().unwrap());
    assert_eq!(patch[0], serde_json::json!({"op": "test", "path": "/data/x", "value": "1"}));
    assert_eq!(patch[1], serde_json::json!({"op": "replace", "path": "/data/x", "value": "a\n\n b\t"}));
    // Nothing to do is no patch, and a rule that misses is an error.
    let nothing = germ_post(&["export", "--as=flux", "--profile=none"], MAP.as_bytes()).expect_ok();
    assert_eq!(patches(&yaml(&nothing), "/spec/postRenderers/0/kustomize/patches"), Vec::<Value>::new());
    fails(&export("--as=flux", &MAP.replace("x:", "y:")), 3, &["p/x"]);
}

#[test]
fn what_a_patch_cannot_say_is_refused() {
    let emit = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: p\nrules: [{id: p/emit, title: x, why: x, emit: {file: o.yaml}}]\n";
    let secret = setter("s", "x", "Mg==").replace("ConfigMap", "Secret");
    let folder = Folder::with(&[
        ("p.yaml", emit),
        ("o.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\n"),
        ("s.yaml", &secret),
    ]);
    let export =
        |profile: &str, stream: &str| folder.run(&["export", "--as=kustomize", "--profile", profile], stream);
    fails(&export("./p.yaml", MAP), 3, &["a patch cannot add objects"]);
    let run = export("./s.yaml", &MAP.replace("ConfigMap", "Secret").replace("\"1\"", "c2VjcmV0"));
    fails(&run, 3, &["a patch of a Secret would show its values"]);
    assert!(!run.stderr.contains("c2VjcmV0"), "{}", run.stderr);
}
