//! What was done, and what went wrong, as results of a KRM function. Values of Secrets
//! are masked in the report already, so that none gets in here.

use serde_json::{Map, Value, json};

use crate::diagnostic::{Class, Diagnostic};
use crate::manifest::Identity;
use crate::rewrite::Report;
use crate::rewrite::outcome::{ObjectReport, ObjectState, RuleReport};

/// Annotations that say which file an item came from, and where in it.
const PATHS: [&str; 2] = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];
const INDICES: [&str; 2] = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];

/// The results of a run that went well: one for each operation, and for each object
/// that a rule drops, adds or leaves alone.
pub fn of_run(report: &Report, warnings: &[Diagnostic], list: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    for rule in &report.rules {
        for object in &rule.objects {
            of_object(rule, object, list, &mut out);
        }
    }
    out.extend(warnings.iter().map(|warning| of_diagnostic(warning, list)));
    out
}

/// The results of a run that failed.
pub fn of_errors(errors: &[Diagnostic], list: &Value) -> Vec<Value> {
    errors.iter().map(|error| of_diagnostic(error, list)).collect()
}

fn of_object(rule: &RuleReport, object: &ObjectReport, list: &Value, out: &mut Vec<Value>) {
    let about = |message: String, severity: &str| {
        let mut result = json!({
            "message": message,
            "severity": severity,
            "resourceRef": reference(&object.api_version, &object.kind, &object.namespace, &object.name),
        });
        if let Some(file) = file(list, |identity| names(identity, object)) {
            result["file"] = file;
        }
        result["tags"] = json!({"rule": rule.id});
        result
    };
    let reasons = || object.reasons.join("; ");
    match object.state {
        ObjectState::Changed => {
            for operation in &object.operations {
                let mut result = about(format!("{}: {}", rule.id, rule.title), "info");
                let mut field = json!({"path": operation.path});
                for (key, value) in [("currentValue", &operation.old), ("proposedValue", &operation.new)] {
                    if let Some(value) = value {
                        field[key] = value.clone();
                    }
                }
                result["field"] = field;
                out.push(result);
            }
        }
        ObjectState::Dropped => out.push(about(format!("{}: dropped: {}", rule.id, rule.title), "info")),
        ObjectState::Added => out.push(about(format!("{}: added: {}", rule.id, rule.title), "info")),
        ObjectState::Kept | ObjectState::Left if !object.reasons.is_empty() => {
            out.push(about(format!("{}: left alone: {}", rule.id, reasons()), "info"));
        }
        _ => {}
    }
}

fn of_diagnostic(diagnostic: &Diagnostic, list: &Value) -> Value {
    let severity = if diagnostic.class > Class::Warning { "error" } else { "warning" };
    let mut message = diagnostic.message.clone();
    for (word, texts) in [("note", &diagnostic.notes), ("help", &diagnostic.help)] {
        for text in texts {
            message.push_str(&format!("\n{word}: {text}"));
        }
    }
    let mut out = json!({"message": message, "severity": severity});
    if let Some(object) = &diagnostic.object {
        let is_it = |identity: &Identity| identity.to_string() == *object;
        if let Some(identity) = items(list).map(Identity::of).find(|identity| is_it(identity)) {
            out["resourceRef"] =
                reference(&identity.api_version(), &identity.kind, &identity.namespace, &identity.name);
            if let Some(file) = file(list, is_it) {
                out["file"] = file;
            }
        }
    }
    if let Some(path) = &diagnostic.path {
        out["field"] = json!({"path": path});
    }
    let mut tags = Map::new();
    tags.insert("code".to_owned(), Value::from(diagnostic.code));
    if let Some(rule) = &diagnostic.rule {
        tags.insert("rule".to_owned(), Value::from(rule.as_str()));
    }
    out["tags"] = Value::Object(tags);
    out
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.get("items").and_then(Value::as_array).into_iter().flatten()
}

fn names(identity: &Identity, object: &ObjectReport) -> bool {
    identity.kind == object.kind
        && identity.api_version() == object.api_version
        && identity.namespace == object.namespace
        && identity.name == object.name
}

fn reference(api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
    let mut out = json!({"apiVersion": api_version, "kind": kind, "name": name});
    if !namespace.is_empty() {
        out["namespace"] = Value::from(namespace);
    }
    out
}

/// The file of the item that is meant, as its annotations say.
fn file(list: &Value, is_meant: impl Fn(&Identity) -> bool) -> Option<Value> {
    let item = items(list).find(|item| is_meant(&Identity::of(item)))?;
    let annotations = item.get("metadata")?.get("annotations")?;
    let one = |names: [&str; 2]| names.iter().find_map(|name| annotations.get(name)?.as_str());
    let mut out = json!({"path": one(PATHS)?});
    if let Some(index) = one(INDICES).and_then(|index| index.parse::<u64>().ok()) {
        out["index"] = Value::from(index);
    }
    Some(out)
}
