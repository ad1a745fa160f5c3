//! Every pair of `pairs.json`: germ-post must turn the one rendering into the
//! other, and leave the other, and its own output, as they are.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::support::compare::{Difference, differences};
use crate::support::objects::{Object, objects};
use crate::support::{self, parallel, run};

/// One line of `pairs.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub rule: String,
    pub before: String,
    pub after: String,
    pub args: Vec<String>,
    /// How many NetworkPolicy documents must go.
    #[serde(default)]
    dropped: usize,
    /// How many Services the rule is about.
    services: Option<usize>,
    /// Differences that the chart's own switch leaves wrong.
    #[serde(default)]
    chart_leaves: Vec<String>,
    /// Says that the `after` side was made with more than the rule's values.
    differs: Option<String>,
}

/// All pairs of the corpus.
pub fn pairs(corpus: &Path) -> Vec<Pair> {
    serde_json::from_slice(&std::fs::read(corpus.join("pairs.json")).unwrap()).unwrap()
}

#[test]
fn every_pair_becomes_its_after_side() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let pairs = pairs(&corpus);
    assert!(pairs.len() >= 120, "the corpus has only {} pairs", pairs.len());
    let failures: Vec<String> = parallel::map(&pairs, |pair| {
        check(&corpus, pair).err().map(|error| format!("{} ({}): {error}", pair.before, pair.args.join(" ")))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report("pairs", pairs.len(), &failures);
}

fn check(corpus: &Path, pair: &Pair) -> Result<(), String> {
    let before = std::fs::read(corpus.join(&pair.before)).unwrap();
    let after = std::fs::read(corpus.join(&pair.after)).unwrap();
    let first = run::germ_post(&pair.args, &before);
    if first.code != 0 {
        return Err(first.summary());
    }
    let again = run::germ_post(&pair.args, &first.stdout);
    if again.code != 0 || again.stdout != first.stdout {
        return Err(format!("its own output is changed: {}", again.summary()));
    }

    let (before, out, wanted) = (objects(&before), objects(&first.stdout), objects(&after));
    let ours = compare_streams(&before, &out);
    let mut found = compare_streams(&out, &wanted);
    found.retain(|change| !is_masked(change, &ours));
    match &pair.differs {
        None => expect_exactly(found, &pair.chart_leaves)?,
        Some(_) => expect_gateway_operations(found, pair)?,
    }
    count_dropped(pair, &before, &out)?;
    count_services(pair, &before, &out)?;

    let settled = run::germ_post(&pair.args, &after);
    if settled.code != 0 {
        return Err(format!("the after side: {}", settled.summary()));
    }
    if pair.chart_leaves.is_empty() {
        if settled.stdout != after {
            return Err("the after side is changed".to_owned());
        }
    } else {
        // What the chart leaves must go there, too; then the two are one.
        let left: Vec<Difference> =
            compare_streams(&objects(&settled.stdout), &out).into_iter().map(|change| change.what).collect();
        if !left.is_empty() {
            return Err(format!("the after side ends elsewhere: {}", left[0]));
        }
    }
    Ok(())
}

/// A difference between two streams, with the object it is in.
#[derive(Debug)]
struct Change {
    object: String,
    what: Difference,
}

impl Change {
    fn text(&self) -> String {
        format!("{} {}", self.object, self.what)
    }
}

/// Compares two streams object by object; the order of objects counts.
fn compare_streams(left: &[Object], right: &[Object]) -> Vec<Change> {
    let mut found = Vec::new();
    let (a, b) = (numbered(left), numbered(right));
    for (name, object) in &a {
        match b.iter().find(|(other, _)| other == name) {
            Some((_, other)) => {
                let changes = differences(&object.value, &other.value);
                found.extend(changes.into_iter().map(|what| Change { object: name.clone(), what }));
            }
            None => found.push(Change {
                object: name.clone(),
                what: Difference { path: String::new(), left: Some(Value::Bool(true)), right: None },
            }),
        }
    }
    for (name, _) in b.iter().filter(|(name, _)| a.iter().all(|(other, _)| other != name)) {
        found.push(Change {
            object: name.clone(),
            what: Difference { path: String::new(), left: None, right: Some(Value::Bool(true)) },
        });
    }
    let shared = |one: &[(String, &Object)], other: &[(String, &Object)]| -> Vec<String> {
        let names = one.iter().map(|(name, _)| name.clone());
        names.filter(|name| other.iter().any(|(found, _)| found == name)).collect()
    };
    let (a, b) = (shared(&a, &b), shared(&b, &a));
    if a != b {
        found.push(Change {
            object: "the stream".to_owned(),
            what: Difference { path: "#order".to_owned(), left: Some(a.into()), right: Some(b.into()) },
        });
    }
    found
}

/// Objects with names that are unique in the stream. The API version is part of
/// the object, not of its name: a rule may change it.
fn numbered(objects: &[Object]) -> Vec<(String, &Object)> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    objects
        .iter()
        .map(|object| {
            let count = seen.entry(&object.name).or_default();
            *count += 1;
            let name = if *count == 1 { object.name.clone() } else { format!("{} #{count}", object.name) };
            (name, object)
        })
        .collect()
}

/// Whether a difference comes from what Helm makes anew in every rendering.
/// germ-post must then have left what it got; the ConfigMap's checksum, on the
/// other hand, it must have replaced wherever the chart did. `ours` is what
/// germ-post changed.
fn is_masked(change: &Change, ours: &[Change]) -> bool {
    let path = &change.what.path;
    let is_ours = ours.iter().any(|our| our.object == change.object && our.what.path == *path);
    if path.ends_with("/annotations/cilium.io/cilium-configmap-checksum") {
        return is_ours && change.what.left.is_some() && change.what.right.is_some();
    }
    let is_generated = path.ends_with("/caBundle")
        || path.contains("/annotations/checksum/")
        || (change.object.starts_with("Secret ")
            && (path.starts_with("/data/") || path.starts_with("/stringData/")));
    is_generated && !is_ours
}

fn expect_exactly(found: Vec<Change>, wanted: &[String]) -> Result<(), String> {
    // "add Service/traefik spec.healthCheckNodePort null -> 30500" is a
    // difference that the chart makes and germ-post does not.
    let mut wanted: Vec<(String, String)> = wanted.iter().map(|line| parse_left(line)).collect();
    let mut wrong = Vec::new();
    for change in found {
        let name = change.object.split_once(' ').map_or("", |(kind, rest)| {
            if rest.is_empty() { kind } else { rest.rsplit('/').next().unwrap_or(rest) }
        });
        let known = wanted.iter().position(|(object, path)| {
            object.rsplit('/').next() == Some(name)
                && change.what.left.is_none()
                && *path == format!("{} {}", change.what.path, change.what.right.clone().unwrap_or_default())
        });
        match known {
            Some(at) => {
                wanted.remove(at);
            }
            None => wrong.push(change.text()),
        }
    }
    wrong.extend(wanted.iter().map(|(object, path)| format!("the chart leaves {object} {path}, so did we")));
    if wrong.is_empty() { Ok(()) } else { Err(format!("\n    {}", wrong.join("\n    "))) }
}

/// `add Service/x a.b null -> 1` as (`Service/x`, `/a/b 1`).
fn parse_left(line: &str) -> (String, String) {
    let words: Vec<&str> = line.split(' ').collect();
    let ["add", object, path, "null", "->", value] = words[..] else {
        panic!("`{line}` is not understood");
    };
    (object.to_owned(), format!("/{} {value}", path.replace('.', "/")))
}

/// What turning the Gateway API off adds to the `after` side (domain facts,
/// §1.2): 18 operations, from 1.20 on 23.
const GATEWAY: &[&str] = &[
    "ConfigMap kube-system/cilium-config /data/enable-envoy-config",
    "ConfigMap kube-system/cilium-config /data/enable-gateway-api",
    "ConfigMap kube-system/cilium-config /data/enable-gateway-api-alpn",
    "ConfigMap kube-system/cilium-config /data/enable-gateway-api-app-protocol",
    "ConfigMap kube-system/cilium-config /data/enable-gateway-api-proxy-protocol",
    "ConfigMap kube-system/cilium-config /data/enable-gateway-api-secrets-sync",
    "ConfigMap kube-system/cilium-config /data/envoy-config-retry-interval",
    "ConfigMap kube-system/cilium-config /data/gateway-api-hostnetwork-enabled",
    "ConfigMap kube-system/cilium-config /data/gateway-api-hostnetwork-nodelabelselector",
    "ConfigMap kube-system/cilium-config /data/gateway-api-secrets-namespace",
    "ConfigMap kube-system/cilium-config /data/gateway-api-service-externaltrafficpolicy",
    "ConfigMap kube-system/cilium-config /data/gateway-api-xff-num-trusted-hops",
    "ClusterRole cilium-operator /rules",
    "Role cilium-secrets/cilium-gateway-secrets ",
    "Role cilium-secrets/cilium-operator-gateway-secrets ",
    "RoleBinding cilium-secrets/cilium-gateway-secrets ",
    "RoleBinding cilium-secrets/cilium-operator-gateway-secrets ",
    "GatewayClass cilium ",
];

/// What 1.20 adds to [`GATEWAY`].
const GATEWAY_FROM_1_20: &[&str] = &[
    "ConfigMap kube-system/cilium-config /data/gateway-api-use-remote-address",
    "ConfigMap kube-system/cilium-config /data/bpf-lb-algorithm-annotation",
    "ConfigMap kube-system/cilium-config /data/bpf-lb-sock-hostns-only",
    "ValidatingAdmissionPolicy gateway.cilium.io ",
    "ValidatingAdmissionPolicyBinding gateway.cilium.io ",
];

fn expect_gateway_operations(found: Vec<Change>, pair: &Pair) -> Result<(), String> {
    let newer: &[&str] = if pair.before.contains("cilium-1.20") { GATEWAY_FROM_1_20 } else { &[] };
    let mut wanted: Vec<&str> = GATEWAY.iter().chain(newer).copied().collect();
    let mut wrong = Vec::new();
    for change in &found {
        let rules = format!("{} /rules", change.object);
        let place = if change.what.path.starts_with("/rules") {
            rules
        } else {
            format!("{} {}", change.object, change.what.path)
        };
        if !GATEWAY.iter().chain(newer).any(|known| *known == place) {
            wrong.push(change.text());
        }
        wanted.retain(|known| *known != place);
    }
    wrong.extend(wanted.iter().map(|place| format!("{place} is the same on both sides")));
    if wrong.is_empty() { Ok(()) } else { Err(format!("\n    {}", wrong.join("\n    "))) }
}

fn count_dropped(pair: &Pair, before: &[Object], out: &[Object]) -> Result<(), String> {
    let policies =
        |objects: &[Object]| objects.iter().filter(|o| o.name.starts_with("NetworkPolicy ")).count();
    let dropped = policies(before) - policies(out);
    if dropped != pair.dropped || before.len() - out.len() != pair.dropped {
        return Err(format!("{dropped} policies and {} objects went", before.len() - out.len()));
    }
    Ok(())
}

/// All LoadBalancer Services, as many as the pair says, end at Cluster without
/// a health check port, and no other object is touched.
fn count_services(pair: &Pair, before: &[Object], out: &[Object]) -> Result<(), String> {
    let Some(wanted) = pair.services else {
        return Ok(());
    };
    let is_balancer = |object: &Object| {
        object.name.starts_with("Service ")
            && object.value.pointer("/apiVersion") == Some(&Value::from("v1"))
            && object.value.pointer("/spec/type") == Some(&Value::from("LoadBalancer"))
    };
    let balancers: Vec<&Object> = out.iter().filter(|object| is_balancer(object)).collect();
    let settled = balancers.iter().filter(|object| {
        object.value.pointer("/spec/externalTrafficPolicy") == Some(&Value::from("Cluster"))
            && object.value.pointer("/spec/healthCheckNodePort").is_none()
    });
    let settled = settled.count();
    if balancers.len() != wanted || settled != wanted {
        return Err(format!("{} LoadBalancer Services, {settled} at Cluster, not {wanted}", balancers.len()));
    }
    let others = before.iter().zip(out).filter(|(old, new)| !is_balancer(old) && old.text != new.text);
    match others.map(|(old, _)| &old.name).next() {
        Some(name) => Err(format!("{name} is changed as well")),
        None => Ok(()),
    }
}
