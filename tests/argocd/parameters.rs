//! The announced parameters: all that an application can set, in Argo CD's words, with
//! the profile's own, for applications that are wrong, too. And the profile that comes
//! from the repository.

use serde_json::{Value, json};

use crate::support::argocd::Call;

fn announced(call: &Call) -> Vec<Value> {
    let text = call.run("parameters").expect_ok();
    serde_json::from_str(&text).unwrap()
}

fn named<'a>(announced: &'a [Value], name: &str) -> &'a Value {
    announced.iter().find(|entry| entry["name"] == name).unwrap()
}

#[test]
fn every_parameter_is_announced_with_its_shape() {
    let mut call = Call::at("apps/demo");
    call.parameters(json!([{"name": "profile", "array": ["lb-l2"]}]));
    let announced = announced(&call);
    for entry in &announced {
        for field in ["name", "title", "tooltip"] {
            assert!(entry[field].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
        }
        let shape = entry["collectionType"].as_str().unwrap();
        let value = &entry[shape];
        let fits = match shape {
            "string" => value.is_string(),
            "array" => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            "map" => value.as_object().is_some_and(|map| map.values().all(Value::is_string)),
            _ => false,
        };
        assert!(fits, "{entry}");
    }
    assert_eq!(named(&announced, "profile")["array"], json!(["lb-l2"]));
    assert_eq!(named(&announced, "params")["map"]["l2InterfaceNames"], "predictable");
    assert_eq!(named(&announced, "release-name")["string"], "demo");
    assert_eq!(named(&announced, "skip-tests")["string"], "true");
}

/// Argo CD announces without a destination, and for applications that are wrong, too:
/// the list is what they are put right with.
#[test]
fn announcing_needs_little() {
    let mut call = Call::at("apps/demo");
    for name in ["ARGOCD_APP_NAMESPACE", "KUBE_VERSION", "KUBE_API_VERSIONS", "ARGOCD_APP_PARAMETERS"] {
        call.unset(name);
    }
    assert_eq!(named(&announced(&call), "profile")["array"], json!(["none"]));
    call.set("ARGOCD_ENV_GERM_POST_PROFILE", "talso");
    let run = call.run("parameters");
    assert!(run.stderr.contains("talos"), "{}", run.stderr);
    assert_eq!(named(&announced(&call), "profile")["array"], json!([]));
}

#[test]
fn the_profile_comes_from_the_repository_where_nothing_else_names_one() {
    let mut call = Call::scripted();
    call.unset("ARGOCD_ENV_GERM_POST_PROFILE");
    call.write(
        "../../germ-post.yaml",
        "apiVersion: germ-post.dev/v1\nkind: Config\ntargets: {a: {profile: lb-l2, params: {l2InterfaceNames: keep}}}\n",
    );
    call.parameters(json!([{"name": "target", "string": "a"}]));
    let announced = announced(&call);
    assert_eq!(named(&announced, "params")["map"]["l2InterfaceNames"], "keep");
    assert!(call.run("generate").stderr.ends_with("[lb-l2]\n"));

    // The operator's is for applications that name none.
    call.parameters(Value::Null);
    call.set("GERM_POST_PROFILE", "none");
    assert!(call.run("generate").stderr.ends_with("[none]\n"));
    let own = call.place().join("operator.yaml");
    std::fs::write(&own, "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\n").unwrap();
    call.set("GERM_POST_PROFILE", own);
    call.generated();
    call.parameters(json!([{"name": "profile", "array": ["k3s-kpr"]}]));
    assert!(call.run("generate").stderr.ends_with("[k3s-kpr]\n"));
}
