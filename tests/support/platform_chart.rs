//! `charts/cilium` in a folder of its own, with the small chart that stands in for
//! Cilium's vendored below it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The wrapper chart, ready to be rendered without a network.
pub struct PlatformChart {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl PlatformChart {
    /// A copy with its dependency in `charts/`.
    pub fn vendored() -> Self {
        let chart = Self::bare();
        copy(&shipped("stand-in/cilium"), &chart.path.join("charts/cilium"));
        chart
    }

    /// A copy as it lies in the repository, its dependency not fetched.
    pub fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cilium");
        copy(&shipped("cilium"), &path);
        Self { path, _folder: folder }
    }

    /// The chart's folder.
    pub fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }
}

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("charts").join(name)
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
