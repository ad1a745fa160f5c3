//! The CiliumNetworkPolicy that lets a workload reach the hosts that it lists: DNS,
//! the hosts, what it lists within the cluster, and nothing else. The text is the same
//! for the same workload, whatever else is in the stream.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::edit::{NewValue, Path};
use crate::manifest::Identity;
use crate::manifest::selector::pod_template;

use super::allowed_cluster::{self, Destination, Whom};
use super::hosts::{HostError, Hosts};
use super::ports::{PortRange, Protocol, Which};

/// Lists the hosts, on a workload or on its pod template.
pub const HOSTS_ANNOTATION: &str = "germ-post.dev/allowed-hosts";
/// Lists what may be reached within the cluster.
pub const CLUSTER_ANNOTATION: &str = "germ-post.dev/allowed-cluster";
/// Names the rule that made an object.
pub const RULE_ANNOTATION: &str = "germ-post.dev/rule";

/// The kinds that may list hosts.
pub const KINDS: &[&str] = &["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"];

/// How many ports Cilium takes in one rule.
const MOST_PORTS: usize = 40;

/// Labels of pods that change with every version of a chart.
const FLEETING: &[&str] =
    &["helm.sh/chart", "chart", "heritage", "app.kubernetes.io/version", "app.kubernetes.io/managed-by"];

/// What the configuration says beside the annotations.
#[derive(Debug, Clone, Default)]
pub struct Listed {
    /// Hosts by workload, `namespace/name` or `name`.
    pub hosts: Map<String, Value>,
    /// Destinations in the cluster, likewise.
    pub cluster: Map<String, Value>,
    /// The labels of the pods that answer for DNS, namespace included.
    pub dns: Map<String, Value>,
    /// Whether Cilium knows `**.`, if its version is known.
    pub deep: Option<bool>,
    /// The rule that makes the policies.
    pub rule: String,
}

/// A workload for which no policy can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressError {
    /// The place in the workload at fault.
    pub at: Path,
    /// What is wrong.
    pub message: String,
    /// The next step.
    pub help: String,
}

/// The policy of a workload; none where nobody lists hosts for it.
///
/// # Errors
/// A list that is wrong, and a workload whose pods no policy can mean.
pub fn policy(identity: &Identity, value: &Value, listed: &Listed) -> Result<Option<NewValue>, EgressError> {
    if !KINDS.contains(&identity.kind.as_str()) {
        return Ok(None);
    }
    let hosts = entries(identity, value, HOSTS_ANNOTATION, &listed.hosts)?;
    let cluster = entries(identity, value, CLUSTER_ANNOTATION, &listed.cluster)?;
    if hosts.is_empty() {
        // Destinations alone say nothing of hosts, so that there is nothing to deny.
        return Ok(None);
    }
    let place = |at: &Path| {
        let at = at.clone();
        move |error: HostError| EgressError { at, message: error.message, help: error.help }
    };
    // All lists add up; a fault is told where the first of them is.
    let texts = |entries: &[(Path, String)]| entries.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
    let read = Hosts::read(texts(&hosts).iter().map(String::as_str), listed.deep)
        .map_err(place(faulty(&hosts, |text| Hosts::read([text], listed.deep).is_err())))?;
    let destinations = if cluster.is_empty() {
        Vec::new()
    } else {
        allowed_cluster::read(texts(&cluster).iter().map(String::as_str))
            .map_err(place(faulty(&cluster, |text| allowed_cluster::read([text]).is_err())))?
    };
    let selector = selector(identity, value)?;
    let mut egress = vec![dns(&listed.dns)];
    egress.extend(to_hosts(&read).map_err(place(&hosts[0].0))?);
    egress.extend(destinations.iter().map(to_destination));
    let spec = json!({
        "description": format!(
            "{} {} may reach the hosts that it lists, by name, and nothing else",
            identity.kind, identity.name
        ),
        "endpointSelector": selector,
        "egress": egress,
    });
    let policy = json!({
        "apiVersion": "cilium.io/v2",
        "kind": "CiliumNetworkPolicy",
        "metadata": metadata(identity, value, &listed.rule),
        "spec": spec,
    });
    Ok(Some(NewValue::from(&policy)))
}

/// Whether hosts are listed for a workload, by annotation or configuration.
pub fn lists_hosts(identity: &Identity, value: &Value, listed: &Map<String, Value>) -> bool {
    KINDS.contains(&identity.kind.as_str())
        && entries(identity, value, HOSTS_ANNOTATION, listed).is_ok_and(|all| !all.is_empty())
}

/// Whether something in the cluster is listed for a workload, or that there is nothing.
pub fn lists_cluster(identity: &Identity, value: &Value, listed: &Map<String, Value>) -> bool {
    entries(identity, value, CLUSTER_ANNOTATION, listed).is_ok_and(|all| !all.is_empty())
}

/// The name of a workload's policy.
pub fn policy_name(identity: &Identity) -> String {
    let kind = identity.kind.to_lowercase();
    let name = format!("{}-{kind}-egress", identity.name.trim_end_matches(['*', '-']));
    if name.len() <= 253 {
        return name;
    }
    let digest = Sha256::digest(&name);
    let hash: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let kept: String = name.chars().take(253 - hash.len() - 1).collect();
    format!("{}-{hash}", kept.trim_end_matches(['-', '.']))
}

/// What is listed for a workload, text by text: on it, on its pod template, and in
/// the configuration, where there is no place to show.
fn entries(
    identity: &Identity,
    value: &Value,
    annotation: &str,
    configured: &Map<String, Value>,
) -> Result<Vec<(Path, String)>, EgressError> {
    let template = pod_template(&identity.kind).unwrap_or_default();
    let mut out: Vec<(Path, String)> = Vec::new();
    for root in [&[][..], template] {
        let at: Path = root
            .iter()
            .chain(&["metadata", "annotations", annotation])
            .map(|step| (*step).to_owned())
            .collect();
        let Some(found) = at.iter().try_fold(value, |at, step| at.get(step.as_str())) else { continue };
        match found.as_str() {
            Some(text) => out.push((at, text.to_owned())),
            None => {
                return Err(EgressError {
                    at,
                    message: format!("the annotation {annotation} is no text"),
                    help: "write it in quotes".to_owned(),
                });
            }
        }
    }
    let full = format!("{}/{}", identity.namespace, identity.name);
    for key in [full.as_str(), identity.name.as_str()] {
        let Some(list) = configured.get(key) else { continue };
        let fault = || EgressError {
            at: Path::new(),
            message: format!("what the configuration lists for {key} is no text and no list of texts"),
            help: "write it as [api.github.com, \"*.example.org:443\"]".to_owned(),
        };
        match list {
            Value::String(text) => out.push((Path::new(), text.clone())),
            // An empty list is one that says nothing, and is told as such.
            Value::Array(items) if items.is_empty() => out.push((Path::new(), String::new())),
            Value::Array(items) => {
                for item in items {
                    out.push((Path::new(), item.as_str().ok_or_else(fault)?.to_owned()));
                }
            }
            _ => return Err(fault()),
        }
    }
    Ok(out)
}

fn faulty(entries: &[(Path, String)], is_bad: impl Fn(&str) -> bool) -> &Path {
    let bad = entries.iter().find(|(_, text)| is_bad(text)).or(entries.first());
    bad.map_or(const { &Path::new() }, |(at, _)| at)
}

fn selector(identity: &Identity, value: &Value) -> Result<Value, EgressError> {
    let template = pod_template(&identity.kind).unwrap_or_default();
    let path = |steps: &[&str]| -> Path { steps.iter().map(|step| (*step).to_owned()).collect() };
    let pod = template.iter().try_fold(value, |at, key| at.get(key)).unwrap_or(&Value::Null);
    if pod.pointer("/spec/hostNetwork") == Some(&Value::Bool(true)) {
        return Err(EgressError {
            at: path(&[template, &["spec", "hostNetwork"]].concat()),
            message: format!(
                "the pods of {identity} are in the node's network, where no policy reaches them"
            ),
            help: "take the list of hosts away, or hostNetwork".to_owned(),
        });
    }
    let is_job = matches!(identity.kind.as_str(), "Job" | "CronJob");
    let own = value
        .get("spec")
        .and_then(|spec| spec.get("selector"))
        .filter(|_| !is_job || value.pointer("/spec/manualSelector") == Some(&Value::Bool(true)));
    let mut out = Map::new();
    match own {
        Some(own) => {
            for part in ["matchLabels", "matchExpressions"] {
                let there = own.get(part).filter(|part| match part {
                    Value::Object(map) => !map.is_empty(),
                    Value::Array(list) => !list.is_empty(),
                    _ => false,
                });
                out.extend(there.map(|value| (part.to_owned(), value.clone())));
            }
        }
        None => {
            let labels = pod.pointer("/metadata/labels").and_then(Value::as_object);
            let mut lasting: Map<String, Value> = labels
                .into_iter()
                .flatten()
                .filter(|(key, _)| !FLEETING.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            // Kubernetes gives a Job's pods its name.
            if lasting.is_empty() && identity.kind == "Job" && !identity.name.ends_with('*') {
                lasting.insert("batch.kubernetes.io/job-name".to_owned(), identity.name.clone().into());
            }
            if !lasting.is_empty() {
                out.insert("matchLabels".to_owned(), Value::Object(lasting));
            }
        }
    }
    if out.is_empty() {
        return Err(EgressError {
            at: path(template),
            message: format!(
                "the pods of {identity} have no label of their own, so that a policy would mean every pod of the namespace"
            ),
            help: "give the pod template a label".to_owned(),
        });
    }
    Ok(Value::Object(out))
}

/// Labels of the release, so that the policy belongs to it, and the hook that the
/// workload is: its policy comes first.
fn metadata(identity: &Identity, value: &Value, rule: &str) -> Value {
    let part = |name: &str| value.get("metadata").and_then(|m| m.get(name)).and_then(Value::as_object);
    let belongs = |key: &str| {
        key.starts_with("app.kubernetes.io/")
            || key.starts_with("helm.sh/")
            || matches!(key, "app" | "chart" | "release" | "heritage" | "argocd.argoproj.io/instance")
    };
    let labels: Map<String, Value> = part("labels")
        .into_iter()
        .flatten()
        .filter(|(key, _)| belongs(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let mut annotations = Map::new();
    annotations.insert(RULE_ANNOTATION.to_owned(), rule.into());
    for key in ["helm.sh/hook", "helm.sh/hook-delete-policy", "argocd.argoproj.io/hook"] {
        let there = part("annotations").and_then(|all| all.get(key));
        annotations.extend(there.map(|value| (key.to_owned(), value.clone())));
    }
    for (weight, of) in
        [("helm.sh/hook-weight", "helm.sh/hook"), ("argocd.argoproj.io/sync-wave", "argocd.argoproj.io/hook")]
    {
        let told = part("annotations").and_then(|all| all.get(weight)).and_then(Value::as_str);
        if told.is_some() || annotations.contains_key(of) {
            let own: i64 = told.and_then(|told| told.trim().parse().ok()).unwrap_or_default();
            annotations.insert(weight.to_owned(), (own.saturating_sub(1)).to_string().into());
        }
    }
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), policy_name(identity).into());
    if !identity.namespace.is_empty() {
        metadata.insert("namespace".to_owned(), identity.namespace.clone().into());
    }
    if !labels.is_empty() {
        metadata.insert("labels".to_owned(), Value::Object(labels));
    }
    metadata.insert("annotations".to_owned(), Value::Object(annotations));
    Value::Object(metadata)
}

/// Without this rule Cilium never sees an answer, and toFQDNs matches no address.
fn dns(labels: &Map<String, Value>) -> Value {
    json!({
        "toEndpoints": [{"matchLabels": labels}],
        "toPorts": [{
            "ports": [{"port": "53", "protocol": "ANY"}],
            "rules": {"dns": [{"matchPattern": "*"}]},
        }],
    })
}

/// One rule for the hosts of the same ports. No other peers are in it: Cilium refuses
/// a rule with two kinds of them.
fn to_hosts(hosts: &Hosts) -> Result<Vec<Value>, HostError> {
    let mut ports_of: BTreeMap<&str, Vec<&PortRange>> = BTreeMap::new();
    for host in &hosts.hosts {
        ports_of.entry(&host.name).or_default().push(&host.port);
    }
    let mut by_ports: BTreeMap<Vec<&PortRange>, Vec<&str>> = BTreeMap::new();
    for (name, ports) in ports_of {
        if ports.len() > MOST_PORTS {
            return Err(HostError {
                message: format!(
                    "`{name}` is listed with {} ports, and Cilium takes {MOST_PORTS}",
                    ports.len()
                ),
                help: "list ranges of ports, as in 8000-8100".to_owned(),
            });
        }
        by_ports.entry(ports).or_default().push(name);
    }
    let rules = by_ports.into_iter().map(|(ports, names)| {
        let names = names.into_iter().map(|name| match name.contains('*') {
            true => json!({"matchPattern": name}),
            false => json!({"matchName": name}),
        });
        json!({
            "toFQDNs": names.collect::<Vec<_>>(),
            "toPorts": [{"ports": ports.into_iter().map(port).collect::<Vec<_>>()}],
        })
    });
    Ok(rules.collect())
}

fn to_destination(destination: &Destination) -> Value {
    let mut rule = match &destination.whom {
        Whom::Own => json!({"toEndpoints": [{}]}),
        Whom::Entity(entity) => json!({"toEntities": [entity]}),
        Whom::Namespace(namespace, labels) => {
            let mut wanted = Map::new();
            wanted.insert("k8s:io.kubernetes.pod.namespace".to_owned(), namespace.clone().into());
            wanted.extend(labels.iter().map(|(key, value)| (key.clone(), value.clone().into())));
            json!({"toEndpoints": [{"matchLabels": wanted}]})
        }
    };
    if let (Some(range), Some(rule)) = (&destination.port, rule.as_object_mut()) {
        rule.insert("toPorts".to_owned(), json!([{"ports": [port(range)]}]));
    }
    rule
}

fn port(range: &PortRange) -> Value {
    let protocol = match range.protocol {
        Protocol::Any | Protocol::Other => "ANY",
        Protocol::Tcp => "TCP",
        Protocol::Udp => "UDP",
        Protocol::Sctp => "SCTP",
    };
    let mut out = Map::new();
    if let Which::Numbers(first, last) = &range.which {
        out.insert("port".to_owned(), first.to_string().into());
        if first != last {
            out.insert("endPort".to_owned(), (*last).into());
        }
    }
    out.insert("protocol".to_owned(), protocol.into());
    Value::Object(out)
}
