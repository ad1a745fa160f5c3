//! What a field must be, as a CEL condition on an expression for its value.

use serde_json::Value;

use super::cel::{self, Cel};
use super::unsaid::Unsaid;
use crate::profile::test_value::ValueTest;
use crate::profile::version::{Comparison, Range};

/// Whether `value`, an expression for something that is there, passes.
pub fn holds(test: &ValueTest, value: &str) -> Result<Cel, Unsaid> {
    Ok(match test {
        ValueTest::AnyOf(tests) => any_of(tests, value)?,
        ValueTest::Absent => Cel::Known(false),
        ValueTest::Present => Cel::Known(true),
        ValueTest::Not(inner) => holds(inner, value)?.negated(),
        ValueTest::Equals(wanted) => equals(value, wanted),
        ValueTest::Glob(glob) => {
            let expression = cel::quoted(&format!("^{}$", cel::pattern(glob)));
            text_that(value, &format!("matches({expression})"))
        }
        ValueTest::Matches(expression) => {
            text_that(value, &format!("matches({})", cel::quoted(expression.as_str())))
        }
        ValueTest::Contains(part) => contains(value, part),
        ValueTest::Between(low, high) => number(value, |number| {
            Cel::all([
                Cel::comparison(format!("{number} >= {low}")),
                Cel::comparison(format!("{number} <= {high}")),
            ])
        }),
        ValueTest::InRange(range) => in_range(value, range)?,
    })
}

/// Alternatives: scalars of one type become a list.
fn any_of(tests: &[ValueTest], value: &str) -> Result<Cel, Unsaid> {
    let scalars: Vec<&Value> = tests
        .iter()
        .filter_map(|test| match test {
            ValueTest::Equals(wanted) if !wanted.is_array() && !wanted.is_object() => Some(wanted),
            _ => None,
        })
        .collect();
    let one_type = scalars.windows(2).all(|pair| cel::same_type(pair[0], pair[1]));
    let mut alternatives = Vec::new();
    match scalars.as_slice() {
        [] => {}
        [one] => alternatives.push(equals(value, one)),
        several if one_type => {
            let list: Vec<String> = several.iter().map(|wanted| cel::literal(wanted)).collect();
            alternatives.push(Cel::comparison(format!("{value} in [{}]", list.join(", "))));
        }
        // The type checker knows the field's type, and would not compare it with another.
        several => alternatives.extend(several.iter().map(|wanted| equals(&format!("dyn({value})"), wanted))),
    }
    for test in tests {
        match test {
            ValueTest::Equals(wanted) if !wanted.is_array() && !wanted.is_object() => {}
            other => alternatives.push(holds(other, value)?),
        }
    }
    Ok(Cel::any(alternatives))
}

/// Whether an expression equals a value.
pub fn equals(value: &str, wanted: &Value) -> Cel {
    let literal = cel::literal(wanted);
    match wanted {
        Value::Bool(true) => Cel::comparison(format!("{value} == true")),
        Value::Array(_) | Value::Object(_) => Cel::comparison(format!("dyn({value}) == dyn({literal})")),
        _ => Cel::comparison(format!("{value} == {literal}")),
    }
}

/// Whether an expression has at least what a value says: the API server adds its
/// defaults to mappings.
pub fn covers(value: &str, wanted: &Value) -> Cel {
    match wanted {
        Value::Object(map) => Cel::all(map.iter().map(|(key, inner)| {
            let field = super::path::field(value, key);
            match inner {
                Value::Object(_) => {
                    let inner = covers("part", inner).text();
                    Cel::atom(format!("{field}.optMap(part, {inner}).orValue(false)"))
                }
                scalar => {
                    let equal = equals("part", scalar).text();
                    Cel::atom(format!("{field}.optMap(part, {equal}).orValue(false)"))
                }
            }
        })),
        other => equals(value, other),
    }
}

/// Whether a value is text that passes a call on texts.
fn text_that(value: &str, call: &str) -> Cel {
    Cel::all([
        Cel::comparison(format!("type({value}) == string")),
        Cel::atom(format!("string({value}).{call}")),
    ])
}

fn contains(value: &str, part: &Value) -> Cel {
    let literal = cel::literal(part);
    let item = Cel::all([
        Cel::comparison(format!("type({value}) == list")),
        Cel::comparison(format!("dyn({literal}) in dyn({value})")),
    ]);
    match part {
        Value::String(_) => Cel::any([item, text_that(value, &format!("contains({literal})"))]),
        _ => item,
    }
}

/// A whole number, or a text that is one, under a condition.
fn number(value: &str, condition: impl FnOnce(&str) -> Cel) -> Cel {
    let text = format!("string({value})");
    Cel::all([
        Cel::atom(format!("{text}.matches(\"^-?[0-9]{{1,18}}$\")")),
        condition(&format!("int({text})")),
    ])
}

/// Ranges between whole numbers; CEL of Kubernetes before 1.34 knows no versions.
fn in_range(value: &str, range: &Range) -> Result<Cel, Unsaid> {
    let whole = |bound: &semver::Version| bound.minor == 0 && bound.patch == 0 && bound.pre.is_empty();
    if !range.alternatives.iter().flatten().all(|(_, bound)| whole(bound)) {
        return Err(Unsaid::new(format!("it compares versions, `{}`", range.text())));
    }
    let within = |number: &str| {
        Cel::any(range.alternatives.iter().map(|comparisons| {
            Cel::all(comparisons.iter().map(|(comparison, bound)| {
                let sign = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Equal | Comparison::Prefix(_) => "==",
                    Comparison::Greater => ">",
                    Comparison::GreaterEqual => ">=",
                };
                Cel::comparison(format!("{number} {sign} {}", bound.major))
            }))
        }))
    };
    Ok(number(value, within))
}
