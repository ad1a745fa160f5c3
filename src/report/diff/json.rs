//! Everything there is to know, for programs. `version` grows when something is taken
//! away or means something else; more fields may come at any time.

use serde_json::{Value, json};

use super::summary;
use crate::compare::fleet::{Fleet, Group};
use crate::compare::model::{Change, Comparison, Danger, Needless, ObjectDiff, ObjectState, Spot};
use crate::manifest::Identity;

/// The text, ending with a line break.
pub fn render(fleet: &Fleet) -> Result<String, serde_json::Error> {
    let value = json!({
        "version": 1,
        "different": !fleet.is_same(),
        "rendered": fleet.rendered,
        "targets": fleet.targets(),
        "unchangedTargets": fleet.unchanged_targets(),
        "groups": fleet.groups.iter().map(group).collect::<Vec<_>>(),
        "needless": fleet.needless.iter().map(needless).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&value).map(|text| text + "\n")
}

fn group(group: &Group) -> Value {
    let comparison = &group.compared.comparison;
    json!({
        "targets": group.targets,
        "old": comparison.old_name,
        "new": comparison.new_name,
        "oneRendering": comparison.one_rendering,
        "profiles": comparison.profiles,
        "summary": counts(comparison),
        "dangers": comparison.dangers.iter().map(danger).collect::<Vec<_>>(),
        "objects": comparison.objects.iter().map(object).collect::<Vec<_>>(),
        "styled": comparison.styled.iter().map(|styled| json!({
            "object": identity(&styled.identity),
            "lines": styled.lines,
        })).collect::<Vec<_>>(),
        "restarts": comparison.restarts.iter().map(identity).collect::<Vec<_>>(),
        "rules": comparison.rules.iter().map(|rule| json!({
            "id": rule.id, "title": rule.title, "why": rule.why, "sources": rule.sources,
        })).collect::<Vec<_>>(),
        "needless": comparison.needless.iter().map(needless).collect::<Vec<_>>(),
    })
}

fn counts(comparison: &Comparison) -> Value {
    let churn = comparison.ignored.churn.iter().map(|(kind, number)| json!({"kind": kind, "count": number}));
    json!({
        "changed": comparison.count(ObjectState::Changed),
        "added": comparison.count(ObjectState::Added),
        "removed": comparison.count(ObjectState::Removed),
        "renamed": comparison.count(ObjectState::Renamed),
        "same": comparison.same,
        "changes": comparison.changes(),
        "undone": comparison.undone,
        "ignored": {
            "churn": churn.collect::<Vec<_>>(),
            "churnObjects": comparison.ignored.churn_objects,
            "paths": comparison.ignored.paths,
            "objects": comparison.ignored.objects,
        },
        "line": summary::line(comparison),
    })
}

fn identity(identity: &Identity) -> Value {
    json!({
        "apiVersion": identity.api_version(),
        "kind": identity.kind,
        "namespace": identity.namespace,
        "name": identity.name,
    })
}

fn spot(spot: Option<&Spot>) -> Value {
    spot.map_or(Value::Null, |spot| json!({"file": spot.file, "line": spot.line}))
}

fn danger(danger: &Danger) -> Value {
    json!({
        "rule": danger.rule,
        "severity": danger.severity,
        "message": danger.message,
        "object": identity(&danger.object),
        "path": danger.path,
        "why": danger.why,
        "help": danger.help,
        "sources": danger.sources,
        "origin": danger.origin,
        "location": spot(danger.spot.as_ref()),
        "template": danger.template,
    })
}

fn object(object: &ObjectDiff) -> Value {
    json!({
        "state": object.state,
        "object": identity(&object.identity),
        "was": object.was.as_ref().map(identity),
        "template": object.template,
        "old": spot(object.old.as_ref()),
        "new": spot(object.new.as_ref()),
        "origin": object.origin,
        "restarts": object.restarts,
        "masked": object.confidential,
        "folded": object.folded,
        "changes": object.changes.iter().map(change).collect::<Vec<_>>(),
        "value": object.value,
    })
}

fn change(change: &Change) -> Value {
    let mut value = json!({"path": change.path, "kind": change.kind});
    if let Some(map) = value.as_object_mut() {
        // That nothing was there is not the same as null.
        if let Some(old) = &change.old {
            map.insert("old".to_owned(), old.clone());
        }
        if let Some(new) = &change.new {
            map.insert("new".to_owned(), new.clone());
        }
        map.insert("origin".to_owned(), json!(change.origin));
        if let Some(churn) = change.churn {
            map.insert("churn".to_owned(), json!(churn));
        }
    }
    value
}

fn needless(needless: &Needless) -> Value {
    json!({"rule": needless.rule, "title": needless.title, "already": needless.already})
}
