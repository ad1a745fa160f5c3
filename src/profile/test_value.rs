//! What a field must be: the little language of `was`, `if`, `fields`, `is` and
//! of conditions on parameters.
//!
//! A scalar or mapping means *equal to it*; a list means *any of these*;
//! `absent` and `present` speak of the field itself; `{not: …}`, `{glob: …}`,
//! `{matches: …}`, `{range: …}`, `{between: …}`, `{contains: …}` and `{value: …}`
//! (exactly this, whatever it looks like) say the rest.

use regex_lite::Regex;
use serde_json::Value;

use super::glob;
use super::version::{Range, parse_version};

/// A test of a field that may be absent.
#[derive(Debug, Clone)]
pub enum ValueTest {
    /// Any of these holds.
    AnyOf(Vec<ValueTest>),
    /// The field is not there.
    Absent,
    /// The field is there.
    Present,
    /// The field is there and is this.
    Equals(Value),
    /// The test does not hold.
    Not(Box<ValueTest>),
    /// The field is text of this shape.
    Glob(String),
    /// The field is text that this regular expression finds something in.
    Matches(Regex),
    /// The field is a version, or a whole number, in this range.
    InRange(Range),
    /// The field is a whole number, or text that is one, in this range.
    Between(i64, i64),
    /// The field is a list with this item, or a text with this text in it.
    Contains(Value),
}

impl ValueTest {
    /// Reads a test. The error says what is wrong with it.
    pub fn parse(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(word) if word == "absent" => Ok(Self::Absent),
            Value::String(word) if word == "present" => Ok(Self::Present),
            Value::Array(items) => {
                items.iter().map(Self::parse_item).collect::<Result<_, _>>().map(Self::AnyOf)
            }
            Value::Object(map) if map.len() == 1 => {
                let (word, inner) = map.iter().next().ok_or("an empty test")?;
                match (word.as_str(), inner) {
                    ("not", inner) => Ok(Self::Not(Box::new(Self::parse(inner)?))),
                    ("glob", Value::String(pattern)) => Ok(Self::Glob(pattern.clone())),
                    ("matches", Value::String(pattern)) => Regex::new(pattern)
                        .map(Self::Matches)
                        .map_err(|error| format!("`{pattern}` is not a regular expression: {error}")),
                    ("range", Value::String(range)) => Range::parse(range).map(Self::InRange),
                    ("between", Value::String(range)) => between(range)
                        .ok_or_else(|| format!("`{range}` is not a range of numbers such as 1-1023")),
                    ("contains", inner) => Ok(Self::Contains(inner.clone())),
                    ("value", inner) => Ok(Self::Equals(inner.clone())),
                    _ => Ok(Self::Equals(value.clone())),
                }
            }
            other => Ok(Self::Equals(other.clone())),
        }
    }

    /// A list within the list of alternatives is a list value.
    fn parse_item(value: &Value) -> Result<Self, String> {
        match value {
            Value::Array(_) => Ok(Self::Equals(value.clone())),
            other => Self::parse(other),
        }
    }

    /// Whether the field, if there at all, passes.
    pub fn holds(&self, field: Option<&Value>) -> bool {
        match (self, field) {
            (Self::AnyOf(tests), _) => tests.iter().any(|test| test.holds(field)),
            (Self::Absent, field) => field.is_none(),
            (Self::Present, field) => field.is_some(),
            (Self::Not(test), _) => !test.holds(field),
            (_, None) => false,
            (Self::Equals(wanted), Some(have)) => have == wanted,
            (Self::Glob(pattern), Some(have)) => {
                have.as_str().is_some_and(|text| glob::matches(pattern, text))
            }
            (Self::Matches(pattern), Some(have)) => have.as_str().is_some_and(|text| pattern.is_match(text)),
            (Self::Between(low, high), Some(have)) => {
                whole_number(have).is_some_and(|number| (*low..=*high).contains(&number))
            }
            (Self::InRange(range), Some(have)) => {
                let version = match have {
                    Value::Number(number) => parse_version(&number.to_string()),
                    have => have.as_str().and_then(parse_version),
                };
                version.is_some_and(|version| range.contains(&version))
            }
            (Self::Contains(part), Some(have)) => match (have, part) {
                (Value::Array(items), part) => items.contains(part),
                (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
                _ => false,
            },
        }
    }

    /// The test in words, for messages: `one of "Local", "Cluster" or absent`.
    pub fn in_words(&self) -> String {
        match self {
            Self::AnyOf(tests) => tests.iter().map(Self::in_words).collect::<Vec<_>>().join(" or "),
            Self::Absent => "absent".to_owned(),
            Self::Present => "present".to_owned(),
            Self::Equals(value) => format!("`{value}`"),
            Self::Not(test) => format!("not {}", test.in_words()),
            Self::Glob(pattern) => format!("like `{pattern}`"),
            Self::Matches(pattern) => format!("matching `{pattern}`"),
            Self::Between(low, high) => format!("from {low} to {high}"),
            Self::InRange(range) => format!("in `{}`", range.text()),
            Self::Contains(part) => format!("containing `{part}`"),
        }
    }
}

/// `30000-32767`; a comma is fine as well, as Cilium and Kubernetes write ranges.
fn between(range: &str) -> Option<ValueTest> {
    let (low, high) = range.split_once(['-', ','])?;
    Some(ValueTest::Between(low.trim().parse().ok()?, high.trim().parse().ok()?))
}

fn whole_number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn holds(test: Value, field: Value) -> bool {
        ValueTest::parse(&test).unwrap().holds(Some(&field))
    }

    #[test]
    fn numbers_lie_in_ranges_as_numbers_and_as_text() {
        assert!(holds(json!({"between": "30000-32767"}), json!(31100)));
        assert!(holds(json!({"between": "30000,32767"}), json!("32767")));
        assert!(!holds(json!({"between": "30000-32767"}), json!(5000)));
        assert!(!holds(json!({"between": "30000-32767"}), json!("http")));
        assert!(ValueTest::parse(&json!({"between": "30000"})).is_err());
    }

    #[test]
    fn expressions_find_their_text() {
        assert!(holds(json!({"matches": "^a+$"}), json!("aaa")));
        assert!(holds(json!({"not": {"matches": "^a+$"}}), json!("ab")));
        assert!(!holds(json!({"matches": "1"}), json!(1)));
        assert!(ValueTest::parse(&json!({"matches": "("})).unwrap_err().contains("regular expression"));
    }
}
