//! The network that a stream describes: its policies, the pods that they are about,
//! the Services in front of those, and who calls them from outside.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::manifest::{Home, Identity, selector};

use super::model::Policy;
use super::pods::{ServedPort, Workload};
use super::ports::PodPort;
use super::services::{self, Call, Monitor, Service};

/// Everything of a stream that has to do with policies.
#[derive(Debug, Default)]
pub struct Network {
    /// The policies, in the order of the stream.
    pub policies: Vec<Policy>,
    /// What makes pods.
    pub workloads: Vec<Workload>,
    /// The Services.
    pub services: Vec<Service>,
    /// What the API server calls.
    pub calls: Vec<Call>,
    /// What Prometheus asks.
    pub monitors: Vec<Monitor>,
    /// The labels of namespaces that are in the stream.
    namespaces: BTreeMap<String, Map<String, Value>>,
}

/// An object of a stream: what the caller knows it by, what names it, its release and
/// its value.
pub type Object<'v> = (usize, &'v Identity, usize, &'v Value);

/// A port that somebody asks, with the pods that serve it.
#[derive(Debug, Clone)]
pub struct Asked<'n> {
    /// Index in [`Network::workloads`].
    pub workload: usize,
    /// The port.
    pub port: PodPort,
    /// Which object says so, and where in it.
    pub id: usize,
    /// The place in that object.
    pub at: crate::edit::Path,
    /// The Service in between, if there is one.
    pub service: Option<&'n Service>,
}

impl Network {
    /// Reads the objects of a stream.
    pub fn new<'v>(objects: impl Iterator<Item = Object<'v>>) -> Self {
        let mut network = Self::default();
        for (id, identity, release, value) in objects {
            network.policies.extend(Policy::of(id, identity, release, value));
            network.workloads.extend(Workload::of(id, identity, release, value));
            network.services.extend(Service::of(id, identity, release, value));
            network.calls.extend(services::calls(id, identity, value));
            network.monitors.extend(Monitor::of(id, identity, release, value));
            if identity.group.is_empty() && identity.kind == "Namespace" {
                let labels = value.pointer("/metadata/labels").and_then(Value::as_object);
                network.namespaces.insert(identity.name.clone(), labels.cloned().unwrap_or_default());
            }
        }
        network
    }

    /// The labels of a namespace, if it is in the stream.
    pub fn namespace_labels(&self, name: &str) -> Option<Map<String, Value>> {
        self.namespaces.get(name).cloned()
    }

    /// The workloads whose pods are behind a Service.
    pub fn behind<'n>(&'n self, service: &'n Service) -> impl Iterator<Item = usize> + 'n {
        let workloads = self.workloads.iter().enumerate();
        workloads.filter(|(_, workload)| service.is_served_by(workload)).map(|(index, _)| index)
    }

    /// The Service of a name. A manifest that leaves the namespace to the client is
    /// meant by any, unless another one says it.
    pub fn service(&self, namespace: Option<&str>, name: &str) -> Option<&Service> {
        let named = || self.services.iter().filter(|service| service.identity.name == name);
        match namespace {
            Some(namespace) => named()
                .find(|service| service.identity.namespace == namespace)
                .or_else(|| named().find(|service| service.identity.namespace.is_empty())),
            None => named().next(),
        }
    }

    /// The pods' ports that the API server calls.
    pub fn called(&self) -> Vec<Asked<'_>> {
        let mut out = Vec::new();
        for call in &self.calls {
            let Some(service) = self.service(Some(&call.namespace), &call.service) else { continue };
            let Some(port) = service.ports.iter().find(|port| port.number == call.port) else { continue };
            for workload in self.behind(service) {
                let Some(port) = self.workloads[workload].port(&port.target) else { continue };
                let (id, at) = (call.id, call.at.clone());
                out.push(Asked { workload, port, id, at, service: Some(service) });
            }
        }
        out
    }

    /// The pods' ports behind Services of load balancers.
    pub fn balanced(&self) -> Vec<Asked<'_>> {
        self.services.iter().filter(|service| service.is_balanced).flat_map(|s| self.served(s)).collect()
    }

    /// Every pods' port behind a Service.
    pub fn served<'n>(&'n self, service: &'n Service) -> Vec<Asked<'n>> {
        let mut out = Vec::new();
        for port in &service.ports {
            for workload in self.behind(service) {
                let Some(served) = self.workloads[workload].port(&port.target) else { continue };
                let (id, at) = (service.id, port.at.clone());
                out.push(Asked { workload, port: served, id, at, service: Some(service) });
            }
        }
        out
    }

    /// The pods' ports that Prometheus asks: those that monitors name, and those that
    /// annotations of pods do.
    pub fn measured(&self) -> Vec<Asked<'_>> {
        let mut out = Vec::new();
        for monitor in &self.monitors {
            for (target, at) in &monitor.ports {
                let asked = |workload: usize, port: PodPort, service| Asked {
                    workload,
                    port,
                    id: monitor.id,
                    at: at.clone(),
                    service,
                };
                if monitor.is_of_pods() {
                    for (index, workload) in self.workloads.iter().enumerate() {
                        let meant = monitor.looks_into(&workload.home)
                            && selector::selects(&monitor.selector, &workload.labels);
                        if let Some(port) = workload.port(target).filter(|_| meant) {
                            out.push(asked(index, port, None));
                        }
                    }
                    continue;
                }
                for service in &self.services {
                    let meant = monitor.looks_into(&service.home)
                        && selector::selects(&monitor.selector, &service.labels);
                    if !meant {
                        continue;
                    }
                    for index in self.behind(service) {
                        let workload = &self.workloads[index];
                        let by_name = |name: &String| {
                            let port = service.ports.iter().find(|port| port.name.as_ref() == Some(name));
                            port.and_then(|port| workload.port(&port.target))
                        };
                        let port = match target {
                            // `port` names the Service's port, `targetPort` the pod's.
                            super::pods::Target::Named(name) if at.last().is_some_and(|f| f == "port") => {
                                by_name(name)
                            }
                            target => workload.port(target),
                        };
                        out.extend(port.map(|port| asked(index, port, Some(service))));
                    }
                }
            }
        }
        for (index, workload) in self.workloads.iter().enumerate() {
            out.extend(workload.scraped.iter().map(|served| of_pod(index, workload, served)));
        }
        out
    }

    /// The pods' ports that a kubelet asks.
    pub fn probed(&self) -> Vec<Asked<'_>> {
        let all = self.workloads.iter().enumerate();
        all.flat_map(|(index, workload)| workload.probes.iter().map(move |p| of_pod(index, workload, p)))
            .collect()
    }

    /// Whether some workload of the stream lives there.
    pub fn has_pods_in(&self, home: &Home) -> bool {
        self.workloads.iter().any(|workload| workload.home == *home)
    }
}

fn of_pod<'n>(index: usize, workload: &Workload, served: &ServedPort) -> Asked<'n> {
    Asked {
        workload: index,
        port: served.port.clone(),
        id: workload.id,
        at: served.at.clone(),
        service: None,
    }
}
