//! The path language of profiles: where in an object an edit or a condition
//! looks. `spec.template.spec.containers[name=cilium-agent].env`,
//! `metadata.annotations."checksum/config"`, `$pod.{initContainers,containers}[*].image`.

use serde_json::Value;

use crate::edit::Path;
use crate::manifest::selector::pod_template;

/// A parsed path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathExpr {
    text: String,
    steps: Vec<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `$pod`: the pod spec of any kind that makes pods.
    PodSpec,
    /// `$podMeta`: the metadata of the pods of any kind that makes pods.
    PodMetadata,
    /// A mapping key.
    Key(String),
    /// `{a,b}`: any of these keys.
    Keys(Vec<String>),
    /// `[3]`.
    Index(usize),
    /// `[*]`: every item.
    All,
    /// `[name=x]`, `[spec.type=x]`, `[resources.0=x]`: items whose field has that
    /// value; a number goes into a list.
    Where {
        /// The field.
        key: String,
        /// Its value, in words.
        value: String,
    },
    /// `[=x]`: items that are that string.
    Equals(String),
}

/// Where a path leads in a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A node that is there.
    Present(Path),
    /// A key that is not there, in a mapping that is.
    Absent(Path),
    /// Something in front of the last step is missing.
    Broken {
        /// The deepest node that is there.
        at: Path,
        /// The path up to the step that failed, as written.
        missing: String,
        /// The keys that would have to be made, if only keys are left.
        keys: Option<Vec<String>>,
        /// Whether only the last step failed: its parent is there.
        last: bool,
    },
}

impl Target {
    /// The node, or the deepest one on the way to it.
    pub fn place(self) -> Path {
        match self {
            Target::Present(at) | Target::Absent(at) | Target::Broken { at, .. } => at,
        }
    }
}

/// A path that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at character {at} of the path)")]
pub struct PathError {
    /// 1-based character.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl PathExpr {
    /// Parses a path.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let mut parser = PathParser { chars: text.chars().collect(), at: 0 };
        let steps = parser.read()?;
        Ok(Self { text: text.to_owned(), steps })
    }

    /// The path as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The steps of the path.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Keys that stand in every object in which the path leads to something.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            _ => None,
        })
    }

    /// The keys of a path that is nothing but keys.
    pub fn plain_keys(&self) -> Option<Path> {
        let key = |step: &Step| match step {
            Step::Key(key) => Some(key.clone()),
            _ => None,
        };
        self.steps.iter().map(key).collect()
    }

    /// Every place that the path means in `value`, an object of `kind`.
    pub fn targets(&self, kind: &str, value: &Value) -> Vec<Target> {
        let mut out = Vec::new();
        walk(kind, value, &self.steps, &mut Vec::new(), &mut String::new(), &mut out);
        out
    }

    /// The values that are there.
    pub fn values<'v>(&self, kind: &str, value: &'v Value) -> Vec<&'v Value> {
        let mut out = Vec::new();
        collect(kind, value, &self.steps, &mut out);
        out
    }
}

/// The value at a concrete path.
pub fn get<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |at, token| child(at, token))
}

/// The value of a key, or the item at an index.
fn child<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(token),
        Value::Array(items) => items.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The values of [`walk`]'s present targets: conditions are asked of many objects and
/// need no places.
fn collect<'v>(kind: &str, value: &'v Value, steps: &[Step], out: &mut Vec<&'v Value>) {
    let Some((step, rest)) = steps.split_first() else {
        out.push(value);
        return;
    };
    let items = || value.as_array().into_iter().flatten();
    match step {
        Step::PodSpec | Step::PodMetadata => {
            let leaf = if *step == Step::PodSpec { "spec" } else { "metadata" };
            let Some(keys) = pod_template(kind) else { return };
            let found = keys.iter().chain([&leaf]).try_fold(value, |at, key| at.as_object()?.get(*key));
            found.into_iter().for_each(|child| collect(kind, child, rest, out));
        }
        Step::Key(key) => {
            let found = value.as_object().and_then(|map| map.get(key));
            found.into_iter().for_each(|child| collect(kind, child, rest, out));
        }
        Step::Keys(keys) => {
            let found = keys.iter().filter_map(|key| value.get(key));
            found.for_each(|child| collect(kind, child, rest, out));
        }
        Step::Index(index) => value.get(index).into_iter().for_each(|child| collect(kind, child, rest, out)),
        Step::All => items().for_each(|child| collect(kind, child, rest, out)),
        Step::Where { key, value: wanted } => items()
            .filter(|item| has_field(item, key, wanted))
            .for_each(|child| collect(kind, child, rest, out)),
        Step::Equals(wanted) => items()
            .filter(|item| as_text(item).is_some_and(|have| have == *wanted))
            .for_each(|child| collect(kind, child, rest, out)),
    }
}

/// Whether the field of an item has that value, in words.
fn has_field(item: &Value, key: &str, wanted: &str) -> bool {
    let field = key.split('.').try_fold(item, child);
    field.and_then(as_text).is_some_and(|have| have == wanted)
}

fn walk(kind: &str, value: &Value, steps: &[Step], at: &mut Path, seen: &mut String, out: &mut Vec<Target>) {
    let Some((step, rest)) = steps.split_first() else {
        out.push(Target::Present(at.clone()));
        return;
    };
    let seen_before = seen.len();
    let descend = |token: String, child: &Value, at: &mut Path, seen: &mut String, out: &mut Vec<Target>| {
        at.push(token);
        walk(kind, child, rest, at, seen, out);
        at.pop();
    };
    match step {
        Step::PodSpec | Step::PodMetadata => {
            let leaf = if *step == Step::PodSpec { "spec" } else { "metadata" };
            seen.push_str(if *step == Step::PodSpec { "$pod" } else { "$podMeta" });
            match pod_template(kind) {
                Some(keys) => {
                    let mut real: Vec<Step> = keys.iter().map(|key| Step::Key((*key).to_owned())).collect();
                    real.push(Step::Key(leaf.to_owned()));
                    real.extend_from_slice(rest);
                    seen.clear();
                    walk(kind, value, &real, at, seen, out);
                }
                None => out.push(Target::Broken {
                    at: at.clone(),
                    missing: seen.clone(),
                    keys: None,
                    last: rest.is_empty(),
                }),
            }
        }
        Step::Key(key) => {
            if !seen.is_empty() {
                seen.push('.');
            }
            seen.push_str(&spell_key(key));
            match value.as_object().map(|map| map.get(key)) {
                Some(Some(child)) => descend(key.clone(), child, at, seen, out),
                Some(None) if rest.is_empty() => {
                    at.push(key.clone());
                    out.push(Target::Absent(at.clone()));
                    at.pop();
                }
                _ => out.push(broken(at, seen, steps)),
            }
        }
        Step::Keys(keys) => {
            // Alternatives that are not there are not missed; one must be.
            let mut any = false;
            for key in keys {
                if let Some(child) = value.get(key) {
                    any = true;
                    let before = seen.len();
                    if !seen.is_empty() {
                        seen.push('.');
                    }
                    seen.push_str(&spell_key(key));
                    descend(key.clone(), child, at, seen, out);
                    seen.truncate(before);
                }
            }
            if !any {
                seen.push_str(&format!(".{{{}}}", keys.join(",")));
                out.push(Target::Broken {
                    at: at.clone(),
                    missing: seen.clone(),
                    keys: None,
                    last: rest.is_empty(),
                });
            }
        }
        Step::Index(index) => {
            seen.push_str(&format!("[{index}]"));
            match value.get(index) {
                Some(child) => descend(index.to_string(), child, at, seen, out),
                None => out.push(Target::Broken {
                    at: at.clone(),
                    missing: seen.clone(),
                    keys: None,
                    last: rest.is_empty(),
                }),
            }
        }
        Step::All => {
            seen.push_str("[*]");
            for (index, child) in value.as_array().into_iter().flatten().enumerate() {
                descend(index.to_string(), child, at, seen, out);
            }
        }
        Step::Where { key, value: wanted } => {
            seen.push_str(&format!("[{key}={wanted}]"));
            pick(value, rest.is_empty() && value.is_array(), at, seen, out, &descend, |item| {
                has_field(item, key, wanted)
            });
        }
        Step::Equals(wanted) => {
            seen.push_str(&format!("[={wanted}]"));
            pick(value, rest.is_empty() && value.is_array(), at, seen, out, &descend, |item| {
                as_text(item).is_some_and(|have| have == *wanted)
            });
        }
    }
    seen.truncate(seen_before);
}

/// Descends into the items that a test picks; none is a break in the path.
fn pick(
    value: &Value,
    last: bool,
    at: &mut Path,
    seen: &mut String,
    out: &mut Vec<Target>,
    descend: &impl Fn(String, &Value, &mut Path, &mut String, &mut Vec<Target>),
    test: impl Fn(&Value) -> bool,
) {
    let mut any = false;
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        if test(item) {
            any = true;
            descend(index.to_string(), item, at, seen, out);
        }
    }
    if !any {
        out.push(Target::Broken { at: at.clone(), missing: seen.clone(), keys: None, last });
    }
}

fn broken(at: &Path, seen: &str, steps: &[Step]) -> Target {
    let keys = steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => Some(key.clone()),
            _ => None,
        })
        .collect();
    Target::Broken { at: at.clone(), missing: seen.to_owned(), keys, last: steps.len() == 1 }
}

/// A scalar's text for comparing with a path's selector.
fn as_text(value: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text.into()),
        Value::Number(number) => Some(number.to_string().into()),
        Value::Bool(value) => Some(value.to_string().into()),
        _ => None,
    }
}

/// A mapping's key as a path has it, quoted where it must be.
pub fn spell_key(key: &str) -> std::borrow::Cow<'_, str> {
    if key.chars().all(is_bare) { key.into() } else { format!("\"{key}\"").into() }
}

/// A concrete path in the path language, list items picked by `name` where they
/// have one: what reports and errors print.
pub fn spell(root: &Value, path: &[String]) -> String {
    let mut out = String::new();
    let mut at = Some(root);
    for token in path {
        match at {
            Some(Value::Array(items)) => {
                let item = token.parse::<usize>().ok().and_then(|index| items.get(index));
                match item.and_then(|item| item.get("name")).and_then(Value::as_str) {
                    Some(name) => out.push_str(&format!("[name={name}]")),
                    None => out.push_str(&format!("[{token}]")),
                }
                at = item;
            }
            other => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&spell_key(token));
                at = other.and_then(|value| value.get(token));
            }
        }
    }
    out
}

fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | ':' | '@')
}

struct PathParser {
    chars: Vec<char>,
    at: usize,
}

impl PathParser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, PathError> {
        Err(PathError { at: self.at + 1, message: message.into() })
    }

    fn read(&mut self) -> Result<Vec<Step>, PathError> {
        let mut steps = Vec::new();
        if self.chars.is_empty() {
            return self.error("the path is empty");
        }
        loop {
            match self.peek() {
                Some('{') => steps.push(self.alternatives()?),
                Some('[') if !steps.is_empty() => steps.push(self.selector()?),
                Some('$') => {
                    self.at += 1;
                    match self.word().as_str() {
                        "pod" if steps.is_empty() => steps.push(Step::PodSpec),
                        "podMeta" if steps.is_empty() => steps.push(Step::PodMetadata),
                        _ => {
                            return self
                                .error("only `$pod` and `$podMeta` are known, at the start of a path");
                        }
                    }
                }
                _ => steps.push(Step::Key(self.key()?)),
            }
            while self.peek() == Some('[') {
                steps.push(self.selector()?);
            }
            match self.peek() {
                None => return Ok(steps),
                Some('.') => self.at += 1,
                Some(c) => return self.error(format!("expected `.` or `[`, found `{c}`")),
            }
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(is_bare) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn key(&mut self) -> Result<String, PathError> {
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            return self.quoted(quote);
        }
        let word = self.word();
        if word.is_empty() {
            return self.error("expected a key (quote keys with dots or other special characters)");
        }
        Ok(word)
    }

    fn quoted(&mut self, quote: char) -> Result<String, PathError> {
        let start = self.at + 1;
        match self.chars[start..].iter().position(|c| *c == quote) {
            Some(length) => {
                self.at = start + length + 1;
                Ok(self.chars[start..start + length].iter().collect())
            }
            None => self.error("the quote is not closed"),
        }
    }

    fn alternatives(&mut self) -> Result<Step, PathError> {
        let mut keys = Vec::new();
        loop {
            self.at += 1;
            keys.push(self.key()?);
            match self.peek() {
                Some(',') => {}
                Some('}') => {
                    self.at += 1;
                    return Ok(Step::Keys(keys));
                }
                _ => return self.error("expected `,` or `}`"),
            }
        }
    }

    fn selector(&mut self) -> Result<Step, PathError> {
        self.at += 1;
        let start = self.at;
        let Some(length) = self.chars[start..].iter().position(|c| *c == ']') else {
            return self.error("the `[` is not closed");
        };
        let inner: String = self.chars[start..start + length].iter().collect();
        let step = match (inner.as_str(), inner.split_once('=')) {
            ("*", _) => Step::All,
            (_, Some(("", value))) => Step::Equals(unquote(value).to_owned()),
            (_, Some((key, value))) => Step::Where { key: key.to_owned(), value: unquote(value).to_owned() },
            (number, None) => match number.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => return self.error("expected `[*]`, `[3]`, `[key=value]` or `[=value]`"),
            },
        };
        self.at = start + length + 1;
        Ok(step)
    }
}

fn unquote(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn targets(path: &str, value: &Value) -> Vec<Target> {
        let expr = PathExpr::parse(path).unwrap();
        let targets = expr.targets("Deployment", value);
        let present: Vec<&Value> = targets
            .iter()
            .filter_map(|target| match target {
                Target::Present(path) => get(value, path),
                _ => None,
            })
            .collect();
        assert_eq!(expr.values("Deployment", value), present, "{path}");
        targets
    }

    #[test]
    fn picks_items_by_key_and_says_what_is_missing() {
        let value = json!({"spec": {"template": {"spec": {"containers": [{"name": "a"}, {"name": "b", "env": null}]}}}});
        let path = |tokens: &[&str]| tokens.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            targets("$pod.containers[name=b].env", &value),
            [Target::Present(path(&["spec", "template", "spec", "containers", "1", "env"]))]
        );
        assert_eq!(
            targets("spec.template.spec.containers[name=c].env", &value),
            [Target::Broken {
                at: path(&["spec", "template", "spec", "containers"]),
                missing: "spec.template.spec.containers[name=c]".to_owned(),
                keys: None,
                last: false
            }]
        );
        assert_eq!(
            targets("spec.x.y", &value),
            [Target::Broken {
                at: path(&["spec"]),
                missing: "spec.x".to_owned(),
                keys: Some(path(&["x", "y"])),
                last: false
            }]
        );
        assert_eq!(targets("metadata", &value), [Target::Absent(path(&["metadata"]))]);
        assert_eq!(targets("$pod.{initContainers,containers}[*].name", &value).len(), 2);
    }

    #[test]
    fn places_and_values_are_of_one_kind() {
        let value = json!({"spec": {"template": {"metadata": {"a": 1}, "spec": {"l": [
            {"name": "x", "at": {"b": 2}}, "text", 3, [4], {"name": 5, "at": null},
        ]}}}});
        for (path, number) in [
            ("$podMeta.a", 1),
            ("$pod.l[at.b=2].name", 1),
            ("$pod.l[name=5].at", 1),
            ("$pod.l[=text]", 1),
            ("$pod.l[=3]", 1),
            ("$pod.l[1]", 1),
            ("$pod.l[9]", 0),
            ("$pod.l[*]", 5),
            ("$pod.l[*].name", 2),
            ("$pod.l[3][0]", 1),
            ("spec.{template,other}.{spec,metadata}", 2),
            ("spec.{none}", 0),
            ("$pod.l.name", 0),
        ] {
            let present = targets(path, &value).into_iter();
            let present = present.filter(|target| matches!(target, Target::Present(_)));
            assert_eq!(present.count(), number, "{path}");
        }
    }

    #[test]
    fn quoted_keys_hold_dots() {
        let value = json!({"a": {"x.y/z": 1}});
        assert_eq!(PathExpr::parse("a.\"x.y/z\"").unwrap().values("", &value), [&json!(1)]);
        assert_eq!(spell(&value, &["a".to_owned(), "x.y/z".to_owned()]), "a.\"x.y/z\"");
        assert!(PathExpr::parse("a..b").is_err());
        assert!(PathExpr::parse("a[b").is_err());
    }
}
