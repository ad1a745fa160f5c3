//! Parameters: declared with a type, set by profiles, configuration, command
//! line or environment, or found in the stream; put into texts and values with
//! `${name}`.

use indexmap::IndexMap;
use serde_json::Value;

use super::file::{ParamFile, ParamType};
use super::version::parse_version;
use crate::diagnostic::did_you_mean;

/// Where a parameter's value came from, in ascending precedence but for
/// detection and environment, which only fill what nobody set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it and it has no default.
    Unset,
    /// The declaration's default.
    Default,
    /// Found in the stream, in this object.
    Detected(String),
    /// This environment variable.
    Environment(String),
    /// `set:` of this profile.
    Profile(String),
    /// This configuration file.
    Config(String),
    /// `--set`.
    CommandLine,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Unset => f.write_str("unset"),
            Origin::Default => f.write_str("default"),
            Origin::Detected(object) => write!(f, "found in {object}"),
            Origin::Environment(name) => write!(f, "environment variable {name}"),
            Origin::Profile(name) => write!(f, "profile {name}"),
            Origin::Config(file) => f.write_str(file),
            Origin::CommandLine => f.write_str("--set"),
        }
    }
}

/// One parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its declaration.
    pub declared: ParamFile,
    /// The profile that declares it.
    pub profile: String,
    /// Its value; `None` while unset.
    pub value: Option<Value>,
    /// Where the value came from.
    pub origin: Origin,
}

impl Param {
    /// Whether somebody decided on it, rather than a default or the stream.
    pub fn is_decided(&self) -> bool {
        !matches!(self.origin, Origin::Unset | Origin::Default | Origin::Detected(_))
    }
}

/// All parameters of a composition of profiles, by name.
#[derive(Debug, Clone, Default)]
pub struct Params {
    params: IndexMap<String, Param>,
}

/// A parameter that cannot be set or used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// No profile declares it.
    #[error("there is no parameter `{name}`")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The name that was probably meant.
        suggestion: Option<String>,
    },
    /// The value does not fit the type.
    #[error("parameter `{name}` {expected}")]
    BadValue {
        /// The parameter.
        name: String,
        /// What it takes, as the end of a sentence.
        expected: String,
    },
    /// Two profiles declare it differently.
    #[error("parameter `{name}` is declared by the profiles `{first}` and `{second}`")]
    DeclaredTwice {
        /// The parameter.
        name: String,
        /// One profile.
        first: String,
        /// The other profile.
        second: String,
    },
    /// A text needs a parameter that has no value.
    #[error("parameter `{name}` has no value")]
    NoValue {
        /// The parameter.
        name: String,
    },
    /// `${` without `}`.
    #[error("a `${{` is not closed")]
    Unclosed,
}

impl ParamError {
    /// The next step for the user, where there is one.
    pub fn help(&self) -> Option<String> {
        match self {
            ParamError::Unknown { suggestion: Some(name), .. } => Some(format!("did you mean `{name}`?")),
            ParamError::NoValue { name } => Some(format!("give it one with `--set {name}=…`")),
            _ => None,
        }
    }
}

impl Params {
    /// Adds a declaration. The same one may be made by several profiles that are
    /// usable alone.
    pub fn declare(&mut self, profile: &str, name: &str, declared: &ParamFile) -> Result<(), ParamError> {
        if let Some(first) = self.params.get(name) {
            let (one, two) = (&first.declared, declared);
            if one.kind == two.kind && one.default == two.default && one.values == two.values {
                return Ok(());
            }
            return Err(ParamError::DeclaredTwice {
                name: name.to_owned(),
                first: first.profile.clone(),
                second: profile.to_owned(),
            });
        }
        let mut param = Param {
            declared: declared.clone(),
            profile: profile.to_owned(),
            value: None,
            origin: Origin::Unset,
        };
        if let Some(default) = &declared.default {
            param.value = Some(check(name, declared, default)?);
            param.origin = Origin::Default;
        }
        self.params.insert(name.to_owned(), param);
        Ok(())
    }

    /// Sets a parameter to a value of its type.
    pub fn set(&mut self, name: &str, value: &Value, origin: Origin) -> Result<(), ParamError> {
        let Some(param) = self.params.get_mut(name) else {
            return Err(self.unknown(name));
        };
        param.value = Some(check(name, &param.declared, value)?);
        param.origin = origin;
        Ok(())
    }

    /// Sets a parameter from text, as the command line and the environment give
    /// it. Lists are separated by commas; mappings are YAML in flow style.
    pub fn set_text(&mut self, name: &str, text: &str, origin: Origin) -> Result<(), ParamError> {
        let Some(param) = self.params.get(name) else {
            return Err(self.unknown(name));
        };
        let value = match param.declared.kind {
            ParamType::Integer | ParamType::Port => {
                text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from)
            }
            ParamType::Boolean => match text {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => Value::from(text),
            },
            ParamType::Strings => {
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(Value::from).collect()
            }
            ParamType::Mapping => crate::yaml::parse(text)
                .ok()
                .and_then(|tree| tree.read().ok())
                .unwrap_or_else(|| Value::from(text)),
            ParamType::String | ParamType::Enum | ParamType::Version => Value::from(text),
        };
        self.set(name, &value, origin)
    }

    /// A parameter by name.
    pub fn get(&self, name: &str) -> Option<&Param> {
        self.params.get(name)
    }

    /// All of them, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Param)> {
        self.params.iter().map(|(name, param)| (name.as_str(), param))
    }

    fn unknown(&self, name: &str) -> ParamError {
        ParamError::Unknown {
            name: name.to_owned(),
            suggestion: did_you_mean(name, self.params.keys().map(String::as_str)).map(str::to_owned),
        }
    }

    /// Puts values in the place of `${name}` in a text.
    pub fn fill_text(&self, text: &str) -> Result<String, ParamError> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            if rest[..at].ends_with('$') {
                // `$${` is a literal `${`.
                out.push_str(&rest[..at - 1]);
                out.push_str("${");
                rest = &rest[at + 2..];
                continue;
            }
            out.push_str(&rest[..at]);
            let end = rest[at..].find('}').ok_or(ParamError::Unclosed)? + at;
            out.push_str(&plain_text(&self.wanted(&rest[at + 2..end])?));
            rest = &rest[end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Puts values in the place of `${name}` in every text of a value. A text
    /// that is nothing but `${name}` becomes the parameter's value with its
    /// type; `${name:string}` asks for text.
    pub fn fill_value(&self, value: &Value) -> Result<Value, ParamError> {
        Ok(match value {
            Value::String(text) => match whole_reference(text) {
                Some(reference) => self.wanted(reference)?,
                None => Value::String(self.fill_text(text)?),
            },
            Value::Array(items) => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    let whole = item.as_str().and_then(whole_reference).is_some();
                    match self.fill_value(item)? {
                        // A list parameter as an item stands for its items.
                        Value::Array(inner) if whole => out.extend(inner),
                        filled => out.push(filled),
                    }
                }
                Value::Array(out)
            }
            Value::Object(map) => Value::Object(
                map.iter()
                    .map(|(key, value)| Ok((self.fill_text(key)?, self.fill_value(value)?)))
                    .collect::<Result<_, ParamError>>()?,
            ),
            other => other.clone(),
        })
    }

    /// The value behind `name` or `name:string`.
    pub fn wanted(&self, reference: &str) -> Result<Value, ParamError> {
        let (name, as_text) = match reference.split_once(':') {
            Some((name, "string")) => (name, true),
            _ => (reference, false),
        };
        let param = self.params.get(name).ok_or_else(|| self.unknown(name))?;
        let value = param.value.clone().ok_or_else(|| ParamError::NoValue { name: name.to_owned() })?;
        Ok(if as_text { Value::String(plain_text(&value)) } else { value })
    }
}

/// `name` for a text that is nothing but `${name}`.
pub fn whole_reference(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("${")?.strip_suffix('}')?;
    (!inner.contains(['{', '}'])).then_some(inner)
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn check(name: &str, declared: &ParamFile, value: &Value) -> Result<Value, ParamError> {
    let bad = |expected: String| ParamError::BadValue { name: name.to_owned(), expected };
    let fits = match declared.kind {
        ParamType::String => value.is_string(),
        ParamType::Integer => value.is_i64() || value.is_u64(),
        ParamType::Port => value.as_u64().is_some_and(|port| (1..=65535).contains(&port)),
        ParamType::Boolean => value.is_boolean(),
        ParamType::Enum => value.as_str().is_some_and(|text| declared.values.iter().any(|v| v == text)),
        ParamType::Strings => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        ParamType::Version => value.as_str().is_some_and(|text| parse_version(text).is_some()),
        ParamType::Mapping => value.is_object(),
    };
    if fits {
        return Ok(value.clone());
    }
    Err(bad(match declared.kind {
        ParamType::String => "takes text".to_owned(),
        ParamType::Integer => "takes a whole number".to_owned(),
        ParamType::Port => "takes a port number, 1 to 65535".to_owned(),
        ParamType::Boolean => "takes `true` or `false`".to_owned(),
        ParamType::Enum => format!("takes one of: {}", declared.values.join(", ")),
        ParamType::Strings => "takes a list of texts".to_owned(),
        ParamType::Version => "takes a version such as 1.20.0".to_owned(),
        ParamType::Mapping => "takes a mapping such as {key: value}".to_owned(),
    }))
}
