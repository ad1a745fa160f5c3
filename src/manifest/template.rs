//! Which template a document came from: Helm 3 writes a `# Source:` comment,
//! Helm 4 hands a post-renderer an annotation. The name of the chart is in it.

use serde_json::Value;

/// Helm 4's annotation, which must survive every rewrite.
pub const FILENAME_ANNOTATION: &str = "postrenderer.helm.sh/postrender-filename";

/// The path in the last `# Source:` comment in front of the document's content.
pub fn source_comment(text: &str) -> Option<&str> {
    let mut found = None;
    for line in text.lines() {
        let line = line.trim_start_matches('\u{feff}').trim();
        match line.strip_prefix("# Source:") {
            Some(path) => found = Some(path.trim()),
            None if line.is_empty() || line.starts_with('#') => {}
            None => break,
        }
    }
    found
}

/// The path in Helm 4's annotation.
pub fn filename_annotation(object: &Value) -> Option<&str> {
    object.get("metadata")?.get("annotations")?.get(FILENAME_ANNOTATION)?.as_str()
}

/// The chart that a template path belongs to: the innermost one.
/// `parent/charts/child/templates/x.yaml` → `child`.
pub fn chart_of_path(path: &str) -> Option<&str> {
    let mut parts = path.split('/');
    let mut chart = parts.next().filter(|part| !part.is_empty())?;
    while let Some(part) = parts.next() {
        if part != "charts" {
            break;
        }
        chart = parts.next()?;
    }
    Some(chart)
}

/// Whether a template path lies in a chart's `crds/` folder, which a release
/// never passes through a post-renderer.
pub fn is_crds_path(path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    loop {
        match parts.next() {
            Some("charts") => {
                parts.next();
            }
            Some("crds") => return true,
            _ => return false,
        }
    }
}

/// Name and version in a `helm.sh/chart` label: `argo-cd-10.1.1` →
/// (`argo-cd`, `10.1.1`). The version begins at the last dash before a digit
/// that starts a dotted number.
pub fn split_chart_label(label: &str) -> (&str, Option<&str>) {
    let mut split = None;
    for (at, _) in label.match_indices('-') {
        let rest = label[at + 1..].strip_prefix('v').unwrap_or(&label[at + 1..]);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest[digits..].starts_with('.') {
            split = Some(at);
            break;
        }
    }
    match split {
        Some(at) => (&label[..at], Some(&label[at + 1..])),
        None => (label, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_innermost_chart() {
        assert_eq!(chart_of_path("demo/templates/a.yaml"), Some("demo"));
        assert_eq!(chart_of_path("a/charts/b/charts/c/templates/x.yaml"), Some("c"));
        assert!(is_crds_path("a/charts/b/crds/x.yaml"));
        assert!(!is_crds_path("a/templates/crds/x.yaml"));
    }

    #[test]
    fn splits_chart_labels() {
        assert_eq!(split_chart_label("argo-cd-10.1.1"), ("argo-cd", Some("10.1.1")));
        assert_eq!(split_chart_label("cert-manager-v1.19.0-dev"), ("cert-manager", Some("v1.19.0-dev")));
        assert_eq!(split_chart_label("odd"), ("odd", None));
    }

    #[test]
    fn the_last_source_comment_counts() {
        let text = "# Source: a/crds/one.yaml\n\n# Source: a/crds/two.yaml\nkind: X\n# Source: no\n";
        assert_eq!(source_comment(text), Some("a/crds/two.yaml"));
    }
}
