//! Mapping keys: the name that a key has in JSON, and the refusal of keys that
//! would share a name in an order that Kubernetes' reader leaves to chance.

use std::borrow::Cow;
use std::collections::HashMap;

use super::ParseError;
use crate::yaml::scalar::Scalar;
use crate::yaml::tree::{Content, Entry, Key, Node, NodeId, ScalarStyle};

/// The JSON spelling of a key (`convertToJSONableObject` of sigs.k8s.io/yaml).
pub(super) fn name<'s>(text: &str, nodes: &[Node<'s>], key: NodeId) -> Result<Key<'s>, ParseError> {
    let node = &nodes[key.index()];
    let offset = node.span.start;
    let (target, is_alias) = match node.content {
        Content::Alias { target } => (&nodes[target.index()], true),
        _ => (node, false),
    };
    let Content::Scalar { value, style } = &target.content else {
        return Err(ParseError::new(offset, "a key is not a scalar"));
    };
    match value {
        Scalar::Str(name) if name == "<<" && !is_alias && is_merge(target, *style, text) => Ok(Key::Merge),
        Scalar::Str(name) => Ok(Key::Name(name.clone())),
        Scalar::Bool(value) => Ok(Key::Name(Cow::Borrowed(if *value { "true" } else { "false" }))),
        Scalar::Int(value) => Ok(Key::Name(Cow::Owned(value.to_string()))),
        // Equal to zero as a key, and still another name.
        Scalar::Float(value) if *value == 0.0 && value.is_sign_negative() => {
            Err(ParseError::new(offset, "a key is negative zero"))
        }
        Scalar::Float(value) => Ok(Key::Name(Cow::Owned(go_float(*value)))),
        Scalar::UInt(_) => Err(ParseError::new(offset, "a key is a number above 64 signed bits")),
        Scalar::Null => Err(ParseError::new(offset, "a key is null")),
    }
}

/// `<<` is a merge key when plain, or when tagged `!!merge` or `!`.
fn is_merge(node: &Node<'_>, style: ScalarStyle, text: &str) -> bool {
    match &node.tag {
        None => style == ScalarStyle::Plain,
        Some(tag) => matches!(&text[tag.start..tag.end], "!" | "!!merge" | "!<tag:yaml.org,2002:merge>"),
    }
}

/// Go's `strconv.FormatFloat(key, 'g', -1, 32)`.
fn go_float(value: f64) -> String {
    let narrow = value as f32;
    if narrow.is_infinite() {
        return if narrow > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{narrow:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        _ => format!("{narrow}"),
    }
}

/// Refuses keys of different types with one name, such as `1` and `"1"`: which of
/// them counts is chance in Kubernetes' reader. A merge brings keys of one mapping
/// into another, so with merges the whole document is looked at as one mapping.
pub(super) fn check_names(nodes: &[Node<'_>]) -> Result<(), ParseError> {
    let mappings = || {
        nodes.iter().filter_map(|node| match &node.content {
            Content::Mapping { entries, .. } => Some(entries),
            _ => None,
        })
    };
    let is_odd = |entry: &Entry<'_>| !matches!(scalar_of(nodes, entry.key), Some(Scalar::Str(_)) | None);
    if !mappings().flatten().any(is_odd) {
        return Ok(());
    }
    if mappings().flatten().any(|entry| entry.name == Key::Merge) {
        return check_types(nodes, mappings().flatten());
    }
    mappings()
        .filter(|entries| entries.iter().any(is_odd))
        .try_for_each(|entries| check_types(nodes, entries))
}

fn check_types<'t, 's: 't>(
    nodes: &'t [Node<'s>],
    entries: impl IntoIterator<Item = &'t Entry<'s>>,
) -> Result<(), ParseError> {
    let mut seen: HashMap<&str, &Scalar<'s>> = HashMap::new();
    for entry in entries {
        let (Some(name), Some(value)) = (entry.name.name(), scalar_of(nodes, entry.key)) else { continue };
        if seen.insert(name, value).is_some_and(|other| other != value) {
            let offset = nodes[entry.key.index()].span.start;
            let problem = "two keys of different types have one name in JSON";
            return Err(ParseError::new(offset, problem).with_help("quote both keys, or remove one"));
        }
    }
    Ok(())
}

fn scalar_of<'t, 's>(nodes: &'t [Node<'s>], key: NodeId) -> Option<&'t Scalar<'s>> {
    let node = &nodes[key.index()];
    let target = match node.content {
        Content::Alias { target } => &nodes[target.index()],
        _ => node,
    };
    match &target.content {
        Content::Scalar { value, .. } => Some(value),
        _ => None,
    }
}
