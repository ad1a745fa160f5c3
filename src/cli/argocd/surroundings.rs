//! Where a command finds itself: the application's folder, the repository around it,
//! and what Argo CD and the application say in the environment.

use std::collections::BTreeMap;

use germ_post::argocd::{Application, Settings, application};
use germ_post::diagnostic::Diagnostic;

use super::repository::Repository;

/// What a command finds.
pub struct Surroundings {
    variables: BTreeMap<String, String>,
    /// What the application says.
    pub settings: Settings,
    /// Its folder and the repository.
    pub repository: Repository,
}

impl Surroundings {
    /// Looks around.
    pub fn look() -> Result<Self, Diagnostic> {
        let is_read =
            |name: &str| name.starts_with("ARGOCD_") || matches!(name, "KUBE_VERSION" | "KUBE_API_VERSIONS");
        let mut variables = BTreeMap::new();
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str().filter(|name| is_read(name)) else { continue };
            let value = value.into_string().map_err(|_| {
                Diagnostic::input("application-invalid", format!("the variable {name} is no UTF-8 text"))
            })?;
            variables.insert(name.to_owned(), value);
        }
        let settings = Settings::read(variables.iter().map(|(name, value)| (name.as_str(), value.as_str())))?;
        let folder = std::env::current_dir().map_err(|error| {
            Diagnostic::input("no-folder", format!("the application's folder cannot be read: {error}"))
        })?;
        let source_path = variables.get("ARGOCD_APP_SOURCE_PATH").map(String::as_str);
        let root = application::repository_root(&folder, source_path);
        Ok(Self { repository: Repository::new(folder, root)?, variables, settings })
    }

    /// The release that the application is.
    pub fn application(&self) -> Result<Application, Diagnostic> {
        Application::read(|name| self.variables.get(name).map(String::as_str), &self.settings)
    }
}
