//! The three commands that Argo CD runs: fetch what the chart depends on, tell the
//! parameters, render. Everything that can be wrong is checked before Helm runs, and
//! nothing is printed before everything is right.

use std::path::Path;
use std::process::ExitCode;

use germ_post::argocd::{announcement, settings};
use germ_post::diagnostic::Diagnostic;
use germ_post::helm::Rendering;
use serde_json::Value;

use super::choose::choose;
use super::repository::Repository;
use super::surroundings::Surroundings;
use super::values;
use crate::cli::args::argocd::Operator;
use crate::cli::args::template::Hooks;
use crate::cli::choice::Chosen;
use crate::cli::helm::{Dependencies, Helm, Homes};
use crate::cli::render::{self, Manner};
use crate::cli::{say, template};

/// What Argo CD makes of a result without objects.
const EMPTY: &str = "Argo CD would delete everything that the application has; the parameter `allow-empty` says that this is right";

/// Renders the application, and prints it.
pub fn generate(operator: &Operator) -> ExitCode {
    match rendered(operator) {
        Ok((chosen, stream, allow_empty)) => {
            let manner = Manner { empty: (!allow_empty).then_some(EMPTY), ..Manner::default() };
            render::rewrite(chosen, &stream, manner)
        }
        Err(error) => say::answer(Err(error)),
    }
}

fn rendered(operator: &Operator) -> Result<(Chosen, Vec<u8>, bool), Diagnostic> {
    let around = Surroundings::look()?;
    let Surroundings { settings, repository, .. } = &around;
    let application = around.application()?;
    let mut chosen = choose(operator, settings, repository)?;
    let hooks = match settings.hooks()? {
        Some(settings::Hooks::Transform) => Some(Hooks::Transform),
        Some(settings::Hooks::Leave) => Some(Hooks::Leave),
        None => operator.hooks,
    };
    let inline = values::inline(settings)?;
    let mut rendering = Rendering {
        release: application.release,
        chart: ".".to_owned(),
        namespace: application.namespace,
        kube_version: application.kube_version,
        api_versions: application.api_versions,
        values: values::files(settings, repository)?,
        sets: values::sets(settings, repository)?,
        include_crds: settings.switch("include-crds", true),
        skip_tests: settings.switch("skip-tests", true),
        skip_schema_validation: settings.switch("skip-schema-validation", false),
        ..Rendering::default()
    };
    let homes = homes()?;
    if let (Some(inline), Some(folder)) = (inline, homes.scratch()) {
        let file = folder.join("values.yaml");
        rendering.value_texts = inline.leaves;
        std::fs::write(&file, inline.text).map_err(|error| {
            Diagnostic::input("no-temporary-folder", format!("cannot write the values for Helm: {error}"))
        })?;
        rendering.values.push(file);
    }
    let helm = Helm::find(homes)?;
    chosen.request.unseen = template::unseen(&helm, hooks)?;
    let stream = helm.template(&repository.folder, &rendering, dependencies(operator, repository))?;
    Ok((chosen, stream, settings.switch("allow-empty", false)))
}

/// Fetches what the chart lacks. The folder is Argo CD's copy for this call, so what is
/// fetched is seen by `generate`, and by nobody else.
pub fn init(operator: &Operator) -> Result<String, Diagnostic> {
    let Surroundings { repository, .. } = Surroundings::look()?;
    let helm = Helm::find(homes()?)?;
    if helm.complete(&repository.folder, dependencies(operator, &repository))? {
        say::line("germ-post: fetched what charts/ lacked");
    }
    Ok(String::new())
}

/// The parameters, with the profile's own. An application that is wrong gets them, too:
/// they are what it is put right with.
pub fn parameters(operator: &Operator) -> Result<String, Diagnostic> {
    let around = Surroundings::look();
    let release = around.as_ref().ok().and_then(|around| Some(around.application().ok()?.release));
    let chosen = around.and_then(|around| choose(operator, &around.settings, &around.repository));
    let (names, params) = match chosen {
        Ok(chosen) => {
            let params = chosen.request.params.iter();
            let is_open = |name: &str| {
                operator.pinned.is_none() || operator.open_params.iter().any(|open| open == name)
            };
            let shown = params
                .filter(|(name, _)| is_open(name))
                .map(|(name, param)| (name.to_owned(), param.value.as_ref().map_or(String::new(), as_text)));
            (chosen.names, shown.collect())
        }
        Err(error) => {
            say::diagnostics(&[error]);
            (Vec::new(), Vec::new())
        }
    };
    Ok(format!("{:#}\n", announcement::announcement(&names, &params, release.as_deref())))
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn homes() -> Result<Homes, Diagnostic> {
    let mounted = std::env::var_os("HELM_REPOSITORY_CONFIG").filter(|path| !path.is_empty());
    Homes::private(mounted.as_ref().map(Path::new))
}

fn dependencies<'r>(operator: &Operator, repository: &'r Repository) -> Dependencies<'r> {
    match operator.offline {
        true => Dependencies::MustBeThere,
        false => Dependencies::Fetch { within: Some(repository.root()) },
    }
}
