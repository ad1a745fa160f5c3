//! The parameters that an application can set, each by its name under
//! `spec.source.plugin.parameters`, or by an environment variable under
//! `spec.source.plugin.env`, where Argo CD puts `ARGOCD_ENV_` in front.

use indexmap::IndexMap;
use serde_json::Value;

/// The shape of a value; Argo CD's `collectionType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `string`.
    Text,
    /// `string`, and `true` or `false`.
    Switch,
    /// `array`.
    List,
    /// `map`.
    Map,
}

/// A parameter that applications can set.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What Argo CD's user interface calls it.
    pub title: &'static str,
    /// What it says when asked.
    pub tooltip: &'static str,
    /// The shape of its value.
    pub shape: Shape,
}

const fn parameter(
    name: &'static str,
    shape: Shape,
    title: &'static str,
    tooltip: &'static str,
) -> Parameter {
    Parameter { name, title, tooltip, shape }
}

/// All parameters, in the order in which they are shown.
pub const PARAMETERS: &[Parameter] = &[
    parameter(
        "profile",
        Shape::List,
        "Profile",
        "Shipped names, or files in the repository; several compose",
    ),
    parameter("target", Shape::Text, "Target", "A target of germ-post.yaml"),
    parameter("params", Shape::Map, "Profile parameters", "Values for the parameters of the profile"),
    parameter("only", Shape::List, "Only these rules", "Ids of rules, or prefixes of ids"),
    parameter("skip", Shape::List, "Not these rules", "Ids of rules, or prefixes of ids"),
    parameter("release-name", Shape::Text, "Release name", "The application's name where this is empty"),
    parameter("namespace", Shape::Text, "Release namespace", "The destination's where this is empty"),
    parameter(
        "values-files",
        Shape::List,
        "Values files",
        "From weak to strong; relative to the chart, or with a leading / to the repository",
    ),
    parameter(
        "ignore-missing-values-files",
        Shape::Switch,
        "Ignore missing values files",
        "true: leave out values files that are not there",
    ),
    parameter("values", Shape::Text, "Values", "YAML; stronger than files"),
    parameter("set", Shape::Map, "Parameters", "Single values, as Helm's --set"),
    parameter(
        "set-string",
        Shape::Map,
        "Text parameters",
        "Single values that are text, as Helm's --set-string",
    ),
    parameter("set-file", Shape::Map, "File parameters", "Single values from files, as Helm's --set-file"),
    parameter("include-crds", Shape::Switch, "Render crds/", "false: leave out what the chart has in crds/"),
    parameter("skip-tests", Shape::Switch, "Leave out tests", "false: render the chart's tests"),
    parameter(
        "skip-schema-validation",
        Shape::Switch,
        "Skip schema validation",
        "true: do not hold values against the chart's schema",
    ),
    parameter("kube-version", Shape::Text, "Kubernetes version", "The cluster's where this is empty"),
    parameter("api-versions", Shape::List, "API versions", "The cluster's where this is empty"),
    parameter("hooks", Shape::Text, "Hooks", "transform: as a release of Helm 4; leave: as one of Helm 3"),
    parameter("allow-empty", Shape::Switch, "Allow no object", "true: a rendering of nothing is right"),
];

/// What environment variables begin with that are meant for germ-post.
pub const VARIABLE: &str = "ARGOCD_ENV_GERM_POST_";

impl Parameter {
    /// The environment variable that Argo CD hands to the plugin.
    pub fn variable(&self) -> String {
        format!("{VARIABLE}{}", self.name.replace('-', "_").to_ascii_uppercase())
    }

    /// What Argo CD calls the shape.
    pub fn collection_type(&self) -> &'static str {
        match self.shape {
            Shape::Text | Shape::Switch => "string",
            Shape::List => "array",
            Shape::Map => "map",
        }
    }

    /// Reads a value from `ARGOCD_APP_PARAMETERS`: the entry's other fields, by name.
    pub fn read_entry(&self, entry: &serde_json::Map<String, Value>) -> Result<Given, String> {
        let wanted = self.collection_type();
        if let Some(other) = ["string", "array", "map"]
            .into_iter()
            .find(|field| *field != wanted && entry.contains_key(*field))
        {
            return Err(format!("it takes {wanted}, not {other}"));
        }
        let value = entry.get(wanted).ok_or_else(|| format!("it has no {wanted}"))?;
        let text = |value: &Value| {
            value.as_str().map(str::to_owned).ok_or_else(|| "its values have to be text".to_owned())
        };
        match (self.shape, value) {
            (Shape::Text | Shape::Switch, value) => self.text(&text(value)?),
            (Shape::List, Value::Array(items)) => {
                Ok(Given::List(items.iter().map(text).collect::<Result<_, _>>()?))
            }
            (Shape::Map, Value::Object(map)) => {
                let pairs = map.iter().map(|(name, value)| Ok((name.clone(), text(value)?)));
                Ok(Given::Map(pairs.collect::<Result<_, String>>()?))
            }
            _ => Err(format!("its {wanted} is not one")),
        }
    }

    /// Reads a value from an environment variable: lists one item a line or separated by
    /// commas, maps `NAME=VALUE` one a line, both also as JSON. Nothing is cut at spaces.
    pub fn read_variable(&self, text: &str) -> Result<Given, String> {
        let trimmed = text.trim();
        let json = || -> Result<Value, String> {
            serde_json::from_str(trimmed).map_err(|error| format!("it is no JSON: {}", position(&error)))
        };
        let entry = |value| serde_json::Map::from_iter([(self.collection_type().to_owned(), value)]);
        match self.shape {
            Shape::Text | Shape::Switch => self.text(text),
            Shape::List if trimmed.starts_with('[') => self.read_entry(&entry(json()?)),
            Shape::Map if trimmed.starts_with('{') => self.read_entry(&entry(json()?)),
            Shape::List => {
                let items = trimmed.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty());
                Ok(Given::List(items.map(str::to_owned).collect()))
            }
            Shape::Map => {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                let pairs = lines.map(|line| match line.split_once('=') {
                    Some((name, value)) => Ok((name.trim().to_owned(), value.to_owned())),
                    None => Err("it is written NAME=VALUE, one a line".to_owned()),
                });
                Ok(Given::Map(pairs.collect::<Result<_, _>>()?))
            }
        }
    }

    fn text(&self, text: &str) -> Result<Given, String> {
        match (self.shape, text) {
            (Shape::Switch, "true") => Ok(Given::Switch(true)),
            (Shape::Switch, "false") => Ok(Given::Switch(false)),
            (Shape::Switch, _) => Err("it is true or false".to_owned()),
            _ => Ok(Given::Text(text.to_owned())),
        }
    }
}

/// Where JSON is wrong, without its text.
pub(super) fn position(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

/// A value that an application gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// For [`Shape::Text`].
    Text(String),
    /// For [`Shape::Switch`].
    Switch(bool),
    /// For [`Shape::List`].
    List(Vec<String>),
    /// For [`Shape::Map`].
    Map(IndexMap<String, String>),
}

impl Given {
    /// Whether it says nothing: Argo CD hands over the empty text for a variable that
    /// expands to one it does not know.
    pub fn is_empty(&self) -> bool {
        match self {
            Given::Text(text) => text.is_empty(),
            Given::Switch(_) => false,
            Given::List(items) => items.is_empty(),
            Given::Map(map) => map.is_empty(),
        }
    }
}

/// The parameter of that name.
pub fn find(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, text: &str) -> Result<Given, String> {
        find(name).unwrap().read_variable(text)
    }

    fn list(items: &[&str]) -> Result<Given, String> {
        Ok(Given::List(items.iter().map(|item| (*item).to_owned()).collect()))
    }

    fn map(pairs: &[(&str, &str)]) -> Result<Given, String> {
        Ok(Given::Map(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()))
    }

    #[test]
    fn variables_are_cut_at_lines_and_commas_never_at_spaces() {
        assert_eq!(variable("profile", "talos, own.yaml\n"), list(&["talos", "own.yaml"]));
        assert_eq!(variable("values-files", "a b.yaml\nc.yaml"), list(&["a b.yaml", "c.yaml"]));
        assert_eq!(variable("values-files", r#"["a,b.yaml"]"#), list(&["a,b.yaml"]));
        assert_eq!(variable("set", "a=b c,d\ne=\n"), map(&[("a", "b c,d"), ("e", "")]));
        assert_eq!(variable("set", r#"{"a": "b\nc"}"#), map(&[("a", "b\nc")]));
        assert_eq!(variable("values", " a: 1\n"), Ok(Given::Text(" a: 1\n".to_owned())));
        assert_eq!(variable("allow-empty", "true"), Ok(Given::Switch(true)));
    }

    #[test]
    fn wrong_variables_are_told_without_their_text() {
        for (name, text) in
            [("set", "hunter2"), ("set", "{hunter2"), ("set", r#"{"a": 1}"#), ("allow-empty", "hunter2")]
        {
            let error = variable(name, text).unwrap_err();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn entries_have_the_field_of_their_shape() {
        let read = |name: &str, entry: &str| {
            find(name).unwrap().read_entry(serde_json::from_str::<Value>(entry).unwrap().as_object().unwrap())
        };
        assert_eq!(read("profile", r#"{"array": ["talos"]}"#), list(&["talos"]));
        assert_eq!(read("params", r#"{"map": {"a": "b"}}"#), map(&[("a", "b")]));
        assert_eq!(read("profile", r#"{"string": "x"}"#).unwrap_err(), "it takes array, not string");
        assert_eq!(read("profile", "{}").unwrap_err(), "it has no array");
        assert_eq!(read("profile", r#"{"array": [1]}"#).unwrap_err(), "its values have to be text");
        assert_eq!(read("allow-empty", r#"{"string": "yes"}"#).unwrap_err(), "it is true or false");
    }
}
