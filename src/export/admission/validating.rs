//! Rules as ValidatingAdmissionPolicies with their bindings.
//! <https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/>

use serde_json::{Value, json};

use super::resource::Resource;
use super::rule::{self, Said, Validation};
use super::unsaid::LeftOut;
use super::{NOT_BEING_DELETED, bound, metadata, name_of};
use crate::profile::rule::Rule;

/// Which rules refuse objects, rather than warn of them.
#[derive(Debug, Clone, Default)]
pub struct Deny {
    /// Every rule.
    pub all: bool,
    /// These rules, by id.
    pub rules: Vec<String>,
}

/// The policies and bindings of a rule, and what is left out of it.
pub fn policies(rule: &Rule, deny: &Deny) -> (Vec<Value>, Option<LeftOut>) {
    let Said { groups, reads, left_out } = rule::say(rule);
    let denies = deny.all || deny.rules.contains(&rule.id);
    let mut out = Vec::new();
    let several = groups.len() > 1;
    for (resources, validations) in &groups {
        let name = name_of(rule, several.then(|| resources.first()).flatten());
        out.push(policy(rule, &name, resources, validations, reads));
        let actions: &[&str] = if denies { &["Deny", "Audit"] } else { &["Warn", "Audit"] };
        let mut spec = json!({"policyName": name, "validationActions": actions});
        if reads {
            bound(rule, &mut spec);
        }
        out.push(json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": metadata(rule, &name),
            "spec": spec,
        }));
    }
    (out, left_out)
}

fn policy(rule: &Rule, name: &str, resources: &[Resource], validations: &[Validation], reads: bool) -> Value {
    let mut spec = json!({"failurePolicy": "Fail"});
    if reads && let Some(read) = &rule.reads {
        spec["paramKind"] = json!({"apiVersion": read.api_version(), "kind": read.kind});
    }
    spec["matchConstraints"] =
        json!({"matchPolicy": "Equivalent", "resourceRules": Resource::rules(resources)});
    spec["matchConditions"] = json!([{"name": "not-being-deleted", "expression": NOT_BEING_DELETED}]);
    spec["validations"] = validations.iter().map(Validation::to_json).collect();
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": metadata(rule, name),
        "spec": spec,
    })
}
