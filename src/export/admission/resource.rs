//! Kinds as an API server names them: group, versions and the resource in the plural.

use serde_json::{Value, json};

use crate::check::node_config::{K3S, TALOS};
use crate::profile::matching::Matcher;

use super::unsaid::Unsaid;

/// A kind of objects that requests are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its API group.
    pub group: String,
    /// Its kind; `None`: every kind of the group.
    pub kind: Option<String>,
}

/// Kinds that Kubernetes brings along: kind, group, version.
/// <https://kubernetes.io/docs/reference/kubernetes-api/>
const OWN: &[(&str, &str, &str)] = &[
    ("Pod", "", "v1"),
    ("Deployment", "apps", "v1"),
    ("DaemonSet", "apps", "v1"),
    ("StatefulSet", "apps", "v1"),
    ("ReplicaSet", "apps", "v1"),
    ("ReplicationController", "", "v1"),
    ("Job", "batch", "v1"),
    ("CronJob", "batch", "v1"),
    ("Service", "", "v1"),
    ("ConfigMap", "", "v1"),
    ("Secret", "", "v1"),
    ("ServiceAccount", "", "v1"),
    ("Namespace", "", "v1"),
    ("PersistentVolumeClaim", "", "v1"),
    ("NetworkPolicy", "networking.k8s.io", "v1"),
    ("Ingress", "networking.k8s.io", "v1"),
    ("ClusterRole", "rbac.authorization.k8s.io", "v1"),
    ("ClusterRoleBinding", "rbac.authorization.k8s.io", "v1"),
    ("Role", "rbac.authorization.k8s.io", "v1"),
    ("RoleBinding", "rbac.authorization.k8s.io", "v1"),
    ("PodDisruptionBudget", "policy", "v1"),
    ("HorizontalPodAutoscaler", "autoscaling", "v2"),
    ("CustomResourceDefinition", "apiextensions.k8s.io", "v1"),
];

/// How many of [`OWN`], the first ones, make pods.
const MAKE_PODS: usize = 8;

impl Resource {
    /// Whether Kubernetes brings the kind along, so that its version is known.
    fn own(&self) -> Option<&'static str> {
        let is = |(kind, group, _): &&(&str, &str, &str)| {
            self.kind.as_deref() == Some(kind) && self.group == *group
        };
        OWN.iter().find(is).map(|(_, _, version)| *version)
    }

    /// The version that policies name; where any may be meant, `*`. With a known one
    /// the API server checks the types of expressions, and converts other versions.
    pub fn version(&self) -> &'static str {
        self.own().unwrap_or("*")
    }

    /// The resource.
    pub fn plural(&self) -> String {
        self.kind.as_deref().map_or("*".to_owned(), plural)
    }

    /// The kind, or nothing for all of a group.
    pub fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    /// A rule of a policy for these.
    pub fn rules(resources: &[Resource]) -> Vec<Value> {
        let mut out: Vec<(String, &'static str, Vec<String>)> = Vec::new();
        for resource in resources {
            let (group, version) = (&resource.group, resource.version());
            match out.iter_mut().find(|(g, v, _)| g == group && *v == version) {
                Some((_, _, plurals)) => plurals.push(resource.plural()),
                None => out.push((group.clone(), version, vec![resource.plural()])),
            }
        }
        out.into_iter()
            .map(|(group, version, plurals)| {
                json!({
                    "apiGroups": [group],
                    "apiVersions": [version],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": plurals,
                })
            })
            .collect()
    }
}

/// The plural as Kubernetes guesses it of a kind.
/// <https://pkg.go.dev/k8s.io/apimachinery/pkg/api/meta#UnsafeGuessKindToResource>
fn plural(kind: &str) -> String {
    let word = kind.to_lowercase();
    match word.as_bytes() {
        [.., b's' | b'x'] | [.., b'c' | b's', b'h'] => format!("{word}es"),
        [.., before, b'y'] if !b"aeiou".contains(before) => format!("{}ies", &word[..word.len() - 1]),
        _ => format!("{word}s"),
    }
}

/// The kinds that a matcher may mean.
pub fn of(matcher: &Matcher) -> Result<Vec<Resource>, Unsaid> {
    let groups = matcher.groups.as_deref();
    if groups
        .is_some_and(|groups| groups.iter().any(|group| [TALOS, K3S, "k3d.io"].contains(&group.as_str())))
    {
        return Err(Unsaid::new("it is about the configuration of nodes, which no API server sees"));
    }
    let is_pattern = |words: &[String]| words.iter().any(|word| word.contains('*'));
    if groups.is_some_and(is_pattern) {
        return Err(Unsaid::new("it names API groups by a pattern"));
    }
    let in_groups = |group: &str| groups.is_none_or(|groups| groups.iter().any(|one| one == group));
    let own = |(kind, group, _): &(&str, &str, &str)| Resource {
        group: (*group).to_owned(),
        kind: Some((*kind).to_owned()),
    };
    if let Some(kinds) = &matcher.kinds {
        if is_pattern(kinds) {
            return Err(Unsaid::new("it names kinds by a pattern"));
        }
        let mut out = Vec::new();
        for kind in kinds {
            let known: Vec<Resource> =
                OWN.iter().filter(|(own, group, _)| own == kind && in_groups(group)).map(own).collect();
            match (known.is_empty(), groups) {
                (false, _) => out.extend(known),
                (true, Some(groups)) => {
                    // Groups that have been Kubernetes' own are served no more.
                    let served = groups.iter().filter(|group| *group != "extensions");
                    out.extend(
                        served.map(|group| Resource { group: group.clone(), kind: Some(kind.clone()) }),
                    );
                }
                (true, None) => {
                    return Err(Unsaid::new(format!("it does not say of which API group {kind} is")));
                }
            }
        }
        return Ok(out);
    }
    if matcher.pod_template {
        return Ok(OWN[..MAKE_PODS].iter().filter(|(_, group, _)| in_groups(group)).map(own).collect());
    }
    if let Some(groups) = groups {
        return Ok(groups.iter().map(|group| Resource { group: group.clone(), kind: None }).collect());
    }
    let mut out = Vec::new();
    for alternative in &matcher.any {
        for resource in of(alternative)? {
            if !out.contains(&resource) {
                out.push(resource);
            }
        }
    }
    if out.is_empty() { Err(Unsaid::new("it is about objects of every kind")) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn kinds_have_plurals() {
        for (kind, wanted) in [
            ("Service", "services"),
            ("NetworkPolicy", "networkpolicies"),
            ("Ingress", "ingresses"),
            ("Gateway", "gateways"),
            ("GatewayClass", "gatewayclasses"),
            ("CiliumLoadBalancerIPPool", "ciliumloadbalancerippools"),
            ("EnvoyProxy", "envoyproxies"),
        ] {
            assert_eq!(plural(kind), wanted);
        }
    }
}
