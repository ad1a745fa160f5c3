//! A chart that renders a given stream: the chart of `tests/helm/charts/replay`
//! with the stream's documents laid out in the files that they came from. This
//! is how a real rendering goes through a real Helm's post-rendering without
//! the chart that it came from.

use std::{collections::BTreeMap, fs, path::Path};

use super::release::with_sources;

/// A chart in a temporary folder, which goes when this does.
pub struct Chart {
    folder: tempfile::TempDir,
}

impl Chart {
    /// The chart that renders `stream`, whose every document is under a
    /// `# Source: <chart>/templates/…` or `# Source: <chart>/crds/…` line.
    pub fn replaying(stream: &str) -> Self {
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (source, object) in with_sources(stream) {
            let source = source.expect("a replayed document needs a # Source: line");
            files.entry(source).or_default().push(without_source_line(&object.text));
        }
        let chart = Self { folder: tempfile::tempdir().unwrap() };
        let mut name = "empty".to_owned();
        for (source, texts) in files {
            let (chart_name, path) = source.split_once('/').unwrap();
            name = chart_name.to_owned();
            let text = texts.join("---\n");
            match path.strip_prefix("templates/") {
                Some(template) => {
                    chart.write(&format!("rendered/{template}"), &text);
                    chart.write(path, "{{ include \"replay\" . }}");
                }
                None => chart.write(path, &text),
            }
        }
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/helm/charts/replay");
        let read = |path: &str| fs::read_to_string(ours.join(path)).unwrap();
        chart.write("Chart.yaml", &read("Chart.yaml").replace("name: replay", &format!("name: {name}")));
        chart.write("templates/_replay.tpl", &read("templates/_replay.tpl"));
        chart
    }

    /// A file of `tests/helm/streams`, replayed.
    pub fn of_fixture(name: &str) -> Self {
        Self::replaying(&fixture(name))
    }

    /// Where the chart is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The text of a file of `tests/helm/streams`.
pub fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/helm/streams").join(name);
    fs::read_to_string(path).unwrap()
}

/// Helm writes the line anew, and only in front of the document.
fn without_source_line(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("# Source: ")).collect()
}
