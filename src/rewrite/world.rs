//! What rules may ask about the stream as a whole: which pods policies share.
//! For rewriting, the answers are about the stream as it came in, so that the
//! order of rules does not matter.

use serde_json::{Map, Value};

use crate::manifest::selector;
use crate::profile::matching::{Alone, Matcher, Neighbours, ObjectView};

/// The objects of the stream that some rule may ask about.
#[derive(Debug, Default)]
pub struct World {
    /// Namespace and labels of the pods that the stream's workloads make.
    pods: Vec<(String, Map<String, Value>)>,
    /// Policies that other policies are compared with.
    policies: Vec<Policy>,
}

#[derive(Debug)]
struct Policy {
    identity: crate::manifest::Identity,
    value: Value,
    template: Option<String>,
}

impl World {
    /// Gathers what the matchers will ask about.
    pub fn new<'v>(objects: impl Iterator<Item = ObjectView<'v>>, sharers: &[&Matcher]) -> Self {
        let mut world = Self::default();
        if sharers.is_empty() {
            return world;
        }
        for object in objects {
            if let Some(labels) = selector::pod_labels(&object.identity.kind, object.value) {
                world.pods.push((object.identity.namespace.clone(), labels.clone()));
            }
            if sharers.iter().any(|sharer| sharer.matches(object, &Alone)) {
                world.policies.push(Policy {
                    identity: object.identity.clone(),
                    value: object.value.clone(),
                    template: object.template.map(str::to_owned),
                });
            }
        }
        world
    }
}

impl Neighbours for World {
    fn shares_pods(&self, object: ObjectView<'_>, others: &Matcher) -> bool {
        let own = pod_selectors(object.value);
        let others: Vec<&Policy> = self
            .policies
            .iter()
            .filter(|policy| {
                let view = ObjectView {
                    identity: &policy.identity,
                    value: &policy.value,
                    template: policy.template.as_deref(),
                };
                others.matches(view, &Alone)
            })
            .collect();
        self.pods.iter().any(|(namespace, labels)| {
            *namespace == object.identity.namespace
                && own.iter().any(|selector| selector::selects(selector, labels))
                && others.iter().any(|policy| {
                    // A policy without a namespace of its own is cluster-wide
                    // when its kind says so, else in the release's namespace.
                    let in_reach = policy.identity.kind.contains("Clusterwide")
                        || policy.identity.namespace == *namespace;
                    in_reach && pod_selectors(&policy.value).iter().any(|s| selector::selects(s, labels))
                })
        })
    }
}

/// The pod selectors of a network policy of either kind.
fn pod_selectors(policy: &Value) -> Vec<&Value> {
    let specs = policy
        .get("spec")
        .into_iter()
        .chain(policy.get("specs").and_then(Value::as_array).into_iter().flatten());
    specs.filter_map(|spec| spec.get("podSelector").or_else(|| spec.get("endpointSelector"))).collect()
}
