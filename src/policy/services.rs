//! Services, and who calls them from outside of the pods: the API server for webhooks
//! and aggregated APIs, Prometheus for metrics.

use serde_json::{Map, Value};

use crate::edit::Path;
use crate::manifest::{Home, Identity, selector};

use super::pods::{Target, Workload};

/// A Service.
#[derive(Debug, Clone)]
pub struct Service {
    /// What the caller knows the object by.
    pub id: usize,
    /// What names it.
    pub identity: Identity,
    /// Where it lives.
    pub home: Home,
    /// Its own labels.
    pub labels: Map<String, Value>,
    /// Which pods are behind it; none where somebody else says.
    pub selector: Option<Value>,
    /// Whether it is reached from outside, by a load balancer.
    pub is_balanced: bool,
    /// Its ports.
    pub ports: Vec<ServicePort>,
}

/// A port of a Service.
#[derive(Debug, Clone)]
pub struct ServicePort {
    /// The number that callers dial.
    pub number: u16,
    /// Its name.
    pub name: Option<String>,
    /// The port of the pods.
    pub target: Target,
    /// Its place in the object.
    pub at: Path,
}

/// A call that is made of a Service from outside of the pods.
#[derive(Debug, Clone)]
pub struct Call {
    /// What the caller knows the object by that asks for it.
    pub id: usize,
    /// Its place in that object.
    pub at: Path,
    /// The Service's namespace.
    pub namespace: String,
    /// The Service's name.
    pub service: String,
    /// The Service's port.
    pub port: u16,
}

/// A ServiceMonitor or PodMonitor.
#[derive(Debug, Clone)]
pub struct Monitor {
    /// What the caller knows the object by.
    pub id: usize,
    /// What names it.
    pub identity: Identity,
    /// Where it lives.
    pub home: Home,
    /// Which Services, or pods, it is about.
    pub selector: Value,
    /// In which namespaces; none for its own.
    pub namespaces: Option<Vec<String>>,
    /// Whether it looks into all namespaces.
    pub anywhere: bool,
    /// The ports that it asks: of a Service by name, of a pod by name or number.
    pub ports: Vec<(Target, Path)>,
}

impl Service {
    /// Reads an object; `None` where it is no Service with pods.
    pub fn of(id: usize, identity: &Identity, release: usize, value: &Value) -> Option<Self> {
        if !identity.group.is_empty() || identity.kind != "Service" {
            return None;
        }
        let spec = value.get("spec")?;
        let labels = value.get("metadata").and_then(|metadata| metadata.get("labels")?.as_object()).cloned();
        let pods = spec.get("selector").filter(|pods| pods.as_object().is_some_and(|pods| !pods.is_empty()));
        let ports = spec.get("ports").and_then(Value::as_array).into_iter().flatten().enumerate();
        let ports = ports.filter_map(|(index, port)| {
            let number = port.get("port")?.as_u64().and_then(|number| u16::try_from(number).ok())?;
            Some(ServicePort {
                number,
                name: port.get("name").and_then(Value::as_str).map(str::to_owned),
                target: port.get("targetPort").and_then(Target::read).unwrap_or(Target::Number(number)),
                at: ["spec", "ports", &index.to_string()].map(str::to_owned).to_vec(),
            })
        });
        Some(Self {
            id,
            identity: identity.clone(),
            home: Home::of(&identity.namespace, release),
            labels: labels.unwrap_or_default(),
            selector: pods.map(|pods| serde_json::json!({ "matchLabels": pods })),
            is_balanced: spec.get("type").and_then(Value::as_str) == Some("LoadBalancer"),
            ports: ports.collect(),
        })
    }

    /// Whether the workload's pods are behind it.
    pub fn is_served_by(&self, workload: &Workload) -> bool {
        let labels = &workload.labels;
        self.home == workload.home
            && self.selector.as_ref().is_some_and(|wanted| selector::selects(wanted, labels))
    }
}

/// The calls that the API server makes because an object asks for them: webhooks of
/// admission and of conversion, and aggregated APIs.
pub fn calls(id: usize, identity: &Identity, value: &Value) -> Vec<Call> {
    let service = |config: Option<&Value>, at: Path, default: u16| {
        let service = config?.get("service")?;
        let text = |name: &str| service.get(name).and_then(Value::as_str).map(str::to_owned);
        let port = service.get("port").and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok());
        Some(Call {
            id,
            at,
            namespace: text("namespace")?,
            service: text("name")?,
            port: port.unwrap_or(default),
        })
    };
    let path = |steps: &[&str]| -> Path { steps.iter().map(|step| (*step).to_owned()).collect() };
    match (identity.group.as_str(), identity.kind.as_str()) {
        (
            "admissionregistration.k8s.io",
            "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration",
        ) => {
            let hooks = value.get("webhooks").and_then(Value::as_array).into_iter().flatten().enumerate();
            let calls = hooks.filter_map(|(index, hook)| {
                let at = path(&["webhooks", &index.to_string(), "clientConfig", "service"]);
                service(hook.get("clientConfig"), at, 443)
            });
            calls.collect()
        }
        ("apiregistration.k8s.io", "APIService") => {
            service(value.get("spec"), path(&["spec", "service"]), 443).into_iter().collect()
        }
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            let config = value.pointer("/spec/conversion/webhook/clientConfig");
            let at = path(&["spec", "conversion", "webhook", "clientConfig", "service"]);
            service(config, at, 443).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

impl Monitor {
    /// Reads an object; `None` where it is neither kind of monitor.
    pub fn of(id: usize, identity: &Identity, release: usize, value: &Value) -> Option<Self> {
        let list = match (identity.group.as_str(), identity.kind.as_str()) {
            ("monitoring.coreos.com", "ServiceMonitor") => "endpoints",
            ("monitoring.coreos.com", "PodMonitor") => "podMetricsEndpoints",
            _ => return None,
        };
        let spec = value.get("spec")?;
        let namespaces = spec.get("namespaceSelector");
        let names = namespaces.and_then(|all| all.get("matchNames")).and_then(Value::as_array);
        let names = names.filter(|names| !names.is_empty());
        let mut ports = Vec::new();
        let endpoints = spec.get(list).and_then(Value::as_array).into_iter().flatten();
        for (index, endpoint) in endpoints.enumerate() {
            for field in ["port", "portNumber", "targetPort"] {
                let at = ["spec", list, &index.to_string(), field].map(str::to_owned).to_vec();
                ports.extend(endpoint.get(field).and_then(Target::read).map(|target| (target, at)));
            }
        }
        Some(Self {
            id,
            identity: identity.clone(),
            home: Home::of(&identity.namespace, release),
            selector: spec.get("selector").cloned().unwrap_or_default(),
            namespaces: names
                .map(|names| names.iter().filter_map(|n| n.as_str().map(str::to_owned)).collect()),
            anywhere: namespaces.and_then(|all| all.get("any")).and_then(Value::as_bool) == Some(true),
            ports,
        })
    }

    /// Whether it looks into this home.
    pub fn looks_into(&self, home: &Home) -> bool {
        match &self.namespaces {
            _ if self.anywhere => true,
            None => *home == self.home,
            Some(names) => home.named().is_some_and(|namespace| names.iter().any(|name| name == namespace)),
        }
    }

    /// Whether it is about pods rather than Services.
    pub fn is_of_pods(&self) -> bool {
        self.identity.kind == "PodMonitor"
    }
}
