//! `--format unified` is a patch: `git apply` takes it, and what comes of it means the
//! same as the new side.

use std::fs;

use super::found::{diff_with, folder, run};
use super::sides::git;
use crate::support::{renderings, run::germ_post_in};

/// Applies the patch for the old text and gives what comes of it.
fn applied(name: &str, old: &str, new: &str, args: &[&str]) -> String {
    let folder = folder(name);
    let mut all = vec!["--format=unified"];
    all.extend(args);
    let patch = run(&folder, old, new, &all).expect_ok();
    fs::write(folder.join("patch"), &patch).unwrap();
    if patch.contains("@@") {
        let (code, _, error) = git(&folder, &["apply", "patch"]);
        assert_eq!(code, Some(0), "{error}\n{patch}");
    }
    fs::read_to_string(folder.join("old.yaml")).unwrap_or_default()
}

fn object(kind: &str, name: &str, value: &str) -> String {
    format!("---\napiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\ndata:\n  a: {value}\n")
}

#[test]
fn documents_come_go_and_change() {
    let old = [object("ConfigMap", "a", "x"), object("ConfigMap", "b", "x"), object("ConfigMap", "c", "x")]
        .concat();
    let with_new = old.replace(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b",
        &format!(
            "{}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b",
            object("Service", "n", "new")
        ),
    );
    let cases = [
        (
            "changed",
            old.replace(
                "a: x\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c",
                "a: z\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c",
            ),
        ),
        ("removed", [object("ConfigMap", "a", "x"), object("ConfigMap", "c", "x")].concat()),
        ("added", with_new.clone()),
        ("both", with_new.replace("name: a\ndata:\n  a: x", "name: a\ndata:\n  other: y")),
        ("no-newline", old.trim_end().replace("name: c\ndata:\n  a: x", "name: c\ndata:\n  a: y")),
    ];
    for (name, new) in cases {
        assert_eq!(applied(&format!("patch-{name}"), &old, &new, &[]), new, "{name}");
        assert_eq!(applied(&format!("patch-back-{name}"), &new, &old, &[]), old, "{name}, backwards");
    }
}

#[test]
fn order_and_style_are_left_out_unless_asked_for() {
    let old = [object("ConfigMap", "a", "x"), object("ConfigMap", "b", "x")].concat();
    let new = [object("ConfigMap", "b", "\"x\""), object("ConfigMap", "a", "y")].concat();
    assert_eq!(applied("patch-order", &old, &new, &[]), old.replacen("a: x", "a: y", 1));
    let styled = old.replacen("a: x", "a: y", 1).replacen("a: x", "a: \"x\"", 1);
    assert_eq!(applied("patch-style", &old, &new, &["--style"]), styled);
}

#[test]
fn a_secret_beside_a_change_is_no_context() {
    let secret = object("Secret", "s", "hunter-1");
    let old = [secret.clone(), object("ConfigMap", "a", "x"), secret.replace("name: s", "name: t")].concat();
    let new = old.replace("a: x", "a: y").replace("hunter-1", "hunter-2");
    let patch = run(&folder("patch-context"), &old, &new, &["--format=unified", "-U50"]).expect_ok();
    assert!(!patch.contains("hunter"), "{patch}");
    assert!(patch.contains("# Secret s is not in this patch: its values are masked"), "{patch}");
    assert_eq!(applied("patch-secret", &old, &new, &["-U50"]), old.replace("a: x", "a: y"));
}

#[test]
fn folders_are_patched_file_by_file() {
    let folder = folder("patch-folders");
    let files = [
        ("old/a.yaml", object("ConfigMap", "a", "x")),
        ("old/gone.yaml", object("ConfigMap", "gone", "x").replace("data", "stays")),
        ("new/a.yaml", object("ConfigMap", "a", "y")),
        ("new/sub/n.yaml", object("Service", "n", "z")),
    ];
    for (path, text) in &files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let patch = germ_post_in(&folder, &["diff", "--format=unified", "old", "new"], b"").expect_ok();
    fs::write(folder.join("patch"), &patch).unwrap();
    let (code, _, error) = git(&folder, &["apply", "--directory=old", "--unsafe-paths", "patch"]);
    assert_eq!(code, Some(0), "{error}\n{patch}");
    assert_eq!(fs::read_to_string(folder.join("old/a.yaml")).unwrap(), files[2].1);
    assert_eq!(fs::read_to_string(folder.join("old/sub/n.yaml")).unwrap(), files[3].1);
    assert!(!folder.join("old/gone.yaml").exists());
}

#[test]
fn a_rendering_is_patched_as_the_profile_rewrites_it() {
    let Some(corpus) = crate::support::corpus() else { return };
    let folder = folder("patch-profile");
    let vanilla = fs::read(corpus.join("cilium/cilium-1.20.0-vanilla.yaml")).unwrap();
    fs::write(folder.join("cilium.yaml"), &vanilla).unwrap();
    let args = ["diff", "--profile=talos", "--format=unified", "cilium.yaml"];
    fs::write(folder.join("patch"), germ_post_in(&folder, &args, b"").expect_ok()).unwrap();
    let (code, _, error) = git(&folder, &["apply", "patch"]);
    assert_eq!(code, Some(0), "{error}");
    let rewritten = germ_post_in(&folder, &["--profile=talos"], &vanilla).expect_ok();
    assert_eq!(fs::read_to_string(folder.join("cilium.yaml")).unwrap(), rewritten);
}

#[test]
fn a_patch_of_real_renderings_leaves_no_difference() {
    let files = renderings();
    let pairs = files.windows(2).filter(|pair| {
        let chart =
            |at: usize| pair[at].file_name().unwrap().to_string_lossy().split('-').next().unwrap().to_owned();
        chart(0) == chart(1)
    });
    for (index, pair) in pairs.step_by(23).take(8).enumerate() {
        let read = |at: usize| fs::read_to_string(&pair[at]).unwrap();
        // Secrets are not in a patch, so that they stay a difference.
        let args = ["--no-ignore", "--ignore-object=Secret"];
        let came = applied(&format!("patch-real-{index}"), &read(0), &read(1), &args);
        let left = diff_with(&format!("patch-left-{index}"), &came, &read(1), &args);
        assert_eq!(left.objects(), [""; 0], "{} → {}", pair[0].display(), pair[1].display());
    }
}
