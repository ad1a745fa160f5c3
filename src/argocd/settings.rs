//! What an application says, read from what Argo CD puts into the environment:
//! `ARGOCD_APP_PARAMETERS`, JSON or `null`, and `ARGOCD_ENV_GERM_POST_…`. Parameters win.
//! Whatever is not understood is an error, and no error repeats a value.

use indexmap::IndexMap;
use serde_json::Value;

use super::parameter::{self, Given, PARAMETERS, Parameter, VARIABLE, position};
use crate::diagnostic::{Diagnostic, did_you_mean};

/// Argo CD's variable with the parameters of the application.
pub const APP_PARAMETERS: &str = "ARGOCD_APP_PARAMETERS";

/// What becomes of hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hooks {
    /// Rules see them, as in a release of Helm 4.
    Transform,
    /// They stay as they are, as in a release of Helm 3.
    Leave,
}

/// What an application says of itself; what it does not say is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    given: IndexMap<&'static str, Given>,
}

impl Settings {
    /// Reads an environment.
    pub fn read<'v>(variables: impl IntoIterator<Item = (&'v str, &'v str)>) -> Result<Self, Diagnostic> {
        let mut of_environment = IndexMap::new();
        let mut of_parameters = IndexMap::new();
        for (name, value) in variables {
            if name == APP_PARAMETERS {
                of_parameters = parameters(value)?;
            } else if name.starts_with(VARIABLE) {
                let parameter = known_variable(name)?;
                let given = parameter.read_variable(value).map_err(|wrong| wrong_value(name, &wrong));
                // An empty text is what Argo CD makes of variables that it does not know.
                if !value.is_empty() {
                    of_environment.insert(parameter.name, given?);
                }
            }
        }
        of_environment.extend(of_parameters);
        of_environment.retain(|_, given| !given.is_empty());
        let settings = Self { given: of_environment };
        settings.hooks()?;
        Ok(settings)
    }

    /// Whether the application says something of that name.
    pub fn says(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// The value of a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.given.get(name)? {
            Given::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a switch.
    pub fn switch(&self, name: &str, otherwise: bool) -> bool {
        match self.given.get(name) {
            Some(Given::Switch(on)) => *on,
            _ => otherwise,
        }
    }

    /// The items of a list.
    pub fn list(&self, name: &str) -> &[String] {
        match self.given.get(name) {
            Some(Given::List(items)) => items,
            _ => &[],
        }
    }

    /// The pairs of a map.
    pub fn map(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        let map = match self.given.get(name) {
            Some(Given::Map(map)) => Some(map),
            _ => None,
        };
        map.into_iter().flatten().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What becomes of hooks, if the application says so.
    pub fn hooks(&self) -> Result<Option<Hooks>, Diagnostic> {
        self.text("hooks").map(read_hooks).transpose()
    }
}

/// Reads the word for what becomes of hooks.
pub fn read_hooks(text: &str) -> Result<Hooks, Diagnostic> {
    match text {
        "transform" => Ok(Hooks::Transform),
        "leave" => Ok(Hooks::Leave),
        _ => Err(wrong_value("hooks", "it is transform or leave")),
    }
}

/// `ARGOCD_APP_PARAMETERS`: a list, or `null` where the application has no parameters.
fn parameters(text: &str) -> Result<IndexMap<&'static str, Given>, Diagnostic> {
    if text.trim().is_empty() {
        return Ok(IndexMap::new());
    }
    let wrong = |why: String| wrong_value(APP_PARAMETERS, &why);
    let list: Value =
        serde_json::from_str(text).map_err(|error| wrong(format!("it is no JSON: {}", position(&error))))?;
    let entries = match list {
        Value::Null => return Ok(IndexMap::new()),
        Value::Array(entries) => entries,
        _ => return Err(wrong("it is no list".to_owned())),
    };
    let mut given = IndexMap::new();
    for entry in &entries {
        let entry = entry.as_object().ok_or_else(|| wrong("an entry is no object".to_owned()))?;
        let name = entry.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| wrong("an entry has no name".to_owned()))?;
        let parameter = parameter::find(name)
            .ok_or_else(|| unknown("parameter", name, PARAMETERS.iter().map(|known| known.name)))?;
        let value = parameter.read_entry(entry).map_err(|why| wrong_value(name, &why))?;
        if given.insert(parameter.name, value).is_some() {
            return Err(wrong_value(name, "it is set twice"));
        }
    }
    Ok(given)
}

fn known_variable(name: &str) -> Result<&'static Parameter, Diagnostic> {
    PARAMETERS.iter().find(|parameter| parameter.variable() == name).ok_or_else(|| {
        // Users write the variable without what Argo CD puts in front.
        let own = |variable: &str| variable.trim_start_matches("ARGOCD_ENV_").to_owned();
        let known: Vec<String> = PARAMETERS.iter().map(|parameter| own(&parameter.variable())).collect();
        unknown("environment variable", &own(name), known.iter().map(String::as_str))
    })
}

fn unknown<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str> + Clone) -> Diagnostic {
    let diagnostic = Diagnostic::input("application-invalid", format!("the plugin has no {what} `{name}`"));
    match did_you_mean(name, known.clone()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("there are: {}", known.collect::<Vec<_>>().join(", "))),
    }
}

fn wrong_value(name: &str, why: &str) -> Diagnostic {
    Diagnostic::input("application-invalid", format!("the application's `{name}` is wrong: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::read(variables.iter().copied())
            .map_err(|error| format!("{} {}", error.message, error.help.join(" ")).trim_end().to_owned())
    }

    #[test]
    fn nothing_said_is_no_error() {
        for parameters in ["null", "[]", "", " "] {
            assert_eq!(read(&[(APP_PARAMETERS, parameters)]).unwrap(), Settings::default());
        }
        assert_eq!(read(&[]).unwrap(), Settings::default());
        assert_eq!(read(&[("ARGOCD_ENV_GERM_POST_PROFILE", "")]).unwrap(), Settings::default());
        assert_eq!(read(&[("ARGOCD_ENV_GERM_POST_SKIP_TESTS", "")]).unwrap(), Settings::default());
        assert_eq!(read(&[("ARGOCD_ENV_OTHER", "x"), ("PARAM_X", "y")]).unwrap(), Settings::default());
    }

    #[test]
    fn parameters_win_over_variables() {
        let settings = read(&[
            (
                APP_PARAMETERS,
                r#"[{"name": "profile", "array": ["talos"]}, {"name": "hooks", "string": "leave"}]"#,
            ),
            ("ARGOCD_ENV_GERM_POST_PROFILE", "none"),
            ("ARGOCD_ENV_GERM_POST_SET", "a=b"),
            ("ARGOCD_ENV_GERM_POST_SKIP_TESTS", "false"),
        ])
        .unwrap();
        assert_eq!(settings.list("profile"), ["talos"]);
        assert_eq!(settings.map("set").collect::<Vec<_>>(), [("a", "b")]);
        assert!(!settings.switch("skip-tests", true));
        assert!(settings.switch("include-crds", true));
        assert_eq!(settings.hooks().unwrap(), Some(Hooks::Leave));
        assert_eq!(settings.text("target"), None);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        let error = |variables: &[(&str, &str)]| read(variables).unwrap_err();
        let parameters = |text: &str| error(&[(APP_PARAMETERS, text)]);
        assert_eq!(
            parameters("{\"hunter2\""),
            "the application's `ARGOCD_APP_PARAMETERS` is wrong: it is no JSON: line 1, column 10"
        );
        assert_eq!(parameters("{}"), "the application's `ARGOCD_APP_PARAMETERS` is wrong: it is no list");
        assert_eq!(
            parameters(r#"[{"name": "profil", "array": []}]"#),
            "the plugin has no parameter `profil` did you mean `profile`?"
        );
        let twice = r#"[{"name": "target", "string": "a"}, {"name": "target", "string": "b"}]"#;
        assert_eq!(parameters(twice), "the application's `target` is wrong: it is set twice");
        assert_eq!(
            parameters(r#"[{"name": "hooks", "string": "all"}]"#),
            "the application's `hooks` is wrong: it is transform or leave"
        );
        assert_eq!(
            error(&[("ARGOCD_ENV_GERM_POST_PROFIL", "x")]),
            "the plugin has no environment variable `GERM_POST_PROFIL` did you mean `GERM_POST_PROFILE`?"
        );
    }
}
