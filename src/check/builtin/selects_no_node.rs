//! A node selector that selects no node. Where configurations of nodes are given,
//! each is a node with the labels that it tells; without them, a selector that shuts
//! out control-plane nodes is worth a warning, since small clusters have no others.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Builtin, Fields, FieldsFile, matcher, path};
use crate::check::rules::{Hit, bad, meant};
use crate::check::scene::Scene;
use crate::manifest::selector;
use crate::profile::file::MatchFile;
use crate::profile::matching::Matcher;
use crate::profile::path::PathExpr;
use crate::profile::rule::Check;
use crate::profile::test_value::ValueTest;

/// What the profile tells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Told {
    /// Where an object has its selector.
    selector: String,
    /// Configurations that make a node each, with the labels that it has of itself.
    nodes: Vec<NodeFile>,
    /// Fields with more labels of the node, in any document of the same file.
    labels: Vec<FieldsFile>,
    /// Labels that only control-plane nodes have.
    control_plane: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeFile {
    #[serde(rename = "match")]
    matches: MatchFile,
    labels: Map<String, Value>,
}

pub(super) struct SelectsNoNode {
    selector: PathExpr,
    nodes: Vec<(Matcher, Map<String, Value>)>,
    labels: Vec<Fields>,
    control_plane: Vec<String>,
}

impl SelectsNoNode {
    pub(super) fn new(told: Told) -> Result<Self, String> {
        let nodes = told.nodes.into_iter().map(|node| Ok((matcher(&node.matches)?, node.labels)));
        Ok(Self {
            selector: path(&told.selector)?,
            nodes: nodes.collect::<Result<_, String>>()?,
            labels: told.labels.into_iter().map(Fields::new).collect::<Result<_, _>>()?,
            control_plane: told.control_plane,
        })
    }

    /// The labels of every node that is known, by file.
    fn known(&self, scene: &Scene<'_>) -> Vec<Map<String, Value>> {
        let mut by_file: BTreeMap<(usize, usize), Map<String, Value>> = BTreeMap::new();
        for (matcher, labels) in &self.nodes {
            for (actor, _) in scene.matching(matcher) {
                let Some(file) = scene.file(actor) else { continue };
                by_file.entry(file).or_default().extend(labels.clone());
            }
        }
        for (actor, _, value) in self.labels.iter().flat_map(|fields| fields.found(scene)) {
            let node = scene.file(actor).and_then(|file| by_file.get_mut(&file));
            if let (Some(node), Value::Object(labels)) = (node, value) {
                node.extend(labels);
            }
        }
        by_file.into_values().collect()
    }

    /// Whether the selector asks for what configurations do not tell, such as a
    /// node's name.
    fn asks_for_more(&self, selector: &Value, nodes: &[Map<String, Value>]) -> bool {
        let is_told = |key: &str| {
            self.control_plane.iter().any(|label| label == key)
                || nodes.iter().any(|node| node.contains_key(key))
        };
        keys(selector).any(|key| !is_told(key))
    }

    /// Whether the selector wants a label of control-plane nodes not to be there.
    fn shuts_out(&self, selector: &Value) -> bool {
        let all: Map<String, Value> =
            self.control_plane.iter().map(|label| (label.clone(), Value::from(""))).collect();
        let expressions = selector.get("matchExpressions").and_then(Value::as_array);
        expressions.into_iter().flatten().any(|expression| {
            let is_about = keys_of(expression).is_some_and(|key| all.contains_key(key));
            is_about && !selector::selects(&json!({"matchExpressions": [expression]}), &all)
        })
    }
}

fn keys_of(expression: &Value) -> Option<&str> {
    expression.get("key").and_then(Value::as_str)
}

/// The labels that a selector asks for.
fn keys(selector: &Value) -> impl Iterator<Item = &str> {
    let labels = selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array).into_iter().flatten();
    labels.map(|(key, _)| key.as_str()).chain(expressions.filter_map(keys_of))
}

impl Builtin for SelectsNoNode {
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit> {
        let nodes = self.known(scene);
        let mut out = Vec::new();
        for actor in meant(scene, check) {
            for (at, path, value) in bad(scene, actor, &self.selector, &ValueTest::Present) {
                let Some(selector) = value.filter(|value| !value.is_null()) else { continue };
                let selected = nodes.iter().any(|labels| selector::selects(&selector, labels));
                let message = if nodes.is_empty() {
                    self.shuts_out(&selector).then(|| {
                        "control-plane nodes are shut out; where all nodes are, none is left".to_owned()
                    })
                } else {
                    (!selected && !self.asks_for_more(&selector, &nodes))
                        .then(|| format!("none of the {} nodes given is selected", nodes.len()))
                };
                out.extend(message.map(|message| Hit {
                    actor,
                    at,
                    path: Some(path),
                    message: Some(message),
                    value: None,
                    related: Vec::new(),
                    notes: Vec::new(),
                }));
            }
        }
        out
    }

    fn matchers(&self) -> Vec<&Matcher> {
        self.nodes.iter().map(|(matcher, _)| matcher).chain(self.labels.iter().map(|f| &f.matcher)).collect()
    }
}
