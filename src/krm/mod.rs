//! germ-post as a KRM function: a `ResourceList` comes in, and goes out with its items
//! rewritten and what was done to them as results. The list is a list like any other
//! to the rewriting, so that what no rule touches stays byte for byte.
//!
//! Source: the functions specification,
//! <https://github.com/kubernetes-sigs/kustomize/blob/master/cmd/config/docs/api-conventions/functions-spec.md>

mod function_config;
mod results;

use serde_json::Value;

pub use function_config::{FunctionConfig, read as function_config};
pub use results::{of_errors, of_run};

use crate::diagnostic::Diagnostic;
use crate::edit::{self, Action, NewValue, Operation};
use crate::yaml::{self, Stream};

/// The group of the specification.
const GROUP: &str = "config.kubernetes.io/";

/// The list that a stream holds, if that is what it is: one document of that kind.
pub fn resource_list(bytes: &[u8]) -> Option<Value> {
    memchr::memmem::find(bytes, b"ResourceList")?;
    let stream = Stream::cut(bytes).ok()?;
    let mut lists = stream.documents().iter().filter_map(|document| {
        let value = yaml::parse(stream.document_text(document)).ok()?.read().ok()?;
        (!value.is_null()).then_some(value)
    });
    let list = lists.next()?;
    let text = |key: &str| list.get(key).and_then(Value::as_str).unwrap_or_default();
    let is_one = text("kind") == "ResourceList" && text("apiVersion").starts_with(GROUP);
    (is_one && lists.next().is_none()).then_some(list)
}

/// The list to print. `input` is the stream that came in, `output` what rewriting made
/// of it: objects that rules add stand behind the list there, and become items. Without
/// an output, the items stay as they were.
///
/// # Errors
/// The list is written in a form that nothing can be added to.
pub fn answer(input: &str, output: Option<&str>, results: &[Value]) -> Result<String, Diagnostic> {
    let stream = Stream::cut(output.unwrap_or(input).as_bytes()).map_err(|_| unwritable())?;
    let mut documents = Vec::new();
    for document in stream.documents() {
        let text = stream.document_text(document);
        let tree = yaml::parse(text).map_err(|_| unwritable())?;
        let value = tree.read().map_err(|_| unwritable())?;
        if !value.is_null() {
            documents.push((text, tree, value));
        }
    }
    let is_list = |value: &Value| value.get("kind").and_then(Value::as_str) == Some("ResourceList");
    let mut operations = Vec::new();
    let at = match documents.iter().position(|(_, _, value)| is_list(value)) {
        Some(at) => at,
        // Every item was dropped, and the list with them.
        None => {
            return emptied(
                input,
                &documents.into_iter().map(|(_, _, value)| value).collect::<Vec<_>>(),
                results,
            );
        }
    };
    let items = ["items", "-"].map(str::to_owned).to_vec();
    for (_, _, added) in documents.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, one)| one) {
        operations.push(Operation { path: items.clone(), action: add(added) });
    }
    let (text, tree, list) = &documents[at];
    operations.extend(results_of(list, results));
    written(text, tree, &operations)
}

/// The list that came in, with nothing but these items.
fn emptied(input: &str, items: &[Value], results: &[Value]) -> Result<String, Diagnostic> {
    let tree = yaml::parse(input).map_err(|_| unwritable())?;
    let list = tree.read().map_err(|_| unwritable())?;
    let value = NewValue::from(&Value::Array(items.to_vec()));
    let mut operations =
        vec![Operation { path: vec!["items".to_owned()], action: Action::Replace { value } }];
    operations.extend(results_of(&list, results));
    written(input, &tree, &operations)
}

/// Puts the results in, in the place of an earlier function's.
fn results_of(list: &Value, results: &[Value]) -> Option<Operation> {
    let path = vec!["results".to_owned()];
    let value = NewValue::from(&Value::Array(results.to_vec()));
    match (list.get("results"), results.is_empty()) {
        (None, true) => None,
        (Some(_), true) => Some(Operation { path, action: Action::Remove }),
        (Some(_), false) => Some(Operation { path, action: Action::Replace { value } }),
        (None, false) => Some(Operation { path, action: Action::Add { value, after: Vec::new() } }),
    }
}

fn add(value: &Value) -> Action {
    Action::Add { value: NewValue::from(value), after: Vec::new() }
}

fn written(text: &str, tree: &yaml::Tree<'_>, operations: &[Operation]) -> Result<String, Diagnostic> {
    let splices = edit::splices(tree, operations).map_err(|_| unwritable())?;
    Ok(edit::apply(text, &splices))
}

fn unwritable() -> Diagnostic {
    Diagnostic::contract("krm-impossible", "the ResourceList cannot take results or items as it is written")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LIST: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A # kept\n";

    #[test]
    fn what_is_added_becomes_an_item_and_results_follow() {
        assert!(resource_list(LIST.as_bytes()).is_some());
        assert!(resource_list(b"apiVersion: v1\nkind: ResourceList\n").is_none());
        let output = format!("{LIST}---\nkind: B\n");
        let text = answer(LIST, Some(&output), &[json!({"message": "m"})]).unwrap();
        assert_eq!(text, format!("{LIST}- kind: B\nresults:\n- message: m\n"));
        assert_eq!(answer(LIST, Some(LIST), &[]).unwrap(), LIST);
    }

    #[test]
    fn a_list_may_become_empty() {
        let text = answer(LIST, Some(""), &[]).unwrap();
        assert_eq!(yaml::parse(&text).unwrap().read().unwrap()["items"], json!([]));
    }
}
