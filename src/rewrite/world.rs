//! What rules may ask about the stream as a whole: which pods policies share.
//! For rewriting, the answers are about the stream as it came in, so that the
//! order of rules does not matter.

use serde_json::{Map, Value};

use super::survey::Survey;
use crate::manifest::{Home, objects, selector};
use crate::profile::matching::{Alone, Matcher, Neighbours, ObjectView};
use crate::profile::path::get;
use crate::yaml;

/// The objects of the stream that some rule may ask about.
#[derive(Debug, Default)]
pub struct World {
    /// Where the pods are that the stream's workloads make, and their labels.
    pods: Vec<(Home, Map<String, Value>)>,
    /// Policies that other policies are compared with.
    policies: Vec<Policy>,
}

/// An object that a rule adds to the stream.
#[derive(Debug)]
pub struct ToCome {
    /// What names it.
    pub identity: crate::manifest::Identity,
    /// Its value.
    pub value: Value,
    /// The release of the object that it is made for.
    pub release: usize,
}

impl ToCome {
    fn view(&self) -> ObjectView<'_> {
        let (identity, value) = (&self.identity, &self.value);
        ObjectView { identity, value, template: None, release: self.release }
    }
}

#[derive(Debug)]
struct Policy {
    identity: crate::manifest::Identity,
    value: Value,
    template: Option<String>,
    release: usize,
}

impl World {
    /// Gathers what the matchers will ask about, among these objects of the stream.
    /// Workloads are looked at only when there is a policy whose pods somebody asks
    /// for. `to_come` are policies that rules add to the stream: they count, so that a
    /// second run finds what the first one did.
    pub fn new<'v>(
        survey: &Survey<'_>,
        objects: impl Iterator<Item = ObjectView<'v>>,
        to_come: &'v [ToCome],
        sharers: &[&Matcher],
    ) -> Self {
        let mut world = Self::default();
        if sharers.is_empty() {
            return world;
        }
        for object in objects.chain(to_come.iter().map(ToCome::view)) {
            if sharers.iter().any(|sharer| sharer.matches(object, &Alone)) {
                world.policies.push(Policy {
                    identity: object.identity.clone(),
                    value: object.value.clone(),
                    template: object.template.map(str::to_owned),
                    release: object.release,
                });
            }
        }
        if !world.policies.is_empty() {
            world.pods = pods(survey);
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

/// Where the pods are that the stream's workloads make, and their labels. Of a
/// document that is one workload only these are read.
fn pods(survey: &Survey<'_>) -> Vec<(Home, Map<String, Value>)> {
    let mut pods = Vec::new();
    for (index, head) in survey.heads.iter().enumerate() {
        let release = survey.release(index);
        if head.is_list {
            // All documents were found readable when the stream was surveyed.
            let Ok((_, value)) = survey.parse(index) else { continue };
            for object in objects::objects(&value) {
                let labels =
                    get(&value, &object.at).and_then(|it| selector::pod_labels(&object.identity.kind, it));
                let home = Home::of(&object.identity.namespace, release);
                pods.extend(labels.map(|labels| (home, labels.clone())));
            }
        } else if let Some(template) = selector::pod_template(&head.kind) {
            let Ok(tree) = yaml::parse(survey.text(index)) else { continue };
            let at = |path: &[&str]| {
                let path: Vec<String> = path.iter().map(|token| (*token).to_owned()).collect();
                tree.read_node(tree.locate(&path)?).ok()
            };
            let namespace = at(&["metadata", "namespace"]);
            if let Some(Value::Object(labels)) = at(&[template, &["metadata", "labels"]].concat()) {
                let namespace = namespace.as_ref().and_then(Value::as_str).unwrap_or_default();
                pods.push((Home::of(namespace, release), labels));
            }
        }
    }
    pods
}

/// The pod selectors of a network policy of either kind.
fn pod_selectors(policy: &Value) -> Vec<&Value> {
    let specs = policy
        .get("spec")
        .into_iter()
        .chain(policy.get("specs").and_then(Value::as_array).into_iter().flatten());
    specs.filter_map(|spec| spec.get("podSelector").or_else(|| spec.get("endpointSelector"))).collect()
}
