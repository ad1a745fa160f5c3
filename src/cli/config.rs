//! `germ-post.yaml`: the profile and parameters of a repository, for one cluster
//! or for many targets, found upwards from the working directory to the Git root.

use std::path::{Path, PathBuf};

use germ_post::check::suppress::ConfigIgnore;
use germ_post::diagnostic::{Diagnostic, Place, did_you_mean};
use germ_post::profile::file::{API_VERSION, OneOrMany};
use germ_post::profile::load::ReadFile;
use germ_post::profile::lock::Lock;
use germ_post::profile::{lint, load};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

/// The file's name.
pub const FILE_NAME: &str = "germ-post.yaml";

/// The configuration file as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConfigFile {
    /// Always `germ-post.dev/v1`.
    pub api_version: String,
    /// Always `Config`.
    pub kind: String,
    /// The profiles to apply.
    #[serde(default)]
    pub profile: Option<OneOrMany>,
    /// Values for their parameters.
    #[serde(default)]
    pub params: IndexMap<String, Value>,
    /// Facts about the cluster: values for the parameters that are facts.
    #[serde(default)]
    pub facts: IndexMap<String, Value>,
    /// Findings that `germ-post check` is to suppress.
    #[serde(default)]
    pub ignore: Vec<ConfigIgnore>,
    /// Hashes of the resolved rules.
    #[serde(default)]
    pub lock: Option<Lock>,
    /// Clusters, by name.
    #[serde(default)]
    pub targets: IndexMap<String, TargetFile>,
}

/// One cluster. What it does not say, the file says for all.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TargetFile {
    /// The profiles to apply.
    #[serde(default)]
    pub profile: Option<OneOrMany>,
    /// Values for their parameters.
    #[serde(default)]
    pub params: IndexMap<String, Value>,
    /// Facts about the cluster.
    #[serde(default)]
    pub facts: IndexMap<String, Value>,
    /// Findings that `germ-post check` is to suppress.
    #[serde(default)]
    pub ignore: Vec<ConfigIgnore>,
    /// Hashes of the resolved rules.
    #[serde(default)]
    pub lock: Option<Lock>,
}

/// A configuration that was found, for one target.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The target chosen, if the file has targets and one was named.
    pub target: Option<String>,
    /// The names of all targets.
    pub targets: Vec<String>,
    /// The profiles to apply; none when neither file nor target names one.
    pub profiles: Vec<String>,
    /// Values for parameters, facts among them; the target's come last.
    pub params: Vec<Setting>,
    /// Findings that `germ-post check` is to suppress.
    pub ignores: Vec<ConfigIgnore>,
    /// Hashes of the resolved rules.
    pub lock: Option<Lock>,
}

/// A parameter's value in the file.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The parameter.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Whether it stands under `facts` rather than `params`.
    pub is_fact: bool,
    /// Where that stands.
    pub place: Option<Place>,
}

/// Looks for the file from `start` upwards: to the folder that holds `.git`, or
/// in `start` alone where there is none.
pub fn discover(start: &Path) -> Option<PathBuf> {
    let in_git = start.ancestors().any(|folder| folder.join(".git").exists());
    for folder in start.ancestors() {
        let path = folder.join(FILE_NAME);
        if path.is_file() {
            return Some(path);
        }
        if !in_git || folder.join(".git").exists() {
            break;
        }
    }
    None
}

/// Reads a configuration file for a target.
pub fn read(path: &Path, target: Option<&str>, read: ReadFile<'_>) -> Result<Config, Diagnostic> {
    let shown_as = path.display().to_string();
    let text = read(path).map_err(|error| {
        Diagnostic::input("config-unreadable", format!("cannot read {shown_as}: {error}"))
    })?;
    let file = parse(&shown_as, &text)?;
    let chosen = match target {
        None => TargetFile::default(),
        Some(name) => {
            file.targets.get(name).cloned().ok_or_else(|| unknown_target(&shown_as, &file, name))?
        }
    };
    let profile = chosen.profile.or(file.profile);
    let profiles: Vec<String> = profile.iter().flat_map(OneOrMany::iter).map(str::to_owned).collect();
    let target_name = target.unwrap_or_default();
    let sections = [
        (vec!["facts"], file.facts),
        (vec!["params"], file.params),
        (vec!["targets", target_name, "facts"], chosen.facts),
        (vec!["targets", target_name, "params"], chosen.params),
    ];
    let place = |section: &[&str], name: &str| {
        let pointer: Vec<String> = section.iter().chain([&name]).map(|token| (*token).to_owned()).collect();
        load::find(&text, &pointer).map(|range| Place::in_text(&shown_as, &text, range))
    };
    let mut params = Vec::new();
    for (section, values) in sections {
        params.extend(values.into_iter().map(|(name, value)| Setting {
            place: place(&section, &name),
            is_fact: section.last() == Some(&"facts"),
            name,
            value,
        }));
    }
    let mut ignores = Vec::new();
    for (section, entries) in
        [(vec!["ignore"], file.ignore), (vec!["targets", target_name, "ignore"], chosen.ignore)]
    {
        for (index, mut entry) in entries.into_iter().enumerate() {
            let index = index.to_string();
            let at: Vec<String> =
                section.iter().chain([&index.as_str(), &"rule"]).map(|token| (*token).to_owned()).collect();
            entry.place = load::find(&text, &at).map(|range| Place::in_text(&shown_as, &text, range));
            if entry.until.as_deref().is_some_and(|until| !lint::is_date(until)) {
                let error = Diagnostic::input("config-invalid", "`until` is not a date such as 2027-03-01");
                return Err(entry.place.into_iter().fold(error, Diagnostic::at));
            }
            ignores.push(entry);
        }
    }
    let targets = file.targets.keys().cloned().collect();
    Ok(Config {
        path: path.to_owned(),
        ignores,
        targets,
        text,
        target: target.map(str::to_owned),
        profiles,
        params,
        lock: if target.is_some() { chosen.lock } else { file.lock },
    })
}

impl Config {
    /// The error of whoever needs a profile where none is named.
    pub fn no_profile(&self) -> Diagnostic {
        let message = format!("{} names no profile", self.path.display());
        let diagnostic = Diagnostic::input("no-profile", message);
        if self.targets.is_empty() {
            diagnostic.help("add `profile: talos`, or give --profile")
        } else {
            diagnostic.help(format!("give --target, one of: {}", self.targets.join(", ")))
        }
    }
}

fn parse(shown_as: &str, text: &str) -> Result<ConfigFile, Diagnostic> {
    let file: ConfigFile = serde_saphyr::from_str(text)
        .map_err(|error| load::shape_error("configuration", shown_as, text, &error))?;
    if file.api_version != API_VERSION || file.kind != "Config" {
        return Err(Diagnostic::input(
            "config-invalid",
            format!("{shown_as} is not a germ-post configuration"),
        )
        .help("it begins with `apiVersion: germ-post.dev/v1` and `kind: Config`"));
    }
    Ok(file)
}

fn unknown_target(shown_as: &str, file: &ConfigFile, name: &str) -> Diagnostic {
    let names: Vec<&str> = file.targets.keys().map(String::as_str).collect();
    let diagnostic = Diagnostic::input("target-unknown", format!("{shown_as} has no target `{name}`"));
    let diagnostic = match did_you_mean(name, names.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    };
    if names.is_empty() { diagnostic } else { diagnostic.help(format!("its targets: {}", names.join(", "))) }
}
