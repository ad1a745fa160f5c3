//! The handed hard cases of diffs, B41 to B46.

use std::path::PathBuf;

use super::found::{Found, read};
use super::masking::FORMATS;
use crate::support::handed_cases;
use crate::support::run::{Run, germ_post_in};

fn case(name: &str) -> Option<PathBuf> {
    let folder = handed_cases()?.join(name);
    assert!(folder.is_dir(), "{}", folder.display());
    Some(folder)
}

fn run(folder: &std::path::Path, args: &[&str]) -> Run {
    let mut all = vec!["diff"];
    all.extend(args);
    all.extend(["before.yaml", "after.yaml"]);
    germ_post_in(folder, &all, b"")
}

fn found(folder: &std::path::Path, args: &[&str]) -> Found {
    let mut all = vec!["--format=json"];
    all.extend(args);
    read(&run(folder, &all))
}

#[test]
fn b41_secrets() {
    let Some(folder) = case("B41-secret-redaction") else { return };
    for format in FORMATS {
        let text = run(&folder, &["--format", format]).expect_ok();
        for value in ["hunter", "added-secret", "b2xkLXRva2Vu", "bmV3LXRva2Vu", "region"] {
            assert!(!text.contains(value), "{format} shows {value}:\n{text}");
        }
        assert!(format == "brief" || format == "gitlab" || text.contains("http://b"), "{format}:\n{text}");
    }
    let found = found(&folder, &[]);
    assert_eq!(found.objects(), ["changed Secret creds", "changed ConfigMap cm", "added Secret nested"]);
    assert_eq!(
        found.changes(),
        ["± data.token", "± stringData.password", "+ stringData.extra", "± data.url"]
    );
}

#[test]
fn b43_the_limit_of_a_comment() {
    let Some(folder) = case("B43-comment-size-limit") else { return };
    let text = run(&folder, &["--format=markdown", "--max-chars=4000"]).expect_ok();
    let length = text.chars().count();
    assert!((3500..=4000).contains(&length), "{length}");
    assert!(text.contains("60 objects changed") && text.contains(" of 60 objects shown"), "{text}");
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    assert_eq!(text.matches("```").count() % 2, 0);
}

#[test]
fn b44_order() {
    let Some(folder) = case("B44-document-reorder") else { return };
    let found = found(&folder, &["--exit-code"]);
    assert_eq!((found.code, found.objects().len()), (0, 0));
}

#[test]
fn b46_a_broken_side() {
    let Some(folder) = case("B46-one-side-broken") else { return };
    for format in FORMATS {
        let run = run(&folder, &["--exit-code", "--format", format]);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{format}");
        for wanted in ["after.yaml:9", "demo/templates/svc.yaml"] {
            assert!(run.stderr.contains(wanted), "{}", run.stderr);
        }
    }
}
