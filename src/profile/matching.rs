//! Which objects a rule means: a profile's `match`, compiled. The head of a
//! document is enough to say "no" quickly; the object itself says "yes".

use memchr::memmem::Finder;
use serde_json::Value;

use super::file::{MatchFile, OneOrMany};
use super::glob;
use super::params::{ParamError, Params, whole_reference};
use super::path::{PathExpr, Target, get};
use super::test_value::ValueTest;
use super::version::{Range, parse_version};
use crate::edit::Path;
use crate::manifest::identity::split_api_version;
use crate::manifest::selector::pod_template;
use crate::manifest::template;
use crate::manifest::{Head, Identity};

/// An object as conditions see it.
#[derive(Debug, Clone, Copy)]
pub struct ObjectView<'v> {
    /// What names it.
    pub identity: &'v Identity,
    /// Its value as it is now.
    pub value: &'v Value,
    /// The template it came from, if known.
    pub template: Option<&'v str>,
    /// Which release it is of, where several are looked at: without a namespace of
    /// their own, objects share one only within a release.
    pub release: usize,
}

/// What conditions may ask about the rest of the stream.
pub trait Neighbours {
    /// Whether some pod of the stream is selected by the policy `object` and by
    /// one of the objects that `others` matches.
    fn shares_pods(&self, object: ObjectView<'_>, others: &Matcher) -> bool;
}

/// A stream without neighbours.
#[derive(Debug)]
pub struct Alone;

impl Neighbours for Alone {
    fn shares_pods(&self, _: ObjectView<'_>, _: &Matcher) -> bool {
        false
    }
}

/// A compiled `match`.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    pub(crate) groups: Option<Vec<String>>,
    pub(crate) versions: Option<Vec<String>>,
    pub(crate) kinds: Option<Vec<String>>,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) namespaces: Option<Vec<String>>,
    pub(crate) charts: Option<Vec<Versioned>>,
    pub(crate) images: Option<Vec<Versioned>>,
    pub(crate) labels: Vec<(String, ValueTest)>,
    pub(crate) annotations: Vec<(String, ValueTest)>,
    pub(crate) fields: Vec<(PathExpr, ValueTest)>,
    pub(crate) pod_template: bool,
    pub(crate) hook: Option<bool>,
    pub(crate) shares_pods_with: Option<Box<Matcher>>,
    pub(crate) not: Vec<Matcher>,
    pub(crate) any: Vec<Matcher>,
    /// Looks for a key that every matching object has.
    needle: Option<Finder<'static>>,
}

/// `name` or `name@range`.
#[derive(Debug, Clone)]
pub struct Versioned {
    name: String,
    pub(crate) range: Option<Range>,
}

impl Versioned {
    /// Reads a list of them, parameters filled in. `field` is named by an error.
    pub fn list(field: &str, list: &OneOrMany, params: &Params) -> Result<Vec<Self>, MatchError> {
        let words = fill_words(list, params).map_err(|error| param_error(field, &error))?;
        let read = |text: String| match text.split_once('@') {
            None => Ok(Self { name: text, range: None }),
            Some((name, range)) => Range::parse(range)
                .map(|range| Self { name: name.to_owned(), range: Some(range) })
                .map_err(|message| error(field, message)),
        };
        words.into_iter().map(read).collect()
    }

    /// The name as written, a glob perhaps.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether something of this name is meant, in whatever version.
    pub fn means_name(&self, name: &str) -> bool {
        glob::matches(&self.name, name)
    }

    /// Whether something of this name and version is meant.
    pub fn means(&self, name: &str, version: Option<&str>) -> bool {
        self.means_name(name)
            && self.range.as_ref().is_none_or(|range| {
                version.and_then(parse_version).is_some_and(|version| range.contains(&version))
            })
    }
}

/// A `match` that cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MatchError {
    /// The field at fault, as a JSON pointer below the `match`.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
}

impl Matcher {
    /// Compiles a `match` with final parameters.
    pub fn compile(file: &MatchFile, params: &Params) -> Result<Self, MatchError> {
        let words = |field: &str, words: &Option<OneOrMany>| -> Result<Option<Vec<String>>, MatchError> {
            words
                .as_ref()
                .map(|words| fill_words(words, params).map_err(|error| param_error(field, &error)))
                .transpose()
        };
        let versioned =
            |field: &str, list: &Option<OneOrMany>| -> Result<Option<Vec<Versioned>>, MatchError> {
                list.as_ref().map(|list| Versioned::list(field, list, params)).transpose()
            };
        let tests = |field: &str, map: &indexmap::IndexMap<String, Value>| {
            map.iter()
                .map(|(key, value)| {
                    let field = format!("{field}/{key}");
                    let value = params.fill_value(value).map_err(|error| param_error(&field, &error))?;
                    let test = ValueTest::parse(&value).map_err(|message| error(&field, message))?;
                    let key = params.fill_text(key).map_err(|error| param_error(&field, &error))?;
                    Ok((key, test))
                })
                .collect::<Result<Vec<_>, MatchError>>()
        };
        let several = |list: &[MatchFile]| {
            list.iter().map(|file| Self::compile(file, params)).collect::<Result<_, _>>()
        };
        let labels = tests("labels", &file.labels)?;
        let annotations = tests("annotations", &file.annotations)?;
        let fields = tests("fields", &file.fields)?
            .into_iter()
            .map(|(path, test)| {
                let field = format!("fields/{path}");
                PathExpr::parse(&path).map(|path| (path, test)).map_err(|e| error(&field, e.to_string()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let metadata = labels.iter().chain(&annotations).map(|(key, test)| (key.as_str(), test));
        let paths = fields.iter().flat_map(|(path, test)| path.keys().map(move |key| (key, test)));
        let needed = metadata.chain(paths).filter(|(_, test)| !holds_for_all(test, &[])).map(|(key, _)| key);
        // The longest key is the rarest.
        let needle = needed.max_by_key(|key| key.len()).map(|key| Finder::new(key).into_owned());
        Ok(Self {
            needle,
            groups: words("group", &file.group)?,
            versions: words("version", &file.version)?,
            kinds: words("kind", &file.kind)?,
            names: words("name", &file.name)?,
            namespaces: words("namespace", &file.namespace)?,
            charts: versioned("chart", &file.chart)?,
            images: versioned("image", &file.image)?,
            labels,
            annotations,
            fields,
            pod_template: file.pod_template.is_some(),
            hook: file.hook,
            shares_pods_with: file
                .shares_pods_with
                .as_ref()
                .map(|file| Self::compile(file, params).map(Box::new))
                .transpose()?,
            not: several(&file.not)?,
            any: several(&file.any)?,
        })
    }

    /// Matches objects of this group, kind, namespace and name.
    pub fn of(identity: &Identity) -> Self {
        let only = |text: &str| Some(vec![text.to_owned()]);
        Self {
            groups: only(&identity.group),
            kinds: only(&identity.kind),
            names: only(&identity.name),
            namespaces: only(&identity.namespace),
            ..Self::default()
        }
    }

    /// Matches objects of this kind.
    pub fn of_kind(api_version: &str, kind: &str) -> Self {
        let group = split_api_version(api_version).0.to_owned();
        Self { groups: Some(vec![group]), kinds: Some(vec![kind.to_owned()]), ..Self::default() }
    }

    /// What it looks for, for messages: `DaemonSet cilium`.
    pub fn in_words(&self) -> String {
        let list = |words: &Option<Vec<String>>, none: &str| {
            words.as_ref().map_or_else(|| none.to_owned(), |words| words.join(" or "))
        };
        let what = format!("{} {}", list(&self.kinds, "objects"), list(&self.names, ""));
        what.trim_end().to_owned()
    }

    /// Whether a document with this head may hold a matching object. "No" is
    /// certain.
    pub fn may_match(&self, head: &Head<'_>) -> bool {
        if head.is_list {
            return true;
        }
        let (group, version) = split_api_version(&head.api_version);
        listed(&self.groups, group)
            && listed(&self.versions, version)
            && listed(&self.kinds, &head.kind)
            && listed(&self.names, &head.name)
            && (!self.pod_template || pod_template(&head.kind).is_some())
            && (self.any.is_empty() || self.any.iter().any(|matcher| matcher.may_match(head)))
            && match (&self.needle, head.plain) {
                (Some(needle), Some(text)) => needle.find(text.as_bytes()).is_some(),
                _ => true,
            }
    }

    /// The kinds that the matcher is limited to, if it is and they are spelt out.
    pub fn kinds(&self) -> Option<&[String]> {
        spelt_out(&self.kinds)
    }

    /// The names that the matcher is limited to, if it is and they are spelt out.
    pub fn names(&self) -> Option<&[String]> {
        spelt_out(&self.names)
    }

    /// What the matcher's question about pods compares with, for knowing which
    /// objects must be read.
    pub fn pod_sharers(&self) -> Vec<&Matcher> {
        self.shares_pods_with
            .as_deref()
            .into_iter()
            .chain(self.not.iter().chain(&self.any).flat_map(|matcher| matcher.pod_sharers()))
            .collect()
    }

    /// Whether the object is meant.
    pub fn matches(&self, object: ObjectView<'_>, neighbours: &dyn Neighbours) -> bool {
        let identity = object.identity;
        let metadata = object.value.get("metadata");
        let has = |part: &str, tests: &[(String, ValueTest)]| {
            let map = metadata.and_then(|metadata| metadata.get(part));
            tests.iter().all(|(key, test)| test.holds(map.and_then(|map| map.get(key))))
        };
        listed(&self.groups, &identity.group)
            && listed(&self.versions, &identity.version)
            && listed(&self.kinds, &identity.kind)
            && listed(&self.names, &identity.name)
            && listed(&self.namespaces, &identity.namespace)
            && (!self.pod_template || pod_template(&identity.kind).is_some())
            && has("labels", &self.labels)
            && has("annotations", &self.annotations)
            && self.fields.iter().all(|(path, test)| field_holds(path, test, identity, object.value))
            && self.hook.is_none_or(|hook| {
                let annotation =
                    metadata.and_then(|m| m.get("annotations")).and_then(|a| a.get("helm.sh/hook"));
                annotation.is_some() == hook
            })
            && self.charts.as_ref().is_none_or(|charts| of_chart(charts, object))
            && self.images.as_ref().is_none_or(|images| has_image(images, object))
            && self.shares_pods_with.as_ref().is_none_or(|others| neighbours.shares_pods(object, others))
            && !self.not.iter().any(|matcher| matcher.matches(object, neighbours))
            && (self.any.is_empty() || self.any.iter().any(|matcher| matcher.matches(object, neighbours)))
    }
}

/// Whether a condition on a path holds: for one of the fields it means, or for
/// no field at all.
pub fn field_holds(path: &PathExpr, test: &ValueTest, identity: &Identity, object: &Value) -> bool {
    holds_for_all(test, &path.values(&identity.kind, object))
}

/// Whether a test holds for what a path means.
fn holds_for_all(test: &ValueTest, values: &[&Value]) -> bool {
    match test {
        ValueTest::Absent => values.is_empty(),
        ValueTest::Not(inner) => !holds_for_any(inner, values),
        test => holds_for_any(test, values),
    }
}

/// Where a field is not what it must be: the first such place, or the deepest
/// node on the way to it. A path that means no place means one that is absent.
pub fn fails_at(path: &PathExpr, test: &ValueTest, kind: &str, object: &Value) -> Option<Path> {
    let targets = path.targets(kind, object);
    if targets.is_empty() {
        return (!test.holds(None)).then(Path::new);
    }
    let wrong = targets.into_iter().find(|target| match target {
        Target::Present(at) => !test.holds(get(object, at)),
        Target::Absent(_) | Target::Broken { .. } => !test.holds(None),
    });
    wrong.map(Target::place)
}

fn holds_for_any(test: &ValueTest, values: &[&Value]) -> bool {
    if values.is_empty() { test.holds(None) } else { values.iter().any(|value| test.holds(Some(value))) }
}

fn spelt_out(patterns: &Option<Vec<String>>) -> Option<&[String]> {
    patterns.as_deref().filter(|patterns| patterns.iter().all(|pattern| !pattern.contains('*')))
}

fn listed(list: &Option<Vec<String>>, name: &str) -> bool {
    list.as_ref().is_none_or(|list| list.iter().any(|pattern| glob::matches(pattern, name)))
}

/// The name and version of the object's chart, from its label or its template.
pub fn charts_of<'v>(object: ObjectView<'v>) -> Vec<(&'v str, Option<&'v str>)> {
    let mut out = Vec::new();
    let label =
        object.value.get("metadata").and_then(|m| m.get("labels")).and_then(|l| l.get("helm.sh/chart"));
    if let Some(label) = label.and_then(Value::as_str) {
        out.push(template::split_chart_label(label));
    }
    let path = object.template.or_else(|| template::filename_annotation(object.value));
    if let Some(chart) = path.and_then(template::chart_of_path)
        && out.iter().all(|(name, _)| *name != chart)
    {
        out.push((chart, None));
    }
    out
}

fn of_chart(wanted: &[Versioned], object: ObjectView<'_>) -> bool {
    charts_of(object).into_iter().any(|(name, version)| wanted.iter().any(|chart| chart.means(name, version)))
}

fn has_image(wanted: &[Versioned], object: ObjectView<'_>) -> bool {
    let Some(keys) = pod_template(&object.identity.kind) else { return false };
    let mut path: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    path.push("spec".to_owned());
    let Some(pod) = get(object.value, &path) else { return false };
    ["initContainers", "containers"]
        .iter()
        .filter_map(|list| pod.get(list)?.as_array())
        .flatten()
        .filter_map(|container| container.get("image")?.as_str())
        .any(|image| {
            let (repository, tag) = split_image(image);
            wanted.iter().any(|image| image.means(repository, tag))
        })
}

/// Repository and tag of an image reference; the digest is left out.
pub fn split_image(image: &str) -> (&str, Option<&str>) {
    let name = image.split('@').next().unwrap_or(image);
    match name.rfind(':') {
        Some(at) if !name[at..].contains('/') => (&name[..at], Some(&name[at + 1..])),
        _ => (name, None),
    }
}

/// Words with parameters filled in; a list parameter stands for its items.
fn fill_words(words: &OneOrMany, params: &Params) -> Result<Vec<String>, ParamError> {
    let mut out = Vec::new();
    for word in words.iter() {
        match whole_reference(word).map(|reference| params.wanted(reference)).transpose()? {
            Some(Value::Array(items)) => {
                out.extend(items.iter().filter_map(Value::as_str).map(str::to_owned))
            }
            _ => out.push(params.fill_text(word)?),
        }
    }
    Ok(out)
}

fn error(field: &str, message: impl Into<String>) -> MatchError {
    MatchError { field: field.to_owned(), message: message.into(), help: None }
}

fn param_error(field: &str, error: &ParamError) -> MatchError {
    MatchError { field: field.to_owned(), message: error.to_string(), help: error.help() }
}
