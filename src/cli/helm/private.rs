//! A folder of one run alone, gone after it. Argo CD kills a plugin that takes too long,
//! which leaves its folder behind: so each is locked while it is in use, and the next
//! run removes those that nobody holds.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// What the folders' names begin with.
const PREFIX: &str = "germ-post-helm-";

/// A folder that goes when this does.
#[derive(Debug)]
pub struct Private {
    folder: TempDir,
    /// Held as long as the folder is used; the system lets go of it, whatever ends us.
    _lock: File,
}

impl Private {
    /// Makes one in the folder for temporary files, and clears away what others left.
    pub fn new() -> io::Result<Self> {
        Self::in_folder(&std::env::temp_dir())
    }

    fn in_folder(place: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
        let mut lock = OpenOptions::new().write(true).create_new(true).open(lock_file(folder.path()))?;
        lock.lock()?;
        // Only from now on an unlocked folder is an abandoned one.
        lock.write_all(b"in use while locked\n")?;
        // What cannot be cleared away is no reason not to render.
        let _ = clear(place);
        Ok(Self { folder, _lock: lock })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn lock_file(folder: &Path) -> PathBuf {
    folder.join("lock")
}

/// Removes folders that were left behind.
fn clear(place: &Path) -> io::Result<()> {
    for entry in fs::read_dir(place)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_abandoned(&entry.path()) {
            // Somebody else may be at it as well.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

fn is_abandoned(folder: &Path) -> bool {
    // Somebody else's cannot be opened for writing.
    let Ok(file) = OpenOptions::new().write(true).open(lock_file(folder)) else { return false };
    file.try_lock().is_ok() && file.metadata().is_ok_and(|metadata| metadata.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_uses_any_more_is_cleared_away() {
        let place = tempfile::tempdir().unwrap();
        let folder = |name: &str| place.path().join(name);
        let left_behind = |name: &str, lock: &str| {
            fs::create_dir_all(folder(name).join("cache")).unwrap();
            fs::write(lock_file(&folder(name)), lock).unwrap();
        };
        left_behind("germ-post-helm-dead", "in use while locked\n");
        // Made, and about to be locked.
        left_behind("germ-post-helm-young", "");
        left_behind("another", "in use while locked\n");
        let living = Private::in_folder(place.path()).unwrap();
        let second = Private::in_folder(place.path()).unwrap();

        assert!(!folder("germ-post-helm-dead").exists());
        assert!(folder("germ-post-helm-young").exists());
        assert!(folder("another").exists());
        assert!(living.path().exists() && second.path().exists());
        let path = living.path().to_owned();
        drop(living);
        assert!(!path.exists());
    }
}
