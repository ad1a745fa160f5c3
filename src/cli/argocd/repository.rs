//! The repository of an application. Files that an application names are read from it
//! and from nowhere else, links resolved: the sidecar's own files, its credentials and
//! other applications' repositories are not the application's to read.

use std::io;
use std::path::{Path, PathBuf};

use germ_post::diagnostic::Diagnostic;

use crate::cli::config;

/// A repository, and the application's folder in it.
pub struct Repository {
    /// The folder that the command runs in.
    pub folder: PathBuf,
    root: PathBuf,
    /// A folder of the operator's that may be read as well.
    of_operator: Option<PathBuf>,
}

impl Repository {
    /// The repository with that root.
    pub fn new(folder: PathBuf, root: PathBuf) -> Result<Self, Diagnostic> {
        let root = root.canonicalize().map_err(|error| {
            let message = format!("cannot read the repository {}: {error}", root.display());
            Diagnostic::input("no-folder", message)
        })?;
        Ok(Self { folder, root, of_operator: None })
    }

    /// The same, where a folder outside of it may be read as well: that of a file which
    /// the operator names.
    pub fn with_file_of_operator(&self, file: &Path) -> Result<Self, Diagnostic> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().map_err(|error| {
            let message = format!("cannot read {}: {error}", file.display());
            Diagnostic::input("config-unreadable", message)
        })?;
        Ok(Self { folder: self.folder.clone(), root: self.root.clone(), of_operator: Some(folder) })
    }

    /// Its root, links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real path of a file or folder; an error for what lies outside.
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let real = self.folder.join(path).canonicalize()?;
        let roots = [Some(&self.root), self.of_operator.as_ref()];
        match roots.into_iter().flatten().any(|root| real.starts_with(root)) {
            true => Ok(real),
            false => Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it lies outside of the application's repository",
            )),
        }
    }

    /// Reads a text file.
    pub fn read(&self, path: &Path) -> io::Result<String> {
        std::fs::read_to_string(self.resolve(path)?)
    }

    /// The path of a file that an application names: relative to its folder, or with a
    /// leading `/` to the repository, as Argo CD has it for values files.
    pub fn named(&self, name: &str) -> PathBuf {
        match name.strip_prefix('/') {
            Some(name) => self.root.join(name.trim_start_matches('/')),
            None => PathBuf::from(name),
        }
    }

    /// The `germ-post.yaml` from the application's folder up to the repository's root.
    pub fn config(&self) -> Option<PathBuf> {
        let inside = self.folder.ancestors().take_while(|folder| self.resolve(folder).is_ok());
        inside.map(|folder| folder.join(config::FILE_NAME)).find(|path| path.is_file())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_outside_is_read_whatever_way_leads_there() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("repo");
        let folder = root.join("apps/x");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(place.path().join("secret"), "hunter2").unwrap();
        std::fs::write(root.join("shared.yaml"), "shared").unwrap();
        std::fs::write(place.path().join("germ-post.yaml"), "outside").unwrap();
        symlink("../../../secret", folder.join("link")).unwrap();
        symlink("../..", folder.join("up")).unwrap();
        symlink("../../shared.yaml", folder.join("inside")).unwrap();
        let repository = Repository::new(folder.clone(), root.clone()).unwrap();

        for right in ["../../shared.yaml", "inside", "up/shared.yaml"] {
            assert_eq!(repository.read(Path::new(right)).unwrap(), "shared", "{right}");
        }
        assert_eq!(repository.read(&repository.named("/shared.yaml")).unwrap(), "shared");
        let absolute = place.path().join("secret").display().to_string();
        for wrong in ["../../../secret", "link", "up/../secret", "/etc/passwd", absolute.as_str()] {
            let error = repository.read(Path::new(wrong)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{wrong}");
        }
        assert!(repository.read(&repository.named("/../secret")).is_err());
        assert!(repository.read(&repository.named("//etc/passwd")).is_err());

        assert_eq!(repository.config(), None);
        std::fs::write(root.join("germ-post.yaml"), "inside").unwrap();
        assert_eq!(repository.config(), Some(root.join("germ-post.yaml")));

        let pinned = place.path().join("germ-post.yaml");
        let with = repository.with_file_of_operator(&pinned).unwrap();
        assert_eq!(with.read(&pinned).unwrap(), "outside");
    }
}
