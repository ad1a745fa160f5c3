//! The charts that a chart depends on, for one whose `charts/` lacks some. A
//! `Chart.lock` can be built from only when Helm knows the repositories by name, so
//! they are added first.

use std::path::Path;

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::chart::{Chart, is_archive_of};
use serde::Deserialize;

use super::Helm;

/// Adds to an error about missing dependencies what to do.
pub fn missing(error: &Diagnostic) -> Diagnostic {
    let mut error = error.clone();
    error.code = "dependencies-missing";
    error.help("keep them in the repository: `helm dependency build`, and charts/*.tgz into Git")
}

fn chart_of(folder: &Path) -> Result<Chart, Diagnostic> {
    let path = folder.join("Chart.yaml");
    let shown_as = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Diagnostic::input("chart-unreadable", format!("cannot read {shown_as}: {error}"))
            .help("germ-post renders charts: the folder has to hold a Chart.yaml")
    })?;
    Chart::parse(&shown_as, &text)
}

/// The dependencies that nothing in `charts/` can hold.
pub fn not_there(folder: &Path) -> Result<Vec<String>, Diagnostic> {
    let chart = chart_of(folder)?;
    let entries = std::fs::read_dir(folder.join("charts")).into_iter().flatten().flatten();
    let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // A folder may have another name than the chart in it; its Chart.yaml tells.
    let unpacked: Vec<String> = names
        .iter()
        .filter_map(|name| chart_of(&folder.join("charts").join(name)).ok())
        .map(|chart| chart.name)
        .collect();
    let is_there = |name: &str| {
        unpacked.iter().any(|found| found == name) || names.iter().any(|file| is_archive_of(name, file))
    };
    let missing = chart.dependencies().iter().filter(|dependency| !is_there(&dependency.name));
    Ok(missing.map(|dependency| dependency.name.clone()).collect())
}

/// Fetches all dependencies into `charts/`: those of `Chart.lock`, if there is one.
/// Charts named by `file://` have to lie `within` a folder, where one is given.
pub fn build(helm: &Helm, folder: &Path, within: Option<&Path>) -> Result<(), Diagnostic> {
    let chart = chart_of(folder)?;
    if let Some(root) = within {
        refuse_outside(&chart, folder, root)?;
    }
    let refreshed = match helm.homes.repository_config() {
        // The user's own list is the user's: Helm refreshes it, and nothing is added.
        None => false,
        Some(list) => {
            let known = known_repositories(&list)?;
            for (index, url) in chart.repositories().into_iter().enumerate() {
                introduce(helm, folder, index, url, &known)?;
            }
            true
        }
    };
    let mut words = vec!["dependency", "build"];
    words.extend(refreshed.then_some("--skip-refresh"));
    words.extend(["--", "."]);
    let built = helm.run(folder, words)?;
    if built.success { Ok(()) } else { Err(failed("fetch the chart's dependencies", &built.stderr)) }
}

/// Refuses charts that Helm would pack up from somewhere else on the machine.
fn refuse_outside(chart: &Chart, folder: &Path, root: &Path) -> Result<(), Diagnostic> {
    for dependency in chart.dependencies() {
        let Some(path) = dependency.repository.as_deref().and_then(|url| url.strip_prefix("file://")) else {
            continue;
        };
        let is_inside = folder.join(path).canonicalize().is_ok_and(|real| real.starts_with(root));
        if !is_inside {
            let message =
                format!("the dependency {} lies outside of the repository, or is not there", dependency.name);
            return Err(Diagnostic::input("file-refused", message));
        }
    }
    Ok(())
}

/// Makes a repository known to Helm. One that is in the list under another name is
/// fetched under that: Helm looks credentials up by URL.
fn introduce(
    helm: &Helm,
    folder: &Path,
    index: usize,
    url: &str,
    known: &[Repository],
) -> Result<(), Diagnostic> {
    let same = |repository: &&Repository| repository.url.trim_end_matches('/') == url.trim_end_matches('/');
    let done = match known.iter().find(same) {
        Some(repository) => helm.run(folder, ["repo", "update", "--", &repository.name])?,
        None => helm.run(folder, ["repo", "add", "--", &format!("germ-post-{index}"), url])?,
    };
    match done.success {
        true => Ok(()),
        false => Err(failed(&format!("fetch the index of {}", without_user(url)), &done.stderr)),
    }
}

/// Helm's list of repositories, in part.
#[derive(Debug, Default, Deserialize)]
struct Repositories {
    #[serde(default)]
    repositories: Vec<Repository>,
}

#[derive(Debug, Deserialize)]
struct Repository {
    name: String,
    url: String,
}

fn known_repositories(list: &Path) -> Result<Vec<Repository>, Diagnostic> {
    let Ok(text) = std::fs::read_to_string(list) else { return Ok(Vec::new()) };
    let list: Repositories = serde_saphyr::from_str(&text).map_err(|_| {
        Diagnostic::input("helm-config-unreadable", "HELM_REPOSITORY_CONFIG is no list of repositories")
    })?;
    Ok(list.repositories)
}

fn failed(doing: &str, stderr: &[u8]) -> Diagnostic {
    missing(&germ_post::helm::failure(doing, &String::from_utf8_lossy(stderr), []))
}

fn without_user(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => url.to_owned(),
    }
}
