//! Quantities of Kubernetes: `1500m` and `1.5` are the same amount. Source:
//! `k8s.io/apimachinery/pkg/api/resource` (suffixes n, u, m, k, M, G, T, P, E, Ki…Ei,
//! and exponents of ten).

use serde_json::Value;

/// An amount as digits × 10^ten × 2^two.
#[derive(Debug, Clone, Copy)]
struct Amount {
    digits: i128,
    ten: i32,
    two: u32,
}

/// Whether two values are the same quantity. What is no quantity is not.
pub fn same(old: &Value, new: &Value) -> bool {
    match (amount_of(old), amount_of(new)) {
        (Some(old), Some(new)) => equal(old, new).unwrap_or(false),
        _ => false,
    }
}

/// Whether Kubernetes reads a quantity at this path of an object, list items written as
/// `*` or numbers.
pub fn is_place(kind: &str, path: &[String]) -> bool {
    let from_end = |at: usize| path.len().checked_sub(at).and_then(|at| path.get(at)).map(String::as_str);
    match (from_end(2), from_end(1)) {
        (_, Some("sizeLimit" | "divisor" | "averageValue")) => true,
        (Some("limits" | "requests" | "hard" | "capacity" | "allocatable" | "podFixed"), _) => true,
        (Some("max" | "min" | "default" | "defaultRequest" | "maxLimitRequestRatio"), _) => {
            kind == "LimitRange"
        }
        _ => false,
    }
}

fn amount_of(value: &Value) -> Option<Amount> {
    match value {
        Value::Number(number) => amount(&number.to_string()),
        Value::String(text) => amount(text),
        _ => None,
    }
}

fn amount(text: &str) -> Option<Amount> {
    let unit_at = text
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_digit() || *c == '.' || (*at == 0 && matches!(c, '+' | '-'))))
        .map_or(text.len(), |(at, _)| at);
    let (number, unit) = text.split_at(unit_at);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') || !number.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let (ten, two) = match unit {
        "" => (0, 0),
        "n" => (-9, 0),
        "u" => (-6, 0),
        "m" => (-3, 0),
        "k" => (3, 0),
        "M" => (6, 0),
        "G" => (9, 0),
        "T" => (12, 0),
        "P" => (15, 0),
        "E" => (18, 0),
        "Ki" => (0, 10),
        "Mi" => (0, 20),
        "Gi" => (0, 30),
        "Ti" => (0, 40),
        "Pi" => (0, 50),
        "Ei" => (0, 60),
        exponent => (exponent.strip_prefix(['e', 'E'])?.parse().ok()?, 0),
    };
    Some(Amount { digits, ten: i32::checked_sub(ten, i32::try_from(fraction.len()).ok()?)?, two })
}

/// `None` where the numbers are larger than any that occurs.
fn equal(one: Amount, other: Amount) -> Option<bool> {
    let ten = one.ten.min(other.ten);
    let whole = |amount: Amount| -> Option<i128> {
        let scale = 10i128.checked_pow(u32::try_from(amount.ten.checked_sub(ten)?).ok()?)?;
        amount.digits.checked_mul(scale)?.checked_mul(1i128.checked_shl(amount.two)?)
    };
    Some(whole(one)? == whole(other)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_are_compared_and_not_their_spelling() {
        for (one, other) in [
            (json!("1500m"), json!("1.5")),
            (json!(1), json!("1")),
            (json!("1Gi"), json!("1024Mi")),
            (json!("0.5"), json!("500m")),
            (json!("1e3"), json!("1k")),
            (json!("100M"), json!(100_000_000)),
        ] {
            assert!(same(&one, &other), "{one} {other}");
        }
        for (one, other) in [
            (json!("1G"), json!("1Gi")),
            (json!("1500m"), json!("1.51")),
            (json!("x"), json!("x")),
            (json!("1.2.3"), json!("1.23")),
            (json!(""), json!("0")),
            (json!("99999999999999999999999999Ei"), json!("1")),
        ] {
            assert!(!same(&one, &other), "{one} {other}");
        }
    }

    #[test]
    fn only_quantities_are_read_as_such() {
        let place =
            |kind: &str, path: &str| is_place(kind, &path.split('.').map(str::to_owned).collect::<Vec<_>>());
        assert!(place("Pod", "spec.containers.0.resources.limits.cpu"));
        assert!(place("Pod", "spec.volumes.0.emptyDir.sizeLimit"));
        assert!(place("LimitRange", "spec.limits.0.max.cpu"));
        assert!(!place("HorizontalPodAutoscaler", "spec.max.x"));
        assert!(!place("ConfigMap", "data.cpu"));
    }
}
