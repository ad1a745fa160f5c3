//! Which program is Helm: the one that `HELM_BIN` names, as Helm itself sets it for
//! plugins, else `helm` in `PATH`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use germ_post::diagnostic::Diagnostic;

/// Finds Helm with the help of two environment variables.
pub fn find(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, Diagnostic> {
    let named = variable("HELM_BIN").filter(|name| !name.is_empty());
    let name = named.clone().unwrap_or_else(|| "helm".into());
    let found = match Path::new(&name).components().count() {
        1 => in_path(&name, variable("PATH").as_deref()),
        // Helm is started in a chart's folder, where a relative path would mean another file.
        _ => std::path::absolute(&name).ok().filter(|path| is_program(path)),
    };
    found.ok_or_else(|| match named {
        Some(named) => {
            let message = format!("HELM_BIN names {}, which is no program", named.display());
            Diagnostic::input("helm-not-found", message)
        }
        None => Diagnostic::input("helm-not-found", "there is no `helm` in PATH")
            .help("install Helm 3 or 4, or set HELM_BIN to its path"),
    })
}

/// Looks a program up in a `PATH`.
pub fn in_path(name: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    let folders = std::env::split_paths(path?);
    // A relative folder would mean another one once Helm's is entered.
    let files = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(name));
    files
        .flat_map(|file| [file.clone(), file.with_extension(std::env::consts::EXE_EXTENSION)])
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::OpenOptionsExt;

    use super::*;

    fn program(folder: &Path, name: &str, mode: u32) -> std::io::Result<()> {
        std::fs::OpenOptions::new().write(true).create(true).mode(mode).open(folder.join(name)).map(|_| ())
    }

    #[test]
    fn helm_bin_comes_before_the_path() {
        let folder = tempfile::tempdir().unwrap();
        program(folder.path(), "helm", 0o755).unwrap();
        program(folder.path(), "helm3", 0o755).unwrap();
        program(folder.path(), "text", 0o644).unwrap();
        let with = |bin: Option<OsString>| {
            let path = std::env::join_paths([Path::new("relative"), folder.path()]).unwrap();
            find(|name| if name == "PATH" { Some(path.clone()) } else { bin.clone() })
        };
        let at = |name: &str| folder.path().join(name);
        assert_eq!(with(None).unwrap(), at("helm"));
        assert_eq!(with(Some("".into())).unwrap(), at("helm"));
        assert_eq!(with(Some("helm3".into())).unwrap(), at("helm3"));
        assert_eq!(with(Some(at("helm3").into())).unwrap(), at("helm3"));
        for wrong in ["text", "none", "/none/helm"] {
            let error = with(Some(wrong.into())).unwrap_err();
            assert_eq!(error.message, format!("HELM_BIN names {wrong}, which is no program"));
        }
        let nowhere = find(|_| None).unwrap_err();
        assert_eq!(nowhere.message, "there is no `helm` in PATH");
    }
}
