//! The files in `ci/`, checked as far as it goes without the services: they parse, and
//! their scripts talk to a stand-in for the service's client that writes down what it is
//! asked.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::found::folder;

fn ci(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ci").join(path)
}

fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&fs::read_to_string(ci(path)).unwrap()).unwrap()
}

/// A program of the test's own in a folder for `PATH`.
fn program(folder: &Path, name: &str, script: &str) {
    let path = folder.join("bin").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/usr/bin/env bash\n{script}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn bash(folder: &Path, script: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(script)
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

const OLD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: one}\n";

#[test]
fn the_action_compares_and_hands_on_what_it_found() {
    let folder = folder("ci-action");
    fs::write(folder.join("old.yaml"), OLD).unwrap();
    fs::write(folder.join("new file.yaml"), "x").unwrap();
    fs::write(folder.join("new.yaml"), OLD.replace("one", "two")).unwrap();
    let run = |arguments: &str, fail: &str| {
        let _ = fs::remove_file(folder.join("output"));
        let root = folder.to_str().unwrap();
        let output = folder.join("output");
        let summary = folder.join("summary");
        let script = ci("github/diff.sh");
        let (code, error) = bash(
            &folder,
            &[script.to_str().unwrap()],
            &[
                ("GERM_POST", env!("CARGO_BIN_EXE_germ-post")),
                ("ARGUMENTS", arguments),
                ("COMMENT_ID", "diff"),
                ("FAIL_ON_DIFFERENCE", fail),
                ("RUNNER_TEMP", root),
                ("GITHUB_OUTPUT", output.to_str().unwrap()),
                ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
            ],
        );
        (code, fs::read_to_string(output).unwrap_or_default(), error)
    };
    let (code, output, error) = run("old.yaml\nnew.yaml\n", "false");
    assert_eq!(code, 0, "{error}");
    assert!(output.contains("different=true"), "{output}");
    assert!(folder.join("germ-post-diff/comments/comment-1.md").is_file());
    assert!(folder.join("germ-post-diff/diff.html").is_file());
    assert!(fs::read_to_string(folder.join("summary")).unwrap().contains("### germ-post diff"));
    assert_eq!(run("old.yaml new.yaml", "true").0, 1);
    assert!(run("old.yaml old.yaml", "true").1.contains("different=false"));
    // Nothing in the words is a command, and an error is no difference.
    let (code, output, _) = run("old.yaml $(touch${IFS}forged);touch forged", "false");
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(!folder.join("forged").exists());
}

/// Every step and input of the action is there, and no text of a pull request gets into
/// a script other than by a variable.
#[test]
fn the_action_is_what_github_reads() {
    let action = yaml("github/action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert_eq!(step["shell"], "bash");
        let run = step["run"].as_str().unwrap();
        assert!(!run.contains("${{"), "{run}");
        let script = run.split('/').next_back().unwrap().trim_end_matches('"');
        assert!(ci("github").join(script).is_file(), "{script}");
    }
    let text = fs::read_to_string(ci("github/action.yml")).unwrap();
    for input in action["inputs"].as_object().unwrap().keys() {
        assert!(text.contains(&format!("inputs.{input}")), "{input} is used");
    }
}

#[test]
fn comments_are_updated_in_place() {
    let folder = folder("ci-comments");
    fs::create_dir_all(folder.join("comments")).unwrap();
    fs::write(folder.join("comments/comment-1.md"), "<!-- germ-post:diff -->\none").unwrap();
    fs::write(folder.join("comments/comment-2.md"), "<!-- germ-post:diff:2 -->\ntwo").unwrap();
    // The first part is there, the second is somebody else's, the third is left over.
    let list = "11\\tgithub-actions[bot]\\t<!-- germ-post:diff -->\\n12\\tmallory\\t<!-- germ-post:diff:2 -->\\n13\\tgithub-actions[bot]\\t<!-- germ-post:diff:3 -->\\n14\\tgithub-actions[bot]\\t<!-- germ-post:diff-other -->";
    program(
        &folder,
        "gh",
        &format!(
            "case \"$*\" in *graphql*) echo 'github-actions[bot]';; *--paginate*) printf '{list}\\n';; *) echo \"$*\" >>calls;; esac\n"
        ),
    );
    let script = ci("github/post-comments.sh");
    let comments = folder.join("comments");
    let (code, error) = bash(
        &folder,
        &[script.to_str().unwrap()],
        &[
            ("REPOSITORY", "o/r"),
            ("NUMBER", "7"),
            ("COMMENT_ID", "diff"),
            ("COMMENTS", comments.to_str().unwrap()),
        ],
    );
    assert_eq!(code, 0, "{error}");
    let calls = fs::read_to_string(folder.join("calls")).unwrap();
    let calls: Vec<&str> = calls.lines().map(|call| call.split(" --field").next().unwrap()).collect();
    assert_eq!(
        calls,
        [
            "api --method PATCH repos/o/r/issues/comments/11",
            "api --method POST repos/o/r/issues/7/comments",
            "api --method DELETE repos/o/r/issues/comments/13 --silent",
        ]
    );
}

#[test]
fn the_gitlab_job_posts_notes() {
    let job = &yaml("gitlab/germ-post-diff.yml")[".germ-post-diff"];
    let folder = folder("ci-gitlab");
    fs::write(folder.join("old.yaml"), OLD).unwrap();
    fs::write(folder.join("new.yaml"), OLD.replace("one", "two")).unwrap();
    program(&folder, "git", "exit 0\n");
    // Two pages of notes; the second has a note of ours.
    let curl = "case \"$*\" in\n*per_page*) [[ \"$*\" == *page=1* && \"$*\" != *page=10* ]] && { printf 'X-Next-Page: 2\\r\\n' >germ-post/headers; echo '[{\"id\":1,\"body\":\"hello\"}]'; } || { printf 'x-next-page: \\r\\n' >germ-post/headers; echo '[{\"id\":5,\"body\":\"<!-- germ-post:diff -->\\nold\"},{\"id\":6,\"body\":\"<!-- germ-post:diff:2 -->\\nold\"}]'; };;\n*) echo \"$*\" >>calls;;\nesac\n";
    program(&folder, "curl", curl);
    if Command::new("jq").arg("--version").output().is_err() {
        // All that the job asks jq for.
        program(
            &folder,
            "jq",
            "python3 -c '\nimport json, sys\nfor note in json.load(sys.stdin):\n    if note[\"body\"].startswith(\"<!-- germ-post:\"):\n        print(note[\"id\"], note[\"body\"].split(chr(10))[0], sep=chr(9))\n'\n",
        );
    }
    let script: Vec<&str> =
        job["script"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let script = format!("set -eo pipefail\n{}", script.join("\n"));
    let (code, error) = bash(
        &folder,
        &["-c", &script],
        &[
            ("GERM_POST", env!("CARGO_BIN_EXE_germ-post")),
            ("GERM_POST_ARGUMENTS", "old.yaml new.yaml"),
            ("GERM_POST_COMMENT_ID", "diff"),
            ("GERM_POST_TOKEN", "secret-token"),
            ("CI_API_V4_URL", "https://git.example/api/v4"),
            ("CI_PROJECT_ID", "3"),
            ("CI_MERGE_REQUEST_IID", "9"),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
        ],
    );
    assert_eq!(code, 0, "{error}");
    let calls = fs::read_to_string(folder.join("calls")).unwrap();
    let ends: Vec<String> = calls
        .lines()
        .map(|call| {
            let words: Vec<&str> = call.split(' ').collect();
            let method = words.iter().position(|word| *word == "--request").map(|at| words[at + 1]).unwrap();
            format!("{method} {}", words.last().unwrap())
        })
        .collect();
    let notes = "https://git.example/api/v4/projects/3/merge_requests/9/notes";
    assert_eq!(ends, [format!("PUT {notes}/5"), format!("DELETE {notes}/6")]);
    for report in ["germ-post/code-quality.json", "germ-post/diff.html"] {
        assert!(folder.join(report).is_file(), "{report}");
    }
}
