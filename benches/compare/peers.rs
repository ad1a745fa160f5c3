//! The same edits for the peers: a folder for `kustomize build` with what germ-post
//! exports, and the exported patches as a yq expression.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use germ_post::yaml;
use serde_json::Value;

use super::{Args, Result, inputs};

/// The folder that `kustomize build` takes.
pub fn kustomization(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("kustomize")
}

/// The file that `yq --from-file` takes.
pub fn expression(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("yq")
}

/// Makes both for a stream.
pub fn prepare(args: &Args, folder: &Path, name: &str) -> Result<()> {
    let stream = inputs::file(folder, name);
    let exported = Command::new(&args.germ_post)
        .args(["export", "--as", "kustomize", "--profile", "talos"])
        .current_dir(folder)
        .stdin(File::open(&stream)?)
        .stderr(Stdio::inherit())
        .output()?;
    if !exported.status.success() {
        return Err(format!("germ-post export failed on {name}").into());
    }
    let text = String::from_utf8(exported.stdout)?;
    let own = kustomization(folder, name);
    fs::create_dir(&own)?;
    fs::copy(&stream, own.join("rendered.yaml"))?;
    fs::write(own.join("kustomization.yaml"), &text)?;
    Ok(fs::write(expression(folder, name), as_expression(&text)?)?)
}

/// The patches of a kustomization as one yq expression.
fn as_expression(kustomization: &str) -> Result<String> {
    let mut steps = Vec::new();
    for patch in read(kustomization)?["patches"].as_array().into_iter().flatten() {
        let object = selection(&patch["target"]);
        match read(patch["patch"].as_str().unwrap_or_default())? {
            Value::Array(operations) => {
                let edits: Vec<String> = operations.iter().filter_map(edit).collect();
                steps.push(format!("with(select({object}); {})", edits.join("\n  | ")));
            }
            _ => steps.push(format!("select({object} | not)")),
        }
    }
    Ok(if steps.is_empty() { ".".to_owned() } else { steps.join("\n| ") })
}

fn read(text: &str) -> Result<Value> {
    let tree = yaml::parse(text)?;
    tree.read().map_err(|_| "the exported patches cannot be read".into())
}

/// The test for a patch's object. Its fields are regular expressions for one text.
fn selection(target: &Value) -> String {
    let plain = |field: &str| target[field].as_str().unwrap_or_default().replace('\\', "");
    let api_version = match (plain("group"), plain("version")) {
        (group, version) if group.is_empty() => version,
        (group, version) => format!("{group}/{version}"),
    };
    let mut out = format!(
        ".apiVersion == {} and .kind == {} and .metadata.name == {}",
        Value::from(api_version),
        Value::from(plain("kind")),
        Value::from(plain("name"))
    );
    let namespace = plain("namespace");
    if !namespace.is_empty() {
        let _ = write!(out, " and .metadata.namespace == {}", Value::from(namespace));
    }
    format!("({out})")
}

/// A patch operation. That the old value is what was expected, yq is not asked.
fn edit(operation: &Value) -> Option<String> {
    let path = operation["path"].as_str()?;
    let value = &operation["value"];
    let (parent, last) = path.rsplit_once('/')?;
    match operation["op"].as_str()? {
        "remove" => Some(format!("del({})", place(path))),
        "add" if last == "-" => Some(format!("{} += [{value}]", place(parent))),
        "add" if last.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(format!("{} |= (.[:{last}] + [{value}] + .[{last}:])", place(parent)))
        }
        "add" | "replace" => Some(format!("{} = {value}", place(path))),
        _ => None,
    }
}

fn place(pointer: &str) -> String {
    let tokens = pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    tokens.fold(".".to_owned(), |mut out, token| {
        let _ = match token.parse::<usize>() {
            Ok(index) => write!(out, "[{index}]"),
            Err(_) => write!(out, "[{}]", Value::from(token)),
        };
        out
    })
}
