//! Tells the program which revision it is made of: that which a packager names, that of a
//! package from the registry, or that of the Git checkout. Only for releases, since it would
//! have every commit compile everything anew.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=GERM_POST_REVISION");
    let named = std::env::var("GERM_POST_REVISION").ok().filter(|name| !name.is_empty());
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let found = named.or_else(|| is_release.then(|| packaged().or_else(checkout)).flatten());
    println!("cargo:rustc-env=GERM_POST_REVISION={}", found.unwrap_or_default());
}

/// What `cargo package` has written down.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let after = text.split("\"sha1\"").nth(1)?;
    Some(after.split('"').nth(1)?.chars().take(12).collect())
}

fn checkout() -> Option<String> {
    // A package's folder may lie in somebody else's repository.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let here = std::env::current_dir().ok()?;
    if Path::new(&top).canonicalize().ok()? != here.canonicalize().ok()? {
        return None;
    }
    let of_branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in std::iter::once("HEAD".to_owned()).chain(of_branch) {
        if let Some(file) = git(&["rev-parse", "--git-path", &name]) {
            println!("cargo:rerun-if-changed={file}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
