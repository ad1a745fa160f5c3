//! A profile that the operator pins: applications get it, and cannot get around it.

use std::fs;

use serde_json::{Value, json};

use crate::support::argocd::Call;

const SERVICE: &str = "cat <<'END'\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\nspec:\n  type: LoadBalancer\n  \
    externalTrafficPolicy: Local\nEND";

/// An application under a pinned `germ-post.yaml` with these lines.
fn pinned(lines: &str) -> Call {
    let mut call = Call::with_script("apps/demo", SERVICE);
    let file = call.place().join("pinned/germ-post.yaml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, format!("apiVersion: germ-post.dev/v1\nkind: Config\n{lines}")).unwrap();
    call.unset("ARGOCD_ENV_GERM_POST_PROFILE");
    call.set("GERM_POST_PINNED", file);
    call
}

#[test]
fn the_pinned_profile_is_in_force_whatever_the_repository_says() {
    let call = pinned("profile: lb-l2\n");
    call.write("germ-post.yaml", "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: none\n");
    assert!(call.generated().contains("externalTrafficPolicy: Cluster"));
}

#[test]
fn a_profile_beside_the_pinned_file_is_read() {
    let call = pinned("profile: ./own.yaml\n");
    let own = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nextends: [lb-l2]\n";
    fs::write(call.place().join("pinned/own.yaml"), own).unwrap();
    assert!(call.generated().contains("externalTrafficPolicy: Cluster"));
}

#[test]
fn an_application_cannot_get_around_it() {
    let refused = |parameters: Value| {
        let mut call = pinned("profile: lb-l2\n");
        call.parameters(parameters.clone());
        let said = call.refused_before_helm();
        assert!(said.starts_with("error[pinned]: this application cannot set"), "{parameters}:\n{said}");
    };
    refused(json!([{"name": "profile", "array": ["none"]}]));
    refused(json!([{"name": "profile", "array": ["lb-l2"]}]));
    refused(json!([{"name": "skip", "array": ["lb/"]}]));
    refused(json!([{"name": "only", "array": ["lb/"]}]));
    refused(json!([{"name": "hooks", "string": "leave"}]));
    refused(json!([{"name": "params", "map": {"l2InterfaceNames": "keep"}}]));
    let mut call = pinned("profile: lb-l2\n");
    call.set("ARGOCD_ENV_GERM_POST_PROFILE", "none");
    assert!(call.refused_before_helm().contains("cannot set `profile`"));
    // What Argo CD hands over always has the prefix; this is the operator's own.
    call.unset("ARGOCD_ENV_GERM_POST_PROFILE");
    call.set("GERM_POST_PROFILE", "none");
    assert_eq!(call.run("generate").code, 2);
}

#[test]
fn open_parameters_can_be_set_unless_the_file_decides() {
    let keep = json!([{"name": "params", "map": {"l2InterfaceNames": "keep"}}]);
    let mut call = pinned("profile: lb-l2\n");
    call.set("GERM_POST_OPEN_PARAMS", "l2InterfaceNames");
    call.parameters(keep.clone());
    call.generated();
    call.parameters(json!([{"name": "params", "map": {"ciliumVersion": "1.20.0"}}]));
    let said = call.refused();
    assert!(said.contains("the parameter `ciliumVersion`") && said.contains("l2InterfaceNames"), "{said}");

    let mut call = pinned("profile: lb-l2\nparams: {l2InterfaceNames: predictable}\n");
    call.set("GERM_POST_OPEN_PARAMS", "l2InterfaceNames");
    call.parameters(keep);
    assert!(call.refused_before_helm().contains("the parameter `l2InterfaceNames`"));
}

#[test]
fn one_pinned_file_may_hold_several_clusters() {
    let targets = "targets: {a: {profile: lb-l2}, b: {profile: none}}\n";
    let mut call = pinned(targets);
    assert!(call.refused_before_helm().contains("a, b"));
    call.parameters(json!([{"name": "target", "string": "a"}]));
    assert!(call.generated().contains("Cluster"));
    call.set("GERM_POST_TARGET", "b");
    assert!(call.refused().contains("cannot set `target`"));
    call.parameters(Value::Null);
    assert!(call.generated().contains("Local"));
}

#[test]
fn a_lock_holds_here_as_well() {
    let call = pinned("profile: lb-l2\nlock: {lb/external-traffic-policy: \"0000000000000000\"}\n");
    let said = call.refused_before_helm();
    assert!(said.starts_with("error[lock-mismatch]"), "{said}");
}

#[test]
fn only_what_is_open_is_announced() {
    let mut call = pinned("profile: lb-l2\n");
    call.set("GERM_POST_OPEN_PARAMS", "l2InterfaceNames");
    let announced: Value = serde_json::from_str(&call.run("parameters").expect_ok()).unwrap();
    let params = announced.as_array().unwrap().iter().find(|entry| entry["name"] == "params").unwrap();
    assert_eq!(params["map"], json!({"l2InterfaceNames": "predictable"}));
}
