//! Which release an application is, as Argo CD's own Helm source makes one of it: the
//! names, and the versions of the cluster that it is for.

use std::path::{Component, Path, PathBuf};

use super::settings::Settings;
use crate::diagnostic::Diagnostic;
use crate::helm::release_name;

/// An application that is being rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// The release's name.
    pub release: String,
    /// Its namespace; an application may have none.
    pub namespace: Option<String>,
    /// The cluster's version, without `v`, or what the application says of it.
    pub kube_version: Option<String>,
    /// What the cluster serves.
    pub api_versions: Vec<String>,
}

impl Application {
    /// Reads what Argo CD says of an application, and what it says of itself.
    pub fn read<'v>(
        variable: impl Fn(&str) -> Option<&'v str>,
        settings: &Settings,
    ) -> Result<Self, Diagnostic> {
        let said = |name: &str| variable(name).filter(|value| !value.is_empty());
        let release = match (settings.text("release-name"), said("ARGOCD_APP_NAME")) {
            (Some(name), _) => name,
            // An application outside of Argo CD's namespace is called `NAMESPACE_NAME`.
            (None, Some(name)) => name.rsplit_once('_').map_or(name, |(_, name)| name),
            (None, None) => {
                return Err(Diagnostic::input(
                    "not-argocd",
                    "ARGOCD_APP_NAME is not set: this is a command for Argo CD to run",
                )
                .help("`germ-post template NAME CHART` renders the same"));
            }
        };
        release_name::check(release)
            .map_err(|error| error.help("set the parameter `release-name` of the application"))?;
        let namespace = settings.text("namespace").or(said("ARGOCD_APP_NAMESPACE"));
        if let Some(namespace) = namespace.filter(|namespace| !release_name::is_label(namespace)) {
            let message = format!("`{namespace}` cannot be a namespace's name");
            return Err(Diagnostic::input("application-invalid", message));
        }
        let kube_version = settings.text("kube-version").or(said("KUBE_VERSION"));
        if let Some(version) = kube_version.filter(|version| !is_version(version)) {
            let message = format!("`{version}` is no Kubernetes version");
            return Err(
                Diagnostic::input("application-invalid", message).help("one reads like 1.34.0 or v1.34.0")
            );
        }
        let api_versions = match settings.list("api-versions") {
            [] => said("KUBE_API_VERSIONS").into_iter().flat_map(|all| all.split(',')).collect(),
            some => some.iter().map(String::as_str).collect::<Vec<_>>(),
        };
        let api_versions = api_versions.into_iter().map(str::trim).filter(|api| !api.is_empty());
        Ok(Self {
            release: release.to_owned(),
            namespace: namespace.map(str::to_owned),
            kube_version: kube_version.map(str::to_owned),
            api_versions: api_versions.map(str::to_owned).collect(),
        })
    }
}

fn is_version(text: &str) -> bool {
    let mut numbers = text.strip_prefix('v').unwrap_or(text).splitn(3, '.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // Some clusters have a minor version of `31+`.
    let mut number = || numbers.next().is_some_and(|part| is_number(part.trim_end_matches('+')));
    let two = number() && number();
    // Distributions put something behind the patch: `1.34.1+k3s1`, `1.31.4-eks-2d5f260`.
    two && numbers.next().is_none_or(|patch| patch.starts_with(|first: char| first.is_ascii_digit()))
}

/// The root of the repository that a command runs in: argocd-cmp-server makes a folder
/// for each call below `_cmp_server`, and starts commands in the application's folder.
/// Elsewhere it is told by the application's path, and else is the folder itself.
pub fn repository_root(folder: &Path, source_path: Option<&str>) -> PathBuf {
    let of_server = folder.ancestors().find(|ancestor| {
        let parent = ancestor.parent().and_then(Path::file_name);
        parent.is_some_and(|name| name == "_cmp_server")
    });
    if let Some(root) = of_server {
        return root.to_owned();
    }
    let source: PathBuf = Path::new(source_path.unwrap_or_default())
        .components()
        .filter(|component| matches!(component, Component::Normal(_)))
        .collect();
    let depth = source.components().count();
    match folder.ends_with(&source) {
        true => folder.ancestors().nth(depth).unwrap_or(folder).to_owned(),
        false => folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)], settings: &[(&str, &str)]) -> Result<Application, String> {
        let settings = Settings::read(settings.iter().copied()).unwrap();
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        Application::read(variable, &settings).map_err(|error| error.message)
    }

    #[test]
    fn an_application_is_the_release_that_argo_cds_own_helm_source_makes() {
        let all = [
            ("ARGOCD_APP_NAME", "cilium"),
            ("ARGOCD_APP_NAMESPACE", "kube-system"),
            ("KUBE_VERSION", "1.34.1+k3s1"),
            ("KUBE_API_VERSIONS", "apps/v1,apps/v1/DaemonSet"),
        ];
        let expected = Application {
            release: "cilium".to_owned(),
            namespace: Some("kube-system".to_owned()),
            kube_version: Some("1.34.1+k3s1".to_owned()),
            api_versions: vec!["apps/v1".to_owned(), "apps/v1/DaemonSet".to_owned()],
        };
        assert_eq!(read(&all, &[]).unwrap(), expected);

        let elsewhere = [("ARGOCD_APP_NAME", "team-a_cilium"), ("ARGOCD_APP_NAMESPACE", "")];
        let bare = Application {
            release: "cilium".to_owned(),
            namespace: None,
            kube_version: None,
            api_versions: Vec::new(),
        };
        assert_eq!(read(&elsewhere, &[]).unwrap(), bare);

        let said = [
            ("ARGOCD_ENV_GERM_POST_RELEASE_NAME", "other"),
            ("ARGOCD_ENV_GERM_POST_NAMESPACE", "there"),
            ("ARGOCD_ENV_GERM_POST_KUBE_VERSION", "v1.30"),
            ("ARGOCD_ENV_GERM_POST_API_VERSIONS", "a/v1"),
        ];
        let other = Application {
            release: "other".to_owned(),
            namespace: Some("there".to_owned()),
            kube_version: Some("v1.30".to_owned()),
            api_versions: vec!["a/v1".to_owned()],
        };
        assert_eq!(read(&all, &said).unwrap(), other);
    }

    #[test]
    fn wrong_names_and_versions_are_errors() {
        let long = "x".repeat(54);
        for (variable, value, said) in [
            ("ARGOCD_APP_NAME", long.as_str(), "it is 54 bytes long"),
            ("ARGOCD_APP_NAME", "", "ARGOCD_APP_NAME is not set"),
            ("ARGOCD_APP_NAMESPACE", "--kubeconfig=x", "cannot be a namespace's name"),
            ("ARGOCD_APP_NAMESPACE", "a.b", "cannot be a namespace's name"),
            ("KUBE_VERSION", "--x", "is no Kubernetes version"),
            ("KUBE_VERSION", "1", "is no Kubernetes version"),
            ("KUBE_VERSION", "1.x", "is no Kubernetes version"),
        ] {
            let error = read(&[(variable, value), ("ARGOCD_APP_NAME", "a")], &[]).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn the_root_is_the_folder_of_the_call() {
        let root = |folder: &str, path: Option<&str>| repository_root(Path::new(folder), path);
        assert_eq!(root("/tmp/_cmp_server/abc/apps/x", Some("apps/x")), Path::new("/tmp/_cmp_server/abc"));
        // A linked folder: the path says another name.
        assert_eq!(root("/tmp/_cmp_server/abc/charts/y", Some("apps/x")), Path::new("/tmp/_cmp_server/abc"));
        assert_eq!(root("/tmp/_cmp_server/abc", Some(".")), Path::new("/tmp/_cmp_server/abc"));
        assert_eq!(root("/home/me/repo/apps/x", Some("./apps/x")), Path::new("/home/me/repo"));
        assert_eq!(root("/home/me/repo", None), Path::new("/home/me/repo"));
        assert_eq!(root("/home/me/repo", Some("apps/x")), Path::new("/home/me/repo"));
    }
}
