//! `kubectl diff` with germ-post as the program that compares, against a real API
//! server: nothing that the server adds to an object is a difference.

use std::fs;

use crate::support::cluster::Cluster;

const CONFIG: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: diff-a, namespace: default}\ndata: {x: one}\n";
const SECRET: &str = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: diff-s, namespace: default}\nstringData: {password: hunter-1}\n";

#[test]
fn kubectl_compares_with_it() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let old = file("old.yaml", &format!("{CONFIG}{SECRET}"));
    let changed = format!("{CONFIG}{SECRET}").replace("one", "two").replace("hunter-1", "hunter-2");
    let new = file("new.yaml", &changed);
    let program = format!("{} diff --exit-code", env!("CARGO_BIN_EXE_germ-post"));
    let diff = |file: &str| {
        let output = cluster
            .command(&["diff", "--filename", file])
            .env("KUBECTL_EXTERNAL_DIFF", &program)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, text, error) = diff(&old);
    assert_eq!(code, Some(1), "everything is new: {error}");
    assert!(text.contains("+ ConfigMap default/diff-a"), "{text}");
    assert!(cluster.kubectl(&["apply", "--filename", &old]).status.success());
    let (code, text, error) = diff(&old);
    assert_eq!((code, text.as_str()), (Some(0), ""), "{error}");
    let (code, text, error) = diff(&new);
    assert_eq!(code, Some(1), "{error}");
    assert!(text.contains("± data.x") && text.contains("2 objects changed, 0 added, 0 removed"), "{text}");
    assert!(!text.contains("generation") && !text.contains("hunter"), "{text}");
}
