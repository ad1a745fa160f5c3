//! From what was typed to what is run: the profiles from the command line, the
//! environment or `germ-post.yaml`, their parameters in order of precedence, and
//! the lock held against them.

use std::path::Path;

use germ_post::diagnostic::{Diagnostic, did_you_mean};
use germ_post::profile::embedded;
use germ_post::profile::load::{self, Loaded, ReadFile};
use germ_post::profile::lock::{self, Lock};
use germ_post::profile::params::{Origin, ParamError, Params};
use germ_post::rewrite::Request;
use indexmap::IndexMap;
use serde_json::Value;

use super::args::Choice;
use super::config::{self, Config, Setting};
use super::lock_file;

/// What was chosen.
#[derive(Debug)]
pub struct Chosen {
    /// The profiles as the user named them.
    pub names: Vec<String>,
    /// The same as they are read: paths as they are seen from the working directory.
    pub located: Vec<String>,
    /// What to run.
    pub request: Request,
    /// The configuration, if one was read.
    pub config: Option<Config>,
    /// The rules that the configuration resolves to, `--set` left out; none
    /// without a configuration.
    pub rules: IndexMap<String, Value>,
    /// Their lock.
    pub lock: Lock,
}

/// Resolves a choice, and fails when a lock says that the rules have changed.
pub fn locked(choice: &Choice) -> Result<Chosen, Diagnostic> {
    locked_reading(choice, &from_disk)
}

fn from_disk(path: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(path)
}

/// The same, where profiles and configuration are read by somebody else.
pub fn locked_reading(choice: &Choice, read: ReadFile<'_>) -> Result<Chosen, Diagnostic> {
    let chosen = resolve_for(choice, Purpose::Rewriting, &[], read)?;
    let Some(config) = &chosen.config else { return Ok(chosen) };
    let Some(locked) = &config.lock else { return Ok(chosen) };
    let differences = lock::differences(locked, &chosen.lock);
    if differences.is_empty() {
        return Ok(chosen);
    }
    let of_target = config.target.as_ref().map(|target| format!(" of target {target}")).unwrap_or_default();
    let message = format!("the rules{of_target} are not those that {} is locked to", config.path.display());
    let mut diagnostic = Diagnostic::contract("lock-mismatch", message);
    for difference in differences {
        diagnostic = diagnostic.note(difference);
    }
    for changes in lock_file::changes(config, locked, &chosen.rules, read) {
        diagnostic = diagnostic.note(changes);
    }
    let flag = config.target.as_ref().map(|target| format!(" --target {target}")).unwrap_or_default();
    Err(diagnostic
        .help("review the change: `germ-post explain RULE`, and a diff of what the new rules render")
        .help(format!("then accept it: `germ-post profiles lock{flag}`")))
}

/// Resolves a choice.
pub fn resolve(choice: &Choice) -> Result<Chosen, Diagnostic> {
    resolve_for(choice, Purpose::Rewriting, &[], &from_disk)
}

/// Resolves a choice for chart values: profiles of checks may want some, too.
pub fn resolve_for_values(choice: &Choice) -> Result<Chosen, Diagnostic> {
    resolve_for(choice, Purpose::Values, &[], &from_disk)
}

/// Resolves a choice for checking: with the profiles' checks and those of `also`, and
/// with `otherwise` where nothing names a profile.
pub fn resolve_for_check(choice: &Choice, otherwise: &[&str], also: &[&str]) -> Result<Chosen, Diagnostic> {
    resolve_for(choice, Purpose::Checking(otherwise), also, &from_disk)
}

/// What a choice is resolved for.
#[derive(Debug, Clone, Copy)]
enum Purpose<'p> {
    /// Rewriting a stream.
    Rewriting,
    /// Writing chart values.
    Values,
    /// Checking, by these profiles where nothing names one.
    Checking(&'p [&'p str]),
}

fn resolve_for(
    choice: &Choice,
    purpose: Purpose<'_>,
    also: &[&str],
    read: ReadFile<'_>,
) -> Result<Chosen, Diagnostic> {
    let checking = match purpose {
        Purpose::Checking(otherwise) => Some(otherwise),
        Purpose::Rewriting | Purpose::Values => None,
    };
    let config = configuration(choice, checking.is_some(), read)?;
    let named: Vec<String> = choice.profile.iter().filter(|name| !name.is_empty()).cloned().collect();
    let owned = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let (names, located) = match (&config, checking) {
        _ if !named.is_empty() => (named.clone(), named),
        (Some(config), None) if config.profiles.is_empty() => return Err(config.no_profile()),
        (Some(config), Some(_)) if config.profiles.is_empty() && !config.targets.is_empty() => {
            return Err(config.no_profile());
        }
        (_, Some(otherwise)) if config.as_ref().is_none_or(|config| config.profiles.is_empty()) => {
            (owned(otherwise), owned(otherwise))
        }
        (Some(config), _) => {
            // Paths in the configuration are relative to it.
            let folder = config.path.parent().unwrap_or(Path::new(""));
            let locate = |name: &String| match load::is_path(name) {
                true => folder.join(name).display().to_string(),
                false => name.clone(),
            };
            (config.profiles.clone(), config.profiles.iter().map(locate).collect())
        }
        (None, _) => {
            let shipped: Vec<&str> = embedded::names_to_choose_from().collect();
            return Err(Diagnostic::input("no-profile", "no profile is given")
                .note(format!("shipped profiles: {}", shipped.join(", ")))
                .note("`germ-post profiles list` says what they are for")
                .help("give --profile NAME, set GERM_POST_PROFILE, or write a germ-post.yaml"));
        }
    };
    let loaded = match checking {
        Some(_) => {
            let mut all = vec![SUPPRESSION_CHECKS.to_owned()];
            all.extend(located.iter().cloned());
            all.extend(owned(also));
            load::load_with_checks(&all, read)?
        }
        None => {
            let loaded = load::load(&located, read)?;
            // Whoever says something to a check says it to the post-renderer as well.
            let rewrites = matches!(purpose, Purpose::Rewriting);
            if rewrites && said(choice, &config).all(|name| loaded.declares(name)) {
                loaded
            } else {
                load::load_with_checks(&located, read)?
            }
        }
    };
    let mut params = loaded.params()?;
    // A configuration that was read for its suppressions alone decides nothing.
    if let Some(config) = config.as_ref().filter(|_| checking.is_none() || !is_overruled(choice)) {
        let origin = config.path.display().to_string();
        for setting in &config.params {
            let set = params.set(&setting.name, &setting.value, Origin::Config(origin.clone()));
            let fault = set.err().map(|error| param_error(&error, &origin));
            if let Some(fault) = fault.or_else(|| wrong_section(setting, &params)) {
                return Err(setting.place.iter().cloned().fold(fault, Diagnostic::at));
            }
        }
    }
    // Only a configuration has a lock to hold the rules against.
    let rules = match &config {
        Some(_) => lock::resolve(&loaded, &params),
        None => IndexMap::new(),
    };
    let lock = lock::lock(&rules);
    environment(&mut params)?;
    command_line(&mut params, &choice.set)?;
    let (only, skip) = (choice.only.clone(), choice.skip.clone());
    let request = Request { loaded, params, only, skip, ..Request::default() };
    Ok(Chosen { names, located, request, config, rules, lock })
}

/// A fact under `params`, or a wish under `facts`: whoever reads the file takes
/// facts for things that are so, and wishes for things that may be changed.
fn wrong_section(setting: &Setting, params: &Params) -> Option<Diagnostic> {
    let name = setting.name.as_str();
    let declared = &params.get(name)?.declared;
    if declared.fact == setting.is_fact {
        return None;
    }
    let (what, section) = if declared.fact {
        ("a fact about the cluster", "facts")
    } else {
        ("a wish, not a fact about the cluster", "params")
    };
    let diagnostic = Diagnostic::input("bad-parameter", format!("parameter `{name}` is {what}"))
        .help(format!("write it under `{section}`"));
    let facts = params.iter().filter(|(_, param)| param.declared.fact).map(|(name, _)| name);
    let near = did_you_mean(name, facts).filter(|_| setting.is_fact);
    Some(near.into_iter().fold(diagnostic, |d, near| d.help(format!("did you mean `{near}`?"))))
}

/// The parameters that the command line and the configuration set.
fn said<'s>(choice: &'s Choice, config: &'s Option<Config>) -> impl Iterator<Item = &'s str> {
    let of_config = config.iter().flat_map(|config| &config.params).map(|setting| setting.name.as_str());
    let of_line = choice.set.iter().filter_map(|set| Some(set.split_once('=')?.0));
    of_config.chain(of_line)
}

/// What is wrong with suppressions is checked whatever the profile is.
const SUPPRESSION_CHECKS: &str = "checks-suppressions";

/// Whether a profile was named, which leaves a configuration that is merely found
/// nothing to say.
fn is_overruled(choice: &Choice) -> bool {
    let named_profile = choice.profile.iter().any(|name| !name.is_empty());
    named_profile && choice.target.is_none() && choice.config.is_none()
}

/// The configuration: the one that was named, or the one that is found unless a
/// profile was named. For checking it is read all the same, since it may hold
/// suppressions.
fn configuration(choice: &Choice, checking: bool, read: ReadFile<'_>) -> Result<Option<Config>, Diagnostic> {
    let path = match &choice.config {
        Some(path) => Some(path.clone()),
        None if is_overruled(choice) && !checking => None,
        None => std::env::current_dir().ok().and_then(|folder| config::discover(&folder)),
    };
    match (path, &choice.target) {
        (Some(path), target) => config::read(&path, target.as_deref(), read).map(Some),
        (None, Some(target)) => Err(Diagnostic::input(
            "no-config",
            format!("there is no {} to find target {target} in", config::FILE_NAME),
        )
        .help("it is looked for from the working directory up to the root of the Git repository")),
        (None, None) => Ok(None),
    }
}

/// Environment variables fill what no file decided on.
fn environment(params: &mut Params) -> Result<(), Diagnostic> {
    let open: Vec<(String, String)> = params
        .iter()
        .filter(|(_, param)| !param.is_decided())
        .filter_map(|(name, param)| Some((name.to_owned(), param.declared.env.clone()?)))
        .collect();
    for (name, variable) in open {
        if let Ok(text) = std::env::var(&variable) {
            params
                .set_text(&name, &text, Origin::Environment(variable.clone()))
                .map_err(|error| param_error(&error, &format!("environment variable {variable}")))?;
        }
    }
    Ok(())
}

/// `--set` has the last word.
pub fn command_line(params: &mut Params, sets: &[String]) -> Result<(), Diagnostic> {
    for set in sets {
        let Some((name, value)) = set.split_once('=') else {
            return Err(Diagnostic::input("bad-argument", format!("`--set {set}` is not NAME=VALUE")));
        };
        params.set_text(name, value, Origin::CommandLine).map_err(|error| param_error(&error, "--set"))?;
    }
    Ok(())
}

fn param_error(error: &ParamError, origin: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::input("bad-parameter", error.to_string()).note(format!("it was set by {origin}"));
    error.help().into_iter().fold(diagnostic, Diagnostic::help)
}

/// The same with the profiles of checks that they name.
pub fn load_with_checks(names: &[String]) -> Result<Loaded, Diagnostic> {
    load::load_with_checks(names, &from_disk)
}

/// Loads profiles by name or path, for commands that look at them.
pub fn load(names: &[String]) -> Result<Loaded, Diagnostic> {
    load::load(names, &from_disk)
}
