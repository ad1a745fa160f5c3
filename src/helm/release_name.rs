//! Which names a release can have. Helm says so only after it has loaded the chart,
//! and reads `--name-template` as a template, so a name is checked first.

use crate::diagnostic::Diagnostic;

/// The longest name, in bytes. Source: `maxReleaseNameLen` in Helm's
/// `pkg/chart/common/util/validation` (3 and 4).
pub const LONGEST: usize = 53;

/// Checks a name as Helm does: at most [`LONGEST`] bytes, of labels as DNS has them,
/// with dots between.
pub fn check(name: &str) -> Result<(), Diagnostic> {
    let wrong = |why: String| {
        Err(Diagnostic::input("release-name-invalid", format!("`{name}` cannot be a release's name: {why}")))
    };
    if name.len() > LONGEST {
        return wrong(format!("it is {} bytes long, and Helm takes {LONGEST}", name.len()));
    }
    if name.is_empty() {
        return wrong("it is empty".to_owned());
    }
    if !name.split('.').all(is_label) {
        return wrong(
            "it may hold lower-case letters, digits, `-` and `.`, and begins and ends with a letter or digit"
                .to_owned(),
        );
    }
    Ok(())
}

/// Whether a text is a label of DNS, as namespaces are called by: lower-case letters,
/// digits and `-` between them, at most 63 bytes. Source: RFC 1123.
pub fn is_label(text: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.len() <= 63
        && bytes.iter().all(|byte| alphanumeric(*byte) || *byte == b'-')
        && bytes.first().is_some_and(|byte| alphanumeric(*byte))
        && bytes.last().is_some_and(|byte| alphanumeric(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged_as_helm_judges_them() {
        for right in ["cilium", "a", "0", "a.b-c.d", &"x".repeat(LONGEST)] {
            assert!(check(right).is_ok(), "{right}");
        }
        for wrong in ["", "Cilium", "-a", "a-", "a..b", ".a", "a_b", "a b", "--kubeconfig", "{{env}}"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
        let long = check(&"x".repeat(LONGEST + 1)).unwrap_err();
        assert!(long.message.ends_with("it is 54 bytes long, and Helm takes 53"), "{long}");
    }
}
