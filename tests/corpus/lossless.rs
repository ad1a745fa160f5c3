//! No byte is lost: under the profile `none` every rendering comes out as it
//! went in; under `talos` every document without a changed value does, and in
//! the others everything outside the changed nodes.

use germ_post::yaml::{Document, Stream, parse};

use crate::residue;
use crate::support::objects::name_of;
use crate::support::{self, parallel, run};
use crate::talos_runs::{self, short};

#[test]
fn no_profile_changes_no_byte() {
    let files = support::renderings();
    let failures: Vec<String> = parallel::map(&files, |file| {
        let input = std::fs::read(file).unwrap();
        let run = run::germ_post(&["--profile", "none"], &input);
        (run.code != 0 || run.stdout != input).then(|| format!("{}: {}", short(file), run.summary()))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report("renderings", files.len(), &failures);
}

#[test]
fn talos_changes_only_what_it_edits() {
    let runs: Vec<_> = talos_runs::all().iter().filter(|talos| talos.run.code == 0).collect();
    let results = parallel::map(&runs, |talos| {
        check(&talos.input, &talos.run.stdout).map_err(|error| format!("{}: {error}", talos.name()))
    });
    let edited: usize = results.iter().filter_map(|result| result.as_ref().ok()).sum();
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    parallel::report("renderings", runs.len(), &failures);
    // The Cilium renderings of the generic kind alone have more.
    assert!(runs.is_empty() || edited > 400, "only {edited} documents were edited");
}

/// The number of edited documents.
pub fn check(input: &[u8], output: &[u8]) -> Result<usize, String> {
    let (a, b) = (Stream::cut(input).unwrap(), Stream::cut(output).map_err(|e| format!("{e:?}"))?);
    let mut kept = b.documents().iter();
    let mut next = kept.next();
    let mut edited = 0;
    for document in a.documents() {
        let name = identity(&a, document);
        match next {
            Some(other) if identity(&b, other) == name => {
                let separator = |stream: &Stream<'_>, document: &Document| {
                    document.separator.clone().map(|range| stream.text()[range].to_owned())
                };
                if separator(&a, document) != separator(&b, other) {
                    return Err(format!("{name}: another separator line"));
                }
                let changed = residue::check(a.document_text(document), b.document_text(other));
                edited += usize::from(changed.map_err(|error| format!("{name}: {error}"))?);
                next = kept.next();
            }
            _ if name.starts_with("NetworkPolicy ") => {}
            _ => return Err(format!("{name} is gone, or others stand in front of it")),
        }
    }
    match next {
        Some(document) => Err(format!("{} is new", identity(&b, document))),
        None => Ok(edited),
    }
}

/// The object's name, or all the text of a document without an object.
fn identity(stream: &Stream<'_>, document: &Document) -> String {
    let text = stream.document_text(document);
    match parse(text).unwrap().read().unwrap() {
        value if value.is_object() => name_of(&value),
        _ => text.to_owned(),
    }
}
