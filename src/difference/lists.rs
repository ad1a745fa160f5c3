//! Which item of one list is which item of another. Kubernetes merges some lists by a
//! key, takes others for sets, and the rest as they stand. Source: `patchMergeKey` and
//! `listMapKey` in `k8s.io/api`, and what API servers do with sets
//! (`listType=set`).

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::step::Step;

/// Two items that belong together, or one that the other list has not; indices in the
/// old and in the new list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// Index in the old list.
    pub old: Option<usize>,
    /// Index in the new list.
    pub new: Option<usize>,
    /// What the item is called.
    pub step: Step,
}

/// How two lists compare.
#[derive(Debug, Default)]
pub struct Aligned {
    /// Every item of both, in the new list's order, those that are gone at their old
    /// place.
    pub items: Vec<Together>,
    /// Whether items that both have stand in another order, and that means something.
    pub reordered: bool,
}

/// What a list's order means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Nothing.
    Free,
    /// Items take effect one after the other.
    Counts,
}

/// Fields that tell the items of a list apart.
struct Keyed {
    fields: &'static [&'static str],
    order: Order,
}

/// Lists of scalars that are sets, by the key they stand under.
const SETS: &[&str] = &[
    "accessModes",
    "add",
    "apiGroups",
    "apiVersions",
    "categories",
    "drop",
    "finalizers",
    "nonResourceURLs",
    "operations",
    "policyTypes",
    "resourceNames",
    "resources",
    "shortNames",
    "values",
    "verbs",
];

/// Aligns two lists that stand at `path` in objects of `kind`.
pub fn align(kind: &str, path: &[String], old: &[Value], new: &[Value]) -> Aligned {
    let name = path.last().map_or("", String::as_str);
    let both = || old.iter().chain(new);
    if SETS.contains(&name) && both().all(Value::is_string) {
        return by_labels(&words(old), &words(new), Order::Free, |label| Step::Value(label.to_owned()));
    }
    if let Some(keyed) = keyed(kind, path, old, new) {
        return by_fields(&keyed, old, new);
    }
    if matches!(kind, "Role" | "ClusterRole") && name == "rules" {
        return by_grant(old, new);
    }
    in_sequence(old, new)
}

/// How the items of a list are told apart, if by fields.
fn keyed(kind: &str, path: &[String], old: &[Value], new: &[Value]) -> Option<Keyed> {
    let name = path.last()?.as_str();
    let all_have = |field: &str| old.iter().chain(new).all(|item| field_of(item, field).is_some());
    let free = |fields: &'static [&'static str]| Some(Keyed { fields, order: Order::Free });
    let known = match name {
        "initContainers" => Some(Keyed { fields: &["name"], order: Order::Counts }),
        "containers"
        | "ephemeralContainers"
        | "env"
        | "volumes"
        | "imagePullSecrets"
        | "secrets"
        | "webhooks" => free(&["name"]),
        "versions" if kind == "CustomResourceDefinition" => free(&["name"]),
        "volumeMounts" => free(&["mountPath"]),
        "volumeDevices" => free(&["devicePath"]),
        "hostAliases" => free(&["ip"]),
        "topologySpreadConstraints" => free(&["topologyKey", "whenUnsatisfiable"]),
        "conditions" => free(&["type"]),
        "ownerReferences" => free(&["uid"]),
        "volumeClaimTemplates" => free(&["metadata.name"]),
        "subjects" if kind.ends_with("RoleBinding") => free(&["kind", "name"]),
        "ports" if all_have("containerPort") => free(&["containerPort", "protocol"]),
        "ports" if kind == "Service" && path.len() == 2 => free(&["port", "protocol"]),
        _ => None,
    };
    // Whatever is not as it should be is compared like any other list.
    if let Some(keyed) = known.filter(|keyed| all_have(keyed.fields[0])) {
        return Some(keyed);
    }
    // Custom resources do not say in a manifest what their keys are.
    let unique = |list: &[Value], field: &str| {
        let mut seen = HashSet::new();
        list.iter().all(|item| item.get(field).and_then(Value::as_str).is_some_and(|name| seen.insert(name)))
    };
    let order = Order::Counts;
    ["name", "id", "key"].iter().find(|field| unique(old, field) && unique(new, field)).map(|field| {
        let fields: &'static [&'static str] = match *field {
            "name" => &["name"],
            "id" => &["id"],
            _ => &["key"],
        };
        Keyed { fields, order }
    })
}

fn field_of(item: &Value, field: &str) -> Option<String> {
    match field.split('.').try_fold(item, |at, key| at.get(key))? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// What a field means where it is not written.
fn default_of(field: &str) -> Option<&'static str> {
    (field == "protocol").then_some("TCP")
}

fn words(list: &[Value]) -> Vec<String> {
    list.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
}

fn by_fields(keyed: &Keyed, old: &[Value], new: &[Value]) -> Aligned {
    let label = |item: &Value| -> String {
        let values = keyed.fields.iter().map(|field| {
            field_of(item, field).or_else(|| default_of(field).map(str::to_owned)).unwrap_or_default()
        });
        values.collect::<Vec<_>>().join("\n")
    };
    let labels = |list: &[Value]| list.iter().map(label).collect::<Vec<_>>();
    let step = |label: &str| {
        let fields = keyed.fields.iter().zip(label.split('\n'));
        let spelt = fields
            .enumerate()
            .filter(|(at, (field, value))| {
                *at == 0 || (!value.is_empty() && default_of(field) != Some(*value))
            })
            .map(|(_, (field, value))| ((*field).to_owned(), value.to_owned()));
        Step::Item(spelt.collect())
    };
    let mut aligned = by_labels(&labels(old), &labels(new), keyed.order, step);
    if keyed.fields != ["name"] {
        pair_by_name(&mut aligned.items, old, new);
    }
    aligned
}

/// A port that got another number is the same port where it has the same name.
fn pair_by_name(items: &mut Vec<Together>, old: &[Value], new: &[Value]) {
    let name = |list: &[Value], index: Option<usize>| -> Option<String> {
        list.get(index?)?.get("name")?.as_str().map(str::to_owned)
    };
    for at in 0..items.len() {
        let (Some(item), None) = (items[at].new, items[at].old) else { continue };
        let Some(wanted) = name(new, Some(item)) else { continue };
        let gone = items
            .iter()
            .position(|other| other.new.is_none() && name(old, other.old).as_ref() == Some(&wanted));
        if let Some(gone) = gone {
            items[at].old = items[gone].old;
            items[at].step = Step::Item(vec![("name".to_owned(), wanted)]);
            items[gone].old = None;
        }
    }
    items.retain(|item| item.old.is_some() || item.new.is_some());
}

/// Rules of a role are the same rule where they speak of the same resources.
fn by_grant(old: &[Value], new: &[Value]) -> Aligned {
    let labels = |list: &[Value]| -> Vec<String> {
        let about = |rule: &Value| {
            let words = |field: &str| {
                let mut words = rule.get(field).and_then(Value::as_array).map_or_else(Vec::new, |l| words(l));
                words.sort();
                words.join(",")
            };
            ["apiGroups", "resources", "resourceNames", "nonResourceURLs"].map(words).join("\n")
        };
        list.iter().map(about).collect()
    };
    let step = |label: &str| {
        let mut parts = label.split('\n');
        let (groups, resources) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let (names, urls) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let fields =
            [("apiGroups", groups), ("resources", resources), ("resourceNames", names), ("urls", urls)];
        let written = fields.into_iter().filter(|(_, value)| !value.is_empty());
        Step::Item(written.map(|(field, value)| (field.to_owned(), value.to_owned())).collect())
    };
    let (old_labels, new_labels) = (labels(old), labels(new));
    let mut aligned = by_labels(&old_labels, &new_labels, Order::Free, step);
    pair_by_share(&mut aligned.items, &old_labels, &new_labels);
    aligned
}

/// A rule that grants a resource more or less is the same rule where it speaks of the
/// same groups and names, and of one resource that it spoke of before.
fn pair_by_share(items: &mut Vec<Together>, old: &[String], new: &[String]) {
    let alike = |one: &str, other: &str| {
        let (one, other): (Vec<&str>, Vec<&str>) = (one.split('\n').collect(), other.split('\n').collect());
        let share = one[1]
            .split(',')
            .any(|resource| !resource.is_empty() && other[1].split(',').any(|o| o == resource));
        one[0] == other[0] && one[2..] == other[2..] && share
    };
    for at in 0..items.len() {
        let (Some(item), None) = (items[at].new, items[at].old) else { continue };
        let gone = items.iter().position(|other| {
            other.new.is_none() && other.old.is_some_and(|place| alike(&old[place], &new[item]))
        });
        if let Some(gone) = gone {
            items[at].old = items[gone].old.take();
        }
    }
    items.retain(|item| item.old.is_some() || item.new.is_some());
}

/// Aligns by labels; the second item of a label belongs to the other list's second.
fn by_labels(old: &[String], new: &[String], order: Order, step: impl Fn(&str) -> Step) -> Aligned {
    let mut places: HashMap<(&str, usize), usize> = HashMap::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, label) in old.iter().enumerate() {
        let occurrence = seen.entry(label).or_default();
        places.insert((label, *occurrence), index);
        *occurrence += 1;
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut items = Vec::new();
    let mut common = Vec::new();
    let mut taken = HashSet::new();
    for (index, label) in new.iter().enumerate() {
        let occurrence = seen.entry(label).or_default();
        let place = places.get(&(label.as_str(), *occurrence)).copied();
        *occurrence += 1;
        common.extend(place);
        taken.extend(place);
        items.push(Together { old: place, new: Some(index), step: step(label) });
    }
    let moved = common.windows(2).any(|pair| pair[0] > pair[1]);
    // What is gone is told behind the item that it stood behind.
    let mut behind = 0;
    for (index, label) in old.iter().enumerate() {
        match items.iter().position(|item| item.old == Some(index)) {
            Some(at) => behind = at + 1,
            None => {
                items.insert(behind, Together { old: Some(index), new: None, step: step(label) });
                behind += 1;
            }
        }
    }
    Aligned { items, reordered: moved && order == Order::Counts }
}

/// Items as they stand: equal ones belong together, and of what lies between, the
/// first to the first.
fn in_sequence(old: &[Value], new: &[Value]) -> Aligned {
    let mut items = Vec::new();
    let together = |old: Option<usize>, new: Option<usize>| Together {
        old,
        new,
        step: Step::Index(new.or(old).unwrap_or_default()),
    };
    let texts = |list: &[Value]| list.iter().map(Value::to_string).collect::<Vec<_>>();
    for op in capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new)) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                items.extend((0..len).map(|at| together(Some(old_index + at), Some(new_index + at))));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                items.extend((0..old_len).map(|at| together(Some(old_index + at), None)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                items.extend((0..new_len).map(|at| together(None, Some(new_index + at))));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                for at in 0..old_len.max(new_len) {
                    items.push(together(
                        (at < old_len).then_some(old_index + at),
                        (at < new_len).then_some(new_index + at),
                    ));
                }
            }
        }
    }
    Aligned { items, ..Aligned::default() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn aligned(kind: &str, path: &str, old: Value, new: Value) -> (Vec<String>, bool) {
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let aligned = align(kind, &path, old.as_array().unwrap(), new.as_array().unwrap());
        let show = |index: Option<usize>| index.map_or("-".to_owned(), |index| index.to_string());
        let items = aligned.items.iter().map(|item| {
            format!(
                "{}/{} {}",
                show(item.old),
                show(item.new),
                super::super::step::spell(std::slice::from_ref(&item.step))
            )
        });
        (items.collect(), aligned.reordered)
    }

    #[test]
    fn ports_have_no_order_and_keep_their_name() {
        let old = json!([{"name": "a", "port": 1}, {"name": "b", "port": 2}]);
        let new = json!([{"name": "b", "port": 2, "protocol": "TCP"}, {"name": "a", "port": 3}]);
        let (items, reordered) = aligned("Service", "spec.ports", old, new);
        assert_eq!(items, ["1/0 [port=2]", "0/1 [name=a]"]);
        assert!(!reordered);
    }

    #[test]
    fn init_containers_run_in_order() {
        let old = json!([{"name": "a"}, {"name": "b"}, {"name": "c"}]);
        let new = json!([{"name": "c"}, {"name": "a"}]);
        let (items, reordered) = aligned("Pod", "spec.initContainers", old, new);
        assert_eq!(items, ["2/0 [name=c]", "0/1 [name=a]", "1/- [name=b]"]);
        assert!(reordered);
        let (_, reordered) = aligned(
            "Pod",
            "spec.volumes",
            json!([{"name": "a"}, {"name": "b"}]),
            json!([{"name": "b"}, {"name": "a"}]),
        );
        assert!(!reordered);
    }

    #[test]
    fn a_name_twice_is_two_items() {
        let old = json!([{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]);
        let new = json!([{"name": "A", "value": "1"}]);
        let (items, _) = aligned("Pod", "spec.containers.0.env", old, new);
        assert_eq!(items, ["0/0 [name=A]", "1/- [name=A]"]);
    }

    #[test]
    fn arguments_stand_in_sequence_and_capabilities_in_a_set() {
        let (items, _) =
            aligned("Pod", "spec.containers.0.args", json!(["a", "b", "c"]), json!(["a", "x", "c", "d"]));
        assert_eq!(items, ["0/0 [0]", "1/1 [1]", "2/2 [2]", "-/3 [3]"]);
        let path = "spec.containers.0.securityContext.capabilities.add";
        let (items, reordered) = aligned("Pod", path, json!(["A", "B"]), json!(["B", "A", "C"]));
        assert_eq!(items, ["1/0 [=B]", "0/1 [=A]", "-/2 [=C]"]);
        assert!(!reordered);
    }

    #[test]
    fn rules_of_a_role_are_about_resources() {
        let old = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
        let new = json!([
            {"apiGroups": ["x"], "resources": ["y"], "verbs": ["get"]},
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]},
        ]);
        let (items, _) = aligned("ClusterRole", "rules", old, new);
        assert_eq!(items, ["-/0 [apiGroups=x][resources=y]", "0/1 [resources=pods]"]);
        let old = json!([{"apiGroups": [""], "resources": ["pods", "nodes"], "verbs": ["get"]}]);
        let new = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
        assert_eq!(aligned("Role", "rules", old.clone(), new).0, ["0/0 [resources=pods]"]);
        let other = json!([{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]);
        assert_eq!(aligned("Role", "rules", old, other).0.len(), 2);
    }
}
