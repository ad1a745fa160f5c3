//! Names with `*`: the only wildcard that profiles need.

/// Whether `text` is what `pattern` says; `*` stands for any run of characters.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches("cilium", "cilium"));
        assert!(!matches("cilium", "cilium-envoy"));
        assert!(matches("cilium*", "cilium-envoy"));
        assert!(matches("*.io", "cilium.io"));
        assert!(matches("a*b*c", "a--b--c"));
        assert!(!matches("a*b*c", "a--c--b"));
        assert!(!matches("ab*b", "ab"));
        assert!(matches("*", ""));
    }
}
