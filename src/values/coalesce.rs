//! Values laid over each other as Helm does it (`CoalesceValues`): a user's over a
//! chart's, a parent's over those of the chart below it, `global` handed down. A user's
//! `null` takes a default away, in both Helms. A default that is itself `null` stays
//! with Helm 3 and goes with Helm 4; it is kept here, since it tells that the key is
//! known.

use serde_json::{Map, Value};

use super::chart::Branch;

/// The key whose values every chart below sees.
pub const GLOBAL: &str = "global";

/// All values of a tree under `user`, `global` handed down.
pub fn with_defaults(branch: &Branch<'_>, user: Map<String, Value>) -> Map<String, Value> {
    coalesce(branch, user, true)
}

/// The values that a chart of the tree is given in its own place, `global` of the
/// charts above left out. `user` is meant for the top of the tree.
pub fn own_values(root: &Branch<'_>, user: Map<String, Value>, keys: &[String]) -> Map<String, Value> {
    let mut values = coalesce(root, user, false);
    for key in keys {
        values = match values.shift_remove(key) {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        };
    }
    values
}

fn coalesce(branch: &Branch<'_>, over: Map<String, Value>, globals: bool) -> Map<String, Value> {
    let mut values = lay(over, &branch.chart.values);
    // Charts that are not rendered give no defaults.
    for child in branch.branches.iter().filter(|child| child.off.is_none()) {
        let key = child.key();
        let mut below = match values.shift_remove(key) {
            Some(Value::Object(map)) => map,
            None | Some(Value::Null) => Map::new(),
            // Helm fails on it; whoever wrote it shall keep it.
            Some(other) => {
                values.insert(key.to_owned(), other);
                continue;
            }
        };
        if globals {
            hand_down(&values, &mut below);
        }
        values.insert(key.to_owned(), Value::Object(coalesce(child, below, globals)));
    }
    values
}

/// Defaults below values. A `null` that has a default under it goes, and the default
/// with it.
fn lay(mut over: Map<String, Value>, defaults: &Map<String, Value>) -> Map<String, Value> {
    for (key, default) in defaults {
        match over.get_mut(key) {
            None => {
                over.insert(key.clone(), default.clone());
            }
            Some(Value::Null) if !default.is_null() => {
                over.shift_remove(key);
            }
            Some(Value::Object(map)) => {
                if let Value::Object(default) = default {
                    *map = lay(std::mem::take(map), default);
                }
            }
            Some(_) => {}
        }
    }
    over
}

/// The parent's `global` over that of the chart below it.
fn hand_down(parent: &Map<String, Value>, below: &mut Map<String, Value>) {
    let Some(Value::Object(global)) = parent.get(GLOBAL) else { return };
    let own = match below.get(GLOBAL) {
        Some(Value::Object(own)) => own.clone(),
        _ => Map::new(),
    };
    below.insert(GLOBAL.to_owned(), Value::Object(merge(own, global.clone())));
}

/// One mapping over another, `null` a value like others (`MergeMaps` of Helm).
pub fn merge(mut base: Map<String, Value>, over: Map<String, Value>) -> Map<String, Value> {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Object(under)), Value::Object(value)) => {
                *under = merge(std::mem::take(under), value);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
    base
}
