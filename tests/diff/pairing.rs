//! Which object of one side is which of the other.

use super::found::diff_with;

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME, namespace: a}\ndata: {one: x, two: y, three: z}\n";

fn config(name: &str) -> String {
    CONFIG.replace("NAME", name)
}

#[test]
fn order_and_files_do_not_matter() {
    let (one, two) = (config("one"), config("two"));
    let found =
        diff_with("order", &format!("{one}---\n{two}"), &format!("{two}---\n{one}"), &["--exit-code"]);
    assert_eq!((found.code, found.objects().len()), (0, 0));
    assert_eq!(found.group()["summary"]["same"], 2);
}

#[test]
fn lists_hold_objects_like_any() {
    let item = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: VALUE}}";
    let list = format!("apiVersion: v1\nkind: List\nitems: [{}]\n", item.replace("VALUE", "1"));
    let typed = "apiVersion: v1\nkind: ConfigMapList\nitems: [{metadata: {name: a}, data: {x: '2'}}]\n";
    let alone = item.replace("VALUE", "2");
    for new in [typed, &alone] {
        let found = diff_with("lists", &list, new, &[]);
        assert_eq!(found.objects(), ["changed ConfigMap a"], "{new}");
    }
}

#[test]
fn a_version_is_a_change_and_a_group_is_another_object() {
    let budget = |version: &str| {
        format!(
            "apiVersion: {version}\nkind: PodDisruptionBudget\nmetadata: {{name: a}}\nspec: {{minAvailable: 1}}\n"
        )
    };
    let found = diff_with("version", &budget("policy/v1beta1"), &budget("policy/v1"), &[]);
    assert_eq!(found.changes(), ["± apiVersion"]);
    assert_eq!(found.group()["objects"][0]["was"]["apiVersion"], "policy/v1beta1");
    let ingress = |version: &str| {
        format!(
            "apiVersion: {version}\nkind: Ingress\nmetadata: {{name: a}}\nspec: {{ingressClassName: x}}\n"
        )
    };
    let moved = diff_with("moved", &ingress("extensions/v1beta1"), &ingress("networking.k8s.io/v1"), &[]);
    assert_eq!(moved.objects(), ["changed Ingress a"]);
    let other = diff_with("other-group", &ingress("one.example/v1"), &ingress("two.example/v1"), &[]);
    assert_eq!(other.objects(), ["added Ingress a", "removed Ingress a"]);
}

#[test]
fn generated_names_pair() {
    let job = |image: &str| {
        format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{generateName: run-}}\nspec: {{template: {{spec: {{containers: [{{name: a, image: {image}}}]}}}}}}\n"
        )
    };
    let found = diff_with("generated", &job("a:1"), &job("a:2"), &[]);
    assert_eq!(found.objects(), ["changed Job run-*"]);
    assert_eq!(found.changes(), ["± spec.template.spec.containers[name=a].image"]);
}

#[test]
fn a_rename_is_told_from_another_object() {
    let renamed = diff_with("rename", &config("old"), &config("new").replace("two: y", "two: w"), &[]);
    assert_eq!(renamed.objects(), ["renamed ConfigMap a/new"]);
    assert_eq!(renamed.changes(), ["± data.two"]);
    assert_eq!(renamed.group()["objects"][0]["was"]["name"], "old");
    let other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: a}\ndata: {four: x}\n";
    let found = diff_with("no-rename", &config("old"), other, &[]);
    assert_eq!(found.objects(), ["added ConfigMap a/new", "removed ConfigMap a/old"]);
    // Accounts have nothing to be alike by.
    let account = |name: &str| {
        format!("apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}, labels: {{app: x}}}}\n")
    };
    let found = diff_with("accounts", &account("one"), &account("two"), &[]);
    assert_eq!(found.objects().len(), 2);
}

#[test]
fn a_namespace_that_is_written_now_is_a_rename() {
    let found = diff_with("namespace", &config("one").replace(", namespace: a", ""), &config("one"), &[]);
    assert_eq!(found.objects(), ["renamed ConfigMap a/one"]);
    assert!(found.changes().is_empty(), "the heading says it");
}

#[test]
fn the_second_of_a_name_is_the_second() {
    let twice = |first: &str, second: &str| {
        format!("{}---\n{}", config("a").replace("one: x", first), config("a").replace("one: x", second))
    };
    let found = diff_with("twice", &twice("one: 1", "one: 2"), &twice("one: 1", "one: 3"), &[]);
    assert_eq!(found.changes(), ["± data.one"]);
    assert_eq!(found.group()["objects"][0]["changes"][0]["old"], 2);
}
