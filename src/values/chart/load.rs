//! Files → a tree of charts. Which files make a chart of which kind is Helm's loader's
//! word (`pkg/chart/loader` of Helm 3, `pkg/chart/v2/loader` of Helm 4).

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{Chart, Dependency, archive};
use crate::diagnostic::{Diagnostic, Place};
use crate::values::coalesce;
use crate::yaml::{self, Stream};

/// How deep charts may lie in each other.
const MAX_DEPTH: usize = 32;

/// One file of a chart.
#[derive(Debug, Clone)]
pub struct ChartFile {
    /// Below the chart's folder, parts joined by `/`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Whether a file matters to values: templates, for example, do not.
pub fn is_of_interest(path: &str) -> bool {
    match path.strip_prefix("charts/").map(|below| below.split_once('/')) {
        None => matches!(path, "Chart.yaml" | "requirements.yaml" | "values.yaml" | "values.schema.json"),
        Some(None) => path.ends_with(".tgz"),
        Some(Some((_, inside))) => is_of_interest(inside),
    }
}

/// Loads a chart from its files. `shown_as` is its folder or archive.
pub fn load(shown_as: &str, files: Vec<ChartFile>) -> Result<Chart, Diagnostic> {
    load_at(shown_as, files, 0)
}

fn load_at(shown_as: &str, files: Vec<ChartFile>, depth: usize) -> Result<Chart, Diagnostic> {
    if depth > MAX_DEPTH {
        return Err(Diagnostic::input(
            "chart-invalid",
            format!("charts lie too deep in each other: {shown_as}"),
        ));
    }
    let mut own: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut below: BTreeMap<String, Vec<ChartFile>> = BTreeMap::new();
    for file in files {
        match file.path.strip_prefix("charts/") {
            None => {
                own.insert(file.path, file.bytes);
            }
            Some(rest) => {
                let name = rest.split('/').next().unwrap_or(rest).to_owned();
                below.entry(name).or_default().push(ChartFile { path: rest.to_owned(), bytes: file.bytes });
            }
        }
    }
    let Some(metadata_bytes) = own.get("Chart.yaml") else {
        return Err(Diagnostic::input("not-a-chart", format!("{shown_as} holds no Chart.yaml"))
            .help("--chart takes the folder of a chart, or its archive"));
    };
    let metadata: Metadata = read(&format!("{shown_as}/Chart.yaml"), metadata_bytes)?;
    if metadata.name.is_empty() {
        return Err(Diagnostic::input("chart-invalid", format!("{shown_as}/Chart.yaml names no chart")));
    }
    let dependencies = match own.get("requirements.yaml") {
        Some(bytes) => read::<Requirements>(&format!("{shown_as}/requirements.yaml"), bytes)?.dependencies,
        None => metadata.dependencies,
    };
    let values_file = own.remove("values.yaml");
    let values = match &values_file {
        Some(bytes) => mapping(&format!("{shown_as}/values.yaml"), bytes)?,
        None => Map::new(),
    };
    let charts = below
        .into_iter()
        .filter(|(name, _)| !name.starts_with(['_', '.']))
        .filter_map(|(name, files)| chart_below(shown_as, &name, files, depth))
        .collect::<Result<_, _>>()?;
    Ok(Chart {
        shown_as: shown_as.to_owned(),
        name: metadata.name,
        version: metadata.version,
        library: metadata.kind == "library",
        dependencies,
        values,
        values_file,
        schema: own.remove("values.schema.json"),
        charts,
    })
}

/// A folder or archive below `charts`; what is neither is no chart.
fn chart_below(
    shown_as: &str,
    name: &str,
    files: Vec<ChartFile>,
    depth: usize,
) -> Option<Result<Chart, Diagnostic>> {
    let shown_as = format!("{shown_as}/charts/{name}");
    if let [ChartFile { path, bytes }] = files.as_slice()
        && path == name
    {
        let unpacked = archive::unpack(bytes).map_err(|message| {
            Diagnostic::input("chart-unreadable", format!("cannot read the chart {shown_as}: {message}"))
        });
        return Some(unpacked.and_then(|files| load_at(&shown_as, files, depth + 1)));
    }
    let inside: Vec<ChartFile> = files
        .into_iter()
        .filter_map(|file| {
            let path = file.path.split_once('/')?.1.to_owned();
            Some(ChartFile { path, bytes: file.bytes })
        })
        .collect();
    (!inside.is_empty()).then(|| load_at(&shown_as, inside, depth + 1))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    #[serde(deserialize_with = "text")]
    name: String,
    #[serde(deserialize_with = "text")]
    version: String,
    #[serde(rename = "type", deserialize_with = "text")]
    kind: String,
    #[serde(deserialize_with = "or_default")]
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Requirements {
    #[serde(deserialize_with = "or_default")]
    dependencies: Vec<Dependency>,
}

/// A scalar as text: `version: 1.20` is a number to YAML, and `alias:` without a value
/// is none.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text),
        other @ (Value::Number(_) | Value::Bool(_)) => Ok(other.to_string()),
        _ => Err(serde::de::Error::custom("expected text")),
    }
}

fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

fn read<T: Default + for<'de> Deserialize<'de>>(shown_as: &str, bytes: &[u8]) -> Result<T, Diagnostic> {
    let value = Value::Object(mapping(shown_as, bytes)?);
    T::deserialize(&value)
        .map_err(|error| Diagnostic::input("chart-invalid", format!("{shown_as} is not valid: {error}")))
}

/// The mapping that a file of a chart holds; an empty file is an empty one.
pub fn mapping(shown_as: &str, bytes: &[u8]) -> Result<Map<String, Value>, Diagnostic> {
    let fault = |message: String| {
        Diagnostic::input("values-unreadable", format!("{shown_as} cannot be read: {message}"))
    };
    let stream = Stream::cut(bytes).map_err(|_| fault("it is not one YAML document".to_owned()))?;
    let mut found = Map::new();
    for document in stream.documents() {
        let text = stream.document_text(document);
        let tree = yaml::parse(text).map_err(|error| {
            let place = Place::hidden_in_stream(shown_as, &stream, document.text.start + error.offset);
            fault(error.message).at(place)
        })?;
        match tree.read().map_err(|_| fault("its aliases or merge keys cannot be expanded".to_owned()))? {
            Value::Null => {}
            // Helm merges several documents, the later over the earlier.
            Value::Object(map) => found = coalesce::merge(found, map),
            _ => return Err(fault("it holds no mapping".to_owned())),
        }
    }
    Ok(found)
}
