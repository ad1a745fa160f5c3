//! The file of a repository that a finding is shown at. What came on stdin is no
//! file of any; the template that it was rendered from is, but its lines are not
//! known.

use crate::check::finding::{Finding, Location};

/// The name of stdin among inputs.
pub const STDIN: &str = "<stdin>";

/// Where a finding is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// A path with `/`, relative where it was typed so.
    pub path: String,
    /// First line, first column, last line, column behind it; `None` where the file is
    /// the template.
    pub region: Option<(usize, usize, usize, usize)>,
}

/// Where a finding is shown. `source_root` is the folder in which templates lie as
/// `# Source:` comments name them.
pub fn of(finding: &Finding, source_root: Option<&str>) -> Option<Origin> {
    let location = finding.location.as_ref()?;
    if location.place.file == STDIN
        && let (Some(root), Some(template)) = (source_root, &finding.template)
    {
        let root = clean(root);
        let path = if root.is_empty() { template.clone() } else { format!("{root}/{template}") };
        return Some(Origin { path, region: None });
    }
    Some(of_location(location))
}

/// Where a place is shown.
pub fn of_location(location: &Location) -> Origin {
    let place = &location.place;
    let path = if place.file == STDIN { "stdin".to_owned() } else { clean(&place.file) };
    Origin { path, region: Some((place.line, place.column, location.end_line, location.end_column)) }
}

fn clean(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.trim_start_matches("./").trim_end_matches('/').to_owned()
}

impl Origin {
    /// The first line, or the first of the file.
    pub fn line(&self) -> usize {
        self.region.map_or(1, |(line, ..)| line)
    }
}

/// A path as a reference of a URI: what stands for something else there is escaped.
pub fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'+' | b'@' => {
                out.push(byte as char);
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/ü%.yaml"), "a%20b/%C3%BC%25.yaml");
        assert_eq!(uri("/tmp/a.yaml"), "file:///tmp/a.yaml");
        assert_eq!(clean("./a/b.yaml"), "a/b.yaml");
        assert_eq!(clean(".\\a\\b.yaml"), "a/b.yaml");
    }
}
