//! Where an object lives: its namespace, or that of its release where the manifest
//! leaves the namespace to the client.

/// A namespace, or that of a release where the manifest leaves it to the client.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    /// The namespace; empty where the manifest says none.
    pub namespace: String,
    /// The release whose namespace it is; none where the manifest says one.
    pub release: Option<usize>,
}

impl Home {
    /// The home of an object with this `metadata.namespace`, in this release.
    pub fn of(namespace: &str, release: usize) -> Self {
        Self { namespace: namespace.to_owned(), release: namespace.is_empty().then_some(release) }
    }

    /// The namespace, if the manifest says it.
    pub fn named(&self) -> Option<&str> {
        Some(self.namespace.as_str()).filter(|namespace| !namespace.is_empty())
    }
}
