//! `germ-post bootstrap`: a chart that holds the cluster's network, from a bare cluster to a
//! release that Argo CD can take over. What is done is found out first, so that it can be
//! looked at (`--dry-run`), and so that nothing is begun that cannot end well.

mod guard;
mod install;
mod outlook;
mod progress;
mod smoke;
mod verify;

use std::process::ExitCode;

use germ_post::bootstrap::{Readiness, late, readiness};
use germ_post::diagnostic::Diagnostic;

use super::args::bootstrap::Bootstrap;
use super::{helm, say};
use outlook::Outlook;
use progress::Progress;

/// Does it, or says what would be done.
pub fn run(args: &Bootstrap) -> ExitCode {
    let done = match args.print_script {
        true => outlook::script(args),
        false => bootstrap(args),
    };
    match done {
        Ok(text) => say::answer(Ok(text)),
        Err(errors) => {
            say::diagnostics(&errors);
            let code = errors.iter().map(|error| error.class.exit_code()).max().unwrap_or_default();
            ExitCode::from(code.max(2))
        }
    }
}

fn bootstrap(args: &Bootstrap) -> Result<String, Vec<Diagnostic>> {
    let outlook = Outlook::new(args)?;
    guard::guard(&outlook)?;
    if args.dry_run {
        return Ok(outlook.in_words());
    }
    let progress = Progress::new(outlook.helm.interrupts());
    for line in outlook.opening() {
        progress.step(&line);
    }
    passes(&outlook, &progress).map_err(|error| vec![go_on(error)])?;
    verify::verify(&outlook, &progress)?;
    if args.smoke {
        smoke::smoke(&outlook, &progress).map_err(|error| vec![error])?;
    }
    progress.step("done; this Application takes the release over:");
    Ok(outlook.application())
}

/// From the release as it is to all of it installed and running.
fn passes(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Diagnostic> {
    install::recover(outlook, progress)?;
    let kinds = late::kinds(&outlook.late);
    if !kinds.is_empty() {
        progress.step(&format!("pass 1 of 2, without {}", outlook::listed(&outlook.late)));
        install::install(outlook, &kinds)?;
        for object in &outlook.late {
            wait_for_kind(outlook, progress, object)?;
        }
        wait_for_network(outlook, progress)?;
        progress.step("pass 2 of 2, with everything");
    }
    if kinds.is_empty() && outlook.is_up_to_date() {
        progress.step(&format!("release {} is as it has to be: not upgraded", outlook.args.release));
    } else {
        install::install(outlook, &[])?;
    }
    wait_for_network(outlook, progress)
}

/// Until the API server serves the kind of an object.
fn wait_for_kind(
    outlook: &Outlook<'_>,
    progress: &Progress,
    object: &late::Object,
) -> Result<(), Diagnostic> {
    let identity = &object.identity;
    let limit = outlook.args.crd_timeout.unwrap_or(outlook.args.timeout);
    let waited = progress.wait(&format!("kind {}", identity.kind), limit, || {
        let served = outlook.ask_served(&[identity.api_version()])?;
        let Some(resource) = served.resource(identity) else {
            return Ok(Readiness::Waiting(format!("{} does not know it yet", identity.api_version())));
        };
        let name = format!("{}.{}", resource.plural, identity.group);
        let definition = outlook.kubectl.object("customresourcedefinitions", &name, None)?;
        Ok(readiness::established(&definition))
    });
    waited.map_err(|error| {
        let namespace = &outlook.args.namespace;
        error
            .help("it is registered by what the release starts: look whether that runs")
            .help(format!("kubectl --namespace {namespace} get pods --output=wide"))
            .help(format!("kubectl --namespace {namespace} logs deployment/cilium-operator --tail=50"))
    })
}

/// Until all nodes are Ready, and the workloads that are the network run on them.
fn wait_for_network(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Diagnostic> {
    let args = outlook.args;
    let namespace = &args.namespace;
    for workload in &outlook.workloads {
        let limit = args.rollout_timeout.unwrap_or(args.timeout);
        let (kind, name) = workload.split_once('/').unwrap_or(("", workload));
        let look = || {
            let object = outlook.kubectl.object(&kind.to_lowercase(), name, Some(namespace))?;
            Ok(readiness::rollout(&object))
        };
        progress.wait(workload, limit, look).map_err(|error| {
            let target = workload.to_lowercase();
            error
                .help(format!("kubectl --namespace {namespace} describe {target}"))
                .help(format!("kubectl --namespace {namespace} logs {target} --all-containers --tail=50"))
        })?;
    }
    let limit = args.node_timeout.unwrap_or(args.timeout);
    let look = || Ok(readiness::nodes(&outlook.kubectl.json(&["get", "nodes", "--output=json"])?));
    progress.wait("nodes", limit, look).map_err(|error| {
        error
            .help("kubectl describe nodes: the condition Ready says what is missing")
            .help(format!("kubectl --namespace {namespace} get pods --output=wide: the agent runs on each?"))
    })
}

/// Whatever stopped it, the next run goes on from there.
fn go_on(error: Diagnostic) -> Diagnostic {
    match error.code {
        "interrupted" | "wait-timeout" | "helm-failed" => {
            error.help("the same command goes on from here: docs/bootstrap.md says what to look at first")
        }
        _ => error,
    }
}

/// The text of what a Helm that failed said.
fn failed(doing: &str, output: &helm::Output) -> Diagnostic {
    germ_post::helm::failure(doing, &String::from_utf8_lossy(&output.stderr), [])
}
