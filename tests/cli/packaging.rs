//! What packages and pipelines are made of, held as far as it goes without a container engine,
//! a registry or a service: files say what is there, their commands are ours, and dependencies
//! are what deny.toml allows and ARCHITECTURE.md gives a reason for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::run::germ_post_in;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every COPY takes from a stage that is there, and what an image starts is something that was
/// put into it. What it cannot tell is whether the images that it begins with have what it takes.
#[test]
fn images_start_what_was_put_into_them() {
    let text = read("deploy/container/Containerfile");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let (mut stages, mut arguments) = (Vec::new(), Vec::new());
    let mut put: BTreeSet<String> = BTreeSet::new();
    let mut entrypoints = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ARG", argument] => arguments.push(argument.split_once('=').expect("a default").0.to_owned()),
            ["FROM", image, rest @ ..] => {
                if let Some(name) = image.strip_prefix("${").and_then(|name| name.strip_suffix('}')) {
                    assert!(arguments.iter().any(|known| known == name), "{line}");
                }
                stages.push(rest.last().map(|name| (*name).to_owned()));
                put.clear();
            }
            ["COPY", from, source, to] if from.starts_with("--from=") => {
                let stage = from.trim_start_matches("--from=");
                assert!(stages.iter().flatten().any(|name| name == stage), "{line}");
                assert!(source.starts_with('/'), "{line}");
                put.insert((*to).to_owned());
            }
            ["COPY", ".", "."] => {}
            ["COPY", source, ..] => assert!(root().join(source).exists(), "{line}"),
            ["ENTRYPOINT", rest @ ..] => {
                let words: Vec<String> = serde_json::from_str(&rest.join(" ")).unwrap();
                assert_eq!(words.len(), 1, "an image of a tool leaves the arguments to its user: {line}");
                entrypoints.push((words[0].clone(), put.clone()));
            }
            _ => {}
        }
    }
    let [sidecar, tool] = entrypoints.as_slice() else { panic!("two images: {entrypoints:?}") };
    // Argo CD mounts its server there.
    assert_eq!(sidecar.0, "/var/run/argocd/argocd-cmp-server");
    assert!(sidecar.1.contains("/usr/local/bin/helm") && sidecar.1.contains("/usr/local/bin/germ-post"));
    assert!(tool.1.contains(&tool.0), "{tool:?}");
    // What the build folder holds is gigabytes, and nothing of it belongs into an image.
    assert!(read(".dockerignore").lines().any(|line| line == "target"));
    let rust = text.lines().find_map(|line| line.strip_prefix("ARG RUST=1.")).unwrap();
    let oldest = read("Cargo.toml");
    let oldest = oldest.lines().find_map(|line| line.strip_prefix("rust-version = \"1.")).unwrap();
    assert!(rust.parse::<u32>().unwrap() >= oldest.trim_end_matches('"').parse().unwrap());
}

/// pre-commit splits `entry` as a shell does and puts the files behind it, those of `files` and
/// `types` without those of `exclude`.
#[test]
fn hooks_find_what_is_wrong_in_the_files_that_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let profile = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nversion: 1.0.0\nrules: []\n";
    write("profiles/good.yaml", profile);
    write("profiles/wrong.yaml", &profile.replace("rules", "rulse"));
    write("good.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\ndata: {a: b}\n");
    write("wrong.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: wrong\n");
    let hooks = yaml(".pre-commit-hooks.yaml");
    for hook in hooks.as_array().unwrap() {
        let entry: Vec<&str> = hook["entry"].as_str().unwrap().split(' ').collect();
        assert_eq!(entry[0], "germ-post");
        assert_eq!(hook["language"], "rust");
        let (good, wrong) = match hook["id"].as_str().unwrap() {
            "germ-post-check" => ("good.yaml", "wrong.yaml"),
            "germ-post-profiles-lint" => ("profiles/good.yaml", "profiles/wrong.yaml"),
            other => panic!("hook {other} is not tested"),
        };
        if let Some(files) = hook["files"].as_str() {
            assert!(regex_lite::Regex::new(files).unwrap().is_match(wrong));
        }
        if let Some(exclude) = hook["exclude"].as_str() {
            let exclude = regex_lite::Regex::new(exclude).unwrap();
            assert!(exclude.is_match("charts/a/templates/b.yaml") && !exclude.is_match(wrong));
        }
        let call = |files: &[&str]| germ_post_in(folder.path(), &[&entry[1..], files].concat(), b"").code;
        assert_eq!(call(&[good]), 0, "{hook}");
        assert!(call(&[wrong]) > 0, "{hook}");
        // It calls a command with as many files as fit.
        assert_eq!(call(&[good, good]), 0, "{hook}: several files");
        assert!(call(&[good, wrong]) > 0, "{hook}: several files");
    }
}

/// The workflow's scripts are shell that bash reads, and it calls what is there.
#[test]
fn the_release_workflow_runs_the_release_script() {
    let workflow = yaml(".github/workflows/release.yml");
    assert!(workflow["on"]["push"]["tags"].is_array(), "{workflow}");
    let mut scripts = String::new();
    for (name, job) in workflow["jobs"].as_object().unwrap() {
        for step in job["steps"].as_array().unwrap() {
            assert!(step.get("uses").is_some() != step.get("run").is_some(), "{name}: {step}");
            let Some(script) = step["run"].as_str() else { continue };
            // Text from outside comes in variables: an expression in a script is a way in.
            assert!(!script.contains("${{"), "{name}: {script}");
            assert_eq!(step["shell"], "bash", "{name}: {script}");
            assert!(is_shell(script), "{name}: {script}");
            scripts.push_str(script);
        }
    }
    assert!(scripts.contains("deploy/release.sh --target \"$TARGET\" dist"));
    // What binstall looks for is what the script makes.
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("{ name }-{ version }-{ target }.tar.gz"));
    assert!(read("deploy/release.sh").contains("name=germ-post-$version-$target\n"));
}

fn is_shell(script: &str) -> bool {
    use std::io::Write as _;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    bash.wait().unwrap().success()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version=1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The texts of a list in deny.toml.
fn allowed() -> Vec<String> {
    let text = read("deny.toml");
    let list = text.split_once("allow = [").unwrap().1.split_once(']').unwrap().0;
    list.split(',').map(|one| one.trim().trim_matches('"').to_owned()).filter(|one| !one.is_empty()).collect()
}

#[test]
fn dependencies_come_from_the_registry_under_licences_that_are_allowed() {
    let allowed = allowed();
    let metadata = metadata();
    let mut used = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        match package["source"].as_str() {
            None => assert_eq!(name, "germ-post"),
            Some(source) => assert!(source.starts_with("registry+"), "{name} comes from {source}"),
        }
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} has no licence"));
        let licence = licence.replace('/', " OR ");
        for all in licence.split(" AND ") {
            let all = all.trim_matches(['(', ')', ' ']);
            let one = all.split(" OR ").map(str::trim).find(|one| allowed.iter().any(|known| known == one));
            used.insert(one.unwrap_or_else(|| panic!("{name} is under {licence}")).to_owned());
        }
    }
    for licence in allowed {
        assert!(used.contains(&licence), "{licence} is allowed, and nothing is under it");
    }
}

#[test]
fn every_dependency_has_a_reason() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let ours = packages.iter().find(|package| package["name"] == "germ-post").unwrap();
    let page = read("ARCHITECTURE.md");
    let reasons = page.split_once("### Libraries").unwrap().1;
    for dependency in ours["dependencies"].as_array().unwrap() {
        let name = dependency["name"].as_str().unwrap();
        assert!(reasons.contains(&format!("`{name}`")), "ARCHITECTURE.md says nothing of {name}");
    }
}

/// A checkout with other line endings would compile other profiles in, and lock other rules.
#[test]
fn no_checkout_changes_line_endings() {
    assert!(read(".gitattributes").lines().any(|line| line == "* -text"));
    for entry in walkdir::WalkDir::new(root().join("profiles")).into_iter().flatten() {
        if entry.path().is_file() {
            let text = fs::read(entry.path()).unwrap();
            assert!(!text.contains(&b'\r'), "{}", entry.path().display());
        }
    }
}

/// What a package from the registry holds builds, and is what its reader needs.
#[test]
fn a_package_holds_what_builds() {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list = String::from_utf8(output.stdout).unwrap();
    let files: BTreeSet<&Path> = list.lines().map(Path::new).collect();
    for needed in ["src/main.rs", "build.rs", "Cargo.lock", "LICENSE-MIT", "README.md", "profiles/talos.yaml"]
    {
        assert!(files.contains(Path::new(needed)), "{needed} is missing");
    }
    assert!(!files.iter().any(|file| file.starts_with("tests") || file.starts_with("charts")), "{list}");
    // What sources take in from elsewhere has to be there.
    for file in files.iter().filter(|file| file.starts_with("src")) {
        let text = read(file.to_str().unwrap());
        let text = text.split("#[cfg(test)]").next().unwrap();
        for taken in text.split("include_str!(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let path = root().join(file.parent().unwrap()).join(taken).canonicalize().unwrap();
            let path = path.strip_prefix(root().canonicalize().unwrap()).unwrap().to_path_buf();
            assert!(files.contains(path.as_path()), "{} is not packaged", path.display());
        }
    }
}
