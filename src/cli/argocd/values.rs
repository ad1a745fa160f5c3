//! The values of an application, checked before Helm sees them: files that lie in the
//! repository, inline values that are a mapping.

use std::path::{Path, PathBuf};

use germ_post::argocd::Settings;
use germ_post::diagnostic::{Diagnostic, did_you_mean};
use germ_post::helm::{Set, SetKind};
use germ_post::yaml;
use serde_json::Value;

use super::repository::Repository;

/// The files of values, from weak to strong.
pub fn files(settings: &Settings, repository: &Repository) -> Result<Vec<PathBuf>, Diagnostic> {
    let may_be_missing = settings.switch("ignore-missing-values-files", false);
    let mut files = Vec::new();
    for name in settings.list("values-files") {
        match repository_file(name, repository) {
            Ok(file) => files.push(file),
            Err(error) if error.code == MISSING && may_be_missing => {}
            Err(error) => return Err(error.note("it is one of the application's `values-files`")),
        }
    }
    Ok(files)
}

/// Inline values.
pub struct Inline<'s> {
    /// As they were written.
    pub text: &'s str,
    /// The texts in them: a chart's own message may repeat one, and it may be a password.
    pub leaves: Vec<String>,
}

/// The inline values, if they are any.
pub fn inline(settings: &Settings) -> Result<Option<Inline<'_>>, Diagnostic> {
    let Some(text) = settings.text("values").filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    // Values may be secret: what is wrong is told by its place.
    let wrong = |why: &str| {
        Diagnostic::input("application-invalid", format!("the application's `values` are wrong: {why}"))
    };
    let tree = yaml::parse(text).map_err(|error| {
        let (line, column) = yaml::stream::line_and_column(text, error.offset.min(text.len()));
        wrong(&format!("line {line}, column {column} is no YAML"))
    })?;
    match tree.read() {
        Ok(value) if value.is_object() || value.is_null() => {
            let mut leaves = Vec::new();
            gather(&value, &mut leaves);
            Ok(Some(Inline { text, leaves }))
        }
        Ok(_) => Err(wrong("they are no mapping")),
        Err(_) => Err(wrong("they cannot be read")),
    }
}

fn gather(value: &Value, leaves: &mut Vec<String>) {
    match value {
        Value::String(text) => leaves.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| gather(item, leaves)),
        Value::Object(map) => map.values().for_each(|value| gather(value, leaves)),
        Value::Number(number) => leaves.push(number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The single values.
pub fn sets(settings: &Settings, repository: &Repository) -> Result<Vec<Set>, Diagnostic> {
    let mut sets = Vec::new();
    for (kind, parameter) in
        [(SetKind::Value, "set"), (SetKind::Text, "set-string"), (SetKind::File, "set-file")]
    {
        for (name, value) in settings.map(parameter) {
            // Helm would cut the text at the first `=` and at commas.
            if name.is_empty() || name.contains(['=', ',']) {
                let message =
                    format!("the application's `{parameter}` is wrong: a name is empty or holds `=` or `,`");
                return Err(Diagnostic::input("application-invalid", message));
            }
            let value = match kind {
                SetKind::File => repository_file(value, repository)
                    .map_err(|error| error.note(format!("it is in the application's `{parameter}`")))?
                    .display()
                    .to_string(),
                _ => value.to_owned(),
            };
            sets.push(Set::whole(kind, name, &value));
        }
    }
    Ok(sets)
}

const MISSING: &str = "file-missing";

/// The real path of a file that an application names.
fn repository_file(name: &str, repository: &Repository) -> Result<PathBuf, Diagnostic> {
    if name.contains("://") {
        let message = format!("`{}` is a URL; files are read from the repository", scheme(name));
        return Err(Diagnostic::input("file-refused", message));
    }
    let path = repository.named(name);
    match repository.resolve(&path) {
        Ok(real) if real.is_file() => Ok(real),
        Ok(_) => Err(Diagnostic::input("file-refused", format!("`{name}` is no file"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let diagnostic = Diagnostic::input(MISSING, format!("there is no file `{name}`"));
            Err(near(&path, repository)
                .map_or(diagnostic.clone(), |near| diagnostic.help(format!("did you mean `{near}`?"))))
        }
        Err(error) => Err(Diagnostic::input("file-refused", format!("cannot read `{name}`: {error}"))),
    }
}

/// A URL without what may be secret in it.
fn scheme(url: &str) -> String {
    url.split_once("://").map_or(String::new(), |(scheme, _)| format!("{scheme}://…"))
}

/// A file beside a missing one that may have been meant.
fn near(path: &Path, repository: &Repository) -> Option<String> {
    let folder = repository
        .resolve(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
        .ok()?;
    let names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".yaml") || name.ends_with(".yml"))
        .collect();
    did_you_mean(path.file_name()?.to_str()?, names.iter().map(String::as_str)).map(str::to_owned)
}
