//! The Argo CD Application that takes a release over as it is, and the Applications that
//! would undo what a bootstrap does.

use serde_json::{Value, json};

use crate::argocd::parameter::{PARAMETERS, Shape};

/// Where the Application finds the chart.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The Git repository; `None` where there is none to be found.
    pub repository: Option<String>,
    /// The chart's folder in it.
    pub path: String,
    /// A branch, tag or commit.
    pub revision: Option<String>,
}

/// What a release was made of.
#[derive(Debug, Clone, Default)]
pub struct Adopted {
    /// The release's name, which is the Application's.
    pub release: String,
    /// Its namespace.
    pub namespace: String,
    /// Where the chart is.
    pub source: Source,
    /// The plugin's parameters, as `germ-post argocd parameters` announces them.
    pub parameters: Vec<(String, Vec<String>)>,
}

/// The Application, as YAML. It syncs by hand until somebody has seen that nothing
/// differs.
pub fn manifest(adopted: &Adopted) -> String {
    let Adopted { release, namespace, source, parameters } = adopted;
    let mut out = format!(
        "# Takes the release {release} over as it is. Apply it, look that `argocd app diff {release}` is empty,\n\
         # then let it sync by itself by adding syncPolicy.automated. Helm is not needed any more: do not\n\
         # upgrade the release by hand beside it.\n\
         apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: {release}\n  namespace: argocd\n\
         spec:\n  project: default\n  destination:\n    name: in-cluster\n    namespace: {namespace}\n  source:\n"
    );
    match &source.repository {
        Some(url) => out.push_str(&format!("    repoURL: {}\n", quoted(url))),
        None => out
            .push_str("    repoURL: REPOSITORY # the chart's folder is in no Git repository with a remote\n"),
    }
    out.push_str(&format!(
        "    path: {}\n    targetRevision: {}\n    plugin:\n      name: germ-post\n",
        quoted(&source.path),
        quoted(source.revision.as_deref().unwrap_or("HEAD"))
    ));
    if !parameters.is_empty() {
        out.push_str("      parameters:\n");
    }
    for (name, values) in parameters {
        out.push_str(&format!("        - name: {name}\n          {}\n", written(name, values)));
    }
    // Where kinds are registered at run time the first sync may come too early.
    out.push_str(
        "  syncPolicy:\n    syncOptions: [ServerSideApply=true]\n    retry:\n      limit: 10\n      \
         backoff: {duration: 10s, factor: 2, maxDuration: 3m}\n",
    );
    out
}

/// A parameter's value in the form that the plugin takes it in.
fn written(name: &str, values: &[String]) -> String {
    let shape = PARAMETERS.iter().find(|known| known.name == name).map(|known| known.shape);
    let all = |item: &dyn Fn(&String) -> String| values.iter().map(item).collect::<Vec<_>>().join(", ");
    match shape {
        Some(Shape::List) => format!("array: [{}]", all(&|value| quoted(value))),
        Some(Shape::Map) => {
            let pair = |value: &String| {
                let (name, value) = value.split_once('=').unwrap_or((value, ""));
                format!("{}: {}", json!(name), json!(value))
            };
            format!("map: {{{}}}", all(&pair))
        }
        _ => format!("string: {}", values.first().map_or_else(String::new, |value| quoted(value))),
    }
}

/// JSON's strings are YAML's, too.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/_-.".contains(c);
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    let is_word = matches!(
        text.to_ascii_lowercase().as_str(),
        "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null"
    );
    if is_name && !is_word { text.to_owned() } else { json!(text).to_string() }
}

/// `NAMESPACE/NAME` of the Applications in a list that keep an object of the release as Git
/// has it, whatever somebody does in the cluster.
pub fn healing(applications: &Value, namespace: &str, workloads: &[String]) -> Vec<(String, String)> {
    let all = applications["items"].as_array().into_iter().flatten();
    let heals = all.filter(|application| {
        application["spec"]["syncPolicy"]["automated"]["selfHeal"] == true
            && application["status"]["resources"].as_array().into_iter().flatten().any(|resource| {
                resource["namespace"] == namespace
                    && resource["name"].as_str().is_some_and(|name| {
                        let kind = resource["kind"].as_str().unwrap_or_default();
                        workloads.iter().any(|workload| *workload == format!("{kind}/{name}"))
                    })
            })
    });
    let named = |application: &Value| {
        let of = |field: &str| application["metadata"][field].as_str().map(str::to_owned);
        Some((of("namespace")?, of("name")?))
    };
    heals.filter_map(named).collect()
}

/// How one is stopped for a while, and started again.
pub fn pause(namespace: &str, name: &str) -> [String; 2] {
    [
        format!(
            "kubectl --namespace {namespace} patch application {name} --type merge \
             --patch '{{\"spec\":{{\"syncPolicy\":{{\"automated\":null}}}}}}'"
        ),
        format!(
            "then commit what was changed, and give {name} its syncPolicy.automated back; where another \
             Application makes {name}, do it there"
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_application_is_yaml_that_says_what_it_was_given() {
        let adopted = Adopted {
            release: "cilium".to_owned(),
            namespace: "kube-system".to_owned(),
            source: Source {
                repository: Some("git@example.org:platform.git".to_owned()),
                path: "charts/cilium".to_owned(),
                revision: Some("main".to_owned()),
            },
            parameters: vec![
                ("profile".to_owned(), vec!["talos".to_owned()]),
                ("values-files".to_owned(), vec!["on".to_owned()]),
                ("params".to_owned(), vec!["networkPolicies=all".to_owned()]),
            ],
        };
        let text = manifest(&adopted);
        let value = crate::yaml::parse(&text).unwrap().read().unwrap();
        let source = &value["spec"]["source"];
        assert_eq!(source["repoURL"], "git@example.org:platform.git");
        assert_eq!(source["plugin"]["parameters"][0]["array"][0], "talos");
        assert_eq!(source["plugin"]["parameters"][2]["map"]["networkPolicies"], "all");
        assert_eq!(source["plugin"]["parameters"][1]["array"][0], "on");
    }

    #[test]
    fn only_an_application_that_heals_the_release_is_named() {
        let application = |name: &str, heals: bool, workload: &str| {
            json!({"metadata": {"name": name, "namespace": "argocd"},
                "spec": {"syncPolicy": {"automated": {"selfHeal": heals}}},
                "status": {"resources": [{"kind": "DaemonSet", "namespace": "kube-system", "name": workload}]}})
        };
        let list = json!({"items": [application("a", true, "cilium"), application("b", false, "cilium"),
            application("c", true, "other")]});
        let healing = healing(&list, "kube-system", &["DaemonSet/cilium".to_owned()]);
        assert_eq!(healing, [("argocd".to_owned(), "a".to_owned())]);
        assert!(super::healing(&Value::Null, "kube-system", &[]).is_empty());
    }
}
