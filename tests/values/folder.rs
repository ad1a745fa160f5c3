//! Charts made for one test: files in a temporary folder, and archives of them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use crate::support::run::{Run, germ_post_in};

/// A temporary folder with files.
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    /// Runs `germ-post values` here.
    pub fn values(&self, args: &[&str]) -> Run {
        self.values_of(args, "")
    }

    /// The same with text on stdin.
    pub fn values_of(&self, args: &[&str], stdin: &str) -> Run {
        let all: Vec<&str> = ["values"].iter().chain(args).copied().collect();
        germ_post_in(self.path(), &all, stdin.as_bytes())
    }
}

/// A chart's `Chart.yaml` with more lines behind it.
pub fn chart_yaml(name: &str, version: &str, more: &str) -> String {
    format!("apiVersion: v2\nname: {name}\nversion: {version}\n{more}")
}

/// A packed chart. Paths begin with the chart's own folder.
pub fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    let mut packed = GzBuilder::new().write(Vec::new(), Compression::fast());
    packed.write_all(&builder.into_inner().unwrap()).unwrap();
    packed.finish().unwrap()
}

/// The values of a text.
pub fn read(text: &str) -> serde_json::Value {
    germ_post::yaml::parse(text).unwrap().read().unwrap()
}
