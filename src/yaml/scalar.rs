//! What a scalar means: the resolution of `go.yaml.in/yaml/v2` as used by
//! `sigs.k8s.io/yaml` (YAML 1.1 with Go's number syntax), which is what Helm,
//! kubectl and Argo CD read. Source: `resolve.go` of that library, checked
//! against its answers on real and odd scalars.

use std::borrow::Cow;

use serde_json::{Number, Value};

/// A resolved scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar<'s> {
    /// `~`, `null`, or nothing at all.
    Null,
    /// `true`, `yes`, `on`, `y` and their kin.
    Bool(bool),
    /// An integer within the signed 64 bits.
    Int(i64),
    /// An integer above the signed 64 bits.
    UInt(u64),
    /// Any other number, never infinite and never NaN.
    Float(f64),
    /// Text.
    Str(Cow<'s, str>),
}

impl Scalar<'_> {
    /// The JSON value that Kubernetes gets. A float without a fraction is the
    /// integer that its JSON text reads back as.
    pub fn to_json(&self) -> Value {
        match self {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(*value),
            Scalar::Int(value) => Value::from(*value),
            Scalar::UInt(value) => Value::from(*value),
            Scalar::Float(value) => float_to_json(*value),
            Scalar::Str(text) => Value::from(text.as_ref()),
        }
    }

    /// Whether [`Self::to_json`] is `value`.
    pub fn is_json(&self, value: &Value) -> bool {
        match self {
            Scalar::Str(text) => value.as_str() == Some(text),
            _ => self.to_json() == *value,
        }
    }
}

/// Go prints a float64 below 1e21 without an exponent, as the shortest digits that
/// mean it and zeros, so `1e3` reaches the API server as the integer 1000.
fn float_to_json(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e21 {
        let digits = value.to_string();
        if let Ok(integer) = digits.parse::<i64>() {
            return Value::from(integer);
        }
        if let Ok(integer) = digits.parse::<u64>() {
            return Value::from(integer);
        }
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// A scalar that Kubernetes' reader refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScalarError {
    /// `.inf` and `.nan` have no JSON form.
    NotFinite,
    /// The tag names a type that the text is not of.
    WrongType {
        /// The tag as Go prints it, e.g. `!!int`.
        tag: String,
    },
    /// `!!binary` with text that is not base64, or not UTF-8 behind it.
    BadBinary,
    /// `!!timestamp`: which texts pass for one is too much to know for a tag that
    /// no manifest uses.
    Timestamp,
}

/// The tags that change how a scalar is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// `!!str`.
    Str,
    /// `!!bool`.
    Bool,
    /// `!!int`.
    Int,
    /// `!!float`.
    Float,
    /// `!!null`.
    Null,
    /// `!!timestamp`.
    Timestamp,
    /// `!!binary`.
    Binary,
    /// Any other tag; the text is taken as it is.
    Other,
}

impl Tag {
    fn name(self) -> &'static str {
        match self {
            Tag::Str => "!!str",
            Tag::Bool => "!!bool",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Null => "!!null",
            Tag::Timestamp => "!!timestamp",
            Tag::Binary => "!!binary",
            Tag::Other => "!",
        }
    }
}

/// Resolves an untagged plain scalar. Quoted and block scalars without a tag are
/// strings and do not come here.
pub fn resolve_plain(text: &str) -> Result<Scalar<'_>, ScalarError> {
    finite(resolve(text))
}

/// Resolves a scalar with an explicit tag, quoted or not.
pub fn resolve_tagged(text: Cow<'_, str>, tag: Tag) -> Result<Scalar<'_>, ScalarError> {
    let wrong = || ScalarError::WrongType { tag: tag.name().to_owned() };
    match tag {
        Tag::Str | Tag::Other => Ok(Scalar::Str(text)),
        Tag::Binary => {
            let bytes = decode_base64(&text).ok_or(ScalarError::BadBinary)?;
            String::from_utf8(bytes)
                .map(|text| Scalar::Str(Cow::Owned(text)))
                .map_err(|_| ScalarError::BadBinary)
        }
        Tag::Timestamp => Err(ScalarError::Timestamp),
        Tag::Bool | Tag::Int | Tag::Float | Tag::Null => {
            let resolved = finite(resolve(&text))?;
            match (tag, resolved) {
                (Tag::Bool, Scalar::Bool(value)) => Ok(Scalar::Bool(value)),
                (Tag::Null, Scalar::Null) => Ok(Scalar::Null),
                (Tag::Int, Scalar::Int(value)) => Ok(Scalar::Int(value)),
                (Tag::Int, Scalar::UInt(value)) => Ok(Scalar::UInt(value)),
                (Tag::Float, Scalar::Float(value)) => Ok(Scalar::Float(value)),
                (Tag::Float, Scalar::Int(value)) => Ok(Scalar::Float(value as f64)),
                _ => Err(wrong()),
            }
        }
    }
}

enum Resolved<'s> {
    Value(Scalar<'s>),
    NotFinite,
}

fn finite(resolved: Resolved<'_>) -> Result<Scalar<'_>, ScalarError> {
    match resolved {
        Resolved::Value(scalar) => Ok(scalar),
        Resolved::NotFinite => Err(ScalarError::NotFinite),
    }
}

fn resolve(text: &str) -> Resolved<'_> {
    use Resolved::Value as V;
    let Some(&first) = text.as_bytes().first() else {
        return V(Scalar::Null);
    };
    match text {
        "~" | "null" | "Null" | "NULL" => return V(Scalar::Null),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            return V(Scalar::Bool(true));
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            return V(Scalar::Bool(false));
        }
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf"
        | "-.Inf" | "-.INF" => return Resolved::NotFinite,
        _ => {}
    }
    let string = V(Scalar::Str(Cow::Borrowed(text)));
    match first {
        b'.' => underscores_removed(text)
            .filter(|digits| is_decimal_float(digits))
            .and_then(|digits| parse_float(&digits))
            .map_or(string, V),
        b'+' | b'-' | b'0'..=b'9' => resolve_number(text).map_or(string, V),
        _ => string,
    }
}

fn resolve_number<'s>(text: &str) -> Option<Scalar<'s>> {
    let plain: Cow<'_, str> =
        if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) };
    if let Some(value) = parse_go_int(&plain) {
        return Some(value);
    }
    if is_decimal_float(&plain) {
        return parse_float(&plain);
    }
    // The library tries once more without the prefix, which lets a sign through.
    let signed = plain.strip_prefix("0b").filter(|rest| rest.starts_with(['+', '-']))?;
    i64::from_str_radix(signed, 2).ok().map(Scalar::Int)
}

fn parse_float<'s>(digits: &str) -> Option<Scalar<'s>> {
    digits.parse::<f64>().ok().filter(|value| value.is_finite()).map(Scalar::Float)
}

/// The text without its underscores, if each stands between two digits, as Go's
/// `strconv.ParseFloat` wants it.
fn underscores_removed(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(Cow::Borrowed(text));
    }
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let fine = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let all_fine = (0..bytes.len()).all(|at| bytes[at] != b'_' || fine(at));
    all_fine.then(|| Cow::Owned(text.replace('_', "")))
}

/// Go's `strconv.ParseInt(s, 0, 64)`, then `ParseUint(s, 0, 64)`.
fn parse_go_int<'s>(text: &str) -> Option<Scalar<'s>> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'+' => (Some(false), &text[1..]),
        b'-' => (Some(true), &text[1..]),
        _ => (None, text),
    };
    let lower = |prefix: &str| {
        digits.get(..2).filter(|start| start.eq_ignore_ascii_case(prefix)).map(|_| &digits[2..])
    };
    let (radix, body) = if let Some(body) = lower("0x") {
        (16, body)
    } else if let Some(body) = lower("0b") {
        (2, body)
    } else if let Some(body) = lower("0o") {
        (8, body)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (8, &digits[1..])
    } else {
        (10, digits)
    };
    if body.is_empty() || !body.bytes().all(|byte| (byte as char).is_digit(radix)) {
        return None;
    }
    let magnitude = u64::from_str_radix(body, radix).ok()?;
    match sign {
        Some(true) if magnitude <= i64::MIN.unsigned_abs() => {
            Some(Scalar::Int((magnitude as i64).wrapping_neg()))
        }
        Some(true) => None,
        _ if magnitude <= i64::MAX as u64 => Some(Scalar::Int(magnitude as i64)),
        // ParseUint takes no sign.
        None => Some(Scalar::UInt(magnitude)),
        Some(false) => None,
    }
}

/// The library's `^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`.
fn is_decimal_float(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(at);
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let fraction = digits(at);
        if whole == 0 && fraction == 0 {
            return false;
        }
        at += fraction;
    } else if whole == 0 {
        return false;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    at == bytes.len()
}

/// Go's `base64.StdEncoding`, which skips line breaks.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let symbols: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\n' | b'\r')).collect();
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    for (index, chunk) in symbols.chunks(4).enumerate() {
        let last = (index + 1) * 4 == symbols.len();
        let padding = chunk.iter().rev().take_while(|b| **b == b'=').count();
        if padding > 2 || (padding > 0 && !last) {
            return None;
        }
        let mut group = 0u32;
        for &symbol in &chunk[..4 - padding] {
            let value = match symbol {
                b'A'..=b'Z' => symbol - b'A',
                b'a'..=b'z' => symbol - b'a' + 26,
                b'0'..=b'9' => symbol - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            group = group << 6 | u32::from(value);
        }
        group <<= 6 * padding as u32;
        let bytes = group.to_be_bytes();
        out.extend_from_slice(&bytes[1..4 - padding]);
    }
    Some(out)
}

/// Whether a string can stand plain (unquoted) and still be read as this string.
/// Only the type is looked at; syntax is [`crate::yaml::quote`]'s concern.
pub fn plain_reads_as_string(text: &str) -> bool {
    matches!(resolve(text), Resolved::Value(Scalar::Str(_)))
}
