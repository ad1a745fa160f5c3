//! `--ignore-object KIND[/NAME]`: which objects are left out, by globs.

use crate::manifest::Identity;
use crate::profile::glob;

/// `Secret`, `ConfigMap/grafana-*`, `ConfigMap/monitoring/grafana-*`, `*/test-*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectPattern {
    kind: String,
    namespace: Option<String>,
    name: Option<String>,
}

impl ObjectPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        let (kind, namespace, name) = match parts.as_slice() {
            [kind] => (*kind, None, None),
            [kind, name] => (*kind, None, Some(*name)),
            [kind, namespace, name] => (*kind, Some(*namespace), Some(*name)),
            _ => return Err("it is written KIND, KIND/NAME or KIND/NAMESPACE/NAME".to_owned()),
        };
        if parts.iter().any(|part| part.is_empty()) {
            return Err("a part of it is empty; `*` stands for anything".to_owned());
        }
        Ok(Self {
            kind: kind.to_lowercase(),
            namespace: namespace.map(str::to_owned),
            name: name.map(str::to_owned),
        })
    }

    /// Whether the object is meant.
    pub fn means(&self, identity: &Identity) -> bool {
        let fits = |pattern: &Option<String>, text: &str| {
            pattern.as_ref().is_none_or(|pattern| glob::matches(pattern, text))
        };
        glob::matches(&self.kind, &identity.kind.to_lowercase())
            && fits(&self.namespace, &identity.namespace)
            && fits(&self.name, &identity.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_meant_by_kind_and_name() {
        let identity = Identity {
            kind: "ConfigMap".to_owned(),
            namespace: "a".to_owned(),
            name: "x-1".to_owned(),
            ..Identity::default()
        };
        let means = |text: &str| ObjectPattern::parse(text).unwrap().means(&identity);
        assert!(means("configmap") && means("ConfigMap/x-*") && means("*/a/x-1") && means("Config*"));
        assert!(!means("Secret") && !means("ConfigMap/y-*") && !means("ConfigMap/b/x-1"));
        assert!(ObjectPattern::parse("a/b/c/d").is_err() && ObjectPattern::parse("a/").is_err());
    }
}
