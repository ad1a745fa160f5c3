//! Do the programs that are compared do the same? Their outputs on each stream are
//! held against each other, as objects: order, comments and empty fields, which the
//! peers do not keep, do not count.

use std::collections::BTreeMap;
use std::path::Path;

use germ_post::rewrite::survey::Survey;
use serde_json::Value;

use super::inputs::{SIZES, of_size};
use super::measure::Program;
use super::series::{TALOS, of_peers, own};
use super::{Args, Result};

/// Says for every stream and peer whether it made of it what germ-post makes.
pub fn check(args: &Args, folder: &Path) -> Result<()> {
    for name in ["release".to_owned(), "chart".to_owned(), of_size(SIZES[3])] {
        let Some(ours) = own(args, folder, &name).into_iter().find(|program| program.name == TALOS) else {
            continue;
        };
        if !ours.stdin.exists() {
            continue;
        }
        let ours = objects(&ours, folder)?;
        for peer in of_peers(args, folder, &name, true) {
            match objects(&peer, folder) {
                Ok(theirs) if theirs == ours => println!("{name}: {} makes the same of it", peer.name),
                Ok(theirs) => println!(
                    "{name}: {} makes something else of it: {}",
                    peer.name,
                    difference(&ours, &theirs)
                ),
                Err(error) => println!("{name}: {}: {error}", peer.name),
            }
        }
    }
    Ok(())
}

fn objects(program: &Program, folder: &Path) -> Result<BTreeMap<String, Value>> {
    let output = program.to_command(folder)?.output()?;
    if !output.status.success() {
        return Err("failed".into());
    }
    let survey = Survey::new(&output.stdout).map_err(|_| "printed what cannot be read")?;
    let mut out = BTreeMap::new();
    for index in 0..survey.heads.len() {
        let (_, mut value) = survey.parse(index).map_err(|error| error.to_string())?;
        drop_empty(&mut value);
        if !value.is_null() {
            let name = germ_post::manifest::Identity::of(&value).to_string();
            out.insert(name, value);
        }
    }
    Ok(out)
}

/// How many objects differ, and where the first of them does; no values.
fn difference(ours: &BTreeMap<String, Value>, theirs: &BTreeMap<String, Value>) -> String {
    let differs = |key: &&String| ours.get(*key) != theirs.get(*key);
    let mut keys: Vec<&String> = ours.keys().chain(theirs.keys()).filter(differs).collect();
    keys.sort();
    keys.dedup();
    let Some(first) = keys.first() else { return "nothing".to_owned() };
    let place = match (ours.get(*first), theirs.get(*first)) {
        (Some(ours), Some(theirs)) => place_of_difference(ours, theirs),
        _ => "as a whole".to_owned(),
    };
    format!("{} objects, such as {first}, {place}", keys.len())
}

fn place_of_difference(ours: &Value, theirs: &Value) -> String {
    let inner = match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => ours
            .iter()
            .find(|(key, value)| theirs.get(*key) != Some(value))
            .and_then(|(key, value)| Some((key.clone(), value, theirs.get(key)?))),
        (Value::Array(ours), Value::Array(theirs)) => ours
            .iter()
            .zip(theirs)
            .enumerate()
            .find(|(_, (ours, theirs))| ours != theirs)
            .map(|(index, (ours, theirs))| (index.to_string(), ours, theirs)),
        _ => None,
    };
    match inner {
        Some((key, ours, theirs)) => format!("/{key}{}", place_of_difference(ours, theirs)),
        None => String::new(),
    }
}

fn drop_empty(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_empty),
        Value::Object(map) => {
            map.values_mut().for_each(drop_empty);
            map.retain(|_, value| !value.is_null());
        }
        _ => {}
    }
}
