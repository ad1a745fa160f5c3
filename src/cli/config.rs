//! `germ-post.yaml`: the profile and parameters of a repository, found upwards
//! from the working directory to the Git root.

use std::path::{Path, PathBuf};

use germ_post::diagnostic::{Diagnostic, Place};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

/// The file's name.
pub const FILE_NAME: &str = "germ-post.yaml";

/// The configuration file as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConfigFile {
    /// Always `germ-post.dev/v1`.
    pub api_version: String,
    /// Always `Config`.
    pub kind: String,
    /// The profiles to apply.
    #[serde(default)]
    pub profile: Option<germ_post::profile::file::OneOrMany>,
    /// Values for their parameters.
    #[serde(default)]
    pub params: IndexMap<String, Value>,
    /// Facts about the cluster: values for the parameters that are facts.
    #[serde(default)]
    pub facts: IndexMap<String, Value>,
}

/// A configuration that was found.
#[derive(Debug)]
pub struct Config {
    /// Where.
    pub path: PathBuf,
    /// Its content.
    pub file: ConfigFile,
}

/// Looks for the file from `start` upwards: to the folder that holds `.git`, or
/// in `start` alone where there is none.
pub fn discover(start: &Path) -> Option<PathBuf> {
    let in_git = start.ancestors().any(|folder| folder.join(".git").exists());
    for folder in start.ancestors() {
        let path = folder.join(FILE_NAME);
        if path.is_file() {
            return Some(path);
        }
        if !in_git || folder.join(".git").exists() {
            break;
        }
    }
    None
}

/// Reads a configuration file.
pub fn read(path: &Path) -> Result<Config, Diagnostic> {
    let shown_as = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Diagnostic::input("config-unreadable", format!("cannot read {shown_as}: {error}"))
    })?;
    let file: ConfigFile = serde_saphyr::from_str(&text).map_err(|error| {
        let message = error.without_snippet().to_string();
        let diagnostic =
            Diagnostic::input("config-invalid", format!("the configuration is not valid: {message}"));
        match error.location() {
            Some(location) => {
                let line = location.line() as usize;
                let shown = text.lines().nth(line.saturating_sub(1)).map(|source| (source.to_owned(), 1));
                diagnostic.at(Place {
                    file: shown_as.clone(),
                    line,
                    column: location.column() as usize,
                    shown,
                })
            }
            None => diagnostic,
        }
    })?;
    if file.api_version != germ_post::profile::file::API_VERSION || file.kind != "Config" {
        return Err(Diagnostic::input(
            "config-invalid",
            format!("{shown_as} is not a germ-post configuration"),
        )
        .help("it begins with `apiVersion: germ-post.dev/v1` and `kind: Config`"));
    }
    Ok(Config { path: path.to_owned(), file })
}
