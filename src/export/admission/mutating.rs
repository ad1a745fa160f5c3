//! Edits as MutatingAdmissionPolicies: JSON patches that CEL makes, under the same
//! conditions as in a stream. What an edit would miss is left to the policies that
//! validate.
//! <https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/>

use serde_json::{Value, json};

use super::cel::{self, Cel};
use super::path::{self, Nowhere};
use super::resource::{self, Resource};
use super::rule::{Speaker, grouped, subject};
use super::subject::Subject;
use super::test;
use super::unsaid::{LeftOut, Unsaid};
use super::{NOT_BEING_DELETED, bound, metadata, name_of};
use crate::edit::{NewValue, pointer};
use crate::profile::path::Step;
use crate::profile::rule::{Edit, Operation, Part, Rule};
use crate::profile::version::parse_version;

/// The version of the API that serves these policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiVersion {
    /// Kubernetes 1.32 and 1.33, where it is switched on.
    V1alpha1,
    /// Kubernetes 1.34 and 1.35, where it is switched on.
    V1beta1,
    /// Kubernetes 1.36 and later.
    V1,
}

impl ApiVersion {
    /// What a cluster of this version serves; `None` where nothing is, or where that is
    /// no version.
    pub fn of(kube: &str) -> Option<Self> {
        let version = parse_version(kube)?;
        match (version.major, version.minor) {
            (1, 32 | 33) => Some(Self::V1alpha1),
            (1, 34 | 35) => Some(Self::V1beta1),
            (1, 36..) | (2.., _) => Some(Self::V1),
            _ => None,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::V1alpha1 => "admissionregistration.k8s.io/v1alpha1",
            Self::V1beta1 => "admissionregistration.k8s.io/v1beta1",
            Self::V1 => "admissionregistration.k8s.io/v1",
        }
    }
}

/// The policies and bindings of a rule, and what is left out of it.
pub fn policies(rule: &Rule, version: ApiVersion) -> (Vec<Value>, Option<LeftOut>) {
    let mut speaker = Speaker::of(rule);
    let mut found: Vec<(Resource, Vec<String>)> = Vec::new();
    if rule.parts.iter().all(|part| part.edits.is_empty()) {
        speaker.unsaid.push(Unsaid::new("it edits nothing"));
    }
    // Half of what has to be done as a whole may be worse than nothing.
    let mut said = Vec::new();
    for part in rule.parts.iter().filter(|part| !part.edits.is_empty()) {
        match mutations(&mut speaker, part) {
            Ok(part) => said.extend(part),
            Err(unsaid) => speaker.unsaid.push(unsaid),
        }
    }
    for (resource, expressions) in said {
        match found.iter_mut().find(|(known, _)| *known == resource) {
            Some((_, known)) => known.extend(expressions),
            None => found.push((resource, expressions)),
        }
    }
    let groups = grouped(found);
    let mut out = Vec::new();
    for (resources, expressions) in &groups {
        let name = name_of(rule, (groups.len() > 1).then(|| resources.first()).flatten());
        let mut spec = json!({"failurePolicy": "Fail", "reinvocationPolicy": "IfNeeded"});
        let mut binding = json!({"policyName": name});
        if speaker.reads
            && let Some(read) = &rule.reads
        {
            spec["paramKind"] = json!({"apiVersion": read.api_version(), "kind": read.kind});
            bound(rule, &mut binding);
        }
        spec["matchConstraints"] =
            json!({"matchPolicy": "Equivalent", "resourceRules": Resource::rules(resources)});
        spec["matchConditions"] = json!([{"name": "not-being-deleted", "expression": NOT_BEING_DELETED}]);
        let mutation =
            |expression: &String| json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}});
        spec["mutations"] = expressions.iter().map(mutation).collect();
        for (kind, spec) in [("MutatingAdmissionPolicy", spec), ("MutatingAdmissionPolicyBinding", binding)] {
            out.push(json!({
                "apiVersion": version.text(),
                "kind": kind,
                "metadata": metadata(rule, &name),
                "spec": spec,
            }));
        }
    }
    let left_out = LeftOut::of(&rule.id, !out.is_empty(), &speaker.unsaid);
    (out, left_out)
}

/// A part's mutations, one expression for each edit, by kind.
fn mutations(speaker: &mut Speaker<'_>, part: &Part) -> Result<Vec<(Resource, Vec<String>)>, Unsaid> {
    let mut out = Vec::new();
    for resource in resource::of(&part.matcher)? {
        let subject = subject(&resource);
        let guard = speaker.guard(part, &subject)?;
        let mut expressions = Vec::new();
        for edit in &part.edits {
            match mutation(edit, &subject, &guard) {
                Ok(expression) => expressions.extend(expression),
                // What stands apart may be left out alone.
                Err(unsaid) if edit.apart => speaker.unsaid.push(unsaid),
                Err(unsaid) => return Err(unsaid),
            }
        }
        if !expressions.is_empty() {
            out.push((resource, expressions));
        }
    }
    Ok(out)
}

fn mutation(edit: &Edit, subject: &Subject<'_>, guard: &Cel) -> Result<Option<String>, Unsaid> {
    let (path, wanted) = match &edit.operation {
        Operation::Set { path, value, .. } => (path, Some(value)),
        Operation::Remove { path } => (path, None),
        Operation::Require { .. } => {
            return Err(Unsaid::new("it requires something, which is for policies that validate"));
        }
        Operation::Leave { .. } => return Ok(None),
        Operation::Drop => {
            return Err(Unsaid::new("it drops objects, which only a policy that refuses them can do"));
        }
        _ => {
            return Err(Unsaid::new(
                "it edits lists or parts of texts, for which a patch has to know the index or the text",
            ));
        }
    };
    let steps = path::resolved(path, subject.kind).unwrap_or_default();
    let keys: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => Some(key.clone()),
            _ => None,
        })
        .collect::<Option<_>>()
        .filter(|keys: &Vec<String>| !keys.is_empty())
        .ok_or_else(|| Unsaid::new("it edits items of lists, for which a patch has to know the index"))?;
    let mut conditions = vec![guard.clone()];
    for (path, test) in &edit.conditions {
        conditions.push(subject.condition(path, test)?);
    }
    let expected =
        |value: &str| edit.was.as_ref().map_or(Ok(Cel::Known(true)), |was| test::holds(was, value));
    let may_be_absent = edit.was.as_ref().is_none_or(|was| was.holds(None));
    let patch = match wanted {
        None => {
            conditions.push(path::some(path, subject.kind, subject.object, Nowhere::all(false), &expected)?);
            format!("[{}]", operation("remove", &keys, None))
        }
        Some(wanted) => {
            let json = wanted.to_json();
            let differs =
                |value: &str| Ok(Cel::all([test::equals(value, &json).negated(), expected(value)?]));
            // What the field means anyway has no need to be written.
            let absent = may_be_absent && edit.means.as_ref() != Some(&json);
            let nowhere = Nowhere { absent, last: false, broken: absent && edit.make_parents };
            conditions.push(path::some(path, subject.kind, subject.object, nowhere, &differs)?);
            let mut pieces = Vec::new();
            if edit.make_parents {
                pieces.extend((1..keys.len()).map(|length| {
                    let parent = keys[..length]
                        .iter()
                        .fold(subject.object.to_owned(), |of, key| path::field(&of, key));
                    let made = operation("add", &keys[..length], Some(&NewValue::Mapping(Vec::new())));
                    format!("({parent}.hasValue() ? [] : [{made}])")
                }));
            }
            pieces.push(format!("[{}]", operation("add", &keys, Some(wanted))));
            pieces.join(" + ")
        }
    };
    Ok(match Cel::all(conditions) {
        Cel::Known(false) => None,
        condition => Some(format!("({}) ? ({patch}) : []", condition.text())),
    })
}

fn operation(op: &str, keys: &[String], value: Option<&NewValue>) -> String {
    let path = cel::quoted(&pointer(keys));
    match value {
        Some(value) => {
            format!("JSONPatch{{op: \"{op}\", path: {path}, value: {}}}", cel::literal(&value.to_json()))
        }
        None => format!("JSONPatch{{op: \"{op}\", path: {path}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::ApiVersion;

    #[test]
    fn clusters_serve_what_they_serve() {
        assert_eq!(ApiVersion::of("1.31.4"), None);
        assert_eq!(ApiVersion::of("v1.33.2"), Some(ApiVersion::V1alpha1));
        assert_eq!(ApiVersion::of("1.34"), Some(ApiVersion::V1beta1));
        assert_eq!(ApiVersion::of("1.36.0-rc.1"), Some(ApiVersion::V1));
        assert_eq!(ApiVersion::of("latest"), None);
    }
}
