//! Runs of `germ-post diff` with what they found read back from JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::run::{Run, germ_post_in, scratch};

/// What a run found.
#[derive(Debug)]
pub struct Found {
    pub code: i32,
    pub stderr: String,
    pub json: Value,
}

/// An empty folder of the test's own.
pub fn folder(name: &str) -> PathBuf {
    let folder = scratch().join(format!("diff-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes both sides into a folder and compares them.
pub fn run(folder: &Path, old: &str, new: &str, args: &[&str]) -> Run {
    fs::write(folder.join("old.yaml"), old).unwrap();
    fs::write(folder.join("new.yaml"), new).unwrap();
    let mut all = vec!["diff"];
    all.extend(args);
    all.extend(["old.yaml", "new.yaml"]);
    germ_post_in(folder, &all, b"")
}

/// The same, read back from JSON.
pub fn diff_with(name: &str, old: &str, new: &str, args: &[&str]) -> Found {
    let mut all = vec!["--format=json"];
    all.extend(args);
    read(&run(&folder(name), old, new, &all))
}

/// Reads a run's JSON.
pub fn read(run: &Run) -> Found {
    let json = serde_json::from_slice(&run.stdout).unwrap_or(Value::Null);
    Found { code: run.code, stderr: run.stderr.clone(), json }
}

impl Found {
    /// The only group.
    pub fn group(&self) -> &Value {
        assert!(self.json["groups"][0].is_object(), "exit {}: {}", self.code, self.stderr);
        &self.json["groups"][0]
    }

    /// `changed ConfigMap a`: state and object, in order.
    pub fn objects(&self) -> Vec<String> {
        let objects = self.group()["objects"].as_array().unwrap().iter();
        objects.map(|object| format!("{} {}", word(&object["state"]), name(&object["object"]))).collect()
    }

    /// `± data.x`: what happened and where, of all objects.
    pub fn changes(&self) -> Vec<String> {
        let objects = self.group()["objects"].as_array().unwrap().iter();
        let changes = objects.flat_map(|object| object["changes"].as_array().unwrap());
        let sign = |kind: &str| match kind {
            "added" => "+",
            "removed" => "-",
            "changed" => "±",
            "reordered" => "⇆",
            other => panic!("{other} is new"),
        };
        changes.map(|change| format!("{} {}", sign(word(&change["kind"])), word(&change["path"]))).collect()
    }

    /// `± data.x [chart]`.
    pub fn origins(&self) -> Vec<String> {
        let objects = self.group()["objects"].as_array().unwrap().iter();
        let origins = objects.flat_map(|object| {
            let own = (!object["origin"].is_null())
                .then(|| format!("{} {}", name(&object["object"]), origin(&object["origin"])));
            let changes = object["changes"].as_array().unwrap().iter();
            let of_changes =
                changes.map(|change| format!("{} {}", word(&change["path"]), origin(&change["origin"])));
            own.into_iter().chain(of_changes).collect::<Vec<_>>()
        });
        origins.collect()
    }
}

fn origin(origin: &Value) -> String {
    let mut names: Vec<&str> = origin["rules"].as_array().unwrap().iter().map(word).collect();
    if origin["chart"] == true {
        names.insert(0, "chart");
    }
    format!("[{}]", names.join(", "))
}

/// A text of JSON.
pub fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

/// `ConfigMap a/b`.
pub fn name(object: &Value) -> String {
    match word(&object["namespace"]) {
        "" => format!("{} {}", word(&object["kind"]), word(&object["name"])),
        namespace => format!("{} {namespace}/{}", word(&object["kind"]), word(&object["name"])),
    }
}
