//! What several test programs share: where the corpus is, and the rule that a
//! missing corpus or tool fails the run only in CI (`GERM_CI=1`).
#![allow(dead_code, reason = "no test program needs all of it")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "only tests run it"
)]

pub mod argocd;
pub mod cluster;
pub mod cmp;
pub mod compare;
pub mod helm;
pub mod mutate;
pub mod objects;
pub mod page;
pub mod parallel;
pub mod platform_chart;
pub mod release;
pub mod replay;
pub mod run;
pub mod spans;
pub mod tools;
pub mod vouched;

use std::path::{Path, PathBuf};

use germ_post::yaml::Stream;

/// Whether a missing tool or corpus is a failure (CI) or a reason to skip.
pub fn in_ci() -> bool {
    std::env::var_os("GERM_CI").is_some_and(|value| value == "1")
}

/// Says why a test is skipped; fails instead in CI.
pub fn skip(what: &str) {
    assert!(!in_ci(), "{what} is missing, and GERM_CI=1 makes that a failure");
    eprintln!("skipped: {what} is missing");
}

/// A folder beside the checkout that holds test data: from `variable`, or
/// `../shared/<name>`.
fn data_folder(variable: &str, name: &str) -> Option<PathBuf> {
    let path = match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name),
    };
    if path.is_dir() {
        return Some(path);
    }
    skip(&format!("the folder of {name} (set {variable})"));
    None
}

/// The folder of real chart renderings.
pub fn corpus() -> Option<PathBuf> {
    data_folder("GERM_CORPUS", "corpus")
}

/// The folder of handed hard cases.
pub fn handed_cases() -> Option<PathBuf> {
    data_folder("GERM_CASES", "cases")
}

/// All rendered streams of the corpus, in a fixed order.
pub fn renderings() -> Vec<PathBuf> {
    let Some(corpus) = corpus() else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = ["cilium", "platform", "edge"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(corpus.join(folder)))
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "yaml"))
        .map(|entry| entry.into_path())
        .collect();
    files.sort();
    files
}

/// About `count` small documents of the corpus, spread over all of its files.
pub fn sample_documents(count: usize) -> Vec<String> {
    let mut texts = Vec::new();
    for file in renderings() {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let Ok(stream) = Stream::cut(&bytes) else { continue };
        let documents = stream.documents().iter().map(|document| stream.document_text(document));
        texts.extend(documents.filter(|text| (20..20_000).contains(&text.len())).map(str::to_owned));
    }
    let step = (texts.len() / count).max(1);
    texts.into_iter().step_by(step).collect()
}

/// Where what tests build or fetch is kept, outside the checkout: `$GERM_CACHE`,
/// else `$XDG_CACHE_HOME/germ-post`, else `~/.cache/germ-post`.
pub fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("GERM_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("germ-post")))
        .or_else(|| Some(set("HOME")?.join(".cache/germ-post")))?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
