//! The profiles that ship inside the program.

/// Name and text of every shipped profile. A test holds the list against the
/// folder.
pub const PROFILES: &[(&str, &str)] = &[
    ("checks-cilium", include_str!("../../profiles/checks-cilium.yaml")),
    ("checks-k3s", include_str!("../../profiles/checks-k3s.yaml")),
    ("checks-kubernetes", include_str!("../../profiles/checks-kubernetes.yaml")),
    ("checks-platform", include_str!("../../profiles/checks-platform.yaml")),
    ("checks-policy", include_str!("../../profiles/checks-policy.yaml")),
    ("checks-suppressions", include_str!("../../profiles/checks-suppressions.yaml")),
    ("checks-talos", include_str!("../../profiles/checks-talos.yaml")),
    ("cnp-platform", include_str!("../../profiles/cnp-platform.yaml")),
    ("dangers-argocd", include_str!("../../profiles/dangers-argocd.yaml")),
    ("dangers-cilium", include_str!("../../profiles/dangers-cilium.yaml")),
    ("dangers-kubernetes", include_str!("../../profiles/dangers-kubernetes.yaml")),
    ("generic", include_str!("../../profiles/generic.yaml")),
    ("k3s", include_str!("../../profiles/k3s.yaml")),
    ("k3s-cilium", include_str!("../../profiles/k3s-cilium.yaml")),
    ("k3s-kpr", include_str!("../../profiles/k3s-kpr.yaml")),
    ("k3s-portmap", include_str!("../../profiles/k3s-portmap.yaml")),
    ("lb-l2", include_str!("../../profiles/lb-l2.yaml")),
    ("network-policy", include_str!("../../profiles/network-policy.yaml")),
    ("none", include_str!("../../profiles/none.yaml")),
    ("registry-mirror", include_str!("../../profiles/registry-mirror.yaml")),
    ("servicelb", include_str!("../../profiles/servicelb.yaml")),
    ("talos", include_str!("../../profiles/talos.yaml")),
    ("talos-os", include_str!("../../profiles/talos-os.yaml")),
];

/// The text of a shipped profile.
pub fn text(name: &str) -> Option<&'static str> {
    PROFILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Name and version of every shipped profile.
pub fn versions() -> impl Iterator<Item = (&'static str, &'static str)> {
    PROFILES.iter().map(|(name, text)| {
        // A test holds that each has such a line.
        let version = text.lines().find_map(|line| line.strip_prefix("version: "));
        (*name, version.unwrap_or_default().trim())
    })
}

/// The names of the shipped profiles that say what a platform needs. The others are checks and
/// dangers, which come along by themselves.
pub fn names_to_choose_from() -> impl Iterator<Item = &'static str> {
    names().filter(|name| !["checks-", "dangers-"].iter().any(|start| name.starts_with(start)))
}

/// The names of all shipped profiles.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROFILES.iter().map(|(name, _)| *name)
}
