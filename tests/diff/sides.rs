//! What can be a side: streams, folders, and what kubectl and git hand over.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::found::{folder, read, run};
use crate::support::run::germ_post_in;

const OLD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: one}\n";

fn new() -> String {
    OLD.replace("one", "two")
}

#[test]
fn stdin_is_one_side() {
    let folder = folder("stdin");
    fs::write(folder.join("old.yaml"), OLD).unwrap();
    let found = read(&germ_post_in(&folder, &["diff", "--format=json", "old.yaml", "-"], new().as_bytes()));
    assert_eq!(found.changes(), ["± data.x"]);
    let both = germ_post_in(&folder, &["diff", "-", "-"], b"");
    assert_eq!(both.code, 2);
    let none = germ_post_in(&folder, &["diff"], b"");
    assert!(none.stderr.contains("germ-post diff OLD NEW"), "{}", none.stderr);
}

#[test]
fn folders_are_compared_whatever_their_files_are_called() {
    let folder = folder("folders");
    for (path, text) in [("old/a.yaml", OLD), ("new/b/c.yml", &new()), ("new/notes.txt", "no: [yaml")] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let found = read(&germ_post_in(&folder, &["diff", "--format=json", "old", "new/"], b""));
    assert_eq!(found.objects(), ["changed ConfigMap a"]);
}

#[test]
fn a_side_without_objects_is_an_error() {
    let folder = folder("empty");
    for empty in ["", "# nothing\n---\n"] {
        for (old, new) in [(OLD, empty), (empty, OLD)] {
            let failed = run(&folder, old, new, &["--exit-code"]);
            assert_eq!((failed.code, failed.stdout.len()), (2, 0));
            assert!(failed.stderr.contains("everything removed"), "{}", failed.stderr);
            let allowed = run(&folder, old, new, &["--exit-code", "--allow-empty"]);
            assert_eq!(allowed.code, 1, "{}", allowed.stderr);
        }
    }
    let missing = germ_post_in(&folder, &["diff", "old.yaml", "nowhere.yaml"], b"");
    assert_eq!((missing.code, missing.stdout.len()), (2, 0));
}

#[test]
fn exit_codes_are_the_same_in_every_format() {
    for format in super::masking::FORMATS {
        let folder = folder("exit");
        let code = |new: &str, args: &[&str]| {
            let mut all = vec!["--format", format];
            all.extend(args);
            run(&folder, OLD, new, &all).code
        };
        assert_eq!(code(&new(), &[]), 0, "{format}");
        assert_eq!(code(&new(), &["--exit-code"]), 1, "{format}");
        assert_eq!(code(&new(), &["--set-exit-code"]), 1, "{format}");
        assert_eq!(code(OLD, &["--exit-code"]), 0, "{format}");
    }
    let quiet = run(&folder("quiet"), OLD, &new(), &["-q"]);
    assert_eq!((quiet.code, quiet.stdout.len()), (1, 0));
    let missed = run(&folder("missed"), OLD, &new(), &["--profile=k3s-kpr", "--set=nothing=1"]);
    assert_eq!(missed.code, 2);
}

#[test]
fn kubectl_hands_over_two_folders() {
    let folder = folder("kubectl");
    for (side, text) in [("LIVE-1", ""), ("MERGED-2", OLD)] {
        fs::create_dir_all(folder.join(side)).unwrap();
        // kubectl's names have no ending, and a new object is an empty file.
        fs::write(folder.join(side).join("v1.ConfigMap.default.a"), text).unwrap();
    }
    let run = germ_post_in(&folder, &["diff", "--exit-code", "LIVE-1", "MERGED-2"], b"");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(String::from_utf8(run.stdout).unwrap().contains("+ ConfigMap a"));
}

/// Runs git in a folder, apart from the user's settings.
pub fn git(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") || name.to_string_lossy().starts_with("GERM_POST_") {
            command.env_remove(name);
        }
    }
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]);
    command
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    command.env("NO_COLOR", "1");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn git_runs_it_as_an_external_diff() {
    let folder = folder("git");
    git(&folder, &["init", "-q"]);
    fs::write(folder.join("a.yaml"), OLD).unwrap();
    fs::write(folder.join("moved.yaml"), OLD.replace("name: a", "name: m")).unwrap();
    fs::write(folder.join(".gitattributes"), "*.yaml diff=germ\n").unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "one"]);
    let program = format!("diff.germ.command={} diff", env!("CARGO_BIN_EXE_germ-post"));
    fs::write(folder.join("a.yaml"), new()).unwrap();
    fs::write(folder.join("b.yaml"), OLD.replace("name: a", "name: b")).unwrap();
    fs::rename(folder.join("moved.yaml"), folder.join("to.yaml")).unwrap();
    git(&folder, &["add", "-A"]);
    let (code, text, error) = git(&folder, &["-c", &program, "diff", "--cached", "-M"]);
    assert_eq!(code, Some(0), "{error}");
    for wanted in ["± data.x", "a.yaml → a.yaml", "+ ConfigMap b"] {
        assert!(text.contains(wanted), "`{wanted}` is not in\n{text}\n{error}");
    }
    // Only one side is a file of the working tree.
    git(&folder, &["commit", "-qm", "two"]);
    fs::remove_file(folder.join("b.yaml")).unwrap();
    let (code, text, error) = git(&folder, &["-c", &program, "diff"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(text.contains("- ConfigMap b"), "{text}");
}
