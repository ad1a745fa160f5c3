//! Where reports go: the file that was asked for, and the user's state folder
//! for `germ-post last`. The latter never stands in the way.

use std::io::Write;
use std::path::{Path, PathBuf};

use germ_post::diagnostic::Diagnostic;

/// Writes a file whole or not at all.
pub fn write(path: &Path, text: &str) -> std::io::Result<()> {
    // Devices and pipes cannot be renamed onto.
    if path.exists() && !path.is_file() {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes());
    }
    write_beside(path, text, |draft| std::fs::rename(draft, path))
}

/// Writes a draft beside the file, and moves it to its place.
fn write_beside(
    path: &Path,
    text: &str,
    move_there: impl FnOnce(&Path) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = folder.join(format!(".{name}.{}", std::process::id()));
    let written = create_private(&draft).and_then(|mut file| file.write_all(text.as_bytes()));
    written.and_then(|()| move_there(&draft)).inspect_err(|_| {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&draft);
    })
}

/// Puts another text in the place of a user's file, whole or not at all. What the file
/// may be read by stays, and a link stays a link.
pub fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let path = if path.exists() { path.canonicalize()? } else { path.to_path_buf() };
    let Ok(known) = std::fs::metadata(&path) else {
        return std::fs::write(&path, text);
    };
    write_beside(&path, text, |draft| {
        std::fs::set_permissions(draft, known.permissions())?;
        std::fs::rename(draft, &path)
    })
}

#[cfg(unix)]
fn create_private(path: &Path) -> std::io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::File::create(path)
}

/// The file that `germ-post last` prints: below `XDG_STATE_HOME`, or
/// `~/.local/state`, or on Windows below `LOCALAPPDATA`.
pub fn last() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("germ-post").join("last.json"))
}

/// Keeps the report for `germ-post last`, if that is possible.
pub fn keep(text: &str) {
    let Some(path) = last() else { return };
    if let Some(folder) = path.parent()
        && std::fs::create_dir_all(folder).is_ok()
    {
        // A full disk or a read-only home must not fail a release. Onto a file that is
        // there, some file systems (ext4) rename only after the new one is on the disk, which
        // takes as long as the run itself; nobody needs that of this file.
        let _ = write_beside(&path, text, |draft| {
            let _ = std::fs::remove_file(&path);
            std::fs::rename(draft, &path)
        });
    }
}

/// Adds to the summary of the step, where a runner of GitHub Actions asks for one.
pub fn step_summary(text: &str) -> Result<(), Diagnostic> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let path = path.to_string_lossy();
        Diagnostic::input("report-failed", format!("cannot write the step's summary {path}: {error}"))
    })
}
