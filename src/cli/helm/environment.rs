//! What Helm gets to see of the environment: the way out to the network, and nothing
//! that changes a rendering: namespaces and kubeconfigs stay away. Under Argo CD Helm's homes are folders of their own, gone after the run, since
//! many renderings run at once, the home is `/` or missing, and the root is read-only.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use germ_post::diagnostic::Diagnostic;

use super::private::Private;

/// Variables that Helm gets as they are, in either spelling where both are used.
const KEPT: &[&str] = &[
    "PATH",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // Credentials of registries and repositories, where somebody mounts them.
    "HELM_REGISTRY_CONFIG",
    "DOCKER_CONFIG",
    // Windows finds neither its libraries nor its folders without them.
    "SystemRoot",
    "USERPROFILE",
];

/// What a user's own Helm does not get: all that could change a rendering. The rest it
/// keeps, since programs that fetch charts for it read their credentials there.
const WITHHELD_OF_USER: &[&str] = &["HELM_NAMESPACE", "HELM_DEBUG", "HELM_BIN", "KUBECONFIG"];

fn is_withheld(name: &OsString) -> bool {
    WITHHELD_OF_USER.iter().any(|withheld| name == withheld)
        || name.to_string_lossy().starts_with("HELM_KUBE")
}

/// Where Helm keeps its things.
#[derive(Debug)]
pub enum Homes {
    /// Where the user's Helm does: repositories that were added are known.
    OfUser,
    /// In a folder that goes when this does.
    Private(Private),
}

impl Homes {
    /// Homes of its own for one run. `repositories` is a `repositories.yaml` that
    /// somebody mounted: Helm adds to the file, so it gets a copy.
    pub fn private(repositories: Option<&Path>) -> Result<Self, Diagnostic> {
        let made = Private::new().and_then(|folder| {
            for home in ["cache", "config", "data", "home", "tmp"] {
                std::fs::create_dir(folder.path().join(home))?;
            }
            Ok(folder)
        });
        let folder = made.map_err(|error| no_place(&error))?;
        if let Some(path) = repositories {
            let copied =
                std::fs::read(path).and_then(|text| std::fs::write(repository_config(folder.path()), text));
            copied.map_err(|error| {
                let message = format!("cannot read HELM_REPOSITORY_CONFIG, {}: {error}", path.display());
                Diagnostic::input("helm-config-unreadable", message)
            })?;
        }
        Ok(Self::Private(folder))
    }

    /// The list of repositories that is this run's own.
    pub fn repository_config(&self) -> Option<PathBuf> {
        match self {
            Homes::OfUser => None,
            Homes::Private(folder) => Some(repository_config(folder.path())),
        }
    }

    /// A folder for files of this run alone.
    pub fn scratch(&self) -> Option<PathBuf> {
        match self {
            Homes::OfUser => None,
            Homes::Private(folder) => Some(folder.path().join("tmp")),
        }
    }

    /// Gives a command its environment, made of `variables`.
    pub fn apply(&self, command: &mut Command, variables: impl Iterator<Item = (OsString, OsString)>) {
        let kept = |name: &OsString| match self {
            Homes::OfUser => !is_withheld(name),
            Homes::Private(_) => KEPT.iter().any(|kept| name == kept),
        };
        command.env_clear().envs(variables.filter(|(name, _)| kept(name)));
        // Without a kubeconfig the namespace of a release that names none is `default`
        // everywhere, and not what somebody's current context says.
        command.env("KUBECONFIG", if cfg!(windows) { "NUL" } else { "/dev/null" });
        if let Homes::Private(folder) = self {
            let under = |name: &str| folder.path().join(name);
            for (home, names) in [
                ("cache", ["HELM_CACHE_HOME", "XDG_CACHE_HOME"]),
                ("config", ["HELM_CONFIG_HOME", "XDG_CONFIG_HOME"]),
                ("data", ["HELM_DATA_HOME", "XDG_DATA_HOME"]),
                ("home", ["HOME", "USERPROFILE"]),
                ("tmp", ["TMPDIR", "TMP"]),
            ] {
                command.envs(names.map(|name| (name, under(home))));
            }
            command.env("HELM_REPOSITORY_CONFIG", repository_config(folder.path()));
        }
    }
}

fn repository_config(folder: &Path) -> PathBuf {
    folder.join("config").join("repositories.yaml")
}

fn no_place(error: &io::Error) -> Diagnostic {
    let folder = std::env::temp_dir();
    let message = format!("cannot make a folder for Helm in {}: {error}", folder.display());
    Diagnostic::input("no-temporary-folder", message)
        .help("mount an emptyDir at /tmp of the sidecar, or set TMPDIR to a folder that can be written")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn seen(homes: &Homes, variables: &[(&str, &str)]) -> BTreeMap<String, String> {
        let mut command = Command::new("helm");
        homes.apply(&mut command, variables.iter().map(|(name, value)| (name.into(), value.into())));
        let text = |text: &std::ffi::OsStr| text.to_str().unwrap().to_owned();
        command.get_envs().map(|(name, value)| (text(name), text(value.unwrap()))).collect()
    }

    const MACHINE: &[(&str, &str)] = &[
        ("PATH", "/bin"),
        ("HOME", "/"),
        ("HELM_NAMESPACE", "other"),
        ("HELM_KUBECONTEXT", "other"),
        ("HELM_PLUGINS", "/plugins"),
        ("HELM_DEBUG", "1"),
        ("HELM_CACHE_HOME", "/cache"),
        ("HELM_REPOSITORY_CONFIG", "/repositories.yaml"),
        ("HELM_REGISTRY_CONFIG", "/registry.json"),
        ("KUBECONFIG", "/kubeconfig"),
        ("KUBERNETES_SERVICE_HOST", "10.96.0.1"),
        ("HTTPS_PROXY", "http://proxy"),
        ("ARGOCD_ENV_SECRET", "hunter2"),
    ];

    #[test]
    fn private_homes_are_all_below_one_folder() {
        let homes = Homes::private(None).unwrap();
        let seen = seen(&homes, MACHINE);
        let Homes::Private(folder) = &homes else { unreachable!() };
        let folder = folder.path().to_str().unwrap();
        for (name, value) in &seen {
            let kept = ["PATH", "HTTPS_PROXY", "HELM_REGISTRY_CONFIG", "KUBECONFIG"].contains(&name.as_str());
            assert!(kept || value.starts_with(folder), "{name}={value}");
        }
        assert_eq!(seen["KUBECONFIG"], "/dev/null");
        assert_eq!(seen["HELM_REGISTRY_CONFIG"], "/registry.json");
        for name in ["HOME", "HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "XDG_CONFIG_HOME"] {
            assert!(Path::new(&seen[name]).is_dir(), "{name}");
        }
    }

    #[test]
    fn of_the_users_environment_nothing_is_kept_that_changes_a_rendering() {
        let names: Vec<String> = seen(&Homes::OfUser, MACHINE).into_keys().collect();
        let withheld: Vec<&str> = MACHINE
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| names.iter().all(|seen| seen != name))
            .collect();
        assert_eq!(withheld, ["HELM_NAMESPACE", "HELM_KUBECONTEXT", "HELM_DEBUG"]);
        assert_eq!(seen(&Homes::OfUser, MACHINE)["KUBECONFIG"], "/dev/null");
    }

    #[test]
    fn a_mounted_list_of_repositories_is_copied() {
        let mounted = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(mounted.path(), "repositories: []\n").unwrap();
        let homes = Homes::private(Some(mounted.path())).unwrap();
        let copy = seen(&homes, &[]).remove("HELM_REPOSITORY_CONFIG").unwrap();
        assert_eq!(std::fs::read_to_string(copy).unwrap(), "repositories: []\n");
        assert!(Homes::private(Some(Path::new("/none"))).is_err());
    }
}
