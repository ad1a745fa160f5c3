//! A path of the profile language as a CEL condition: whether something that the path
//! means passes. Fields that are not there are asked for with CEL's optional syntax,
//! which API servers have from 1.29 on.

use super::cel::{self, Cel};
use super::unsaid::Unsaid;
use crate::manifest::selector::pod_template;
use crate::profile::path::{PathExpr, Step};

/// What comes out where a path leads nowhere.
#[derive(Debug, Clone, Copy)]
pub struct Nowhere {
    /// The last key is not there, and the mapping that would have it is.
    pub absent: bool,
    /// The last step picks nothing.
    pub last: bool,
    /// Something in front of the last step is missing.
    pub broken: bool,
}

impl Nowhere {
    /// The same wherever the path ends.
    pub fn all(what: bool) -> Self {
        Self { absent: what, last: what, broken: what }
    }
}

/// What is asked of a value that is there.
type Leaf<'l> = &'l dyn Fn(&str) -> Result<Cel, Unsaid>;

/// Whether one of the values that a path means in `object`, an expression for an
/// object of `kind`, passes.
pub fn some(
    path: &PathExpr,
    kind: &str,
    object: &str,
    nowhere: Nowhere,
    leaf: Leaf<'_>,
) -> Result<Cel, Unsaid> {
    match resolved(path, kind) {
        Some(steps) => reach(object, 1, &steps, nowhere, leaf),
        None => Ok(Cel::Known(nowhere.broken)),
    }
}

/// The steps with `$pod` and `$podMeta` in keys; `None` where objects of the kind make
/// no pods.
pub fn resolved(path: &PathExpr, kind: &str) -> Option<Vec<Step>> {
    let mut out = Vec::new();
    for step in path.steps() {
        let leaf = match step {
            Step::PodSpec => "spec",
            Step::PodMetadata => "metadata",
            other => {
                out.push(other.clone());
                continue;
            }
        };
        let keys = pod_template(kind)?;
        out.extend(keys.iter().chain([&leaf]).map(|key| Step::Key((*key).to_owned())));
    }
    Some(out)
}

/// A field that may not be there, of an expression that may be optional.
pub fn field(of: &str, key: &str) -> String {
    let plain = !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && !["in", "true", "false", "null", "namespace"].contains(&key);
    if plain { format!("{of}.?{key}") } else { format!("{of}[?{}]", cel::quoted(key)) }
}

fn reach(at: &str, depth: usize, steps: &[Step], nowhere: Nowhere, leaf: Leaf<'_>) -> Result<Cel, Unsaid> {
    let Some((step, rest)) = steps.split_first() else { return leaf(at) };
    let here = if rest.is_empty() { nowhere.last } else { nowhere.broken };
    match step {
        Step::Key(_) => {
            let mut keys: Vec<&str> = Vec::new();
            for step in steps {
                let Step::Key(key) = step else { break };
                keys.push(key);
            }
            let rest = &steps[keys.len()..];
            // Only the last key may be absent in another way than the ones before it.
            if rest.is_empty() && keys.len() > 1 && nowhere.absent != nowhere.broken {
                let split = keys.len() - 1;
                let parent = keys[..split].iter().fold(at.to_owned(), |of, key| field(&of, key));
                return through(&parent, depth, &steps[split..], nowhere.broken, nowhere, leaf);
            }
            let missing = if rest.is_empty() { nowhere.absent } else { nowhere.broken };
            let found = keys.iter().fold(at.to_owned(), |of, key| field(&of, key));
            through(&found, depth, rest, missing, nowhere, leaf)
        }
        Step::Keys(keys) => {
            let found: Vec<String> = keys.iter().map(|key| field(at, key)).collect();
            let mut out = Vec::new();
            for one in &found {
                out.push(through(one, depth, rest, false, nowhere, leaf)?);
            }
            if here {
                out.push(Cel::any(found.iter().map(|one| Cel::atom(format!("{one}.hasValue()")))).negated());
            }
            Ok(Cel::any(out))
        }
        Step::Index(index) => through(&format!("{at}[?{index}]"), depth, rest, here, nowhere, leaf),
        Step::All => {
            let item = variable(depth);
            Ok(exists(at, &item, reach(&item, depth + 1, rest, nowhere, leaf)?))
        }
        Step::Where { key, value } => {
            let item = variable(depth);
            let picked = has_field(&item, depth + 1, key, value)?;
            pick(at, &item, picked, reach(&item, depth + 1, rest, nowhere, leaf)?, here)
        }
        Step::Equals(value) => {
            let item = variable(depth);
            let picked = Cel::comparison(format!("string({item}) == {}", cel::quoted(value)));
            pick(at, &item, picked, reach(&item, depth + 1, rest, nowhere, leaf)?, here)
        }
        Step::PodSpec | Step::PodMetadata => Err(Unsaid::new("a path begins with $pod in its middle")),
    }
}

/// The rest of a path behind something that may not be there.
fn through(
    optional: &str,
    depth: usize,
    rest: &[Step],
    missing: bool,
    nowhere: Nowhere,
    leaf: Leaf<'_>,
) -> Result<Cel, Unsaid> {
    let value = variable(depth);
    if !missing && matches!(rest.first(), Some(Step::All | Step::Where { .. } | Step::Equals(_))) {
        // A list that is not there is as good as an empty one.
        let here = if rest.len() == 1 { nowhere.last } else { nowhere.broken };
        if !here || matches!(rest.first(), Some(Step::All)) {
            return reach(&format!("{optional}.orValue([])"), depth, rest, nowhere, leaf);
        }
    }
    Ok(match (reach(&value, depth + 1, rest, nowhere, leaf)?, missing) {
        (Cel::Known(inner), missing) if inner == missing => Cel::Known(inner),
        (Cel::Known(true), _) => Cel::atom(format!("{optional}.hasValue()")),
        (Cel::Known(false), _) => Cel::atom(format!("!{optional}.hasValue()")),
        (inner, missing) => {
            let inner = inner.text();
            match compared(&inner, &value).filter(|_| !missing) {
                Some((stand_in, rest)) => Cel::comparison(format!("{optional}.orValue({stand_in}){rest}")),
                None => Cel::atom(format!("{optional}.optMap({value}, {inner}).orValue({missing})")),
            }
        }
    })
}

/// Whether a condition does nothing but compare the value with texts or `true`: then a
/// value that fails can stand in for one that is not there, which reads better.
fn compared<'c>(condition: &'c str, value: &str) -> Option<(&'static str, &'c str)> {
    let rest = condition.strip_prefix(value)?;
    if rest == " == true" {
        return Some(("false", rest));
    }
    let list = rest.strip_prefix(" == ").or_else(|| rest.strip_prefix(" in [")?.strip_suffix(']'))?;
    let texts: Vec<String> = serde_json::from_str(&format!("[{list}]")).ok()?;
    (!texts.is_empty() && texts.iter().all(|text| !text.is_empty())).then_some(("\"\"", rest))
}

fn exists(list: &str, item: &str, condition: Cel) -> Cel {
    match condition {
        Cel::Known(false) => Cel::Known(false),
        condition => Cel::atom(format!("{list}.exists({item}, {})", condition.text())),
    }
}

/// Whether an item that is picked passes, or none is picked and that counts.
fn pick(list: &str, item: &str, picked: Cel, condition: Cel, none: bool) -> Result<Cel, Unsaid> {
    let some = exists(list, item, Cel::all([picked.clone(), condition]));
    if !none {
        return Ok(some);
    }
    Ok(Cel::any([some, exists(list, item, picked).negated()]))
}

/// Whether a field of an item, with dots in its name, is that in words.
fn has_field(item: &str, depth: usize, key: &str, wanted: &str) -> Result<Cel, Unsaid> {
    let steps: Vec<Step> = key
        .split('.')
        .map(|token| match token.parse() {
            Ok(index) => Step::Index(index),
            Err(_) => Step::Key(token.to_owned()),
        })
        .collect();
    // What reads as a number or a truth value may be one.
    let is_text = wanted.parse::<f64>().is_err() && !["true", "false"].contains(&wanted);
    let is = |value: &str| {
        let text = if is_text { value.to_owned() } else { format!("string({value})") };
        Ok(Cel::comparison(format!("{text} == {}", cel::quoted(wanted))))
    };
    reach(item, depth, &steps, Nowhere::all(false), &is)
}

/// A name for what is bound at a depth.
fn variable(depth: usize) -> String {
    format!("v{depth}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str, nowhere: Nowhere) -> String {
        let path = PathExpr::parse(path).unwrap();
        let leaf = |value: &str| Ok(Cel::comparison(format!("{value} == 1")));
        some(&path, "CronJob", "object", nowhere, &leaf).unwrap().text()
    }

    #[test]
    fn fields_are_asked_for_as_optional() {
        let no = Nowhere::all(false);
        assert_eq!(text("spec.a", no), "object.?spec.?a.optMap(v1, v1 == 1).orValue(false)");
        assert_eq!(text("data.a-b", no), "object.?data[?\"a-b\"].optMap(v1, v1 == 1).orValue(false)");
        assert_eq!(
            text("$pod.{a,b}[*].c", no),
            "object.?spec.?jobTemplate.?spec.?template.?spec.optMap(v1, \
             v1.?a.orValue([]).exists(v2, v2.?c.optMap(v3, v3 == 1).orValue(false)) || \
             v1.?b.orValue([]).exists(v2, v2.?c.optMap(v3, v3 == 1).orValue(false))).orValue(false)"
        );
        assert_eq!(
            text("l[name=x].c", no),
            "object.?l.orValue([]).exists(v1, v1.?name.orValue(\"\") == \"x\" && \
             v1.?c.optMap(v2, v2 == 1).orValue(false))"
        );
    }

    #[test]
    fn what_is_missing_counts_where_it_shall() {
        let nowhere = Nowhere { absent: true, last: false, broken: false };
        assert_eq!(
            text("a.b", nowhere),
            "object.?a.optMap(v1, v1.?b.optMap(v2, v2 == 1).orValue(true)).orValue(false)"
        );
        assert_eq!(text("a", nowhere), "object.?a.optMap(v1, v1 == 1).orValue(true)");
        let last = Nowhere { absent: false, last: true, broken: false };
        assert!(text("a[=x]", last).contains("|| !"), "{}", text("a[=x]", last));
    }
}
