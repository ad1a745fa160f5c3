//! Drift is loud. In every rendering of Cilium each thing that a Talos rule
//! relies on is renamed, one at a time; each such mutant must fail with exit 3,
//! print nothing, and name the rule, the object and where it looked.

use std::ops::Range;
use std::path::{Path, PathBuf};

use germ_post::yaml::{Content, NodeId, Stream, Tree, parse};
use serde_json::Value;

use crate::relied_on::{EXEMPT, Exempt, RELIED_ON, Relied, Rename};
use crate::support::run::Run;
use crate::support::{self, parallel, run};
use crate::talos_runs::short;

const PREFIX: &str = "renamed-";

struct Mutant {
    file: usize,
    relied: &'static Relied,
    text: String,
}

#[test]
fn every_renamed_node_is_noticed() {
    let files = renderings();
    if files.is_empty() {
        return;
    }
    let per_file = parallel::map(&files, |file| mutants_of(&std::fs::read(file).unwrap()));
    let mutants: Vec<Mutant> = per_file
        .into_iter()
        .enumerate()
        .flat_map(|(file, list)| {
            list.into_iter()
                .map(move |(relied, text)| Mutant { file, relied, text })
        })
        .collect();
    let verdicts = parallel::map(&mutants, |mutant| {
        let run = run::germ_post(&["--profile", "talos"], mutant.text.as_bytes());
        let name = short(&files[mutant.file]);
        let verdict = match exempt(mutant.relied, &name) {
            Some(exempt) if run.code == 0 => lacking(&files, &files[mutant.file], mutant.relied)
                .map_or(Ok(()), |()| {
                    Err(format!(
                        "passes, but no rendering of this version lacks it ({})",
                        exempt.reason
                    ))
                }),
            Some(exempt) => Err(format!(
                "is exempt ({}) but fails: {}",
                exempt.reason,
                run.summary()
            )),
            None => is_loud(mutant.relied, &run),
        };
        verdict.err().map(|error| {
            let Relied {
                object,
                path,
                rename,
                ..
            } = mutant.relied;
            format!("{name}: {object} {path} {rename:?}: {error}")
        })
    });
    let failures: Vec<String> = verdicts.into_iter().flatten().collect();
    parallel::report("mutants", mutants.len(), &failures);

    for relied in RELIED_ON {
        let used = mutants
            .iter()
            .any(|mutant| std::ptr::eq(mutant.relied, relied));
        assert!(used, "{} {} is in no rendering", relied.object, relied.path);
    }
    for exempt in EXEMPT {
        let used = mutants
            .iter()
            .any(|mutant| applies(exempt, mutant.relied, &short(&files[mutant.file])));
        assert!(
            used,
            "the exception for {} {} is never needed",
            exempt.object, exempt.path
        );
    }
    eprintln!("{} mutants of {} renderings", mutants.len(), files.len());
}

/// The renderings of Cilium, the wrapper chart's among them.
fn renderings() -> Vec<PathBuf> {
    let files = support::renderings();
    files
        .into_iter()
        .filter(|file| {
            file.parent()
                .is_some_and(|folder| folder.ends_with("cilium"))
        })
        .collect()
}

fn is_loud(relied: &Relied, run: &Run) -> Result<(), String> {
    if run.code != 3 {
        return Err(run.summary());
    }
    if !run.stdout.is_empty() {
        return Err(format!("{} bytes on stdout", run.stdout.len()));
    }
    if !relied.rules.iter().any(|rule| run.stderr.contains(rule)) {
        return Err(format!(
            "names no rule of {:?}: {}",
            relied.rules,
            run.summary()
        ));
    }
    let kind = relied.object.split('/').next().unwrap_or_default();
    if !run.stderr.contains(kind) {
        return Err(format!("does not name the object: {}", run.summary()));
    }
    Ok(())
}

fn applies(exempt: &Exempt, relied: &Relied, file: &str) -> bool {
    exempt.object == relied.object
        && exempt.path == relied.path
        && (exempt.only_in.is_empty() || exempt.only_in.iter().any(|part| file.contains(part)))
}

fn exempt(relied: &Relied, file: &str) -> Option<&'static Exempt> {
    EXEMPT.iter().find(|exempt| applies(exempt, relied, file))
}

/// `None` when another rendering of the same Cilium version lacks the node.
fn lacking(files: &[PathBuf], file: &Path, relied: &Relied) -> Option<()> {
    let version = version_of(file);
    let lacks = files
        .iter()
        .filter(|other| other.as_path() != file && version_of(other) == version)
        .any(|other| {
            let bytes = std::fs::read(other).unwrap();
            mutants_of(&bytes)
                .iter()
                .all(|(found, _)| !std::ptr::eq(*found, relied))
        });
    if lacks { None } else { Some(()) }
}

/// The chart's version out of `…cilium-<version>-<variant>.yaml`.
fn version_of(file: &Path) -> String {
    let name = short(file);
    let rest = name
        .rsplit_once("cilium-")
        .map_or(name.as_str(), |(_, rest)| rest);
    rest.split('-').next().unwrap_or_default().to_owned()
}

/// Every mutant that this stream has.
fn mutants_of(bytes: &[u8]) -> Vec<(&'static Relied, String)> {
    let stream = Stream::cut(bytes).unwrap();
    let mut found = Vec::new();
    for document in stream.documents() {
        let text = stream.document_text(document);
        let objects: Vec<&Relied> = RELIED_ON
            .iter()
            .filter(|relied| text.contains(relied.object.rsplit('/').next().unwrap()))
            .collect();
        if objects.is_empty() {
            continue;
        }
        let tree = parse(text).unwrap();
        let value = tree.read().unwrap();
        let part = |pointer: &str| {
            value
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let object = format!("{}/{}", part("/kind"), part("/metadata/name"));
        for relied in objects.into_iter().filter(|relied| relied.object == object) {
            let places = places(&tree, relied);
            if places.is_empty() {
                continue;
            }
            let mut mutant = stream.text().to_owned();
            for at in places.into_iter().rev() {
                mutant.insert_str(document.text.start + at, PREFIX);
            }
            found.push((relied, mutant));
        }
    }
    found
}

/// The offsets in the document at which the prefix goes in, ascending.
fn places(tree: &Tree<'_>, relied: &Relied) -> Vec<usize> {
    let Some(found) = locate(tree, relied.path) else {
        return Vec::new();
    };
    let name = |id: NodeId| tree.entry(id, "name").map(|entry| entry.value);
    let nodes: Vec<NodeId> = match relied.rename {
        Rename::Key => found.key.into_iter().collect(),
        Rename::Name => name(found.node).into_iter().collect(),
        Rename::VolumeAndMounts => {
            let volume = name(found.node);
            let text = volume.map(|id| tree.read_node(id).unwrap());
            let mounts = tree.nodes().filter_map(|(id, _)| {
                let mounted = tree.entry(id, "mountPath").and(name(id))?;
                (Some(tree.read_node(mounted).unwrap()) == text).then_some(mounted)
            });
            volume.into_iter().chain(mounts).collect()
        }
    };
    let mut places: Vec<usize> = nodes
        .into_iter()
        .map(|id| inside_quotes(tree, tree.node(id).span.clone()))
        .collect();
    places.sort_unstable();
    places
}

fn inside_quotes(tree: &Tree<'_>, span: Range<usize>) -> usize {
    span.start + usize::from(tree.text()[span].starts_with(['"', '\'']))
}

struct Found {
    key: Option<NodeId>,
    node: NodeId,
}

/// The node at `a.b[item].c`; `\.` is a dot in a key.
fn locate(tree: &Tree<'_>, path: &str) -> Option<Found> {
    let mut found = Found {
        key: None,
        node: tree.root()?,
    };
    for step in path.replace("\\.", "\u{0}").split('.') {
        let (key, item) = match step.split_once('[') {
            Some((key, item)) => (key, Some(item.trim_end_matches(']'))),
            None => (step, None),
        };
        let entry = tree.entry(found.node, &key.replace('\u{0}', "."))?;
        found = Found {
            key: Some(entry.key),
            node: entry.value,
        };
        if let Some(wanted) = item {
            let Content::Sequence { items, .. } = &tree.node(found.node).content else {
                return None;
            };
            let is_wanted = |id: NodeId| {
                tree.entry(id, "name")
                    .is_some_and(|entry| tree.read_node(entry.value).unwrap() == wanted)
            };
            found = Found {
                key: None,
                node: items
                    .iter()
                    .map(|item| item.node)
                    .find(|id| is_wanted(*id))?,
            };
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_differs_in_one_name() {
        let text = "kind: DaemonSet\nmetadata:\n  name: cilium\nspec:\n  template:\n    spec:\n      containers:\n      - name: \"cilium-agent\"\n";
        let mutants = mutants_of(text.as_bytes());
        let agent: Vec<&String> = mutants
            .iter()
            .filter(|(r, _)| r.path.ends_with("[cilium-agent]"))
            .map(|(_, text)| text)
            .collect();
        assert_eq!(
            agent,
            [&text.replace("\"cilium-agent", "\"renamed-cilium-agent")]
        );
        let object: Vec<&String> = mutants
            .iter()
            .filter(|(r, _)| r.path == "metadata")
            .map(|(_, text)| text)
            .collect();
        assert_eq!(
            object,
            [&text.replace("name: cilium\n", "name: renamed-cilium\n")]
        );
    }
}
