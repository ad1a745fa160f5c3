//! Pins → operations on a values file → its new text, proved as manifests are: parsed
//! again, and compared with what `json-patch` makes of the old value.

use serde_json::Value;

use super::model::{Left, Pin};
use super::source::Source;
use super::wish::{added_value, is_nothing, is_so, typed_like, untouchable};
use super::{dotted, opaque};
use crate::diagnostic::{Class, Diagnostic};
use crate::edit::{self, Action, NewValue, Operation, Path, Splice};
use crate::profile::path::get;
use crate::profile::values_face::Wish;

/// What became of a pin.
#[derive(Debug)]
pub enum Fate {
    /// It is so already.
    So,
    /// The key is not there, and nothing tells that it may be added.
    NotThere,
    /// It is to be done, by these operations.
    Do(Vec<Operation>),
    /// It must be left alone.
    Leave(String),
    /// It cannot be done.
    Miss(String),
}

/// What has to be done to the file for a pin, given its value by then.
pub fn fate(pin: &Pin, source: &Source<'_>, now: &Value) -> Fate {
    let mut at = now;
    for (depth, key) in pin.keys.iter().enumerate() {
        if is_bare_template(source, &pin.keys[..depth]) {
            return Fate::Leave("it is a template".to_owned());
        }
        match at {
            Value::Object(map) => match map.get(key) {
                Some(value) => at = value,
                None => return add(pin, source, depth, false),
            },
            Value::Null => return add(pin, source, depth, true),
            other => return not_a_mapping(pin, depth, other),
        }
    }
    if is_bare_template(source, &pin.keys) {
        return Fate::Leave("it is a template".to_owned());
    }
    if let Some(reason) = untouchable(at) {
        return Fate::Leave(reason);
    }
    present(pin, at)
}

fn is_bare_template(source: &Source<'_>, keys: &[String]) -> bool {
    source.tree.as_ref().is_some_and(|tree| {
        !keys.is_empty() && tree.locate(keys).is_some_and(|id| opaque::is_bare_template(tree, id))
    })
}

fn not_a_mapping(pin: &Pin, depth: usize, value: &Value) -> Fate {
    let place = dotted(&pin.keys[..depth]);
    if let Some(reason) = untouchable(value) {
        return Fate::Leave(format!("`{place}` is in its way: {reason}"));
    }
    let reason = format!("`{place}` is no mapping");
    if pin.by_pattern || !pin.may_add { Fate::Leave(reason) } else { Fate::Miss(reason) }
}

/// The key is not in the file. `depth` is the first one that is not; `is_null` says that
/// a null stands where its mapping should.
fn add(pin: &Pin, source: &Source<'_>, depth: usize, is_null: bool) -> Fate {
    if !pin.may_add {
        return Fate::NotThere;
    }
    if pin.stated.as_ref().is_some_and(|stated| matches!(present(pin, stated), Fate::So)) {
        return Fate::So;
    }
    let effective = pin.effective.as_ref();
    if let Some(reason) = effective.and_then(untouchable) {
        return Fate::Leave(reason);
    }
    let Some(value) = added_value(pin) else { return Fate::So };
    if !pin.explicit && effective.is_some_and(|have| is_so(have, &value.to_json())) {
        return Fate::So;
    }
    let from = if is_null { depth } else { depth + 1 };
    let nested = |from: usize| {
        pin.keys[from..]
            .iter()
            .rev()
            .fold(value.clone(), |value, key| NewValue::Mapping(vec![(key.clone(), value)]))
    };
    let path: Path = pin.keys[..from].to_vec();
    let action = if is_null {
        Action::Replace { value: nested(depth) }
    } else {
        let mut after = source.keys_above_comment(&pin.keys[..depth], &pin.keys[depth]);
        after.extend(pin.behind.get(depth).cloned().unwrap_or_default());
        Action::Add { value: nested(depth + 1), after }
    };
    Fate::Do(vec![Operation { path, action }])
}

/// The key is in the file, with this value.
fn present(pin: &Pin, have: &Value) -> Fate {
    let path = || pin.keys.clone();
    let replace =
        |value: NewValue| Fate::Do(vec![Operation { path: path(), action: Action::Replace { value } }]);
    match &pin.wish {
        Wish::Is(wanted) => {
            let json = wanted.to_json();
            if is_so(have, &json) {
                return Fate::So;
            }
            if have.is_object() != json.is_object() && have.is_object() {
                return Fate::Miss(format!("`{}` is a mapping where {json} is wanted", dotted(&pin.keys)));
            }
            replace(typed_like(wanted, Some(have)))
        }
        Wish::Among(_) | Wish::Without(_) => match have {
            Value::Array(items) => {
                let goes = |item: &Value| match &pin.wish {
                    Wish::Among(NewValue::Sequence(wanted)) => {
                        wanted.iter().all(|wanted| wanted.to_json() != *item)
                    }
                    Wish::Without(gone) => gone.contains(item),
                    _ => false,
                };
                let removals: Vec<Operation> = (0..items.len())
                    .rev()
                    .filter(|index| goes(&items[*index]))
                    .map(|index| Operation {
                        path: pin.keys.iter().cloned().chain([index.to_string()]).collect(),
                        action: Action::Remove,
                    })
                    .collect();
                if removals.is_empty() { Fate::So } else { Fate::Do(removals) }
            }
            Value::Null => match added_value(pin) {
                Some(value) => replace(value),
                None => Fate::So,
            },
            _ => Fate::Miss(format!("`{}` is no list", dotted(&pin.keys))),
        },
        Wish::Gone if is_nothing(have) => Fate::So,
        // Without the key a default would come back.
        Wish::Gone if pin.may_add => replace(NewValue::Plain(Value::Null)),
        Wish::Gone => Fate::Do(vec![Operation { path: path(), action: Action::Remove }]),
    }
}

/// What was done for the pins of a plan.
#[derive(Debug, Default)]
pub struct Written {
    /// Each operation with the index of its pin.
    pub operations: Vec<(usize, Operation)>,
    /// How many pins were so already.
    pub already: usize,
    /// What was left alone.
    pub left: Vec<Left>,
    /// Mappings that were null in the file, which took the defaults below them away.
    pub revived: Vec<Path>,
    /// The file's value with everything done.
    pub value: Value,
}

/// Works out the operations, each meant for what the ones before it made.
pub fn operations(
    pins: &[Pin],
    source: &Source<'_>,
    rule_of: &dyn Fn(&Pin) -> String,
) -> Result<Written, Vec<Diagnostic>> {
    let mut written = Written { value: Value::Object(source.values.clone()), ..Written::default() };
    let mut errors = Vec::new();
    for (index, pin) in pins.iter().enumerate() {
        match fate(pin, source, &written.value) {
            Fate::So => written.already += 1,
            Fate::NotThere => {}
            Fate::Leave(reason) => {
                written.left.push(Left { keys: pin.keys.clone(), rule: rule_of(pin), reason });
            }
            Fate::Miss(reason) => errors.push(
                Diagnostic::contract("values-missed", reason)
                    .note(format!("rule {} wants it", rule_of(pin)))
                    .rule(rule_of(pin))
                    .path(dotted(&pin.keys))
                    .help("write it as the chart does, or leave the rule out with --skip"),
            ),
            Fate::Do(operations) => {
                for operation in operations {
                    let is_revival =
                        matches!(&operation.action, Action::Replace { value: NewValue::Mapping(_) })
                            && get(&written.value, &operation.path).is_some_and(Value::is_null);
                    if is_revival {
                        written.revived.push(operation.path.clone());
                    }
                    match patched(&written.value, &operation) {
                        Ok(value) => written.value = value,
                        Err(reason) => errors.push(failed(source, &reason)),
                    }
                    written.operations.push((index, operation));
                }
            }
        }
    }
    if errors.is_empty() { Ok(written) } else { Err(errors) }
}

fn patched(value: &Value, operation: &Operation) -> Result<Value, String> {
    let patch: json_patch::Patch = serde_json::from_value(Value::Array(vec![operation.to_json_patch()]))
        .map_err(|error| error.to_string())?;
    let mut value = value.clone();
    json_patch::patch(&mut value, &patch).map_err(|error| error.to_string())?;
    Ok(value)
}

/// The new text of the file, proved to mean what was planned.
pub fn text(
    source: &Source<'_>,
    pins: &[Pin],
    written: &Written,
    rule_of: &dyn Fn(&Pin) -> String,
) -> Result<String, Diagnostic> {
    if written.operations.is_empty() {
        return Ok(source.text.to_owned());
    }
    let operations: Vec<Operation> =
        written.operations.iter().map(|(_, operation)| operation.clone()).collect();
    let new = match &source.tree {
        Some(tree) if tree.root().is_some() => {
            let splices = edit::splices(tree, &operations).map_err(|error| {
                let pin = written.operations.get(error.operation).and_then(|(index, _)| pins.get(*index));
                let mut diagnostic =
                    Diagnostic::contract("edit-refused", format!("the value cannot be written: {error}"))
                        .at(source.place(error.offset));
                if let Some(pin) = pin {
                    let id = rule_of(pin);
                    diagnostic =
                        diagnostic.note(format!("rule {id} wants it")).rule(id).path(dotted(&pin.keys));
                }
                error.help().into_iter().fold(diagnostic, Diagnostic::help)
            })?;
            let splices = behind_comments(source, tree.text(), &operations, splices);
            source.with_document(&edit::apply(tree.text(), &splices))
        }
        _ => source.with_first_content(&edit::document(&NewValue::from(&written.value))),
    };
    match Source::read(&source.shown_as, new.as_bytes()) {
        Ok(again) if Value::Object(again.values.clone()) == written.value => Ok(new),
        _ => Err(failed(source, "the new text does not mean what was planned")),
    }
}

/// A new key that is there as a comment goes behind that line rather than in front of
/// what is said about it, if there is nothing but comments on the way.
fn behind_comments(
    source: &Source<'_>,
    text: &str,
    operations: &[Operation],
    mut splices: Vec<Splice>,
) -> Vec<Splice> {
    for operation in operations {
        let (Action::Add { .. }, Some((key, mapping))) = (&operation.action, operation.path.split_last())
        else {
            continue;
        };
        let Some(end) = source.comment_end(mapping, key) else { continue };
        for at in 0..splices.len() {
            let next = splices.get(at + 1).map_or(text.len(), |next| next.range.start);
            let splice = &mut splices[at];
            let is_lines = splice.range.is_empty()
                && splice.text.ends_with('\n')
                && splice.text.trim_start().starts_with(&format!("{key}:"));
            let way = text.get(splice.range.start..end).unwrap_or("x");
            let is_comment = |line: &str| matches!(line.trim_start().chars().next(), None | Some('#'));
            if is_lines && next >= end && way.ends_with('\n') && way.lines().all(is_comment) {
                splice.range = end..end;
            }
        }
    }
    splices
}

fn failed(source: &Source<'_>, reason: &str) -> Diagnostic {
    Diagnostic::new(
        "proof-failed",
        Class::Proof,
        format!("the proof failed for {}: {reason}", source.shown_as),
    )
    .note("nothing was written")
    .help("this is a fault of germ-post: please report it with the file, its secrets replaced")
}
