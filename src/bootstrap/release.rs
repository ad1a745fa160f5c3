//! What Helm keeps of a release: its last revision, and whether somebody left it half-done.
//! Helm takes no revision up while one is pending, and nothing ends a pending one whose
//! Helm is gone; its record has to go. Source: `prepareUpgrade` in Helm's
//! `pkg/action/upgrade.go`, `pkg/storage/driver/secrets.go`.

use serde_json::Value;

/// The last revision of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Its number, from 1 on.
    pub number: u64,
    /// `deployed`, `failed`, `pending-install`, …
    pub status: String,
    /// When its record was last written, in seconds since 1970; `None` where it does not say.
    pub written: Option<u64>,
    /// The Secret that is its record.
    pub record: String,
}

impl Revision {
    /// Whether a Helm is at work on it, or was when it was stopped.
    pub fn is_pending(&self) -> bool {
        self.status.starts_with("pending-") || self.status == "uninstalling"
    }
}

/// The arguments of kubectl that print one line for each record of a release: name and
/// labels, none of the content, which holds every value of the release.
pub fn records(release: &str, namespace: &str) -> Vec<String> {
    let template = "-o=jsonpath={range .items[*]}{.metadata.name} {.metadata.labels}{\"\\n\"}{end}";
    [
        "get".to_owned(),
        "secrets".to_owned(),
        format!("--namespace={namespace}"),
        format!("--selector=owner=helm,name={release}"),
        template.to_owned(),
    ]
    .into()
}

/// The last revision among the lines that [`records`] prints.
pub fn last(lines: &str) -> Option<Revision> {
    let revision = |line: &str| {
        let (record, labels) = line.split_once(' ')?;
        let labels: Value = serde_json::from_str(labels).ok()?;
        let number = |label: &str| labels[label].as_str()?.parse::<u64>().ok();
        Some(Revision {
            number: number("version")?,
            status: labels["status"].as_str()?.to_owned(),
            written: number("modifiedAt").or_else(|| number("createdAt")),
            record: record.to_owned(),
        })
    };
    lines.lines().filter_map(revision).max_by_key(|revision| revision.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_revision_counts() {
        let lines = "sh.helm.release.v1.c.v9 {\"createdAt\":\"50\",\"name\":\"c\",\"owner\":\"helm\",\"status\":\"superseded\",\"version\":\"9\"}\n\
            sh.helm.release.v1.c.v10 {\"createdAt\":\"60\",\"modifiedAt\":\"70\",\"status\":\"pending-upgrade\",\"version\":\"10\"}\n";
        let revision = last(lines).unwrap();
        assert_eq!((revision.number, revision.written), (10, Some(70)));
        assert_eq!(revision.record, "sh.helm.release.v1.c.v10");
        assert!(revision.is_pending());
        assert_eq!(last(""), None);
        assert!(!last(lines.lines().next().unwrap()).unwrap().is_pending());
    }
}
