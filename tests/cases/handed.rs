//! The handed cases: those with an `expect.yaml` like our own, the others as
//! their prose asks.

use serde_json::Value;

use crate::case::{Case, Expect, folders, other_kind};
use crate::check::{check, fails, same, succeeds};
use crate::support::objects::{find, objects};
use crate::support::{self, parallel};

/// What is wrong with a case's run, if anything.
type Check = fn(&Case) -> Result<(), String>;

/// The cases whose right result only the prose tells, each with its check.
const BY_HAND: &[(&str, Check)] = &[
    ("B03-everything-dropped", everything_dropped),
    ("B04-glued-separator", glued_separator),
    ("B27-merge-key-after-explicit", merge_key_after_explicit),
    ("B28-policy-inherited-by-merge", policy_inherited_by_merge),
    ("B32b-content-after-end-marker", content_after_end_marker),
    ("B57-error-location", error_location),
];

#[test]
fn every_handed_case_comes_out_as_it_says() {
    let Some(root) = support::handed_cases() else {
        return;
    };
    let (pending, cases): (Vec<_>, Vec<_>) = folders(&root)
        .into_iter()
        .partition(|folder| other_kind(folder).is_some());
    for folder in &pending {
        let kind = other_kind(folder).unwrap_or_default();
        assert_ne!(kind, "nothing that is known", "{}", folder.display());
        eprintln!("not about post-rendering: {} ({kind})", folder.display());
    }
    let failures: Vec<String> = parallel::map(&cases, |folder| {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let verdict = Case::read(folder).and_then(|case| {
            match BY_HAND.iter().find(|(by_hand, _)| *by_hand == name) {
                Some((_, check)) if matches!(case.expect, Expect::Prose) => check(&case),
                Some(_) => Err("has a check by hand and an expect.yaml".to_owned()),
                None => check(&case),
            }
        });
        verdict.err().map(|error| format!("{name}: {error}"))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report("handed cases", cases.len(), &failures);
    for (name, _) in BY_HAND {
        assert!(
            root.join(name).is_dir(),
            "{name} is not among the handed cases"
        );
    }
}

/// One comment line, for the dropped documents as for an empty stream.
fn everything_dropped(case: &Case) -> Result<(), String> {
    for input in [
        case.input.as_slice(),
        b"",
        b"\n \n\n",
        b"---\n",
        b"# only a comment\n---\n",
    ] {
        let run = case.run_on(input);
        succeeds(&run)?;
        let out = String::from_utf8_lossy(&run.stdout);
        let has_object = !objects(&run.stdout).is_empty();
        let one_comment = out.lines().count() == 1 && out.starts_with('#') && out.ends_with('\n');
        // What already is no object but not blank may also pass as it is.
        let passes = !String::from_utf8_lossy(input).trim().is_empty() && run.stdout == input;
        if has_object || !(one_comment || passes) {
            return Err(format!(
                "{:?} becomes {out:?}",
                String::from_utf8_lossy(input)
            ));
        }
    }
    Ok(())
}

fn glued_separator(case: &Case) -> Result<(), String> {
    let run = case.run();
    fails(&run, 2, &texts(&[":5:", "---", "newline"]))
}

/// Local is what counts. Either both readings end at Cluster with the base as it
/// was, or the run fails and names the merge key's line.
fn merge_key_after_explicit(case: &Case) -> Result<(), String> {
    let run = case.run();
    if run.code != 0 {
        return fails(&run, run.code, &texts(&[":12:"]));
    }
    succeeds(&run)?;
    let (before, after) = (objects(&case.input), objects(&run.stdout));
    let (old, new) = (
        &find(&before, "Service edge").value,
        &find(&after, "Service edge").value,
    );
    let policy = |value: &Value| value.pointer("/spec/externalTrafficPolicy").cloned();
    if policy(old) != Some("Local".into())
        || policy(new) != Some("Cluster".into())
        || old["x-base"] != new["x-base"]
    {
        return Err(format!("reads {:?}, x-base {}", policy(new), new["x-base"]));
    }
    // yaml.v3 takes any explicit key before a merge: all of them must say so.
    let spec = String::from_utf8_lossy(&run.stdout)
        .split("\nspec:")
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    if spec.contains("Local") {
        return Err("an explicit key of the spec still says Local".to_owned());
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        let mut lines: Vec<String> = String::from_utf8_lossy(bytes)
            .lines()
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    if lines(&case.input) != lines(&run.stdout) {
        return Err("another line than that of the policy changed".to_owned());
    }
    Ok(())
}

/// One new line behind the type; the anchors stay.
fn policy_inherited_by_merge(case: &Case) -> Result<(), String> {
    let run = case.run();
    succeeds(&run)?;
    let input = String::from_utf8_lossy(&case.input);
    let line = "    type: LoadBalancer\n";
    if input.matches(line).count() != 1 {
        return Err("the case is another one now".to_owned());
    }
    let wanted = input.replace(line, &format!("{line}    externalTrafficPolicy: Cluster\n"));
    same(wanted.as_bytes(), &run.stdout)
}

fn content_after_end_marker(case: &Case) -> Result<(), String> {
    let run = case.run();
    fails(&run, 2, &texts(&["ignored by Kubernetes", "..."]))?;
    if !run.stderr.contains(":7:") && !run.stderr.contains(":8:") {
        return Err(format!(
            "names neither line 7 nor line 8: {}",
            run.summary()
        ));
    }
    Ok(())
}

/// The document, its template, the line where the quote opens, and no content.
fn error_location(case: &Case) -> Result<(), String> {
    let run = case.run();
    fails(
        &run,
        2,
        &texts(&["document 2", "demo/charts/sub/templates/bad.yaml", ":14:"]),
    )?;
    for content in ["\"unterminated", "b: x", "name: bad"] {
        if run.stderr.contains(content) {
            return Err(format!(
                "shows `{content}` of a document that does not parse"
            ));
        }
    }
    Ok(())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
