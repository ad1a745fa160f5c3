//! Drift is loud. In every rendering of Cilium each thing that a profile's rules
//! rely on is renamed, one at a time; each such mutant must fail with exit 3,
//! print nothing, and name the rule, the object and where it looked. All of them
//! go through the library, with the profile loaded once; of each kind the first
//! of every Cilium version goes through the program as well.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use germ_post::diagnostic::Class;
use germ_post::profile::load;
use germ_post::rewrite::{self, Request, Run};
use germ_post::yaml::{Content, NodeId, Stream, Tree, parse};
use serde_json::Value;

use crate::relied_on::{EXEMPT, Exempt, HELD, Held, Relied, Rename};
use crate::support::{self, parallel, run};
use crate::talos_runs::short;

const PREFIX: &str = "renamed-";

struct Mutant {
    file: usize,
    relied: &'static Relied,
    /// Where the prefix goes in, ascending.
    places: Vec<usize>,
}

impl Mutant {
    fn text(&self) -> String {
        mutated(&drift().texts[self.file], &self.places)
    }
}

/// All renderings of Cilium with all their mutants.
struct Drift {
    files: Vec<PathBuf>,
    texts: Vec<String>,
    /// For each profile.
    held: Vec<(&'static Held, Vec<Mutant>)>,
}

fn drift() -> &'static Drift {
    static DRIFT: OnceLock<Drift> = OnceLock::new();
    DRIFT.get_or_init(|| {
        let files = renderings();
        let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        let mutants = |held: &'static Held| {
            let per_file = parallel::map(&texts, |text| mutants_of(text, &held.relied_on));
            let meant = per_file.into_iter().enumerate().filter(|(file, _)| held.is_for(&files[*file]));
            let mutants = meant.flat_map(|(file, list)| {
                list.into_iter().map(move |(relied, places)| Mutant { file, relied, places })
            });
            (held, mutants.collect())
        };
        let held = HELD.iter().map(mutants).collect();
        Drift { files, texts, held }
    })
}

#[test]
fn every_renamed_node_is_noticed() {
    let Drift { files, held, .. } = drift();
    if files.is_empty() {
        return;
    }
    for (held, mutants) in held {
        let request = request(held);
        let failures: Vec<String> = parallel::map(mutants, |mutant| {
            let text = mutant.text();
            let run = rewrite::run(text.as_bytes(), &request);
            let verdict = match exempt(mutant.relied, &short(&files[mutant.file])) {
                Some(exempt) if run.output.is_some() => is_lacking_elsewhere(mutant, mutants)
                    .then_some(())
                    .ok_or(format!("passes, but no rendering of this version lacks it ({})", exempt.reason)),
                Some(exempt) => Err(format!("is exempt ({}) but fails: {}", exempt.reason, summary(&run))),
                None => is_noticed(mutant.relied, &run),
            };
            verdict.err().map(|error| format!("{}: {error}", describe(mutant)))
        })
        .into_iter()
        .flatten()
        .collect();
        parallel::report(&format!("mutants for {}", held.profile), mutants.len(), &failures);

        for relied in &held.relied_on {
            let used = mutants.iter().any(|mutant| std::ptr::eq(mutant.relied, relied));
            assert!(used, "{}: {} {} is in no rendering", held.profile, relied.object, relied.path);
        }
        assert!(mutants.len() > held.at_least.0, "{}: only {} mutants", held.profile, mutants.len());
    }
    for exempt in EXEMPT {
        let mut all = held.iter().flat_map(|(_, mutants)| mutants);
        let used = all.any(|mutant| applies(exempt, mutant.relied, &short(&files[mutant.file])));
        assert!(used, "the exception for {} {} is never needed", exempt.object, exempt.path);
    }
}

#[test]
fn every_renamed_object_is_noticed() {
    let Drift { files, texts, held } = drift();
    for (held, _) in held {
        let request = request(held);
        let meant: Vec<usize> = (0..files.len()).filter(|file| held.is_for(&files[*file])).collect();
        let verdicts = parallel::map(&meant, |file| {
            let text = &texts[*file];
            let mutants = mutants_of(text, &held.objects).into_iter();
            let verdicts = mutants.map(|(relied, places)| {
                let text = mutated(text, &places);
                let run = rewrite::run(text.as_bytes(), &request);
                let names_rule = run
                    .diagnostics
                    .iter()
                    .filter_map(|diagnostic| diagnostic.rule.as_deref())
                    .any(|rule| relied.rules.iter().any(|wanted| rule.starts_with(wanted)));
                let is_loud = run.class() == Class::Contract && run.output.is_none() && names_rule;
                (!is_loud).then(|| format!("{}: {}", relied.object, summary(&run)))
            });
            verdicts.collect::<Vec<_>>()
        });
        let total: usize = verdicts.iter().map(Vec::len).sum();
        let failures: Vec<String> = meant
            .iter()
            .zip(verdicts)
            .flat_map(|(file, verdicts)| {
                verdicts.into_iter().flatten().map(|error| format!("{}: {error}", short(&files[*file])))
            })
            .collect();
        parallel::report(&format!("renamed objects for {}", held.profile), total, &failures);
        let wanted = held.at_least.1;
        assert!(files.is_empty() || total > wanted, "{}: only {total} objects", held.profile);
    }
}

#[test]
fn the_program_says_what_it_misses() {
    let Drift { files, held, .. } = drift();
    let mut seen = BTreeSet::new();
    let first_ones: Vec<(&Held, &Mutant)> = held
        .iter()
        .flat_map(|(held, mutants)| mutants.iter().map(move |mutant| (*held, mutant)))
        .filter(|(held, mutant)| {
            let Relied { object, path, rename, .. } = mutant.relied;
            seen.insert((held.called, version_of(&files[mutant.file]), object, path, format!("{rename:?}")))
        })
        .filter(|(_, mutant)| exempt(mutant.relied, &short(&files[mutant.file])).is_none())
        .collect();
    let failures: Vec<String> = parallel::map(&first_ones, |(held, mutant)| {
        let run = run::germ_post(&["--profile", held.called], mutant.text().as_bytes());
        let names_rule = mutant.relied.rules.iter().any(|rule| run.stderr.contains(rule));
        let is_loud = run.code == 3 && run.stdout.is_empty() && names_rule;
        (!is_loud).then(|| format!("{}: {}", describe(mutant), run.summary()))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report("mutants", first_ones.len(), &failures);
}

impl Held {
    /// Whether this rendering is one to be mutated.
    fn is_for(&self, file: &Path) -> bool {
        self.not_in.is_none_or(|part| !short(file).contains(part))
    }
}

/// What runs the rules that are about Cilium itself.
fn request(held: &Held) -> Request {
    let loaded = load::load(&[held.profile.to_owned()], &|path| std::fs::read_to_string(path)).unwrap();
    let params = loaded.params().unwrap();
    Request { loaded, params, ..Request::default() }
}

fn describe(mutant: &Mutant) -> String {
    let Relied { object, path, rename, .. } = mutant.relied;
    format!("{}: {object} {path} {rename:?}", short(&drift().files[mutant.file]))
}

fn summary(run: &Run) -> String {
    let errors: Vec<String> = run.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    format!("{:?}, output {}: {}", run.class(), run.output.is_some(), errors.join(" / "))
}

/// Exit 3 without output, and an error that names a rule, the object and, where
/// the object is there, the path.
fn is_noticed(relied: &Relied, run: &Run) -> Result<(), String> {
    if run.class() != Class::Contract || run.output.is_some() {
        return Err(summary(run));
    }
    let (kind, name) = relied.object.split_once('/').unwrap();
    let last = relied.path.rsplit(['.', '[', '/']).next().unwrap().trim_end_matches(']');
    let says_so = run.diagnostics.iter().any(|diagnostic| {
        let rule = diagnostic.rule.as_deref().unwrap_or_default();
        let object = diagnostic.object.as_deref().unwrap_or_default();
        // Of a mixture of several objects the notes tell which.
        let names_object = object.starts_with(&format!("{kind} "))
            && object.rsplit(['/', ' ']).next() == Some(name)
            || diagnostic.notes.iter().any(|note| note.contains(&format!(" of {kind} ")));
        // Of a mixture the notes tell both paths.
        let names_path = diagnostic.path.as_deref().is_some_and(|path| !path.is_empty())
            || diagnostic.notes.iter().any(|note| note.contains(last));
        relied.rules.iter().any(|wanted| rule.starts_with(wanted)) && names_object && names_path
    });
    if says_so { Ok(()) } else { Err(format!("names no rule, object and path: {}", summary(run))) }
}

/// The renderings of Cilium, the wrapper chart's among them.
fn renderings() -> Vec<PathBuf> {
    let files = support::renderings();
    files.into_iter().filter(|file| file.parent().is_some_and(|folder| folder.ends_with("cilium"))).collect()
}

fn applies(exempt: &Exempt, relied: &Relied, file: &str) -> bool {
    exempt.object == relied.object
        && exempt.path == relied.path
        && (exempt.only_in.is_empty() || exempt.only_in.iter().any(|part| file.contains(part)))
}

fn exempt(relied: &Relied, file: &str) -> Option<&'static Exempt> {
    EXEMPT.iter().find(|exempt| applies(exempt, relied, file))
}

/// Whether another rendering of the same Cilium version has no such node.
fn is_lacking_elsewhere(mutant: &Mutant, mutants: &[Mutant]) -> bool {
    let Drift { files, .. } = drift();
    let version = version_of(&files[mutant.file]);
    let has = |file: usize| {
        mutants.iter().any(|other| other.file == file && std::ptr::eq(other.relied, mutant.relied))
    };
    (0..files.len()).any(|file| file != mutant.file && version_of(&files[file]) == version && !has(file))
}

/// The chart's version out of `…cilium-<version>-<variant>.yaml`.
fn version_of(file: &Path) -> String {
    let name = short(file);
    let rest = name.rsplit_once("cilium-").map_or(name.as_str(), |(_, rest)| rest);
    rest.split('-').next().unwrap_or_default().to_owned()
}

/// Every mutant that this stream has: where in the stream the prefix goes in.
fn mutants_of(text: &str, relied_on: &'static [Relied]) -> Vec<(&'static Relied, Vec<usize>)> {
    let stream = Stream::cut(text.as_bytes()).unwrap();
    let mut found = Vec::new();
    for document in stream.documents() {
        let text = stream.document_text(document);
        let objects: Vec<&Relied> = relied_on
            .iter()
            .filter(|relied| text.contains(relied.object.rsplit('/').next().unwrap()))
            .collect();
        if objects.is_empty() {
            continue;
        }
        let tree = parse(text).unwrap();
        let value = tree.read().unwrap();
        let part = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let object = format!("{}/{}", part("/kind"), part("/metadata/name"));
        for relied in objects.into_iter().filter(|relied| relied.object == object) {
            let places: Vec<usize> =
                places(&tree, relied).into_iter().map(|at| document.text.start + at).collect();
            if !places.is_empty() {
                found.push((relied, places));
            }
        }
    }
    found
}

/// The text with the prefix at each of these places.
fn mutated(text: &str, places: &[usize]) -> String {
    let mut mutant = text.to_owned();
    for at in places.iter().rev() {
        mutant.insert_str(*at, PREFIX);
    }
    mutant
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
    let mut places: Vec<usize> =
        nodes.into_iter().map(|id| inside_quotes(tree, tree.node(id).span.clone())).collect();
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
    let mut found = Found { key: None, node: tree.root()? };
    for step in path.replace("\\.", "\u{0}").split('.') {
        let (key, item) = match step.split_once('[') {
            Some((key, item)) => (key, Some(item.trim_end_matches(']'))),
            None => (step, None),
        };
        let entry = tree.entry(found.node, &key.replace('\u{0}', "."))?;
        found = Found { key: Some(entry.key), node: entry.value };
        if let Some(wanted) = item {
            let Content::Sequence { items, .. } = &tree.node(found.node).content else {
                return None;
            };
            let is_wanted = |id: NodeId| {
                tree.entry(id, "name").is_some_and(|entry| tree.read_node(entry.value).unwrap() == wanted)
            };
            found = Found { key: None, node: items.iter().map(|item| item.node).find(|id| is_wanted(*id))? };
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
        let of = |path: &str| -> Vec<String> {
            let mutants = mutants_of(text, &HELD[0].relied_on)
                .into_iter()
                .filter(|(relied, _)| relied.path.ends_with(path));
            mutants.map(|(_, places)| mutated(text, &places)).collect()
        };
        assert_eq!(of("[cilium-agent]"), [text.replace("\"cilium-agent", "\"renamed-cilium-agent")]);
        assert_eq!(of("containers"), [text.replace("containers:", "renamed-containers:")]);
    }
}
