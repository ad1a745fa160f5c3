//! What a repository held at a commit, written to a folder of its own. No checkout, no
//! index and no worktree of the user is touched.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use germ_post::diagnostic::Diagnostic;

/// A repository, found from a folder in it.
#[derive(Debug)]
pub struct Repository {
    /// Its root.
    pub root: PathBuf,
}

/// What the repository held at a commit. The folder goes when this does.
#[derive(Debug)]
pub struct Tree {
    folder: tempfile::TempDir,
    /// `main (1a2b3c4)`.
    pub name: String,
}

impl Repository {
    /// The repository that a folder is in.
    pub fn of(folder: &Path) -> Result<Self, Diagnostic> {
        let said = git(folder, None, ["rev-parse", "--show-toplevel"]).map_err(|error| {
            error.help("--base compares what git has; to compare two folders, render both and name the files")
        })?;
        Ok(Self { root: PathBuf::from(said.trim_end_matches('\n')) })
    }

    /// Where something is below the root; `None` outside of it.
    pub fn below(&self, path: &Path) -> Option<PathBuf> {
        let root = self.root.canonicalize().ok()?;
        // What is only in another commit has no real path yet, its folder may have.
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(_) => path
                .parent()
                .filter(|p| !p.as_os_str().is_empty())
                .unwrap_or(Path::new("."))
                .canonicalize()
                .ok()?
                .join(path.file_name()?),
        };
        real.strip_prefix(root).ok().map(Path::to_path_buf)
    }

    /// Writes what the repository held at a commit.
    pub fn tree(&self, reference: &str) -> Result<Tree, Diagnostic> {
        let wanted = format!("{reference}^{{commit}}");
        let commit = git(&self.root, None, ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])
            .map_err(|_| {
                let message = format!("git knows no commit `{reference}` in {}", self.root.display());
                Diagnostic::input("commit-unknown", message).help(format!(
                    "in CI, fetch it first: `git fetch origin {reference}`, or check out with full history"
                ))
            })?;
        let commit = commit.trim();
        let folder = tempfile::Builder::new().prefix("germ-post-").tempdir().map_err(|error| {
            Diagnostic::input("git-failed", format!("cannot make a folder for {reference}: {error}"))
        })?;
        let index = folder.path().join("index");
        let files = folder.path().join("files");
        let mut prefix = files.clone().into_os_string();
        prefix.push("/");
        let mut to = std::ffi::OsString::from("--prefix=");
        to.push(prefix);
        std::fs::create_dir(&files).map_err(|error| {
            Diagnostic::input("git-failed", format!("cannot make a folder for {reference}: {error}"))
        })?;
        git(&self.root, Some(&index), ["read-tree", commit])?;
        git(&self.root, Some(&index), [OsStr::new("checkout-index"), OsStr::new("--all"), &to])?;
        let short: String = commit.chars().take(7).collect();
        let name = if commit.starts_with(reference) { short } else { format!("{reference} ({short})") };
        Ok(Tree { folder, name })
    }
}

impl Tree {
    /// Where the files are.
    pub fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }
}

/// Runs git and gives what it prints.
fn git<A: AsRef<OsStr>>(
    folder: &Path,
    index: Option<&Path>,
    arguments: impl IntoIterator<Item = A>,
) -> Result<String, Diagnostic> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null());
    // A hook of git runs its children with a repository and an index of its own.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command
        .output()
        .map_err(|error| Diagnostic::input("git-not-run", format!("cannot run git: {error}")))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().find(|line| !line.is_empty()).unwrap_or("git failed").to_owned();
            Err(Diagnostic::input("git-failed", format!("git: {}", first.trim_start_matches("fatal: "))))
        }
    }
}
