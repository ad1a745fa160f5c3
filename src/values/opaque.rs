//! Values that only another program can read: references of vals and helm-secrets,
//! texts encrypted by SOPS, templates. They are never touched, since what they come to
//! is not known here.

use serde_json::Value;

use crate::yaml::{NodeId, Tree};

/// What a text is to another program, if it is more than text.
pub fn reads_as(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    if text.starts_with("ENC[") {
        return Some("encrypted by SOPS");
    }
    // https://github.com/helmfile/vals#expression-syntax, and helm-secrets' `secrets+…`.
    let is_reference = text.starts_with("ref+")
        || text.starts_with("secretref+")
        || text.contains("ref+") && text.contains("://")
        || text.starts_with("secrets+");
    if is_reference {
        return Some("a reference that another program looks up");
    }
    text.contains("{{").then_some("a template")
}

/// The same of any value.
pub fn value_reads_as(value: &Value) -> Option<&'static str> {
    value.as_str().and_then(reads_as)
}

/// Whether a node is a template that YAML takes for something else: `{{ … }}` without
/// quotes reads like a mapping.
pub fn is_bare_template(tree: &Tree<'_>, id: NodeId) -> bool {
    tree.source(id).trim_start().starts_with("{{")
}

/// Whether SOPS signed all of a file, so that any edit makes it unreadable:
/// <https://getsops.io/docs/#message-authentication-code>.
pub fn is_signed(values: &Value) -> bool {
    let Some(sops) = values.get("sops").filter(|sops| sops.is_object()) else { return false };
    let only_encrypted = sops.get("mac_only_encrypted").and_then(Value::as_bool).unwrap_or(false);
    sops.get("mac").is_some() && !only_encrypted
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_of_other_programs_are_known() {
        for text in [
            "ref+vault://secret/cilium#/host",
            "secretref+awsssm://x",
            "https://ref+echo://host/path",
            "secrets+age-import:///key.txt?x",
            "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]",
            "{{ .Values.host }}",
            "api.{{ .Values.domain }}",
        ] {
            assert!(reads_as(text).is_some(), "{text}");
        }
        for text in ["", "localhost", "preference", "href+x", "{a: b}", "ENCODED"] {
            assert_eq!(reads_as(text), None, "{text}");
        }
    }

    #[test]
    fn a_signature_may_leave_plain_values_out() {
        assert!(is_signed(&json!({"sops": {"mac": "ENC[x]"}})));
        assert!(!is_signed(&json!({"sops": {"mac": "ENC[x]", "mac_only_encrypted": true}})));
        assert!(!is_signed(&json!({"sops": "x"})) && !is_signed(&json!({})));
    }
}
