//! What rules may ask about the stream as a whole: whether an object is there,
//! and which pods policies share. Answers are about the stream as it came in,
//! so that the order of rules does not matter.

use serde_json::{Map, Value};

use super::document::PlannedDocument;
use super::object_index::ObjectIndex;
use super::survey::Survey;
use crate::manifest::{objects, selector};
use crate::profile::matching::{Alone, Matcher, Neighbours, ObjectView};
use crate::profile::path::get;
use crate::profile::rule::When;
use crate::yaml;

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
    /// Gathers what the matchers will ask about. Workloads are looked at only when
    /// there is a policy whose pods somebody asks for.
    pub fn new(survey: &Survey<'_>, documents: &[PlannedDocument<'_>], sharers: &[&Matcher]) -> Self {
        let mut world = Self::default();
        for document in documents {
            for index in 0..document.objects.len() {
                let Some(object) = document.original_object(index) else { continue };
                if sharers.iter().any(|sharer| sharer.matches(object, &Alone)) {
                    world.policies.push(Policy {
                        identity: object.identity.clone(),
                        value: object.value.clone(),
                        template: object.template.map(str::to_owned),
                    });
                }
            }
        }
        if !world.policies.is_empty() {
            world.pods = pods(survey);
        }
        world
    }

    /// Whether a rule's conditions on the stream hold.
    pub fn holds(&self, when: &When, documents: &[PlannedDocument<'_>], index: &ObjectIndex) -> bool {
        let is_there = |matcher: &Matcher| {
            index
                .candidates(matcher)
                .iter()
                .filter_map(|(document, object)| documents.get(*document)?.original_object(*object))
                .any(|object| matcher.matches(object, self))
        };
        when.object.as_ref().is_none_or(&is_there)
            && !when.no_object.as_ref().is_some_and(&is_there)
            && (when.any.is_empty() || when.any.iter().any(|when| self.holds(when, documents, index)))
            && !when.not.iter().any(|when| self.holds(when, documents, index))
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

/// Namespace and labels of the pods that the stream's workloads make. Of a document
/// that is one workload only these are read.
fn pods(survey: &Survey<'_>) -> Vec<(String, Map<String, Value>)> {
    let mut pods = Vec::new();
    for (index, head) in survey.heads.iter().enumerate() {
        if head.is_list {
            // All documents were found readable when the stream was surveyed.
            let Ok((_, value)) = survey.parse(index) else { continue };
            for object in objects::objects(&value) {
                let labels =
                    get(&value, &object.at).and_then(|it| selector::pod_labels(&object.identity.kind, it));
                pods.extend(labels.map(|labels| (object.identity.namespace.clone(), labels.clone())));
            }
        } else if let Some(template) = selector::pod_template(&head.kind) {
            let Ok(tree) = yaml::parse(survey.text(index)) else { continue };
            let at = |path: &[&str]| {
                let path: Vec<String> = path.iter().map(|token| (*token).to_owned()).collect();
                tree.read_node(tree.locate(&path)?).ok()
            };
            let namespace = at(&["metadata", "namespace"]);
            if let Some(Value::Object(labels)) = at(&[template, &["metadata", "labels"]].concat()) {
                pods.push((
                    namespace.and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default(),
                    labels,
                ));
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
