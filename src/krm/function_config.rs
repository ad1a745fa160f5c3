//! What a function is told: a ConfigMap's data, or a kind of its own.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::profile::file::{API_VERSION, OneOrMany};

/// Which profile, and how; what is not said is left to the command line.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct FunctionConfig {
    /// Profiles, by name or file.
    pub profile: Vec<String>,
    /// Target of germ-post.yaml.
    pub target: Option<String>,
    /// Parameters, as texts.
    pub params: IndexMap<String, String>,
    /// These rules alone.
    pub only: Vec<String>,
    /// Not these rules.
    pub skip: Vec<String>,
}

/// The fields of a [`FunctionConfig`] of its own kind.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct Spec {
    profile: Option<OneOrMany>,
    target: Option<String>,
    params: IndexMap<String, Value>,
    only: Option<OneOrMany>,
    skip: Option<OneOrMany>,
}

/// Reads the `functionConfig` of a ResourceList.
///
/// # Errors
/// It is of another kind, or says something that nobody asked for.
pub fn read(list: &Value) -> Result<FunctionConfig, Diagnostic> {
    let Some(config) = list.get("functionConfig").filter(|config| !config.is_null()) else {
        return Ok(FunctionConfig::default());
    };
    let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
    match (text("apiVersion"), text("kind")) {
        ("v1", "ConfigMap") => of_data(config.get("data")),
        (API_VERSION, "Function") => of_spec(config.get("spec")),
        (version, kind) => Err(Diagnostic::input(
            "function-config-invalid",
            format!("the functionConfig is a `{kind}` of `{version}`, which says nothing to germ-post"),
        )
        .help(format!(
            "it is a ConfigMap of `v1` with `data`, or a Function of `{API_VERSION}` with `spec`"
        ))),
    }
}

/// `profile`, `target`, `only` and `skip`, lists separated by commas; every other key is
/// a parameter.
fn of_data(data: Option<&Value>) -> Result<FunctionConfig, Diagnostic> {
    let mut out = FunctionConfig::default();
    for (key, value) in data.and_then(Value::as_object).into_iter().flatten() {
        let text = as_text(value);
        let list = || -> Vec<String> {
            text.split([',', '\n'])
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        match key.as_str() {
            "profile" => out.profile = list(),
            "target" => out.target = Some(text),
            "only" => out.only = list(),
            "skip" => out.skip = list(),
            _ => drop(out.params.insert(key.clone(), text)),
        }
    }
    Ok(out)
}

fn of_spec(spec: Option<&Value>) -> Result<FunctionConfig, Diagnostic> {
    let spec = spec.cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let spec: Spec = serde_json::from_value(spec).map_err(|error| {
        Diagnostic::input("function-config-invalid", format!("the functionConfig is not valid: {error}"))
    })?;
    let words = |list: Option<OneOrMany>| -> Vec<String> {
        list.iter().flat_map(OneOrMany::iter).map(str::to_owned).collect()
    };
    Ok(FunctionConfig {
        profile: words(spec.profile),
        target: spec.target,
        params: spec.params.iter().map(|(name, value)| (name.clone(), as_text(value))).collect(),
        only: words(spec.only),
        skip: words(spec.skip),
    })
}

/// A value as the command line would have it: lists by commas, mappings in flow style.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(as_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_kinds_say_the_same() {
        let data = json!({"functionConfig": {"apiVersion": "v1", "kind": "ConfigMap", "data": {
            "profile": "talos", "only": "talos/cgroup, lb", "kubePrismPort": "7446", "pinnedCharts": "a,b",
        }}});
        let spec = json!({"functionConfig": {"apiVersion": API_VERSION, "kind": "Function", "spec": {
            "profile": "talos", "only": ["talos/cgroup", "lb"], "params": {"kubePrismPort": 7446, "pinnedCharts": ["a", "b"]},
        }}});
        assert_eq!(read(&data).unwrap(), read(&spec).unwrap());
        assert_eq!(read(&json!({})).unwrap(), FunctionConfig::default());
    }

    #[test]
    fn what_it_does_not_know_is_an_error() {
        let other = json!({"functionConfig": {"apiVersion": "v1", "kind": "Secret"}});
        assert!(read(&other).unwrap_err().message.contains("says nothing"));
        let spec = json!({"functionConfig": {"apiVersion": API_VERSION, "kind": "Function", "spec": {"profil": "talos"}}});
        assert!(read(&spec).unwrap_err().message.contains("profil"));
    }
}
