//! `germ-post template`: a chart rendered by Helm and post-rendered, as Argo CD gets it
//! from the plugin, and a cluster from a release.

use std::path::Path;
use std::process::ExitCode;

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::{Rendering, Set, SetKind, release_name};
use germ_post::rewrite::Unseen;

use super::args::template::{HelmFlags, Hooks, Template};
use super::choice::{self, Chosen};
use super::helm::{Dependencies, Helm, Homes, namespace_of_plugin};
use super::render::{self, Manner};
use super::say;

/// Renders, rewrites, prints.
pub fn run(args: &Template) -> ExitCode {
    let manner = Manner {
        report: args.report.as_deref(),
        quiet: args.quiet,
        verbose: args.verbose,
        empty: (!args.allow_empty).then_some("--allow-empty takes that for right"),
        ..Manner::default()
    };
    match rendered(args) {
        Ok((chosen, stream)) => render::rewrite(chosen, &stream, manner),
        Err(error) => say::answer(Err(error)),
    }
}

/// What Helm renders, and what to rewrite it by. Everything typed is checked before
/// Helm runs.
fn rendered(args: &Template) -> Result<(Chosen, Vec<u8>), Diagnostic> {
    let rendering = rendering(args)?;
    let mut chosen = choice::locked(&args.choice.choice())?;
    let helm = Helm::find(Homes::OfUser)?;
    chosen.request.unseen = unseen(&helm, args.hooks)?;
    let dependencies = if args.helm.dependency_build {
        Dependencies::Fetch { within: None }
    } else {
        Dependencies::MustBeThere
    };
    let stream = helm.template(Path::new("."), &rendering, dependencies)?;
    Ok((chosen, stream))
}

/// What a release of this Helm would keep from its post-renderer.
pub fn unseen(helm: &Helm, hooks: Option<Hooks>) -> Result<Unseen, Diagnostic> {
    let hooks = match hooks {
        Some(hooks) => hooks == Hooks::Leave,
        None => !helm.version()?.post_renders_hooks(),
    };
    Ok(Unseen { crds: true, hooks })
}

fn rendering(args: &Template) -> Result<Rendering, Diagnostic> {
    let flags = &args.helm;
    release_name::check(&args.name)?;
    Ok(Rendering {
        release: args.name.clone(),
        chart: args.chart.clone(),
        namespace: flags.namespace.clone().or_else(namespace_of_plugin),
        kube_version: flags.kube_version.clone(),
        api_versions: flags.api_versions.clone(),
        values: flags.values.clone(),
        sets: sets(flags),
        include_crds: !flags.skip_crds,
        skip_tests: !flags.include_tests,
        no_hooks: flags.no_hooks,
        skip_schema_validation: flags.skip_schema_validation,
        origin: flags.origin(),
        value_texts: Vec::new(),
    })
}

/// The single values; which kind is stronger Helm decides, not their order.
fn sets(flags: &HelmFlags) -> Vec<Set> {
    let kinds = [
        (SetKind::Json, &flags.set_json),
        (SetKind::Value, &flags.set),
        (SetKind::Text, &flags.set_string),
        (SetKind::File, &flags.set_file),
        (SetKind::Literal, &flags.set_literal),
    ];
    let of_kind = |(kind, texts): (SetKind, &Vec<String>)| {
        texts.iter().map(move |text| Set { kind, text: text.clone() }).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(of_kind).collect()
}
