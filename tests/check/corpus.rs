//! Every check over every real rendering: what fires where, and how often, as a table
//! that is reviewed like code (`corpus.txt`; `GERM_UPDATE=1` writes it anew). A line
//! that comes or goes is a false alarm, a finding lost, or a chart that has changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use germ_post::check::{self, Checked, Input, Request};
use germ_post::profile::load;
use germ_post::rewrite;

use super::found::TODAY;
use crate::support::parallel::map as each;
use crate::support::renderings;

/// The profiles that the table is made for: the platform's, and all checks with
/// nothing put right before.
const PROFILES: &[(&str, &[&str])] = &[
    ("talos", &["talos"]),
    (
        "checks",
        &[
            "checks-kubernetes",
            "checks-cilium",
            "checks-policy",
            "checks-platform",
            "checks-talos",
            "checks-k3s",
        ],
    ),
];

fn request(names: &[&str]) -> Request {
    let names: Vec<String> =
        ["checks-suppressions"].iter().chain(names).map(|name| (*name).to_owned()).collect();
    let loaded = load::load_with_checks(&names, &|path| fs::read_to_string(path)).unwrap();
    let params = loaded.params().unwrap();
    let rewrite = rewrite::Request { loaded, params, ..rewrite::Request::default() };
    Request { rewrite, today: TODAY.to_owned(), allow_empty: true, ..Request::default() }
}

fn run(path: &Path, bytes: Vec<u8>, names: &[&str]) -> Checked {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let input = Input { name: name.clone(), bytes };
    check::check(&[input], &[], &request(names)).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// Which file it is, short enough for a table.
fn short(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn what_fires_is_what_was_reviewed() {
    let files: Vec<PathBuf> = renderings();
    if files.is_empty() {
        return;
    }
    let mut table = String::new();
    for (title, names) in PROFILES {
        let found = each(&files, |path| {
            let bytes = fs::read(path).unwrap();
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            let checked = run(path, bytes, names);
            for finding in &checked.findings {
                let place = &finding.location.as_ref().unwrap_or_else(|| panic!("{finding:?}")).place;
                assert!(place.line <= lines, "{finding:?}");
            }
            let rules: Vec<String> = checked.findings.into_iter().map(|finding| finding.rule).collect();
            (short(path), rules)
        });
        let mut by_rule: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (file, rules) in found {
            for rule in rules {
                *by_rule.entry(rule).or_default().entry(file.clone()).or_default() += 1;
            }
        }
        let _ = writeln!(table, "profile {title}, {} files", files.len());
        for (rule, files) in by_rule {
            let total: usize = files.values().sum();
            let _ = writeln!(table, "  {rule}: {total} in {} files", files.len());
            // The rare ones are the ones to look at.
            if files.len() <= 12 {
                for (file, count) in files {
                    let _ = writeln!(table, "    {file}: {count}");
                }
            }
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/corpus.txt");
    if std::env::var_os("GERM_UPDATE").is_some() {
        fs::write(&path, &table).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    for diff in similar::TextDiff::from_lines(&kept, &table).unified_diff().iter_hunks() {
        eprintln!("{diff}");
    }
    assert!(kept == table, "corpus.txt is not what fires now; GERM_UPDATE=1 writes it anew");
}

/// What rewriting has put right is found no more.
#[test]
fn rewritten_streams_are_as_the_profile_wants_them() {
    let files: Vec<PathBuf> =
        renderings().into_iter().filter(|path| path.to_string_lossy().contains("cilium-1.20")).collect();
    let names = &["talos"];
    each(&files, |path| {
        let bytes = fs::read(path).unwrap();
        let rewritten = rewrite::run(&bytes, &request(names).rewrite);
        let Some(output) = rewritten.output else { return };
        let checked = run(path, output.text().into_bytes(), names);
        let fixable: Vec<&str> = checked
            .findings
            .iter()
            .filter(|finding| finding.fix.is_some())
            .map(|finding| finding.rule.as_str())
            .collect();
        assert!(fixable.is_empty(), "{}: {fixable:?}", path.display());
    });
}
