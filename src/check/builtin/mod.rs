//! Checks that take computing, by the name that a profile's `use` gives. Each is a
//! file; what it is told stands in the profile, under `with`.

mod address;
mod client_rate_limit;
mod inline_manifests;
mod overlapping_addresses;
mod policy;
mod selects_no_node;
mod value_not_among;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::rules::{Hit, bad};
use super::scene::Scene;
use crate::diagnostic::Diagnostic;
use crate::profile::file::MatchFile;
use crate::profile::matching::Matcher;
use crate::profile::params::Params;
use crate::profile::path::PathExpr;
use crate::profile::rule::{Check, Computed, Rule};
use crate::profile::test_value::ValueTest;

/// The name of the check that the suppressions themselves are; see
/// [`super::suppress`].
pub const SUPPRESSIONS: &str = "suppressions";

/// A computed check that was told what it needs.
trait Builtin {
    /// What is bad.
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit>;

    /// The objects that it asks about beside those of the check's `match`.
    fn matchers(&self) -> Vec<&Matcher>;

    /// Those that it asks about only where configurations of nodes are given.
    fn matchers_beside_nodes(&self) -> Vec<&Matcher> {
        Vec::new()
    }
}

fn build(computed: &Computed) -> Result<Box<dyn Builtin>, Diagnostic> {
    if let Some(policy) = policy::build(computed)? {
        return Ok(policy);
    }
    let wrong =
        |message: String| fault(computed, format!("`with` does not fit `{}`: {message}", computed.name));
    Ok(match computed.name.as_str() {
        "client-rate-limit" => {
            Box::new(client_rate_limit::ClientRateLimit::new(told(computed)?).map_err(wrong)?)
        }
        "inline-manifests" => Box::new(inline_manifests::InlineManifests::new(told(computed)?)),
        "overlapping-addresses" => {
            Box::new(overlapping_addresses::OverlappingAddresses::new(told(computed)?).map_err(wrong)?)
        }
        "selects-no-node" => Box::new(selects_no_node::SelectsNoNode::new(told(computed)?).map_err(wrong)?),
        "value-not-among" => Box::new(value_not_among::ValueNotAmong::new(told(computed)?).map_err(wrong)?),
        SUPPRESSIONS => Box::new(Elsewhere),
        other => return Err(fault(computed, format!("there is no computed check `{other}`"))),
    })
}

/// A check that another stage makes.
struct Elsewhere;

impl Builtin for Elsewhere {
    fn hits(&self, _: &Scene<'_>, _: &Check) -> Vec<Hit> {
        Vec::new()
    }

    fn matchers(&self) -> Vec<&Matcher> {
        Vec::new()
    }
}

/// Runs a computed check.
pub fn run(scene: &Scene<'_>, check: &Check, computed: &Computed) -> Result<Vec<Hit>, Diagnostic> {
    Ok(build(computed)?.hits(scene, check))
}

/// The objects that computed checks ask about beside those of their `match`; more where
/// configurations of nodes are given. An error is a computed check that is not known, or
/// not told what it needs.
pub fn matchers(rules: &[Rule], beside_nodes: bool) -> Result<Vec<Matcher>, Diagnostic> {
    let mut out = Vec::new();
    for computed in rules.iter().flat_map(|rule| &rule.checks).filter_map(|check| check.computed.as_ref()) {
        let built = build(computed)?;
        out.extend(built.matchers().into_iter().cloned());
        if beside_nodes {
            out.extend(built.matchers_beside_nodes().into_iter().cloned());
        }
    }
    Ok(out)
}

/// What a computed check is told, as it wants to be told.
fn told<T: DeserializeOwned>(computed: &Computed) -> Result<T, Diagnostic> {
    serde_json::from_value(computed.with.clone())
        .map_err(|error| fault(computed, format!("`with` does not fit `{}`: {error}", computed.name)))
}

fn fault(computed: &Computed, message: String) -> Diagnostic {
    let diagnostic = Diagnostic::input("profile-invalid", message);
    match &computed.place {
        Some(place) => diagnostic.at(place.clone()),
        None => diagnostic,
    }
}

/// Fields of other objects, as a profile names them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldsFile {
    #[serde(rename = "match")]
    matches: MatchFile,
    find: String,
    #[serde(default)]
    note: String,
}

/// Fields of other objects.
#[derive(Debug)]
struct Fields {
    matcher: Matcher,
    find: PathExpr,
    note: String,
}

impl Fields {
    fn new(file: FieldsFile) -> Result<Self, String> {
        Ok(Self { matcher: matcher(&file.matches)?, find: path(&file.find)?, note: file.note })
    }

    /// The fields that are there: object, place in it, value.
    fn found(&self, scene: &Scene<'_>) -> Vec<(usize, crate::edit::Path, Value)> {
        let mut out = Vec::new();
        for (actor, _) in scene.matching(&self.matcher) {
            for (at, _, value) in bad(scene, actor, &self.find, &ValueTest::Present) {
                out.extend(value.map(|value| (actor, at, value)));
            }
        }
        out
    }
}

/// A `match` under `with`, whose parameters are filled in already.
fn matcher(file: &MatchFile) -> Result<Matcher, String> {
    Matcher::compile(file, &Params::default()).map_err(|error| error.message)
}

fn path(text: &str) -> Result<PathExpr, String> {
    PathExpr::parse(text).map_err(|error| error.to_string())
}
