//! Nothing of a Secret is in any format, and equal values can be told all the same.

use super::found::{diff_with, folder, run, word};
use crate::support::run::germ_post_in;

/// Every format, so that none is forgotten.
pub const FORMATS: [&str; 9] =
    ["human", "unified", "brief", "side-by-side", "markdown", "json", "github", "gitlab", "html"];

const OLD: &str = "\
apiVersion: v1
kind: Secret
metadata:
  name: creds
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{\"stringData\":{\"a\":\"hunter-1\"}}'
data: {token: aHVudGVyLTE=, same: aHVudGVyLTI=}
stringData:
  a: hunter-1
  long: |
    hunter-1
    hunter-2
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: open}, data: {a: one}}
- {apiVersion: v1, kind: Secret, metadata: {name: nested}, stringData: {a: hunter-3}}
---
apiVersion: v1
kind: SecretList
items:
- {metadata: {name: typed}, stringData: {a: hunter-4}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: near}
data: {a: one}
---
apiVersion: v1
kind: Secret
metadata: {name: gone}
data: hunter-5
";

fn new() -> String {
    OLD.replace("hunter-1", "hunter-9")
        .replace("aHVudGVyLTE=", "aHVudGVyLTk=")
        .replace("hunter-3", "hunter-8")
        .replace("hunter-4", "hunter-7")
        .replace("a: one", "a: two")
        .replace("name: gone", "name: come")
}

#[test]
fn no_format_shows_a_value() {
    for style in [&[][..], &["--style", "--no-ignore", "--context=50"]] {
        for format in FORMATS {
            let mut args = vec!["--format", format];
            args.extend(style);
            let run = run(&folder("masking"), OLD, &new(), &args);
            assert_eq!(run.code, 0, "{}", run.summary());
            let all = String::from_utf8(run.stdout).unwrap() + &run.stderr;
            for value in ["hunter", "aHVudGVy"] {
                assert!(!all.contains(value), "{format} shows {value}:\n{all}");
            }
            assert!(all.contains("near"), "{format} shows what is open:\n{all}");
        }
    }
}

#[test]
fn keys_are_named_and_equality_shows() {
    let swapped = OLD.replace("aHVudGVyLTE=", "x").replace("aHVudGVyLTI=", "aHVudGVyLTE=");
    let found = diff_with("masked-equal", OLD, &swapped, &[]);
    assert_eq!(found.changes(), ["± data.token", "± data.same"]);
    let changes = &found.group()["objects"][0]["changes"];
    assert_eq!(changes[0]["old"], changes[1]["new"]);
    assert_ne!(changes[0]["old"], changes[0]["new"]);
    let again = diff_with("masked-again", OLD, &swapped, &[]);
    assert_ne!(
        again.group()["objects"][0]["changes"][0]["old"],
        changes[0]["old"],
        "the key is the run's own"
    );
}

#[test]
fn other_values_are_masked_on_request() {
    let pod = |value: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers:\n  - name: a\n    args: [hunter-0, {value}]\n    env:\n    - {{name: PASSWORD, value: {value}}}\n    - {{name: OPEN, value: x{}}}\n",
            value.len()
        )
    };
    for format in FORMATS {
        let args = [
            "--format",
            format,
            "--mask",
            "$pod.containers[*].env[name=PASSWORD].value",
            "--mask=/spec/containers/0/args",
        ];
        let text = run(&folder("mask-path"), &pod("hunter-1"), &pod("hunter-22"), &args).expect_ok();
        assert!(!text.contains("hunter"), "{format}:\n{text}");
    }
    let found =
        diff_with("mask-one", &pod("hunter-1"), &pod("hunter-22"), &["--mask", "$pod.containers[*].args"]);
    let paths: Vec<&str> =
        found.group()["objects"][0]["changes"].as_array().unwrap().iter().map(|c| word(&c["path"])).collect();
    assert_eq!(paths.len(), 3, "{paths:?}");
}

#[test]
fn a_broken_secret_is_not_quoted() {
    let folder = folder("broken-secret");
    std::fs::write(folder.join("old.yaml"), OLD).unwrap();
    std::fs::write(
        folder.join("new.yaml"),
        "apiVersion: v1\nkind: Secret\nstringData:\n  a: hunter-1\n   b: hunter-2\n",
    )
    .unwrap();
    for profile in [&[][..], &["--profile=talos"]] {
        let mut args = vec!["diff", "old.yaml", "new.yaml"];
        args.extend(profile);
        let run = germ_post_in(&folder, &args, b"");
        assert_eq!((run.code, run.stdout.len()), (2, 0));
        assert!(!run.stderr.contains("hunter") && run.stderr.contains("new.yaml:5"), "{}", run.stderr);
    }
}
