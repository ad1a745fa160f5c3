//! Finding and reading profile files: shipped ones by name, the user's by path,
//! each with what it extends, every file once. Errors carry the place in the
//! profile.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::embedded;
use super::file::{API_VERSION, ProfileFile};
use super::params::{Origin, ParamError, Params};
use super::rule::meant;
use super::version::{Range, parse_version};
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::yaml::{self, Tree};

/// One profile file that has been read.
#[derive(Debug, Clone)]
pub struct LoadedFile {
    /// What users call the file: a path, or `talos-os (shipped)`.
    pub shown_as: String,
    /// Where relative paths in it start; `None` for a shipped one.
    pub folder: Option<PathBuf>,
    /// Its text.
    pub text: String,
    /// Its content.
    pub file: ProfileFile,
    /// Its tree, where the text is the program's own; else it is parsed again when
    /// it is needed.
    tree: Option<Tree<'static>>,
    /// The files that its rules emit, by the name the rule gives.
    pub emitted: HashMap<String, String>,
    /// Whether it is there for `germ-post check` alone.
    pub only_checks: bool,
}

/// A composition of profiles, in the order in which their rules run.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// What is extended comes before what extends it.
    pub files: Vec<LoadedFile>,
}

/// How files are read; the library itself touches no file system.
pub type ReadFile<'r> = &'r dyn Fn(&Path) -> std::io::Result<String>;

/// Loads the named profiles in order, each a shipped name or a path. Profiles
/// that they name as `checks` are left out, unless one of their rules or parameters
/// may be spoken of.
pub fn load(names: &[String], read: ReadFile<'_>) -> Result<Loaded, Diagnostic> {
    let mut loader = Loader::new(read);
    for name in names {
        loader.load(name, None, None)?;
    }
    let loaded = loader.loaded;
    let adjusts = (0..loaded.files.len()).any(|file| loaded.adjusts_others(file));
    let sets = loaded.files.iter().flat_map(|file| file.file.set.keys()).any(|name| !loaded.declares(name));
    if adjusts || sets { load_with_checks(names, read) } else { Ok(loaded) }
}

/// Loads the named profiles with those that they name as `checks`.
pub fn load_with_checks(names: &[String], read: ReadFile<'_>) -> Result<Loaded, Diagnostic> {
    let mut loader = Loader::new(read);
    loader.with_checks = true;
    for name in names {
        loader.load(name, None, None)?;
    }
    Ok(loader.loaded)
}

struct Loader<'r> {
    read: ReadFile<'r>,
    loaded: Loaded,
    /// The chain of files that extend each other, for finding cycles.
    open: Vec<String>,
    /// The files that are loaded, named as in `open`.
    done: Vec<String>,
    /// Whether profiles named as `checks` are loaded.
    with_checks: bool,
    /// Whether what is being loaded was named as `checks`.
    in_checks: bool,
}

impl<'r> Loader<'r> {
    fn new(read: ReadFile<'r>) -> Self {
        Self {
            read,
            loaded: Loaded::default(),
            open: Vec::new(),
            done: Vec::new(),
            with_checks: false,
            in_checks: false,
        }
    }

    fn load(
        &mut self,
        name: &str,
        folder: Option<&Path>,
        asked_at: Option<&Place>,
    ) -> Result<(), Diagnostic> {
        let at = |diagnostic: Diagnostic| match asked_at {
            Some(place) => diagnostic.at(place.clone()),
            None => diagnostic,
        };
        let mut shipped = None;
        let (text, shown_as, own_folder) = if is_path(name) {
            let path = folder.unwrap_or(Path::new("")).join(name);
            let text = (self.read)(&path).map_err(|error| {
                at(Diagnostic::input(
                    "profile-unreadable",
                    format!("cannot read the profile {}: {error}", path.display()),
                ))
            })?;
            let own_folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
            (text, path.display().to_string(), Some(own_folder))
        } else {
            let (plain, major) = name.split_once('@').unwrap_or((name, ""));
            let text = embedded::text(plain).ok_or_else(|| at(unknown_profile(plain)))?;
            shipped = Some((plain, major, text));
            (text.to_owned(), format!("{plain} (shipped)"), None)
        };
        let identity = identity(&shown_as);
        if self.open.contains(&identity) {
            return Err(at(Diagnostic::input(
                "profile-cycle",
                format!("the profile {identity} extends itself"),
            )
            .note(format!("by way of {}", self.open.join(" → ")))));
        }
        if self.done.contains(&identity) {
            let known = self.loaded.files.iter().find(|file| file.shown_as == shown_as);
            return match (shipped, known) {
                (Some((plain, major, _)), Some(known)) => check_major(plain, major, &known.file).map_err(at),
                _ => Ok(()),
            };
        }
        let (file, tree) = match shipped {
            Some((plain, major, text)) => {
                let tree = tree_of(&shown_as, text)?;
                let file = file_of(&shown_as, &tree)?;
                check_major(plain, major, &file).map_err(at)?;
                (file, Some(tree))
            }
            None => (file_of(&shown_as, &tree_of(&shown_as, &text)?)?, None),
        };
        self.open.push(identity);
        let mut loaded = LoadedFile {
            shown_as,
            folder: own_folder.clone(),
            text,
            file,
            tree,
            emitted: HashMap::new(),
            only_checks: self.in_checks,
        };
        check_tested(&loaded)?;
        self.read_emitted(&mut loaded)?;
        for (index, base) in loaded.file.extends.iter().enumerate() {
            let place = loaded.place(&["extends".to_owned(), index.to_string()]);
            self.load(base, own_folder.as_deref(), place.as_ref())?;
        }
        let checks = if self.with_checks { loaded.file.checks.as_slice() } else { &[] };
        for (index, name) in checks.iter().enumerate() {
            let place = loaded.place(&["checks".to_owned(), index.to_string()]);
            let outside = std::mem::replace(&mut self.in_checks, true);
            self.load(name, own_folder.as_deref(), place.as_ref())?;
            self.in_checks = outside;
        }
        self.done.extend(self.open.pop());
        self.loaded.files.push(loaded);
        Ok(())
    }
}

impl Loader<'_> {
    /// Reads the files that rules emit, relative to the profile.
    fn read_emitted(&self, loaded: &mut LoadedFile) -> Result<(), Diagnostic> {
        let Some(folder) = loaded.folder.clone() else { return Ok(()) };
        for (index, rule) in loaded.file.rules.iter().enumerate() {
            let Some(emit) = &rule.emit else { continue };
            let Some(file) = &emit.file else { continue };
            let path = folder.join(file);
            let text = (self.read)(&path).map_err(|error| {
                let at = ["rules", &index.to_string(), "emit", "file"].map(str::to_owned);
                loaded.fault(&at, format!("cannot read {}: {error}", path.display()))
            })?;
            loaded.emitted.insert(file.clone(), text);
        }
        Ok(())
    }
}

/// One name for a file however it is reached: `./a.yaml` and `b/../a.yaml` are
/// `a.yaml`.
fn identity(path: &str) -> String {
    let mut out = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out.display().to_string()
}

fn check_tested(loaded: &LoadedFile) -> Result<(), Diagnostic> {
    for (chart, range) in &loaded.file.tested {
        if let Err(message) = Range::parse(range) {
            let at = ["tested".to_owned(), chart.clone()];
            return Err(loaded.fault(&at, message).help("a range reads like `>=1.18 <1.21`"));
        }
    }
    Ok(())
}

/// A profile is named by path when it looks like one.
pub fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".yaml") || name.ends_with(".yml")
}

fn unknown_profile(name: &str) -> Diagnostic {
    let mut diagnostic = Diagnostic::input("profile-unknown", format!("there is no profile `{name}`"));
    if let Some(near) = did_you_mean(name, embedded::names()) {
        diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
    }
    diagnostic
        .help(format!(
            "shipped profiles: {}",
            embedded::names_to_choose_from().collect::<Vec<_>>().join(", ")
        ))
        .help("a profile of your own is named by its path: ./my-profile.yaml")
}

/// Whether a shipped profile is of the major version that is asked for, if one is.
fn check_major(name: &str, wanted: &str, file: &ProfileFile) -> Result<(), Diagnostic> {
    let have = file.version.as_deref().and_then(parse_version);
    if wanted.is_empty() || have.as_ref().is_some_and(|have| have.major.to_string() == wanted) {
        return Ok(());
    }
    Err(Diagnostic::input(
        "profile-version",
        format!(
            "the profile asks for `{name}@{wanted}`, and this program ships {name} {}",
            have.map_or("without a version".to_owned(), |version| version.to_string())
        ),
    )
    .help("use a program that ships that version, or review what changed and ask for the new one"))
}

/// Parses a profile file; its value as Kubernetes would read it comes along.
pub fn parse(shown_as: &str, text: &str) -> Result<(ProfileFile, Value), Diagnostic> {
    let tree = tree_of(shown_as, text)?;
    Ok((file_of(shown_as, &tree)?, value_of(&tree)))
}

fn tree_of<'t>(shown_as: &str, text: &'t str) -> Result<Tree<'t>, Diagnostic> {
    yaml::parse(text).map_err(|error| {
        Diagnostic::input("profile-invalid", format!("the profile is not YAML: {}", error.message))
            .at(Place::in_text(shown_as, text, error.offset..error.offset))
    })
}

fn value_of(tree: &Tree<'_>) -> Value {
    tree.read().unwrap_or(Value::Null)
}

/// A profile from its tree.
fn file_of(shown_as: &str, tree: &Tree<'_>) -> Result<ProfileFile, Diagnostic> {
    let text = tree.text();
    // The tree is at hand; serde's own reading of the text knows the places of errors.
    let file = tree
        .deserialize()
        .or_else(|_| ProfileFile::deserialize(value_of(tree)))
        .or_else(|_| serde_saphyr::from_str(text))
        .map_err(|error| shape_error("profile", shown_as, text, &error))?;
    let wrong = |key: &str, message: String| {
        let place = find(text, &[key.to_owned()]).map(|range| Place::in_text(shown_as, text, range));
        let diagnostic = Diagnostic::input("profile-invalid", message);
        match place {
            Some(place) => diagnostic.at(place),
            None => diagnostic,
        }
    };
    if file.api_version != API_VERSION {
        return Err(wrong("apiVersion", "the profile's apiVersion is not known".to_owned())
            .help(format!("this program reads `{API_VERSION}`")));
    }
    if file.kind != "Profile" {
        return Err(
            wrong("kind", "the file is not a profile".to_owned()).help("a profile has `kind: Profile`")
        );
    }
    Ok(file)
}

/// serde's error about a file of ours, with a caret, and a suggestion for a
/// mistyped field. `what` names the kind of file.
pub fn shape_error(what: &str, shown_as: &str, text: &str, error: &serde_saphyr::Error) -> Diagnostic {
    let message = error.without_snippet().to_string();
    let message = message.lines().next().unwrap_or("").trim();
    let message = message.split(" at line ").next().unwrap_or(message);
    let code = if what == "profile" { "profile-invalid" } else { "config-invalid" };
    let mut diagnostic = Diagnostic::input(code, format!("the {what} is not valid: {message}"));
    if let Some(location) = error.location() {
        let line = location.line() as usize;
        let column = location.column() as usize;
        let shown = text.lines().nth(line.saturating_sub(1)).map(|source| {
            let rest: String = source.chars().skip(column.saturating_sub(1)).collect();
            let word = rest.chars().take_while(|c| !matches!(c, ':' | ' ' | ',' | '}')).count();
            (source.to_owned(), word.max(1))
        });
        diagnostic = diagnostic.at(Place { file: shown_as.to_owned(), line, column, shown });
    }
    // "unknown field `x`, expected one of a, b, c"
    let is_unknown = message.starts_with("unknown ");
    let (wrong, expected) = message.split_once(", expected ").filter(|_| is_unknown).unwrap_or_default();
    let wrong = wrong.split('`').nth(1).unwrap_or_default();
    let known = expected.trim_start_matches("one of ").split([',', ' ', '`']).filter(|word| !word.is_empty());
    match did_you_mean(wrong, known).filter(|_| !wrong.is_empty()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// The bytes of a node of a profile, by JSON pointer tokens.
pub fn find(text: &str, pointer: &[String]) -> Option<std::ops::Range<usize>> {
    let tree = yaml::parse(text).ok()?;
    let id = tree.locate(pointer)?;
    Some(tree.node(id).span.clone())
}

impl LoadedFile {
    /// Its tree.
    pub fn tree(&self) -> Result<Cow<'_, Tree<'_>>, Diagnostic> {
        match &self.tree {
            Some(tree) => Ok(Cow::Borrowed(tree)),
            None => tree_of(&self.shown_as, &self.text).map(Cow::Owned),
        }
    }

    /// Its content as Kubernetes would read it.
    pub fn raw(&self) -> Value {
        self.tree().map_or(Value::Null, |tree| value_of(&tree))
    }

    /// The place of a node of the file.
    pub fn place(&self, pointer: &[String]) -> Option<Place> {
        // A block collection is shown by its first line's caret.
        let mut pointer = pointer.to_vec();
        loop {
            if let Some(range) = find(&self.text, &pointer) {
                return Some(Place::in_text(&self.shown_as, &self.text, range));
            }
            pointer.pop()?;
        }
    }

    /// A diagnostic about a node of the file.
    pub fn fault(&self, pointer: &[String], message: impl Into<String>) -> Diagnostic {
        let diagnostic = Diagnostic::input("profile-invalid", message);
        match self.place(pointer) {
            Some(place) => diagnostic.at(place),
            None => diagnostic,
        }
    }
}

impl Loaded {
    /// Whether some file declares the parameter.
    pub fn declares(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.file.params.contains_key(name))
    }

    /// Whether an adjustment of a file means no rule of the file or of those before it.
    fn adjusts_others(&self, file: usize) -> bool {
        let ids =
            || self.files[..=file].iter().flat_map(|file| &file.file.rules).map(|rule| rule.id.as_str());
        self.files[file].file.adjust.iter().any(|adjust| meant(&adjust.rule, ids()).is_empty())
    }

    /// The parameters that the files declare, with the values they set.
    pub fn params(&self) -> Result<Params, Diagnostic> {
        let mut params = Params::default();
        let fault = |file: &LoadedFile, pointer: &[&str], error: &ParamError| {
            let pointer: Vec<String> = pointer.iter().map(|token| (*token).to_owned()).collect();
            let diagnostic = file.fault(&pointer, error.to_string());
            error.help().into_iter().fold(diagnostic, Diagnostic::help)
        };
        // What checks declare as well is a parameter of the rules that rewrite.
        let (checks, others): (Vec<&LoadedFile>, Vec<&LoadedFile>) =
            self.files.iter().partition(|file| file.only_checks);
        for file in others.into_iter().chain(checks) {
            for (name, declared) in &file.file.params {
                params.declare(&file.file.name, name, declared).map_err(|error| match error {
                    ParamError::BadValue { .. } => fault(file, &["params", name, "default"], &error),
                    error => fault(file, &["params", name], &error),
                })?;
            }
        }
        for file in &self.files {
            for (name, value) in &file.file.set {
                params
                    .set(name, value, Origin::Profile(file.file.name.clone()))
                    .map_err(|error| fault(file, &["set", name], &error))?;
            }
        }
        Ok(params)
    }
}

#[cfg(test)]
mod tests {
    use super::load;

    #[test]
    fn a_profile_is_held_to_each_version_that_is_asked_for() {
        let load = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            load(&names, &|_| Ok(String::new())).map_err(|error| error.code)
        };
        assert!(load(&["talos-os@1", "talos-os"]).is_ok());
        assert_eq!(load(&["talos-os@9"]).map(drop), Err("profile-version"));
        assert_eq!(load(&["talos-os", "talos-os@9"]).map(drop), Err("profile-version"));
    }

    #[test]
    fn checks_are_read_for_adjustments_that_mean_no_other_rule() {
        let reads_checks = |rule: &str| {
            let text = format!(
                "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nextends: [talos]\n\
                 adjust:\n- {{rule: {rule}, off: true, reason: a test}}\n"
            );
            let loaded = load(&["./own.yaml".to_owned()], &|_| Ok(text.clone())).unwrap();
            loaded.files.iter().any(|file| file.only_checks)
        };
        assert!(!reads_checks("talos/cgroup"));
        assert!(reads_checks("cilium/gateway-api-on"));
    }
}
