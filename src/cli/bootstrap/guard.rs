//! What a bootstrap may not change unasked on a cluster that runs. The release's ConfigMaps as
//! they are in the cluster are compared with those that are going to be; what rules know to
//! be dangerous there, as in `germ-post diff`, is refused.

use germ_post::bootstrap::late::Object;
use germ_post::check::Input;
use germ_post::compare::{self, Options, Request};
use germ_post::diagnostic::Diagnostic;
use germ_post::profile::file::Severity;
use serde_json::{Value, json};

use super::outlook::Outlook;
use crate::cli::dangers;

/// Refuses changes that cut off what runs.
pub fn guard(outlook: &Outlook<'_>) -> Result<(), Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let mut pairs = Vec::new();
    for object in outlook.objects.iter().filter(|object| object.identity.kind == "ConfigMap") {
        let namespace = match object.identity.namespace.as_str() {
            "" => outlook.args.namespace.as_str(),
            namespace => namespace,
        };
        let live =
            outlook.kubectl.object("configmaps", &object.identity.name, Some(namespace)).map_err(one)?;
        if !live.is_null() {
            pairs.push((live, with_namespace(object, namespace)));
        }
    }
    if pairs.is_empty() || outlook.args.allow_disruption {
        return Ok(());
    }
    let side = |objects: Vec<&Value>| {
        let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
        vec![Input { name: "<cluster>".to_owned(), bytes: list.to_string().into_bytes() }]
    };
    let old = side(pairs.iter().map(|(live, _)| live).collect());
    let new = side(pairs.iter().map(|(_, wanted)| wanted).collect());
    let rules = dangers::rules(&[], None).map_err(one)?;
    let request = Request {
        old: ("the cluster", &old),
        new: Some(("the release", &new)),
        profile: None,
        dangers: &rules,
        options: &Options::default(),
    };
    let found = compare::compare(&request)?.comparison.dangers;
    let worst = found.into_iter().filter(|danger| danger.severity == Severity::Error);
    let errors: Vec<Diagnostic> = worst
        .map(|danger| {
            let error = Diagnostic::contract("disruptive-change", danger.message)
                .rule(danger.rule)
                .object(&danger.object)
                .note(danger.why);
            let error = danger.path.iter().fold(error, |error, path| error.path(path));
            danger
                .help
                .into_iter()
                .fold(error, Diagnostic::help)
                .help("`--allow-disruption` does it all the same")
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What is in a cluster has a namespace, whether the manifest says so or not.
fn with_namespace(object: &Object, namespace: &str) -> Value {
    let mut value = object.value.clone();
    if let Some(Value::Object(metadata)) = value.get_mut("metadata") {
        metadata.insert("namespace".to_owned(), json!(namespace));
    }
    value
}
