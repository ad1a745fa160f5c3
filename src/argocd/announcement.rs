//! The parameters that Argo CD's user interface offers: a JSON list, as
//! `spec.parameters.dynamic` of a plugin prints it. Source: `ParameterAnnouncement` in
//! `reposerver/apiclient` of Argo CD. What is announced is shown only; no default is
//! sent back.

use serde_json::{Map, Value, json};

use super::parameter::{PARAMETERS, Shape};

/// Switches that are on where an application says nothing.
const ON: &[&str] = &["include-crds", "skip-tests"];

/// The list. `profile` are the names of the profile in force, `params` its parameters
/// with their values as text.
pub fn announcement(profile: &[String], params: &[(String, String)], release: Option<&str>) -> Value {
    let announced = PARAMETERS.iter().map(|parameter| {
        let mut entry = Map::new();
        let mut say = |field: &str, value: Value| entry.insert(field.to_owned(), value);
        say("name", json!(parameter.name));
        say("title", json!(parameter.title));
        say("tooltip", json!(parameter.tooltip));
        say("collectionType", json!(parameter.collection_type()));
        match (parameter.name, parameter.shape) {
            ("profile", _) => say("array", json!(profile)),
            ("params", _) => {
                let pairs = params.iter().map(|(name, value)| (name.clone(), json!(value)));
                say("map", Value::Object(pairs.collect()))
            }
            ("release-name", _) => say("string", json!(release.unwrap_or_default())),
            (name, Shape::Switch) => {
                say("itemType", json!("boolean"));
                say("string", json!(ON.contains(&name).to_string()))
            }
            (_, Shape::Text) => say("string", json!("")),
            (_, Shape::List) => say("array", json!([])),
            (_, Shape::Map) => say("map", json!({})),
        };
        Value::Object(entry)
    });
    Value::Array(announced.collect())
}
