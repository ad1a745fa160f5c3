//! What is known before anything is done: the tools, the cluster, the release as it is and as
//! it is going to be. Everything that can be found wrong is found here.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use germ_post::bootstrap::application::{self, Adopted, Source};
use germ_post::bootstrap::late::{self, Late, Object};
use germ_post::bootstrap::release::Revision;
use germ_post::bootstrap::script::{self, Steps};
use germ_post::bootstrap::{Served, discovery};
use germ_post::diagnostic::Diagnostic;
use germ_post::helm::{Rendering, Set, SetKind, Version, release_name};
use germ_post::profile::path::get;
use germ_post::rewrite;

use super::{install, verify};
use crate::cli::args::bootstrap::Bootstrap;
use crate::cli::choice::{self, Chosen};
use crate::cli::helm::{Dependencies, Helm, Homes, post_renderer};
use crate::cli::kubectl::Kubectl;
use crate::cli::template;

/// What is known.
pub struct Outlook<'a> {
    /// What was typed.
    pub args: &'a Bootstrap,
    /// The profile.
    pub chosen: Chosen,
    /// Helm.
    pub helm: Helm,
    /// Its version.
    pub version: Version,
    /// kubectl, in the context.
    pub kubectl: Kubectl,
    /// The API server's version.
    pub server: String,
    /// The objects of the release, as the profile wants them.
    pub objects: Vec<Object>,
    /// The objects that have to wait for their kinds.
    pub late: Vec<Late>,
    /// `KIND/NAME` of the workloads that are the network: those that need none.
    pub workloads: Vec<String>,
    /// The release's last revision.
    pub revision: Option<Revision>,
    /// The Applications that would undo changes.
    healing: Vec<(String, String)>,
}

impl<'a> Outlook<'a> {
    /// Finds out; touches nothing but the chart's `charts/`.
    pub fn new(args: &'a Bootstrap) -> Result<Self, Vec<Diagnostic>> {
        let (helm, chosen) = tools(args).map_err(|error| vec![error])?;
        let one = |error: Diagnostic| vec![error];
        let version = helm.version().map_err(one)?;
        let kubectl =
            Kubectl::choose(args.context.as_deref(), args.current_context, args.kubeconfig.as_deref())
                .map_err(one)?;
        let server = kubectl.raw("/version").map_err(one)?;
        let server = server["gitVersion"].as_str().unwrap_or("unknown").to_owned();
        let versions = discovery::versions(&kubectl.raw("/apis").map_err(one)?);
        let mut outlook = Self {
            args,
            chosen,
            helm,
            version,
            kubectl,
            server,
            objects: Vec::new(),
            late: Vec::new(),
            workloads: Vec::new(),
            revision: None,
            healing: Vec::new(),
        };
        let served = outlook.ask_served(&versions).map_err(one)?;
        complete(&outlook.helm, args).map_err(one)?;
        outlook.objects = outlook.render(served.api_versions())?;
        outlook.workloads = workloads(&outlook.objects);
        outlook.late = late::late(&outlook.objects, &served).map_err(one)?;
        outlook.revision = install::revision(&outlook).map_err(one)?;
        outlook.keeps_what_is_there().map_err(one)?;
        if served
            .api_versions()
            .iter()
            .any(|name| name.starts_with("argoproj.io/") && name.ends_with("/Application"))
        {
            let list = ["get", "applications.argoproj.io", "--all-namespaces", "--output=json"];
            let all = outlook.kubectl.json(&list).map_err(one)?;
            outlook.healing = application::healing(&all, &args.namespace, &outlook.workloads);
        }
        Ok(outlook)
    }

    /// Which kinds of some `apiVersion`s are served now.
    pub fn ask_served(&self, versions: &[String]) -> Result<Served, Diagnostic> {
        let mut served = Served::default();
        for version in versions {
            served.note(version, &self.kubectl.raw(&discovery::path(version))?);
        }
        Ok(served)
    }

    /// The objects that the release is going to have.
    fn render(&self, api_versions: Vec<String>) -> Result<Vec<Object>, Vec<Diagnostic>> {
        let rendering =
            Rendering { kube_version: Some(self.server.clone()), api_versions, ..rendering(self.args) };
        objects(&self.helm, &self.chosen, &rendering)
    }

    /// An object that is held back is one that an upgrade would delete.
    fn keeps_what_is_there(&self) -> Result<(), Diagnostic> {
        let has_release = self.revision.as_ref().is_some_and(|revision| revision.status == "deployed");
        if self.late.is_empty() || !has_release {
            return Ok(());
        }
        let stored = verify::manifest(self)?;
        let stored = late::objects_of(&stored).unwrap_or_default();
        let lost = self.late.iter().find(|late| stored.iter().any(|object| object.identity == late.identity));
        match lost {
            None => Ok(()),
            Some(object) => Err(Diagnostic::contract(
                "kind-gone",
                format!("the release has {}, but its kind is not served any more", object.identity),
            )
            .note("Helm takes no release up that has an object of an unknown kind, and leaving it out would delete it")
            .help("bring the definition back: Cilium's operator registers it when it runs")),
        }
    }

    /// Whether the release is what it has to be already.
    pub fn is_up_to_date(&self) -> bool {
        let deployed = self.revision.as_ref().is_some_and(|revision| revision.status == "deployed");
        let Some(stored) = verify::manifest(self).ok().filter(|_| deployed) else { return false };
        let Ok(stored) = late::objects_of(&stored) else { return false };
        let by_name = |objects: &[Object]| -> BTreeMap<String, serde_json::Value> {
            let kept = objects.iter().filter(|object| !is_apart(object));
            kept.map(|object| (object.identity.to_string(), object.value.clone())).collect()
        };
        by_name(&stored) == by_name(&self.objects)
    }

    /// Flags of Helm that say which release on which cluster is meant.
    pub fn on_cluster(&self) -> Vec<String> {
        let mut words = vec![
            format!("--namespace={}", self.args.namespace),
            format!("--kube-context={}", self.kubectl.context()),
        ];
        words.extend(self.kubectl.kubeconfig().map(|file| format!("--kubeconfig={}", file.display())));
        words
    }

    /// Flags of Helm that say values.
    pub fn values(&self) -> Vec<String> {
        values(self.args)
    }

    /// Arguments of the post-renderer.
    pub fn post_renderer(&self) -> Vec<String> {
        post_renderer::arguments(&self.args.choice.choice())
    }

    /// What is said before anything is done.
    pub fn opening(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "context {}, Kubernetes {}; release {} in {}, {}",
            self.kubectl.context(),
            self.server,
            self.args.release,
            self.args.namespace,
            self.status()
        )];
        for (namespace, name) in &self.healing {
            lines.push(format!(
                "warning: Argo CD's Application {namespace}/{name} undoes what this changes; pause it:"
            ));
            lines.extend(application::pause(namespace, name));
        }
        lines
    }

    fn status(&self) -> String {
        match &self.revision {
            None => "not there yet".to_owned(),
            Some(revision) => format!("revision {}, {}", revision.number, revision.status),
        }
    }

    /// The whole of it, for `--dry-run`.
    pub fn in_words(&self) -> String {
        let mut out: String = self.opening().into_iter().map(|line| line + "\n").collect();
        let all = self.objects.len();
        if self.revision.as_ref().is_some_and(Revision::is_pending) {
            out.push_str("recover    the pending revision's record is taken away, its objects stay\n");
        }
        if self.late.is_empty() {
            let verb = if self.is_up_to_date() { "nothing to upgrade" } else { "install or upgrade" };
            out.push_str(&format!("pass 1     {verb}: {all} objects\n"));
        } else {
            let kinds = late::kinds(&self.late).join(", ");
            out.push_str(&format!(
                "pass 1     install {} objects, without {}\nwait       for kinds {kinds}\n",
                all - self.late.len(),
                listed(&self.late)
            ));
        }
        out.push_str(&format!("wait       for {}, and for all nodes\n", self.workloads.join(", ")));
        if !self.late.is_empty() {
            out.push_str(&format!("pass 2     upgrade: all {all} objects\n"));
        }
        out.push_str("verify     what Helm keeps is what the profile says\n");
        if self.args.smoke {
            out.push_str("smoke      a LoadBalancer Service gets an address and answers\n");
        }
        out
    }

    /// The Application that takes the release over.
    pub fn application(&self) -> String {
        let args = self.args;
        let choice = args.choice.choice();
        let many = |items: Vec<String>| (!items.is_empty()).then_some(items);
        let relative = |file: &Path| {
            let below = std::path::absolute(file).ok().zip(std::path::absolute(&args.chart).ok());
            let inside = below.and_then(|(file, chart)| file.strip_prefix(chart).ok().map(Path::to_path_buf));
            inside.unwrap_or_else(|| file.to_path_buf()).display().to_string()
        };
        let parameters = [
            ("profile", many(choice.profile.clone())),
            ("target", choice.target.clone().map(|target| vec![target])),
            ("params", many(choice.set.clone())),
            ("only", many(choice.only.clone())),
            ("skip", many(choice.skip.clone())),
            ("release-name", Some(vec![args.release.clone()])),
            ("values-files", many(args.values.iter().map(|file| relative(file)).collect())),
            ("set", many(args.set.clone())),
        ];
        let parameters =
            parameters.into_iter().filter_map(|(name, values)| Some((name.to_owned(), values?))).collect();
        application::manifest(&Adopted {
            release: args.release.clone(),
            namespace: args.namespace.clone(),
            source: source(&args.chart),
            parameters,
        })
    }
}

/// Helm and the profile, of which nothing depends on the cluster.
fn tools(args: &Bootstrap) -> Result<(Helm, Chosen), Diagnostic> {
    release_name::check(&args.release)?;
    let mut chosen = choice::locked(&args.choice.choice())?;
    let helm = Helm::find(Homes::OfUser)?;
    chosen.request.unseen = template::unseen(&helm, None)?;
    Ok((helm, chosen))
}

/// Fetches what the chart depends on: as its Chart.lock says, or anew where that is stale or of
/// repositories that this machine does not know.
fn complete(helm: &Helm, args: &Bootstrap) -> Result<(), Diagnostic> {
    if args.offline {
        return helm.complete(&args.chart, Dependencies::MustBeThere).map(|_| ());
    }
    match helm.complete(&args.chart, Dependencies::Fetch { within: None }) {
        Err(error) if matches!(error.code, "helm-failed" | "dependencies-missing") => {
            helm.update(&args.chart).map_err(|_| error)
        }
        done => done.map(|_| ()),
    }
}

fn rendering(args: &Bootstrap) -> Rendering {
    Rendering {
        release: args.release.clone(),
        chart: args.chart.display().to_string(),
        namespace: Some(args.namespace.clone()),
        values: args.values.clone(),
        sets: args.set.iter().map(|text| Set { kind: SetKind::Value, text: text.clone() }).collect(),
        include_crds: true,
        skip_tests: true,
        no_hooks: args.no_hooks,
        ..Rendering::default()
    }
}

/// The objects that a rendering has once the profile has been at it.
fn objects(helm: &Helm, chosen: &Chosen, rendering: &Rendering) -> Result<Vec<Object>, Vec<Diagnostic>> {
    let stream =
        helm.template(Path::new("."), rendering, Dependencies::MustBeThere).map_err(|error| vec![error])?;
    let run = rewrite::run(&stream, &chosen.request);
    let Some(output) = run.output else { return Err(run.diagnostics) };
    late::objects_of(&output.text())
}

/// The steps as a script, which need no cluster to be told.
pub fn script(args: &Bootstrap) -> Result<String, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let (helm, chosen) = tools(args).map_err(one)?;
    let Some(context) = args.context.clone() else {
        return Err(vec![
            Diagnostic::input("no-context", "the script is for one context").help("give --context CONTEXT"),
        ]);
    };
    complete(&helm, args).map_err(one)?;
    let objects = objects(&helm, &chosen, &rendering(args))?;
    let mut late: Vec<(String, String)> = late::marked(&objects)
        .iter()
        .map(|object| {
            let identity = &object.identity;
            (identity.api_version(), format!("{}/{}", identity.group, identity.kind))
        })
        .collect();
    late.sort_unstable();
    late.dedup();
    let mut values = values(args);
    values.extend(args.no_hooks.then(|| "--no-hooks".to_owned()));
    Ok(script::script(&Steps {
        context,
        kubeconfig: args.kubeconfig.as_ref().map(|file| file.display().to_string()),
        release: args.release.clone(),
        namespace: args.namespace.clone(),
        chart: args.chart.display().to_string(),
        values,
        post_renderer: post_renderer::arguments(&args.choice.choice()),
        late,
        workloads: workloads(&objects),
        fetch: !args.offline,
        timeout: args.timeout.as_secs(),
    }))
}

fn values(args: &Bootstrap) -> Vec<String> {
    let files = args.values.iter().map(|file| format!("--values={}", file.display()));
    files.chain(args.set.iter().map(|set| format!("--set={set}"))).collect()
}

/// Workloads whose pods use the nodes' network: they run where there is no other, and what
/// is on the nodes' network in a release of a network is the network.
fn workloads(objects: &[Object]) -> Vec<String> {
    let on_host = |object: &&Object| {
        let path: Vec<String> = ["spec", "template", "spec", "hostNetwork"].map(str::to_owned).into();
        matches!(object.identity.kind.as_str(), "DaemonSet" | "Deployment")
            && get(&object.value, &path).is_some_and(|value| value == true)
    };
    let name = |object: &Object| format!("{}/{}", object.identity.kind, object.identity.name);
    objects.iter().filter(on_host).map(name).collect()
}

/// Hooks and definitions, which Helm does not keep with a release.
fn is_apart(object: &Object) -> bool {
    object.identity.kind == "CustomResourceDefinition"
        || object.value.pointer("/metadata/annotations/helm.sh~1hook").is_some()
}

/// The names of some objects, for people.
pub fn listed(objects: &[Object]) -> String {
    let names = objects.iter().map(|object| format!("{}/{}", object.identity.kind, object.identity.name));
    names.collect::<Vec<_>>().join(", ")
}

/// Where a chart's folder is in Git.
fn source(chart: &Path) -> Source {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(chart).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    let inside = git(&["rev-parse", "--show-prefix"]).map(|prefix| prefix.trim_end_matches('/').to_owned());
    Source {
        repository: git(&["remote", "get-url", "origin"]),
        path: inside.unwrap_or_else(|| chart.display().to_string()),
        revision: git(&["rev-parse", "--abbrev-ref", "HEAD"]).filter(|name| name != "HEAD"),
    }
}
