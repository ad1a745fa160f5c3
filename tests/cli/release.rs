//! The archive of a release: complete, the same every time, and its program runs from it.

use std::path::Path;
use std::process::Command;

use crate::support::{self, run::scratch};

fn release(into: &Path) -> bool {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/release.sh");
    let run = Command::new("bash")
        .args([script, "--binary", env!("CARGO_BIN_EXE_germ-post")])
        .arg(into)
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output();
    let Ok(run) = run else {
        support::skip("bash");
        return false;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    true
}

#[test]
fn an_archive_is_all_that_a_machine_needs() {
    let folder = tempfile::tempdir_in(scratch()).unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    if !release(&one) || !release(&two) {
        return;
    }
    let sums = std::fs::read_to_string(one.join("SHA256SUMS")).unwrap();
    assert_eq!(sums, std::fs::read_to_string(two.join("SHA256SUMS")).unwrap(), "another archive each time");
    let checked =
        Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&one).status();
    assert!(checked.unwrap().success());

    let archive = std::fs::read_dir(&one).unwrap().flatten().map(|entry| entry.path());
    let archive = archive.into_iter().find(|path| path.extension().is_some_and(|end| end == "gz")).unwrap();
    let unpacked = Command::new("tar").arg("-xzf").arg(&archive).current_dir(folder.path()).status();
    assert!(unpacked.unwrap().success());
    let root = folder.path().join(archive.file_name().unwrap().to_str().unwrap().trim_end_matches(".tar.gz"));
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "README.md",
        "completions/germ-post.bash",
        "docs/compatibility.md",
        "docs/profiles.md",
        "examples/helmfile/helmfile.yaml",
        "examples/release.yaml",
        "helm3/germ-post/plugin.yaml",
        "helm4/germ-post/plugin.yaml",
        "helm4/germ-post-cli/plugin.yaml",
        "man/germ-post.1",
        "man/germ-post-check.1",
    ] {
        assert!(root.join(file).is_file(), "{file} is missing");
    }
    let version = Command::new(root.join("germ-post")).arg("--version").env_clear().output().unwrap();
    assert!(String::from_utf8_lossy(&version.stdout).starts_with("germ-post "), "{version:?}");
    // A machine with nothing but the archive and Helm gets Helm's plugins from it.
    for helm in [support::tools::helm3(), support::tools::helm4()].into_iter().flatten() {
        let home = tempfile::tempdir_in(scratch()).unwrap();
        let mut install = Command::new(root.join("germ-post"));
        install.args(["helm-plugin", "install"]).env_clear();
        let install = install.env("HELM_BIN", &helm).env("HOME", home.path()).output().unwrap();
        assert!(install.status.success(), "{}", String::from_utf8_lossy(&install.stderr));
        let called = Command::new(&helm)
            .args(["germ-post", "--version"])
            .env_clear()
            .env("HOME", home.path())
            .output()
            .unwrap();
        let called = String::from_utf8_lossy(&called.stdout).into_owned();
        assert!(called.starts_with("germ-post "), "{}: {called}", helm.display());
    }
    let materials =
        std::fs::read_to_string(one.join(format!("germ-post-{}.spdx", env!("CARGO_PKG_VERSION"))));
    let materials = materials.unwrap();
    for package in ["granit-parser", "json-patch", "germ-post"] {
        assert!(materials.contains(&format!("\nPackageName: {package}\n")), "{package} is not named");
    }
    assert!(!materials.contains(env!("CARGO_MANIFEST_DIR")), "a path of this machine is in it");
}
