//! The two sides of `germ-post diff`: files, folders, stdin, and what kubectl and git
//! hand to an external diff program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use germ_post::check::Input;
use germ_post::diagnostic::Diagnostic;
use walkdir::WalkDir;

use super::{inputs, say};

/// One side.
#[derive(Debug, Default, Clone)]
pub struct Named {
    /// What it is called.
    pub name: String,
    /// Its texts.
    pub inputs: Vec<Input>,
}

/// What is to be compared.
#[derive(Debug)]
pub struct Sides {
    /// The old side.
    pub old: Named,
    /// The new side; `None`: one rendering, before and after the profile.
    pub new: Option<Named>,
    /// The caller tells new and removed files by empty ones.
    pub may_be_empty: bool,
}

/// Reads what was named.
pub fn read(paths: &[PathBuf]) -> Result<Sides, Vec<Diagnostic>> {
    match paths {
        [] => Err(vec![
            Diagnostic::input("nothing-to-compare", "nothing to compare is named")
                .help("germ-post diff OLD NEW")
                .help("helm template RELEASE CHART | germ-post diff --profile talos -"),
        ]),
        [one] => Ok(Sides { old: side(one)?, new: None, may_be_empty: false }),
        [old, new] if is_stdin(old) && is_stdin(new) => {
            Err(vec![Diagnostic::input("bad-argument", "stdin can be one side, not both")])
        }
        [old, new] => {
            let may_be_empty = are_of_kubectl(old, new);
            Ok(Sides { old: side(old)?, new: Some(side(new)?), may_be_empty })
        }
        // path old-file old-hash old-mode new-file new-hash new-mode, and with a rename
        // its new path and a header. Source: git(1), GIT_EXTERNAL_DIFF.
        [path, old, _, old_mode, new, _, new_mode, rest @ ..]
            if is_mode(old_mode) && is_mode(new_mode) && matches!(rest.len(), 0 | 2) =>
        {
            let new_path = rest.first().unwrap_or(path);
            Ok(Sides { old: of_git(old, path)?, new: Some(of_git(new, new_path)?), may_be_empty: true })
        }
        _ => Err(vec![
            Diagnostic::input("bad-argument", format!("{} things cannot be compared", paths.len()))
                .help("germ-post diff OLD NEW, where each is a file, a folder or `-`"),
        ]),
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether these are what kubectl compares: two folders that it makes for the purpose. Source:
/// `k8s.io/kubectl/pkg/cmd/diff`.
fn are_of_kubectl(old: &Path, new: &Path) -> bool {
    is_of_kubectl(old, "LIVE-") && is_of_kubectl(new, "MERGED-")
}

/// Whether kubectl asks, which takes silence for no difference, as do those who call it.
pub fn kubectl_asks(inputs: &[PathBuf]) -> bool {
    matches!(inputs, [old, new] if are_of_kubectl(old, new))
}

fn is_of_kubectl(path: &Path, begins: &str) -> bool {
    path.is_dir() && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begins))
}

/// The command line as it was meant: kubectl puts its two folders in front of the words that
/// follow the program in `KUBECTL_EXTERNAL_DIFF`, our `diff` among them. Source:
/// `DiffProgram.getCommand` in `k8s.io/kubectl/pkg/cmd/diff`.
pub fn in_our_order(mut words: Vec<OsString>) -> Vec<OsString> {
    if let [_, old, new, rest @ ..] = words.as_slice()
        && rest.iter().any(|word| word == "diff")
        && are_of_kubectl(Path::new(old), Path::new(new))
    {
        words[1..].rotate_left(2);
    }
    words
}

/// A mode as git writes it; a dot where there is no file.
fn is_mode(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text == "." || (text.len() == 6 && text.bytes().all(|byte| (b'0'..b'8').contains(&byte)))
}

fn of_git(file: &Path, path: &Path) -> Result<Named, Vec<Diagnostic>> {
    let name = path.display().to_string();
    if file == Path::new("/dev/null") {
        return Ok(Named { name, inputs: Vec::new() });
    }
    let mut side = side(file)?;
    side.inputs.iter_mut().for_each(|input| input.name.clone_from(&name));
    Ok(Named { name, ..side })
}

/// One side by path.
pub fn side(path: &Path) -> Result<Named, Vec<Diagnostic>> {
    let name = match is_stdin(path) {
        true => "<stdin>".to_owned(),
        false => path.display().to_string().trim_end_matches('/').to_owned(),
    };
    let mut read = inputs::read(&[path])?;
    if path.is_dir() && read.inputs.is_empty() {
        // kubectl's files have no ending.
        read.inputs = every_file(path)?;
        read.warnings.retain(|_| read.inputs.is_empty());
    }
    say::diagnostics(&read.warnings);
    Ok(Named { name, inputs: read.inputs })
}

fn every_file(folder: &Path) -> Result<Vec<Input>, Vec<Diagnostic>> {
    let mut out = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok) {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.file_type().is_file() && !hidden {
            out.extend(inputs::read(&[entry.path()])?.inputs);
        }
    }
    Ok(out)
}
