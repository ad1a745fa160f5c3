//! The real programs that end-to-end tests run against. `tests/tools/build.sh`
//! knows their versions and where they are cached; tests ask here. With
//! `GERM_CI=1` or `GERM_BUILD_TOOLS=1` what is missing gets built, otherwise
//! the test is skipped, since a build takes minutes.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
};

use super::{in_ci, skip};

/// Helm 3.
pub fn helm3() -> Option<PathBuf> {
    tool("helm3")
}

/// Helm 4.
pub fn helm4() -> Option<PathBuf> {
    tool("helm4")
}

/// The store under [`kube_apiserver`].
pub fn etcd() -> Option<PathBuf> {
    tool("etcd")
}

/// The server that checks and keeps objects.
pub fn kube_apiserver() -> Option<PathBuf> {
    tool("kube-apiserver")
}

/// The client for it.
pub fn kubectl() -> Option<PathBuf> {
    tool("kubectl")
}

/// The tool that exported patches are for.
pub fn kustomize() -> Option<PathBuf> {
    tool("kustomize")
}

/// Another program that edits YAML.
pub fn yq() -> Option<PathBuf> {
    tool("yq")
}

/// A program that compares YAML.
pub fn dyff() -> Option<PathBuf> {
    tool("dyff")
}

/// The program that makes a book of `docs/`.
pub fn mdbook() -> Option<PathBuf> {
    tool("mdbook")
}

/// The part of Argo CD that runs plugins.
pub fn argocd_cmp_server() -> Option<PathBuf> {
    tool("argocd-cmp-server")
}

/// Argo CD's side of the conversation with it.
pub fn cmp_client() -> Option<PathBuf> {
    tool("cmp-client")
}

/// One tool of `tests/tools/tools.tsv`, built at most once a test program.
fn tool(name: &'static str) -> Option<PathBuf> {
    static KNOWN: Mutex<Option<HashMap<&'static str, Option<PathBuf>>>> = Mutex::new(None);
    // Held while building: the other tests of this program need the same tool.
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = known.get_or_insert_default().entry(name).or_insert_with(|| find(name)).clone();
    if path.is_none() {
        skip(&format!("{name} (build it with tests/tools/build.sh {name}, or set GERM_BUILD_TOOLS=1)"));
    }
    path
}

fn find(name: &str) -> Option<PathBuf> {
    let may_build = in_ci() || std::env::var_os("GERM_BUILD_TOOLS").is_some_and(|value| value == "1");
    let arguments: &[&str] = if may_build { &[name] } else { &["--where", name] };
    // A build says on stderr what it does and why it fails: let that through.
    let output = Command::new("bash")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/build.sh"))
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let path =
        PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end().strip_prefix(name)?.trim_start());
    path.is_file().then_some(path)
}
