//! Objects that the program computes for those that a rule means, by the name that a
//! profile's `emit` gives: `fqdn-egress` is the policy that lets a workload reach the
//! hosts that it lists ([`crate::policy::egress`]).

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Planner, excepted, kept, with_help};
use crate::diagnostic::Diagnostic;
use crate::manifest::Identity;
use crate::policy::egress::{self, Listed};
use crate::policy::hosts::DEEP_PATTERNS_SINCE;
use crate::profile::matching::Alone;
use crate::profile::rule::{Emit, Rule};
use crate::profile::version::parse_version;
use crate::rewrite::document::PlannedDocument;
use crate::rewrite::outcome::{ObjectState, RuleReport};
use crate::rewrite::world::{ToCome, World};

/// What a profile tells `fqdn-egress`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Told {
    /// Hosts by workload.
    #[serde(default)]
    hosts: Map<String, Value>,
    /// Destinations in the cluster by workload.
    #[serde(default)]
    cluster: Map<String, Value>,
    /// The labels of the pods that answer for DNS.
    dns: Map<String, Value>,
    /// The version of Cilium, if it is known.
    #[serde(default)]
    cilium_version: Option<String>,
}

impl Planner<'_, '_> {
    /// Adds what is computed for each object; false when it cannot be.
    pub(super) fn add_computed(
        &mut self,
        rule: &Rule,
        (name, with): (&str, &Value),
        met: &[(usize, usize)],
        report: &mut RuleReport,
    ) -> bool {
        let listed = match listed(rule, with) {
            Ok(listed) => listed,
            Err(error) => {
                let message = format!("rule {}: `with` does not fit `{name}`: {error}", rule.id);
                self.diagnostics.push(Diagnostic::input("profile-invalid", message).rule(&rule.id));
                return false;
            }
        };
        // Objects for which nothing is made are not worth a line of the report.
        report.objects.retain(|object| object.state != ObjectState::Nothing);
        met.iter().fold(true, |well, (document, object)| {
            let Some(view) = self.documents[*document].original_object(*object) else { return well };
            match egress::policy(view.identity, view.value, &listed) {
                Ok(None) => well,
                Ok(Some(policy)) => self.add_one(rule, policy, report) && well,
                Err(error) => {
                    let diagnostic = Diagnostic::contract("rule-missed", error.message).rule(&rule.id);
                    let diagnostic = self.place_object(diagnostic, *document, *object, &error.at);
                    self.diagnostics.push(with_help(diagnostic.help(error.help), rule, None));
                    false
                }
            }
        })
    }
}

fn listed(rule: &Rule, with: &Value) -> Result<Listed, serde_json::Error> {
    let told: Told = serde_json::from_value(with.clone())?;
    let version = told.cilium_version.as_deref().and_then(parse_version);
    Ok(Listed {
        hosts: told.hosts,
        cluster: told.cluster,
        dns: told.dns,
        deep: version.map(|version| (version.major, version.minor) >= DEEP_PATTERNS_SINCE),
        rule: rule.id.clone(),
    })
}

/// The policies that rules are going to add, as far as can be told before planning.
/// What is wrong with a list is told when it is planned.
pub(super) fn to_come(rules: &[Rule], documents: &[PlannedDocument<'_>]) -> Vec<ToCome> {
    let mut out = Vec::new();
    for rule in rules.iter().filter(|rule| rule.inactive.is_none()) {
        let Some(Emit::Computed { with, .. }) = &rule.emit else { continue };
        let Ok(listed) = listed(rule, with) else { continue };
        for view in documents.iter().flat_map(PlannedDocument::original_objects) {
            let is_meant = rule.parts.iter().any(|part| {
                part.matcher.matches(view, &Alone) && excepted(part, view, &World::default()).is_none()
            });
            if !is_meant || kept(view.value, &rule.id).is_some() {
                continue;
            }
            if let Ok(Some(policy)) = egress::policy(view.identity, view.value, &listed) {
                let value = policy.to_json();
                out.push(ToCome { identity: Identity::of(&value), value, release: view.release });
            }
        }
    }
    out
}
