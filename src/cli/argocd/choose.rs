//! Which profile an application is post-rendered by: the one that the operator pins, or
//! the application's own, or the operator's for those that name none, or that of the
//! repository's `germ-post.yaml`.

use germ_post::argocd::Settings;
use germ_post::diagnostic::Diagnostic;
use germ_post::profile::load;

use super::repository::Repository;
use crate::cli::args::Choice;
use crate::cli::args::argocd::Operator;
use crate::cli::choice::{self, Chosen};
use crate::cli::config;

/// Chooses.
pub fn choose(
    operator: &Operator,
    settings: &Settings,
    repository: &Repository,
) -> Result<Chosen, Diagnostic> {
    match &operator.pinned {
        Some(file) => pinned(operator, file, settings, repository),
        None => own(operator, settings, repository),
    }
}

fn own(operator: &Operator, settings: &Settings, repository: &Repository) -> Result<Chosen, Diagnostic> {
    let named = settings.list("profile");
    let target = settings.text("target").or(operator.target.as_deref());
    let profile: Vec<String> = match named {
        [] => operator.profile.iter().filter(|name| !name.is_empty()).cloned().collect(),
        // As for values files, a leading `/` is the repository's root.
        named => named
            .iter()
            .map(|name| match load::is_path(name) {
                true => repository.named(name).display().to_string(),
                false => name.clone(),
            })
            .collect(),
    };
    let config = match (profile.is_empty(), target) {
        // A profile that is named leaves a configuration nothing to say, but for a target's params.
        (false, None) => None,
        _ => repository.config(),
    };
    let choice = Choice {
        target: target.map(str::to_owned),
        set: settings.map("params").map(|(name, value)| format!("{name}={value}")).collect(),
        only: settings.list("only").to_vec(),
        skip: settings.list("skip").to_vec(),
        config,
        profile,
    };
    let of_operator = operator.profile.iter().find(|name| named.is_empty() && load::is_path(name));
    let reading = match of_operator {
        Some(file) => &repository.with_file_of_operator(file.as_ref())?,
        None => repository,
    };
    choice::locked_reading(&choice, &|path| reading.read(path)).map_err(|error| match error.code {
        "no-profile" => Diagnostic { help: Vec::new(), ..error }
            .help("set the application's parameter `profile`, or write a germ-post.yaml into the repository"),
        _ => error,
    })
}

/// What an application could use to get around a pinned profile.
const NOT_BESIDE_PINNED: &[&str] = &["profile", "only", "skip", "hooks"];

fn pinned(
    operator: &Operator,
    file: &std::path::Path,
    settings: &Settings,
    repository: &Repository,
) -> Result<Chosen, Diagnostic> {
    let refused = |what: String| {
        let diagnostic = Diagnostic::input("pinned", format!("this application cannot set {what}"))
            .note("the profile and its parameters are pinned by the operator of Argo CD");
        match operator.open_params.is_empty() {
            true => diagnostic,
            false => {
                diagnostic.help(format!("it can set these parameters: {}", operator.open_params.join(", ")))
            }
        }
    };
    if let Some(name) = NOT_BESIDE_PINNED.iter().find(|name| settings.says(name)) {
        return Err(refused(format!("`{name}`")));
    }
    if let Some((name, _)) =
        settings.map("params").find(|(name, _)| !operator.open_params.iter().any(|open| open == name))
    {
        return Err(refused(format!("the parameter `{name}`")));
    }
    let reading = repository.with_file_of_operator(file)?;
    // Several clusters may be pinned in one file; each application is for one.
    let target = match (&operator.target, settings.text("target")) {
        (Some(_), Some(_)) => return Err(refused("`target`".to_owned())),
        (Some(target), None) => Some(target.clone()),
        (None, target) => target.map(str::to_owned),
    };
    let text = |path: &std::path::Path| reading.read(path);
    let config = config::read(file, target.as_deref(), &text)?;
    // What the file decides on stays decided, whatever is open.
    if let Some(setting) =
        config.params.iter().find(|setting| settings.map("params").any(|(name, _)| name == setting.name))
    {
        return Err(refused(format!("the parameter `{}`", setting.name)));
    }
    let choice = Choice {
        config: Some(file.to_owned()),
        target,
        set: settings.map("params").map(|(name, value)| format!("{name}={value}")).collect(),
        ..Choice::default()
    };
    choice::locked_reading(&choice, &text)
}
