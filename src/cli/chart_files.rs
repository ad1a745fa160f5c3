//! Reading a chart from the disk: the files of its folder that matter to values, or its
//! archive.

use std::path::Path;

use germ_post::diagnostic::Diagnostic;
use germ_post::values::chart::{self, Chart, ChartFile, archive};
use walkdir::WalkDir;

/// Loads the chart in a folder or an archive.
pub fn load(path: &Path) -> Result<Chart, Diagnostic> {
    let shown_as = path.display().to_string();
    let shown_as = shown_as.trim_end_matches('/');
    let files = if path.is_dir() { folder(path)? } else { packed(path)? };
    chart::load(shown_as, files)
}

fn packed(path: &Path) -> Result<Vec<ChartFile>, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error.to_string()))?;
    archive::unpack(&bytes).map_err(|message| {
        unreadable(path, &message).help("--chart takes the folder of a chart, or its archive")
    })
}

fn folder(root: &Path) -> Result<Vec<ChartFile>, Diagnostic> {
    let mut files = Vec::new();
    // Helm follows links as well.
    for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| unreadable(root, &error.to_string()))?;
        if !entry.file_type().is_file() {
            continue;
        }
        let inside = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let path = inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        if chart::is_of_interest(&path) {
            let bytes =
                std::fs::read(entry.path()).map_err(|error| unreadable(entry.path(), &error.to_string()))?;
            files.push(ChartFile { path, bytes });
        }
    }
    Ok(files)
}

fn unreadable(path: &Path, reason: &str) -> Diagnostic {
    Diagnostic::input("chart-unreadable", format!("cannot read the chart {}: {reason}", path.display()))
}
