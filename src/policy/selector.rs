//! Label selectors of policies in one spelling. Cilium knows a label by its source
//! (`k8s:app`, `any:app`, `app`), a namespace as labels of the pod, and NetworkPolicy
//! has a selector of its own for namespaces; here all of them are requirements on a
//! pod's labels and on its namespace's.

use serde_json::{Map, Value};

use crate::manifest::Home;

use super::pods::Workload;

/// The label that every namespace has, with its name.
pub const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";
/// How Cilium calls a pod's namespace.
const POD_NAMESPACE: &str = "io.kubernetes.pod.namespace";
/// How Cilium calls the labels of a pod's namespace.
const NAMESPACE_LABELS: &str = "io.cilium.k8s.namespace.labels.";
/// A cluster of a mesh; which one this is no manifest says.
const CLUSTER: &str = "io.cilium.k8s.policy.cluster";
/// Labels that controllers give to pods, so that no manifest tells their values.
const GIVEN_AT_RUN_TIME: &[&str] = &[
    "pod-template-hash",
    "controller-revision-hash",
    "pod-template-generation",
    "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index",
    "controller-uid",
    "batch.kubernetes.io/controller-uid",
    "batch.kubernetes.io/job-completion-index",
];

/// What a selector wants of one label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requirement {
    /// The label, without a source.
    pub key: String,
    /// How the values are meant.
    pub operator: Operator,
    /// The values, sorted.
    pub values: Vec<String>,
}

/// The operators of label selectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// One of the values.
    In,
    /// None of the values; the label may be absent.
    NotIn,
    /// Any value.
    Exists,
    /// The label is absent.
    DoesNotExist,
    /// Something that no version of Kubernetes knows; it selects nothing.
    Unknown,
}

/// Which namespaces a selector looks into.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Namespaces {
    /// The policy's own.
    Own,
    /// All of them.
    All,
    /// Those whose labels are so.
    Labelled(Vec<Requirement>),
}

/// A selector of pods.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector {
    /// What it wants of the pods' labels, sorted.
    pub pods: Vec<Requirement>,
    /// Where it looks.
    pub namespaces: Namespaces,
}

/// Whether something is so, as far as manifests tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// Manifests do not tell.
    Unknown,
}

impl Answer {
    fn of(holds: bool) -> Self {
        if holds { Answer::Yes } else { Answer::No }
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Answer::No, _) | (_, Answer::No) => Answer::No,
            (Answer::Yes, Answer::Yes) => Answer::Yes,
            _ => Answer::Unknown,
        }
    }
}

impl Requirement {
    /// What it says of a label with this value, or without one.
    fn holds(&self, value: Option<&str>) -> bool {
        let named = value.is_some_and(|value| self.values.iter().any(|wanted| wanted == value));
        match self.operator {
            Operator::In => named,
            Operator::NotIn => !named,
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Unknown => false,
        }
    }

    fn of_pod(&self, labels: &Map<String, Value>) -> Answer {
        if self.key == CLUSTER {
            return Answer::Unknown;
        }
        let value = labels.get(&self.key).and_then(Value::as_str);
        if value.is_none() && GIVEN_AT_RUN_TIME.contains(&self.key.as_str()) {
            return Answer::Unknown;
        }
        Answer::of(self.holds(value))
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = &self.key;
        match (self.operator, self.values.as_slice()) {
            (Operator::In, [value]) => write!(f, "{key}={value}"),
            (Operator::In, values) => write!(f, "{key} in ({})", values.join(", ")),
            (Operator::NotIn, values) => write!(f, "{key} not in ({})", values.join(", ")),
            (Operator::Exists, _) => write!(f, "{key}"),
            (Operator::DoesNotExist, _) => write!(f, "!{key}"),
            (Operator::Unknown, _) => write!(f, "{key}?"),
        }
    }
}

impl Selector {
    /// A selector of Cilium: of pods of the policy's namespace unless its labels name
    /// another, or of all pods where the policy is for the whole cluster.
    pub fn of_cilium(selector: &Value, clusterwide: bool) -> Self {
        let (mut pods, mut namespaces) = (Vec::new(), Vec::new());
        for mut requirement in requirements(selector) {
            let key = plain_key(&requirement.key);
            if key == POD_NAMESPACE {
                NAMESPACE_NAME.clone_into(&mut requirement.key);
                namespaces.push(requirement);
            } else if let Some(label) = key.strip_prefix(NAMESPACE_LABELS) {
                requirement.key = label.to_owned();
                namespaces.push(requirement);
            } else {
                requirement.key = key.to_owned();
                pods.push(requirement);
            }
        }
        pods.sort();
        namespaces.sort();
        let namespaces = match (namespaces.is_empty(), clusterwide) {
            (true, true) => Namespaces::All,
            (true, false) => Namespaces::Own,
            (false, _) => Namespaces::of(namespaces),
        };
        Self { pods, namespaces }
    }

    /// The selector that a policy of a namespace applies by; other namespaces in it
    /// are ignored.
    pub fn of_own_pods(selector: &Value) -> Self {
        Self { namespaces: Namespaces::Own, ..Self::of_cilium(selector, false) }
    }

    /// A peer of a NetworkPolicy: its two selectors, as far as they are there.
    pub fn of_kubernetes(pods: Option<&Value>, namespaces: Option<&Value>) -> Self {
        let sorted = |selector: Option<&Value>| {
            let mut all: Vec<Requirement> = selector.map(requirements).unwrap_or_default();
            all.sort();
            all
        };
        let namespaces = match namespaces {
            None => Namespaces::Own,
            Some(_) => Namespaces::of(sorted(namespaces)),
        };
        Self { pods: sorted(pods), namespaces }
    }

    /// Whether it names a namespace in its own words rather than taking the policy's.
    pub fn is_own(&self) -> bool {
        self.namespaces == Namespaces::Own
    }

    /// The one namespace that it looks into, where it names one.
    pub fn namespace(&self) -> Option<&str> {
        let Namespaces::Labelled(requirements) = &self.namespaces else { return None };
        requirements.iter().find_map(|requirement| match requirement.values.as_slice() {
            [name] if requirement.key == NAMESPACE_NAME && requirement.operator == Operator::In => {
                Some(name.as_str())
            }
            _ => None,
        })
    }

    /// Whether it selects the pods of a workload, in a policy that lives at `home`.
    /// `labels_of` knows the labels of namespaces, as far as the stream has them.
    pub fn selects(
        &self,
        home: &Home,
        workload: &Workload,
        labels_of: &dyn Fn(&str) -> Option<Map<String, Value>>,
    ) -> Answer {
        let pods = self
            .pods
            .iter()
            .fold(Answer::Yes, |all, requirement| all.and(requirement.of_pod(&workload.labels)));
        pods.and(match &self.namespaces {
            Namespaces::Own => Answer::of(*home == workload.home),
            Namespaces::All => Answer::Yes,
            Namespaces::Labelled(requirements) => match workload.home.named() {
                None => Answer::Unknown,
                Some(namespace) => of_namespace(requirements, namespace, labels_of),
            },
        })
    }

    /// Whether it would select the workload's pods if they lived in the right
    /// namespace.
    pub fn fits_labels(&self, workload: &Workload) -> bool {
        self.pods.iter().all(|requirement| requirement.of_pod(&workload.labels) == Answer::Yes)
    }
}

fn of_namespace(
    requirements: &[Requirement],
    namespace: &str,
    labels_of: &dyn Fn(&str) -> Option<Map<String, Value>>,
) -> Answer {
    requirements.iter().fold(Answer::Yes, |all, requirement| {
        all.and(if requirement.key == NAMESPACE_NAME {
            Answer::of(requirement.holds(Some(namespace)))
        } else {
            match labels_of(namespace) {
                Some(labels) => {
                    Answer::of(requirement.holds(labels.get(&requirement.key).and_then(Value::as_str)))
                }
                None => Answer::Unknown,
            }
        })
    })
}

impl Namespaces {
    fn of(requirements: Vec<Requirement>) -> Self {
        // A label that every namespace has asks for nothing.
        let asks = |requirement: &&Requirement| {
            !(requirement.key == NAMESPACE_NAME && requirement.operator == Operator::Exists)
        };
        let asked: Vec<Requirement> = requirements.iter().filter(asks).cloned().collect();
        if asked.is_empty() { Namespaces::All } else { Namespaces::Labelled(asked) }
    }
}

impl std::fmt::Display for Selector {
    /// `app=web in namespace shop`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&labels_in_words(&self.pods))?;
        match (&self.namespaces, self.namespace()) {
            (Namespaces::Own, _) => Ok(()),
            (Namespaces::All, _) => f.write_str(" in any namespace"),
            (_, Some(name)) => write!(f, " in namespace {name}"),
            (Namespaces::Labelled(labels), None) => {
                write!(f, " in namespaces {}", labels_in_words(labels))
            }
        }
    }
}

/// `app=web, tier in (a, b)`.
pub fn labels_in_words(all: &[Requirement]) -> String {
    match all {
        [] => "all pods".to_owned(),
        all => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// A LabelSelector's requirements, keys as they are written.
fn requirements(selector: &Value) -> Vec<Requirement> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let labels = selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
    let mut out: Vec<Requirement> = labels
        .map(|(key, value)| Requirement {
            key: key.clone(),
            operator: Operator::In,
            values: vec![text(value)],
        })
        .collect();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array).into_iter().flatten();
    out.extend(expressions.map(|expression| {
        let operator = match expression.get("operator").and_then(Value::as_str) {
            Some("In") => Operator::In,
            Some("NotIn") => Operator::NotIn,
            Some("Exists") => Operator::Exists,
            Some("DoesNotExist") => Operator::DoesNotExist,
            _ => Operator::Unknown,
        };
        let values = expression.get("values").and_then(Value::as_array);
        let mut values: Vec<String> = values.into_iter().flatten().map(text).collect();
        values.sort();
        let key = expression.get("key").and_then(Value::as_str).unwrap_or_default().to_owned();
        Requirement { key, operator, values }
    }));
    out
}

/// The labels of an entity of Cilium's that a selector names, as `reserved:host` does.
pub fn reserved(selector: &Value) -> Option<String> {
    requirements(selector).iter().find_map(|requirement| {
        let entity = requirement.key.strip_prefix("reserved:").or_else(|| {
            // `reserved.host` is how older manifests spell it.
            requirement.key.strip_prefix("reserved.")
        })?;
        Some(entity.to_owned())
    })
}

/// `k8s:app` and `any:app` mean the pod label `app`.
fn plain_key(key: &str) -> &str {
    key.strip_prefix("k8s:").or_else(|| key.strip_prefix("any:")).unwrap_or(key)
}
