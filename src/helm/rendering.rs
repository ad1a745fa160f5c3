//! What `helm template` is asked for, and its arguments. No shell sees them, and each
//! value is glued to its flag or stands behind `--`, so that none can be taken for a
//! flag.

use std::ffi::OsString;
use std::path::PathBuf;

/// One rendering of a chart.
#[derive(Debug, Clone, Default)]
pub struct Rendering {
    /// The release's name.
    pub release: String,
    /// A folder, an archive, a URL, or `REPOSITORY/NAME`.
    pub chart: String,
    /// The release's namespace; without one Helm takes its own.
    pub namespace: Option<String>,
    /// The version that charts see as `.Capabilities.KubeVersion`.
    pub kube_version: Option<String>,
    /// `GROUP/VERSION` and `GROUP/VERSION/KIND`, for `.Capabilities.APIVersions`.
    pub api_versions: Vec<String>,
    /// Files of values, from weak to strong.
    pub values: Vec<PathBuf>,
    /// Single values, which are stronger than files.
    pub sets: Vec<Set>,
    /// Whether `crds/` is rendered.
    pub include_crds: bool,
    /// Whether tests are left out.
    pub skip_tests: bool,
    /// Whether hooks are left out.
    pub no_hooks: bool,
    /// Whether values are held against the chart's schema.
    pub skip_schema_validation: bool,
    /// Flags that say where the chart comes from, each in one word: `--version=1.20.0`.
    pub origin: Vec<OsString>,
    /// Texts in the files of values that no message may repeat.
    pub value_texts: Vec<String>,
}

/// A value on Helm's command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// How it is read.
    pub kind: SetKind,
    /// `NAME=VALUE`.
    pub text: String,
}

/// The ways in which Helm reads a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetKind {
    /// `--set`: a number, boolean, null, list or text.
    Value,
    /// `--set-string`.
    Text,
    /// `--set-file`: a file's content.
    File,
    /// `--set-json`.
    Json,
    /// `--set-literal`: text in which no character is special.
    Literal,
}

impl SetKind {
    fn flag(self) -> &'static str {
        match self {
            SetKind::Value => "--set",
            SetKind::Text => "--set-string",
            SetKind::File => "--set-file",
            SetKind::Json => "--set-json",
            SetKind::Literal => "--set-literal",
        }
    }
}

impl Set {
    /// A value whose commas separate nothing, as Argo CD passes those of an
    /// application. Source: `cleanSetParameters` in `util/helm/helm.go` of Argo CD.
    pub fn whole(kind: SetKind, name: &str, value: &str) -> Self {
        let mut text = format!("{name}=");
        let is_list = value.starts_with('{') && value.ends_with('}');
        let mut before = None;
        for character in value.chars() {
            if character == ',' && before != Some('\\') && !is_list {
                text.push('\\');
            }
            text.push(character);
            before = Some(character);
        }
        Self { kind, text }
    }
}

impl Rendering {
    /// The arguments of Helm, `template` the first.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut out: Vec<OsString> = vec!["template".into()];
        let mut flag = |name: &str, value: &dyn AsRef<std::ffi::OsStr>| {
            let mut word = OsString::from(name);
            word.push("=");
            word.push(value);
            out.push(word);
        };
        if let Some(namespace) = &self.namespace {
            flag("--namespace", namespace);
        }
        if let Some(version) = &self.kube_version {
            flag("--kube-version", version);
        }
        for set in &self.sets {
            flag(set.kind.flag(), &set.text);
        }
        for file in &self.values {
            flag("--values", &escape_commas(file));
        }
        // Old versions of Helm 3 take one at a time (helm#11485).
        for api in &self.api_versions {
            flag("--api-versions", api);
        }
        let switches = [
            (self.include_crds, "--include-crds"),
            (self.skip_tests, "--skip-tests"),
            (self.no_hooks, "--no-hooks"),
            (self.skip_schema_validation, "--skip-schema-validation"),
        ];
        out.extend(switches.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag.into()));
        out.extend(self.origin.iter().cloned());
        out.push("--".into());
        out.push(self.release.clone().into());
        out.push(self.chart.clone().into());
        out
    }

    /// Texts that were handed over as values and that no message may repeat.
    pub fn confidential(&self) -> impl Iterator<Item = &str> {
        let valued = self.sets.iter().filter(|set| set.kind != SetKind::File);
        let values = valued.flat_map(|set| {
            let value = set.text.split_once('=').map_or("", |(_, value)| value);
            [set.text.as_str(), value]
        });
        let of_origin = self.origin.iter().filter_map(|word| word.to_str());
        let passwords = of_origin.filter_map(|word| word.strip_prefix("--password="));
        values.chain(passwords).chain(self.value_texts.iter().map(String::as_str))
    }
}

/// `--values` is read as a line of CSV, so a file's name that would not survive that
/// is quoted.
fn escape_commas(path: &std::path::Path) -> OsString {
    match path.to_str() {
        Some(text) if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        _ => path.as_os_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(rendering: &Rendering) -> Vec<String> {
        rendering.arguments().into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn everything_asked_for_is_in_the_arguments() {
        let rendering = Rendering {
            release: "cilium".to_owned(),
            chart: ".".to_owned(),
            namespace: Some("kube-system".to_owned()),
            kube_version: Some("1.34.0".to_owned()),
            api_versions: vec!["apps/v1".to_owned(), "apps/v1/DaemonSet".to_owned()],
            values: vec!["a.yaml".into(), "b,c \"d\".yaml".into()],
            sets: vec![Set::whole(SetKind::Text, "a", "b,c")],
            include_crds: true,
            skip_tests: true,
            no_hooks: false,
            skip_schema_validation: false,
            origin: vec!["--version=1.20.0".into()],
            value_texts: Vec::new(),
        };
        assert_eq!(
            words(&rendering),
            [
                "template",
                "--namespace=kube-system",
                "--kube-version=1.34.0",
                "--set-string=a=b\\,c",
                "--values=a.yaml",
                "--values=\"b,c \"\"d\"\".yaml\"",
                "--api-versions=apps/v1",
                "--api-versions=apps/v1/DaemonSet",
                "--include-crds",
                "--skip-tests",
                "--version=1.20.0",
                "--",
                "cilium",
                ".",
            ]
        );
        assert_eq!(words(&Rendering::default()), ["template", "--", "", ""]);
    }

    #[test]
    fn no_value_can_be_taken_for_a_flag() {
        let bad = "--post-renderer=/bin/sh";
        let rendering = Rendering {
            release: bad.to_owned(),
            chart: bad.to_owned(),
            namespace: Some(bad.to_owned()),
            kube_version: Some(bad.to_owned()),
            api_versions: vec![bad.to_owned()],
            values: vec![bad.into()],
            sets: vec![Set::whole(SetKind::Value, bad, bad)],
            ..Rendering::default()
        };
        let words = words(&rendering);
        let end = words.iter().position(|word| word == "--").unwrap();
        assert!(words[..end].iter().all(|word| word != bad), "{words:?}");
        assert_eq!(words[end + 1..], [bad, bad]);
    }

    #[test]
    fn commas_are_part_of_a_value_unless_it_is_a_list() {
        let text = |value| Set::whole(SetKind::Value, "a", value).text;
        assert_eq!(text("x,y"), "a=x\\,y");
        assert_eq!(text("x\\,y"), "a=x\\,y");
        assert_eq!(text("{x,y}"), "a={x,y}");
        assert_eq!(text(""), "a=");
    }
}
