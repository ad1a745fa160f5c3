//! One edit of a rule on one object: which operations it takes to get from the
//! object as it is to the object as the rule wants it, or why it is not to be.

use serde_json::Value;

use crate::edit::{Action, NewValue, Operation as PatchOperation, Path};
use crate::profile::file::Otherwise;
use crate::profile::matching::{ObjectView, fails_at, field_holds};
use crate::profile::path::{PathExpr, Target, get};
use crate::profile::rule::{Edit, Operation};
use crate::profile::test_value::ValueTest;

/// What came of an edit at one place of an object. Paths start at the object.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// These operations make it so.
    Change(Vec<PatchOperation>),
    /// It is so already.
    Already,
    /// There is nothing to do here, and nothing to count.
    Nothing,
    /// The object goes.
    Drop,
    /// The place is left as it is, which the rule allows.
    Left {
        /// Where.
        at: Path,
        /// Why.
        reason: String,
    },
    /// The place is neither as the rule expects it nor as the rule wants it.
    Missed {
        /// The deepest node that is there.
        at: Path,
        /// The path as the rule writes it, up to what is missing.
        path: String,
        /// What is wrong.
        reason: String,
        /// The value that is there instead.
        have: Option<Value>,
    },
}

/// Resolves an edit against an object. Several places give several steps, the
/// last place in the object first, so that operations in that order keep the
/// paths of later steps valid.
pub fn steps(edit: &Edit, object: ObjectView<'_>) -> Vec<Step> {
    let kind = object.identity.kind.as_str();
    if !edit.conditions.iter().all(|(path, test)| field_holds(path, test, object.identity, object.value)) {
        return vec![Step::Nothing];
    }
    let context = Context { edit, object: object.value };
    let path = match &edit.operation {
        Operation::Drop => return vec![Step::Drop],
        // Made when all other edits of the stream are known.
        Operation::Restamp { .. } => return vec![Step::Nothing],
        Operation::Leave { reason } => return vec![Step::Left { at: Vec::new(), reason: reason.clone() }],
        Operation::Require { path, is } => return vec![context.require(path, is, object)],
        Operation::Set { path, .. }
        | Operation::Remove { path }
        | Operation::Merge { path, .. }
        | Operation::Append { path, .. }
        | Operation::Insert { path, .. }
        | Operation::Retain { path, .. }
        | Operation::Replace { path, .. }
        | Operation::RewriteImage { path, .. } => path,
    };
    path.targets(kind, object.value).into_iter().rev().map(|target| context.step(target)).collect()
}

struct Context<'c> {
    edit: &'c Edit,
    object: &'c Value,
}

impl Context<'_> {
    fn step(&self, target: Target) -> Step {
        match &self.edit.operation {
            Operation::Set { path, value, after } => self.set(path, target, value, after),
            Operation::Remove { path } => self.remove(path, target),
            Operation::Merge { path, entries } => self.merge(path, target, entries),
            Operation::Append { path, value } => self.append(path, target, value),
            Operation::Insert { path, key, item, after } => self.insert(path, target, key, item, after),
            Operation::Retain { path, values } => self.retain(path, target, values),
            Operation::Replace { path, from, to } => self.replace(path, target, from, to),
            Operation::RewriteImage { path, registries } => self.rewrite_image(path, target, registries),
            Operation::Restamp { .. }
            | Operation::Drop
            | Operation::Leave { .. }
            | Operation::Require { .. } => Step::Nothing,
        }
    }

    fn set(&self, path: &PathExpr, target: Target, value: &NewValue, after: &[String]) -> Step {
        match target {
            Target::Present(at) => {
                let have = get(self.object, &at);
                if have == Some(&value.to_json()) {
                    return Step::Already;
                }
                self.if_expected(path, &at, have, || {
                    vec![PatchOperation {
                        path: at.clone(),
                        action: Action::Replace { value: value.clone() },
                    }]
                })
            }
            Target::Absent(at) => {
                self.if_expected(path, &at, None, || vec![add(at.clone(), value.clone(), after)])
            }
            broken => self.make_or_miss(path, broken, value),
        }
    }

    fn remove(&self, path: &PathExpr, target: Target) -> Step {
        match target {
            Target::Present(at) => {
                let have = get(self.object, &at);
                self.if_expected(path, &at, have, || {
                    vec![PatchOperation { path: at.clone(), action: Action::Remove }]
                })
            }
            Target::Absent(_) | Target::Broken { last: true, .. } => {
                if self.edit.optional {
                    Step::Nothing
                } else {
                    Step::Already
                }
            }
            broken => self.missing(path, broken),
        }
    }

    fn merge(&self, path: &PathExpr, target: Target, entries: &[(String, NewValue)]) -> Step {
        match target {
            Target::Present(at) => match get(self.object, &at) {
                Some(Value::Object(_)) => {
                    let mut operations = Vec::new();
                    merge_into(self.object, &at, entries, &mut operations);
                    if operations.is_empty() { Step::Already } else { Step::Change(operations) }
                }
                Some(Value::Null) => Step::Change(vec![PatchOperation {
                    path: at,
                    action: Action::Replace { value: NewValue::Mapping(entries.to_vec()) },
                }]),
                have => self.missed(path.text(), &at, "is not a mapping", have),
            },
            Target::Absent(at) => Step::Change(vec![add(at, NewValue::Mapping(entries.to_vec()), &[])]),
            broken => self.make_or_miss(path, broken, &NewValue::Mapping(entries.to_vec())),
        }
    }

    fn append(&self, path: &PathExpr, target: Target, value: &NewValue) -> Step {
        let wanted = value.to_json();
        self.on_list(path, target, value, |items, at| {
            if items.contains(&wanted) {
                return Step::Already;
            }
            Step::Change(vec![add(item_path(at, items.len()), value.clone(), &[])])
        })
    }

    fn insert(&self, path: &PathExpr, target: Target, key: &str, item: &NewValue, after: &[String]) -> Step {
        let wanted = item.to_json();
        let Some(name) = wanted.get(key) else {
            return self.missed(path.text(), &[], &format!("the item to insert has no `{key}`"), None);
        };
        self.on_list(path, target, item, |items, at| {
            // Kubernetes takes the last of items with the same key.
            if let Some(index) = items.iter().rposition(|item| item.get(key) == Some(name)) {
                let have = &items[index];
                if *have == wanted {
                    return Step::Already;
                }
                let at = item_path(at, index);
                return self.if_expected(path, &at, Some(have), || turn_into(have, &at, item));
            }
            let place = after
                .iter()
                .find_map(|name| {
                    items.iter().position(|item| item.get(key).and_then(Value::as_str) == Some(name.as_str()))
                })
                .map_or(items.len(), |index| index + 1);
            self.if_expected(path, at, None, || vec![add(item_path(at, place), item.clone(), &[])])
        })
    }

    /// Steps on a list; one that is null is made with the item alone, and so is
    /// an absent one where the rule says so.
    fn on_list(
        &self,
        path: &PathExpr,
        target: Target,
        item: &NewValue,
        with_items: impl FnOnce(&[Value], &Path) -> Step,
    ) -> Step {
        let list = || NewValue::Sequence(vec![item.clone()]);
        match target {
            Target::Present(at) => match get(self.object, &at) {
                Some(Value::Array(items)) => with_items(items, &at),
                Some(Value::Null) => {
                    Step::Change(vec![PatchOperation { path: at, action: Action::Replace { value: list() } }])
                }
                have => self.missed(path.text(), &at, "is not a list", have),
            },
            Target::Absent(at) if self.edit.make_parents => Step::Change(vec![add(at, list(), &[])]),
            broken => self.make_or_miss(path, broken, &list()),
        }
    }

    fn retain(&self, path: &PathExpr, target: Target, values: &[Value]) -> Step {
        match target {
            Target::Present(at) => match get(self.object, &at) {
                Some(Value::Array(items)) => {
                    let operations: Vec<_> = items
                        .iter()
                        .enumerate()
                        .rev()
                        .filter(|(_, item)| !values.contains(item))
                        .map(|(index, _)| PatchOperation {
                            path: item_path(&at, index),
                            action: Action::Remove,
                        })
                        .collect();
                    if operations.is_empty() { Step::Already } else { Step::Change(operations) }
                }
                Some(Value::Null) => Step::Already,
                have => self.missed(path.text(), &at, "is not a list", have),
            },
            broken => self.missing(path, broken),
        }
    }

    fn replace(&self, path: &PathExpr, target: Target, from: &str, to: &str) -> Step {
        match target {
            Target::Present(at) => match get(self.object, &at) {
                Some(Value::String(text)) => {
                    // What is `to` already stays, also where `from` is a part of it.
                    let replaced = if to.is_empty() {
                        text.replace(from, "")
                    } else {
                        text.split(to).map(|piece| piece.replace(from, to)).collect::<Vec<_>>().join(to)
                    };
                    if replaced != *text {
                        return Step::Change(vec![PatchOperation {
                            path: at,
                            action: Action::Replace { value: NewValue::from(&Value::String(replaced)) },
                        }]);
                    }
                    if !to.is_empty() && text.contains(to) {
                        return Step::Already;
                    }
                    self.unexpected(
                        path,
                        &at,
                        "holds neither the old nor the new text",
                        Some(&Value::String(text.clone())),
                    )
                }
                have => self.missed(path.text(), &at, "is not text", have),
            },
            broken => self.missing(path, broken),
        }
    }

    fn rewrite_image(&self, path: &PathExpr, target: Target, registries: &[(String, String)]) -> Step {
        match target {
            Target::Present(at) => match get(self.object, &at) {
                Some(Value::String(image)) => match mirrored(image, registries) {
                    Some(new) if new == *image => Step::Already,
                    Some(new) => Step::Change(vec![PatchOperation {
                        path: at,
                        action: Action::Replace { value: NewValue::from(&Value::String(new)) },
                    }]),
                    None => Step::Nothing,
                },
                have => self.missed(path.text(), &at, "is not an image reference", have),
            },
            broken => self.missing(path, broken),
        }
    }

    fn require(&self, path: &PathExpr, is: &ValueTest, object: ObjectView<'_>) -> Step {
        let Some(at) = fails_at(path, is, &object.identity.kind, object.value) else {
            return Step::Already;
        };
        let have = get(self.object, &at).filter(|value| !value.is_object() && !value.is_array());
        self.unexpected(path, &at, &format!("must be {}", is.in_words()), have)
    }

    /// The change, if the old value is one that may be replaced.
    fn if_expected(
        &self,
        path: &PathExpr,
        at: &Path,
        have: Option<&Value>,
        change: impl FnOnce() -> Vec<PatchOperation>,
    ) -> Step {
        let expected = self.edit.was.as_ref().is_none_or(|was| {
            // To Kubernetes a field that is null is not there.
            was.holds(have) || (have == Some(&Value::Null) && was.holds(None))
        });
        if expected {
            return Step::Change(change());
        }
        if have.is_none() && self.edit.optional {
            return Step::Nothing;
        }
        let was = self.edit.was.as_ref().map_or(String::new(), ValueTest::in_words);
        match have {
            None => self.unexpected(path, at, &format!("is absent; the rule expects {was}"), None),
            Some(have) => {
                self.unexpected(path, at, &format!("is not as the rule expects: {was}"), Some(have))
            }
        }
    }

    fn unexpected(&self, path: &PathExpr, at: &[String], reason: &str, have: Option<&Value>) -> Step {
        match self.edit.otherwise {
            Otherwise::Fail => self.missed(path.text(), at, reason, have),
            Otherwise::Leave => Step::Left { at: at.to_vec(), reason: format!("{} {reason}", path.text()) },
        }
    }

    /// A path that leads nowhere: its mappings are made where the rule says so.
    fn make_or_miss(&self, path: &PathExpr, target: Target, value: &NewValue) -> Step {
        let may_be_absent = self.edit.was.as_ref().is_none_or(|was| was.holds(None));
        match target {
            Target::Broken { at, keys: Some(keys), .. } if self.edit.make_parents && may_be_absent => {
                let Some((first, inner)) = keys.split_first() else { return Step::Nothing };
                let nested = inner
                    .iter()
                    .rev()
                    .fold(value.clone(), |value, key| NewValue::Mapping(vec![(key.clone(), value)]));
                if get(self.object, &at) == Some(&Value::Null) {
                    let value = NewValue::Mapping(vec![(first.clone(), nested)]);
                    return Step::Change(vec![PatchOperation {
                        path: at,
                        action: Action::Replace { value },
                    }]);
                }
                let mut at = at;
                at.push(first.clone());
                Step::Change(vec![add(at, nested, &[])])
            }
            broken => self.missing(path, broken),
        }
    }

    fn missing(&self, path: &PathExpr, target: Target) -> Step {
        if self.edit.optional {
            return Step::Nothing;
        }
        match target {
            Target::Broken { at, missing, .. } => self.missed(&missing, &at, "is not there", None),
            Target::Present(at) | Target::Absent(at) => {
                let parent = at.split_last().map_or(&[][..], |(_, parent)| parent);
                self.missed(path.text(), parent, "is not there", None)
            }
        }
    }

    fn missed(&self, path: &str, at: &[String], reason: &str, have: Option<&Value>) -> Step {
        Step::Missed {
            at: at.to_vec(),
            path: path.to_owned(),
            reason: reason.to_owned(),
            have: have.cloned(),
        }
    }
}

fn add(path: Path, value: NewValue, after: &[String]) -> PatchOperation {
    PatchOperation { path, action: Action::Add { value, after: after.to_vec() } }
}

fn item_path(list: &Path, index: usize) -> Path {
    let mut path = list.clone();
    path.push(index.to_string());
    path
}

/// RFC 7396: entries are set, `null` removes, mappings are gone into.
fn merge_into(root: &Value, at: &Path, entries: &[(String, NewValue)], out: &mut Vec<PatchOperation>) {
    for (key, value) in entries {
        let path = item_key(at, key);
        match (get(root, &path), value) {
            (Some(Value::Object(_)), NewValue::Mapping(inner)) => merge_into(root, &path, inner, out),
            (Some(_), NewValue::Plain(Value::Null)) => {
                out.push(PatchOperation { path, action: Action::Remove });
            }
            (None, NewValue::Plain(Value::Null)) => {}
            (Some(have), value) if *have == value.to_json() => {}
            (Some(_), value) => {
                out.push(PatchOperation { path, action: Action::Replace { value: value.clone() } });
            }
            (None, value) => out.push(add(path, value.clone(), &[])),
        }
    }
}

fn item_key(at: &Path, key: &str) -> Path {
    let mut path = at.clone();
    path.push(key.to_owned());
    path
}

/// From one mapping to another with as few operations as there are differences.
fn turn_into(have: &Value, at: &Path, wanted: &NewValue) -> Vec<PatchOperation> {
    let (Some(map), NewValue::Mapping(entries)) = (have.as_object(), wanted) else {
        return vec![PatchOperation { path: at.clone(), action: Action::Replace { value: wanted.clone() } }];
    };
    let mut operations = Vec::new();
    let mut previous = Vec::new();
    for (key, value) in entries {
        let path = item_key(at, key);
        match map.get(key) {
            Some(have) if *have == value.to_json() => {}
            Some(_) => {
                operations.push(PatchOperation { path, action: Action::Replace { value: value.clone() } })
            }
            None => operations.push(add(path, value.clone(), &previous)),
        }
        previous.insert(0, key.clone());
    }
    for key in map.keys().filter(|key| entries.iter().all(|(wanted, _)| wanted != *key)) {
        operations.push(PatchOperation { path: item_key(at, key), action: Action::Remove });
    }
    operations
}

/// The image behind its mirror: registry normalised (`nginx` is
/// `docker.io/library/nginx`), tag and digest kept. `None` where no registry of
/// the list is meant.
fn mirrored(image: &str, registries: &[(String, String)]) -> Option<String> {
    if registries
        .iter()
        .any(|(_, prefix)| image.strip_prefix(prefix.as_str()).is_some_and(|r| r.starts_with('/')))
    {
        return Some(image.to_owned());
    }
    let (registry, path) = match image.split_once('/') {
        Some((first, rest)) if first.contains(['.', ':']) || first == "localhost" => (first, rest.to_owned()),
        Some(_) => ("docker.io", image.to_owned()),
        None => ("docker.io", format!("library/{image}")),
    };
    let registry = if registry == "index.docker.io" { "docker.io" } else { registry };
    let path = if registry == "docker.io" && !path.contains('/') { format!("library/{path}") } else { path };
    let (_, prefix) = registries.iter().find(|(from, _)| from == registry)?;
    Some(format!("{prefix}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::mirrored;

    #[test]
    fn images_get_their_mirror_once() {
        let registries = [
            ("quay.io".to_owned(), "m.lan/quay".to_owned()),
            ("docker.io".to_owned(), "m.lan/hub".to_owned()),
        ];
        let to = |image: &str| mirrored(image, &registries);
        assert_eq!(
            to("quay.io/cilium/cilium:v1@sha256:ab").as_deref(),
            Some("m.lan/quay/cilium/cilium:v1@sha256:ab")
        );
        assert_eq!(to("nginx:1.27").as_deref(), Some("m.lan/hub/library/nginx:1.27"));
        assert_eq!(to("docker.io/nginx").as_deref(), Some("m.lan/hub/library/nginx"));
        assert_eq!(to("bitnami/redis").as_deref(), Some("m.lan/hub/bitnami/redis"));
        assert_eq!(to("m.lan/hub/library/nginx").as_deref(), Some("m.lan/hub/library/nginx"));
        assert_eq!(to("ghcr.io/x/y"), None);
    }
}
