//! What rules may ask about the stream as a whole: which pods policies share.
//! For rewriting, the answers are about the stream as it came in, so that the
//! order of rules does not matter.

use serde_json::{Map, Value};

use crate::manifest::selector;
use crate::profile::matching::{Alone, Matcher, Neighbours, ObjectView};

/// The objects of the stream that some rule may ask about.
#[derive(Debug, Default)]
pub struct World {
    /// Where the pods are that the stream's workloads make, and their labels.
    pods: Vec<(Home, Map<String, Value>)>,
    /// Policies that other policies are compared with.
    policies: Vec<Policy>,
}

#[derive(Debug)]
struct Policy {
    identity: crate::manifest::Identity,
    value: Value,
    template: Option<String>,
    release: usize,
}

/// A namespace, or that of a release where the manifest leaves it to the client.
#[derive(Debug, PartialEq, Eq)]
struct Home {
    namespace: String,
    release: Option<usize>,
}

impl Home {
    fn of(namespace: &str, release: usize) -> Self {
        Self { namespace: namespace.to_owned(), release: namespace.is_empty().then_some(release) }
    }
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
                world.pods.push((Home::of(&object.identity.namespace, object.release), labels.clone()));
            }
            if sharers.iter().any(|sharer| sharer.matches(object, &Alone)) {
                world.policies.push(Policy {
                    identity: object.identity.clone(),
                    value: object.value.clone(),
                    template: object.template.map(str::to_owned),
                    release: object.release,
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
                    release: policy.release,
                };
                others.matches(view, &Alone)
            })
            .collect();
        let at_home = Home::of(&object.identity.namespace, object.release);
        self.pods.iter().any(|(home, labels)| {
            *home == at_home
                && own.iter().any(|selector| selector::selects(selector, labels))
                && others.iter().any(|policy| {
                    // A policy without a namespace of its own is cluster-wide
                    // when its kind says so, else in the release's namespace.
                    let in_reach = policy.identity.kind.contains("Clusterwide")
                        || Home::of(&policy.identity.namespace, policy.release) == *home;
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
