//! What a wish comes to, given the value that is there: whether it is fulfilled, and what
//! is written.

use serde_json::Value;

use super::model::Pin;
use super::opaque;
use crate::edit::{NewValue, Quotes};
use crate::profile::values_face::Wish;

/// Why the value of a pin must not be touched, if it must not.
pub fn untouchable(value: &Value) -> Option<String> {
    let what = match value {
        Value::Array(items) => items.iter().find_map(opaque::value_reads_as),
        other => opaque::value_reads_as(other),
    }?;
    Some(format!("it is {what}"))
}

/// The value that a pin comes to where the file says nothing of its own, for a key that
/// is added; `None` when there is nothing to add.
pub fn added_value(pin: &Pin) -> Option<NewValue> {
    let known = pin.effective.as_ref().filter(|value| !value.is_null());
    match &pin.wish {
        Wish::Is(value) => Some(typed_like(value, known)),
        Wish::Among(whole) => match (known, whole) {
            (Some(Value::Array(items)), NewValue::Sequence(wanted)) => {
                let stays = |item: &&Value| wanted.iter().any(|wanted| wanted.to_json() == **item);
                Some(NewValue::Sequence(items.iter().filter(stays).map(NewValue::from).collect()))
            }
            _ => Some(whole.clone()),
        },
        Wish::Without(gone) => match known {
            Some(Value::Array(items)) if items.iter().any(|item| gone.contains(item)) => {
                let stays = items.iter().filter(|item| !gone.contains(item));
                Some(NewValue::Sequence(stays.map(NewValue::from).collect()))
            }
            _ => None,
        },
        Wish::Gone => known.filter(|value| !is_nothing(value)).map(|_| NewValue::Plain(Value::Null)),
    }
}

/// A value that says nothing, so that it need not go.
pub fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Number(number) => number.as_f64() == Some(0.0),
        _ => false,
    }
}

/// A number as text, where the value in its place is a number as text: schemas of charts
/// ask for types.
pub fn typed_like(value: &NewValue, old: Option<&Value>) -> NewValue {
    let old = old.and_then(Value::as_str);
    match value {
        NewValue::Plain(number @ Value::Number(_)) if old.is_some_and(is_number) => {
            NewValue::Str { text: number.to_string(), quotes: Quotes::Local }
        }
        other => other.clone(),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.parse::<f64>().is_ok()
}

/// Whether a value is what is wanted; a number may stand as text.
pub fn is_so(have: &Value, wanted: &Value) -> bool {
    let as_text =
        |number: &Value, text: &Value| number.is_number() && text.as_str() == Some(&number.to_string());
    have == wanted || as_text(wanted, have)
}
