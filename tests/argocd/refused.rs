//! What an application must not do, and what is wrong before Helm would run: each is an
//! error whose first line says what, with nothing on stdout and no value repeated.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::support::argocd::Call;

fn with(parameters: Value) -> Call {
    let mut call = Call::scripted();
    call.parameters(parameters);
    call
}

#[test]
fn wrong_parameters_are_errors() {
    for (parameters, said) in [
        (json!([{"name": "profil", "array": ["none"]}]), "did you mean `profile`?"),
        (json!([{"name": "profile", "string": "none"}]), "it takes array, not string"),
        (json!([{"name": "profile", "array": ["talso"]}]), "talos"),
        (json!([{"name": "skip-tests", "string": "hunter2"}]), "it is true or false"),
        (json!([{"name": "hooks", "string": "hunter2"}]), "it is transform or leave"),
        (json!([{"name": "kube-version", "string": "latest"}]), "`latest` is no Kubernetes version"),
        (json!([{"name": "namespace", "string": "-n"}]), "cannot be a namespace's name"),
        (json!([{"name": "release-name", "string": "{{ env }}"}]), "cannot be a release's name"),
        (json!([{"name": "values", "string": "- hunter2"}]), "they are no mapping"),
        (json!([{"name": "values", "string": "a: [hunter2"}]), "is no YAML"),
        (json!([{"name": "set", "map": {"a,b": "hunter2"}}]), "a name is empty or holds"),
        (json!([{"name": "params", "map": {"no": "hunter2"}}]), "no parameter"),
        (json!([{"name": "skip", "array": ["no/rule"]}]), "no/rule"),
        (json!([{"name": "target", "string": "prod"}]), "germ-post.yaml"),
        (json!({"name": "profile"}), "it is no list"),
    ] {
        let call = with(parameters.clone());
        let said_after =
            if parameters[0]["name"] == "skip" { call.refused() } else { call.refused_before_helm() };
        assert!(said_after.contains(said), "{parameters}:\n{said_after}");
        assert!(said_after.starts_with("error["), "{said_after}");
        assert!(!said_after.contains("hunter2"), "{said_after}");
    }
    let mut call = Call::scripted();
    call.set("ARGOCD_APP_PARAMETERS", "[{\"name\": hunter2");
    let said = call.refused_before_helm();
    assert!(said.contains("it is no JSON: line 1") && !said.contains("hunter2"), "{said}");
    let mut call = Call::scripted();
    call.set("ARGOCD_ENV_GERM_POST_VALUE_FILES", "a.yaml");
    assert!(call.refused_before_helm().contains("did you mean `GERM_POST_VALUES_FILES`?"));
}

#[test]
fn files_outside_of_the_repository_are_refused() {
    for parameter in ["values-files", "profile", "set-file"] {
        let named = |name: &str| match parameter {
            "set-file" => json!([{"name": parameter, "map": {"a": name}}]),
            _ => json!([{"name": parameter, "array": [name]}]),
        };
        let call = Call::scripted();
        let secret = call.place().join("secret.yaml");
        fs::write(&secret, "password: hunter2\n").unwrap();
        symlink(&secret, call.folder().join("link.yaml")).unwrap();
        symlink("../../../..", call.folder().join("up")).unwrap();
        let absolute = secret.to_str().unwrap();
        for name in ["../../../../secret.yaml", "link.yaml", "up/secret.yaml", "/../../secret.yaml", absolute]
        {
            let mut call = Call::scripted();
            fs::write(call.place().join("secret.yaml"), "password: hunter2\n").unwrap();
            symlink(call.place().join("secret.yaml"), call.folder().join("link.yaml")).unwrap();
            symlink("../../../..", call.folder().join("up")).unwrap();
            call.parameters(named(name));
            let said = call.refused_before_helm();
            // An absolute path is one in the repository, where there is no such file.
            let why =
                if name == absolute { "secret.yaml" } else { "outside of the application's repository" };
            assert!(said.contains(why), "{parameter} {name}:\n{said}");
            assert!(!said.contains("hunter2"), "{said}");
        }
    }
}

#[test]
fn a_configuration_and_what_a_profile_extends_are_held_to_the_same() {
    let outside = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: outside\n";
    let call = with(json!([{"name": "profile", "array": ["own.yaml"]}]));
    fs::write(call.place().join("outside.yaml"), outside).unwrap();
    call.write(
        "own.yaml",
        "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nextends: [../../../../outside.yaml]\n",
    );
    assert!(call.refused_before_helm().contains("outside of the application's repository"));

    let mut call = Call::scripted();
    call.unset("ARGOCD_ENV_GERM_POST_PROFILE");
    fs::write(
        call.place().join("config.yaml"),
        "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: none\n",
    )
    .unwrap();
    symlink(call.place().join("config.yaml"), call.folder().join("germ-post.yaml")).unwrap();
    assert!(call.refused_before_helm().contains("outside of the application's repository"));
}

#[test]
fn urls_and_missing_files_are_told() {
    let call = with(json!([{"name": "values-files", "array": ["https://user:hunter2@host/values.yaml"]}]));
    let said = call.refused_before_helm();
    assert!(said.contains("`https://…` is a URL") && !said.contains("hunter2"), "{said}");

    let mut call = with(json!([{"name": "values-files", "array": ["value.yaml"]}]));
    call.write("values.yaml", "a: 1\n");
    assert!(call.refused_before_helm().contains("did you mean `values.yaml`?"));
    call.parameters(json!([
        {"name": "values-files", "array": ["value.yaml", "values.yaml"]},
        {"name": "ignore-missing-values-files", "string": "true"},
    ]));
    call.generated();
    assert_eq!(call.logged("arguments").iter().filter(|word| word.starts_with("--values=")).count(), 1);
}

/// Whatever an application says is glued to a flag or checked.
#[test]
fn arguments_that_look_like_flags_stay_values() {
    let bad = "--post-renderer=/bin/sh";
    let mut call = with(json!([
        {"name": "values-files", "array": [bad]},
        {"name": "set", "map": {bad.replace('=', "."): bad, "a": "$(id) `id` ; id"}},
        {"name": "api-versions", "array": [bad]},
    ]));
    call.write(bad, "a: 1\n");
    call.generated();
    let words = call.logged("arguments");
    assert!(words.iter().all(|word| word != bad), "{words:?}");
    assert!(words.contains(&format!("--api-versions={bad}")), "{words:?}");
    assert!(words.contains(&"--set=a=$(id) `id` ; id".to_owned()), "{words:?}");
    for name in ["profile", "only", "target"] {
        let value = if name == "target" {
            json!({"name": name, "string": bad})
        } else {
            json!({"name": name, "array": [bad]})
        };
        call.parameters(json!([value]));
        call.refused();
    }
}

#[test]
fn without_argo_cd_it_says_what_to_run() {
    let mut call = Call::scripted();
    call.unset("ARGOCD_APP_NAME");
    let said = call.refused_before_helm();
    assert!(said.contains("germ-post template NAME CHART"), "{said}");
    let mut call = Call::scripted();
    call.unset("ARGOCD_ENV_GERM_POST_PROFILE");
    let said = call.refused_before_helm();
    assert!(said.starts_with("error[no-profile]") && said.contains("parameter `profile`"), "{said}");
    let mut call = Call::scripted();
    call.set("TMPDIR", "/none");
    assert!(call.refused_before_helm().contains("mount an emptyDir at /tmp"));
    call.set("TMPDIR", call.place().join("tmp"));
    call.set("HELM_BIN", "/none");
    assert!(call.refused_before_helm().contains("HELM_BIN names /none"));
}
