//! The report of every rendering's run against the two streams: it names
//! exactly the documents that changed or went, and counts what it names.

use std::collections::BTreeSet;

use germ_post::yaml::Stream;
use serde_json::Value;

use crate::support::parallel;
use crate::talos_runs::{self, TalosRun};

#[test]
fn reports_name_what_changed_and_nothing_else() {
    let runs: Vec<&TalosRun> = talos_runs::all().iter().filter(|talos| talos.run.code == 0).collect();
    let failures: Vec<String> =
        parallel::map(&runs, |talos| check(talos).err().map(|error| format!("{}: {error}", talos.name())))
            .into_iter()
            .flatten()
            .collect();
    parallel::report("reports", runs.len(), &failures);
}

/// The number of documents that the report names.
fn check(talos: &TalosRun) -> Result<usize, String> {
    let report = &talos.report;
    if report["version"] != 1 || report["exit"] != 0 {
        return Err("the report is missing, or of another version".to_owned());
    }
    let mut named = BTreeSet::new();
    let (mut edits, mut dropped) = (0, 0);
    for rule in report["rules"].as_array().into_iter().flatten() {
        for object in rule["objects"].as_array().into_iter().flatten() {
            let operations = object["operations"].as_array().map_or(0, Vec::len);
            match object["state"].as_str() {
                Some("changed") if operations > 0 => edits += operations,
                Some("dropped") => dropped += 1,
                Some("already" | "kept" | "left" | "nothing") if operations == 0 => continue,
                _ => return Err(format!("{} says {object}", rule["id"])),
            }
            named.insert(document_at(&talos.input, object)?);
        }
    }
    if report["edits"] != edits || report["dropped"] != dropped {
        return Err(format!(
            "counts {} and {}, not {edits} and {dropped}",
            report["edits"], report["dropped"]
        ));
    }
    let changed = changed_documents(&talos.input, &talos.run.stdout);
    if named != changed {
        return Err(format!("names the documents {named:?}, but {changed:?} changed"));
    }
    Ok(named.len())
}

/// The index of the document that holds the object's line.
fn document_at(input: &[u8], object: &Value) -> Result<usize, String> {
    let line = object["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
    let stream = Stream::cut(input).unwrap();
    let starts = std::iter::once(0).chain(stream.text().match_indices('\n').map(|(at, _)| at + 1));
    let offset = starts.into_iter().nth(line.wrapping_sub(1)).ok_or(format!("there is no line {line}"))?;
    let found = stream.documents().iter().position(|document| document.text.contains(&offset));
    let index = found.ok_or(format!("line {line} is in no document"))?;
    let text = stream.document_text(&stream.documents()[index]);
    let name = object["name"].as_str().unwrap_or_default();
    if text.contains(name) { Ok(index) } else { Err(format!("{name} is not in the document of line {line}")) }
}

/// The documents of the input whose text is not in the output, in order.
fn changed_documents(input: &[u8], output: &[u8]) -> BTreeSet<usize> {
    let texts = |bytes: &[u8]| -> Vec<String> {
        let stream = Stream::cut(bytes).unwrap();
        stream.documents().iter().map(|document| stream.document_text(document).to_owned()).collect()
    };
    let (before, after) = (texts(input), texts(output));
    let operations = similar::capture_diff_slices(similar::Algorithm::Lcs, &before, &after);
    operations
        .into_iter()
        .filter(|operation| operation.tag() != similar::DiffTag::Equal)
        .flat_map(|operation| operation.old_range())
        .collect()
}
