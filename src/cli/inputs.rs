//! What `germ-post check` reads: stdin, files, and folders with what in them can be
//! manifests.

use std::path::Path;

use germ_post::check::Input;
use germ_post::diagnostic::{Class, Diagnostic};
use walkdir::{DirEntry, WalkDir};

use super::stdin;

/// What was read, and what is worth saying of what was not.
#[derive(Debug, Default)]
pub struct Read {
    /// The inputs in order; files of a folder by name.
    pub inputs: Vec<Input>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads every input. `-` is stdin.
pub fn read(paths: &[impl AsRef<Path>]) -> Result<Read, Vec<Diagnostic>> {
    let mut read = Read::default();
    let mut errors = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let result = match path {
            path if path == Path::new("-") => stdin::read()
                .map(|bytes| read.inputs.push(Input { name: "<stdin>".to_owned(), bytes: bytes.to_vec() })),
            path if path.is_dir() => folder(path, &mut read),
            path => file(path).map(|input| read.inputs.push(input)),
        };
        errors.extend(result.err());
    }
    if errors.is_empty() { Ok(read) } else { Err(errors) }
}

fn file(path: &Path) -> Result<Input, Diagnostic> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(error) => Err(Diagnostic::input("input-unreadable", format!("cannot read {name}: {error}"))),
    }
}

/// Reads the manifests in a folder. What is hidden is left out, and templates of
/// charts are, since they are no YAML until Helm has rendered them.
fn folder(root: &Path, read: &mut Read) -> Result<(), Diagnostic> {
    let mut found = 0;
    let mut charts = Vec::new();
    let mut walk = WalkDir::new(root).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|error| {
            Diagnostic::input("input-unreadable", format!("cannot read {}: {error}", root.display()))
        })?;
        if entry.depth() > 0 && is_hidden(&entry) {
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
        } else if is_templates_of_a_chart(&entry) {
            charts.extend(entry.path().parent().map(Path::to_path_buf));
            walk.skip_current_dir();
        } else if entry.file_type().is_file() && is_manifest(entry.path()) {
            found += 1;
            read.inputs.push(file(entry.path())?);
        }
    }
    for chart in charts {
        let message = format!("{} is a chart; its templates are not checked", chart.display());
        read.warnings.push(
            Diagnostic::new("chart-not-rendered", Class::Warning, message)
                .help(format!("helm template RELEASE {} | germ-post check", chart.display())),
        );
    }
    if found == 0 {
        read.warnings.push(Diagnostic::new(
            "folder-without-manifests",
            Class::Warning,
            format!("{} holds no .yaml, .yml or .json file", root.display()),
        ));
    }
    Ok(())
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with('.')
}

fn is_templates_of_a_chart(entry: &DirEntry) -> bool {
    let beside = entry.path().parent().map(|folder| folder.join("Chart.yaml"));
    entry.file_type().is_dir()
        && entry.file_name() == "templates"
        && beside.is_some_and(|file| file.is_file())
}

fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json")
}
