//! The pods that a workload makes, as far as policies look at them: labels, home, the
//! ports that they serve, and what asks them for their health.

use serde_json::{Map, Value};

use crate::edit::Path;
use crate::manifest::selector::{pod_labels, pod_template};
use crate::manifest::{Home, Identity};

use super::ports::{PodPort, Protocol};

/// How Cilium calls a pod's service account.
const SERVICE_ACCOUNT: &str = "io.cilium.k8s.policy.serviceaccount";

/// The pods of one workload.
#[derive(Debug, Clone)]
pub struct Workload {
    /// What the caller knows the object by.
    pub id: usize,
    /// What names it.
    pub identity: Identity,
    /// Where its pods live.
    pub home: Home,
    /// Their labels, with those that Kubernetes and Cilium give them.
    pub labels: Map<String, Value>,
    /// Whether they are in the node's network, where no policy for pods reaches.
    pub on_host: bool,
    /// The ports that the containers declare.
    pub ports: Vec<ServedPort>,
    /// Ports that a kubelet asks for the pods' health.
    pub probes: Vec<ServedPort>,
    /// The port that annotations name for Prometheus.
    pub scraped: Option<ServedPort>,
}

/// A port with its place in the object.
#[derive(Debug, Clone)]
pub struct ServedPort {
    /// The port.
    pub port: PodPort,
    /// Its place in the object.
    pub at: Path,
}

impl Workload {
    /// Reads an object; `None` where it makes no pods. A ReplicaSet of a Deployment and
    /// a Job of a CronJob are not told apart from others: streams hold the owners.
    pub fn of(id: usize, identity: &Identity, release: usize, value: &Value) -> Option<Self> {
        let template: Path = pod_template(&identity.kind)?.iter().map(|key| (*key).to_owned()).collect();
        let root = template.iter().try_fold(value, |at, key| at.get(key))?;
        let spec = root.get("spec")?;
        let mut labels = pod_labels(&identity.kind, value).cloned().unwrap_or_default();
        if identity.kind == "Job" {
            for key in ["job-name", "batch.kubernetes.io/job-name"] {
                labels.entry(key).or_insert_with(|| identity.name.clone().into());
            }
        }
        let account = spec.get("serviceAccountName").and_then(Value::as_str).unwrap_or("default");
        labels.entry(SERVICE_ACCOUNT).or_insert_with(|| account.into());
        let at = |steps: &[&str]| -> Path {
            template.iter().cloned().chain(steps.iter().map(|step| (*step).to_owned())).collect()
        };
        let mut ports = Vec::new();
        let mut probes = Vec::new();
        // Sidecars are init containers that stay.
        for list in ["initContainers", "containers"] {
            let containers = spec.get(list).and_then(Value::as_array).into_iter().flatten();
            for (index, container) in containers.enumerate() {
                let place = |steps: &[&str]| at(&[&["spec", list, &index.to_string()], steps].concat());
                let declared: Vec<ServedPort> = declared(container, &place);
                probes.extend(probed(container, &declared, &place));
                ports.extend(declared);
            }
        }
        let annotations = root.get("metadata").and_then(|metadata| metadata.get("annotations"));
        let scraped = annotations
            .filter(|all| all.get("prometheus.io/scrape").and_then(Value::as_str) == Some("true"))
            .and_then(|all| all.get("prometheus.io/port")?.as_str()?.parse().ok())
            .map(|number: u16| ServedPort {
                port: named_as(&ports, number),
                at: at(&["metadata", "annotations", "prometheus.io/port"]),
            });
        Some(Self {
            id,
            identity: identity.clone(),
            home: Home::of(&identity.namespace, release),
            labels,
            on_host: spec.get("hostNetwork").and_then(Value::as_bool) == Some(true),
            ports,
            probes,
            scraped,
        })
    }

    /// The pod's port that a Service's `targetPort` means.
    pub fn port(&self, target: &Target) -> Option<PodPort> {
        match target {
            Target::Number(number) => Some(named_as(&self.ports, *number)),
            Target::Named(name) => self
                .ports
                .iter()
                .find(|served| served.port.name.as_ref() == Some(name))
                .map(|served| served.port.clone()),
        }
    }
}

/// A port as a Service or a probe names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// By number.
    Number(u16),
    /// By the container port's name.
    Named(String),
}

impl Target {
    /// Reads a number or a name.
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_u64().and_then(|n| u16::try_from(n).ok()).map(Target::Number),
            Value::String(text) => match text.parse::<u16>() {
                Ok(number) => Some(Target::Number(number)),
                Err(_) if text.is_empty() => None,
                Err(_) => Some(Target::Named(text.clone())),
            },
            _ => None,
        }
    }
}

/// A port by its number, with the name and protocol that a container gives it.
fn named_as(ports: &[ServedPort], number: u16) -> PodPort {
    let declared = ports.iter().find(|served| served.port.number == number);
    declared.map_or(PodPort { number, name: None, protocol: Protocol::Tcp }, |served| served.port.clone())
}

fn declared(container: &Value, place: &dyn Fn(&[&str]) -> Path) -> Vec<ServedPort> {
    let ports = container.get("ports").and_then(Value::as_array).into_iter().flatten().enumerate();
    let read = ports.filter_map(|(index, port)| {
        let number = port.get("containerPort")?.as_u64().and_then(|number| u16::try_from(number).ok())?;
        let name = port.get("name").and_then(Value::as_str).map(str::to_owned);
        let protocol = Protocol::read(port.get("protocol"), Protocol::Tcp);
        let at = place(&["ports", &index.to_string(), "containerPort"]);
        Some(ServedPort { port: PodPort { number, name, protocol }, at })
    });
    read.collect()
}

/// The ports that the kubelet asks over the network.
fn probed(container: &Value, declared: &[ServedPort], place: &dyn Fn(&[&str]) -> Path) -> Vec<ServedPort> {
    let mut out = Vec::new();
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"] {
        for how in ["httpGet", "tcpSocket", "grpc"] {
            let asked = container.get(probe).and_then(|probe| probe.get(how));
            let Some(target) = asked.and_then(|asked| Target::read(asked.get("port")?)) else { continue };
            let port = match &target {
                Target::Number(number) => Some(named_as(declared, *number)),
                Target::Named(name) => declared
                    .iter()
                    .find(|served| served.port.name.as_ref() == Some(name))
                    .map(|served| served.port.clone()),
            };
            out.extend(port.map(|port| ServedPort { port, at: place(&[probe, how, "port"]) }));
        }
    }
    out
}
