//! The arguments of Helm: those of Argo CD's own Helm source, for the release that the
//! application is.

use serde_json::json;

use crate::support::argocd::Call;

#[test]
fn helm_gets_the_flags_of_argo_cds_own_source() {
    let mut call = Call::scripted();
    call.write("a b.yaml", "a: 1\n");
    call.parameters(json!([
        {"name": "values-files", "array": ["a b.yaml"]},
        {"name": "values", "string": "b: 2\n"},
        {"name": "set", "map": {"c": "x,y z"}},
        {"name": "set-string", "map": {"d": "1"}},
    ]));
    call.generated();
    let root = call.root().canonicalize().unwrap();
    let mut logged = call.logged("arguments");
    let inline = logged.iter().position(|word| word.ends_with("/tmp/values.yaml")).unwrap();
    logged[inline] = "--values=INLINE".to_owned();
    assert_eq!(
        logged,
        [
            "template",
            "--namespace=there",
            "--kube-version=1.34.0",
            "--set=c=x\\,y z",
            "--set-string=d=1",
            &format!("--values={}/apps/demo/a b.yaml", root.display()),
            "--values=INLINE",
            "--api-versions=v1",
            "--api-versions=apps/v1",
            "--api-versions=apps/v1/Deployment",
            "--include-crds",
            "--skip-tests",
            "--",
            "demo",
            ".",
        ]
    );
}

#[test]
fn an_application_elsewhere_and_without_a_namespace() {
    let mut call = Call::scripted();
    call.set("ARGOCD_APP_NAME", "team-a_demo");
    call.set("ARGOCD_APP_NAMESPACE", "");
    call.set("KUBE_VERSION", "");
    call.unset("KUBE_API_VERSIONS");
    call.unset("ARGOCD_APP_PARAMETERS");
    call.generated();
    assert_eq!(call.logged("arguments"), ["template", "--include-crds", "--skip-tests", "--", "demo", "."]);
}

#[test]
fn what_the_application_says_comes_first() {
    let mut call = Call::scripted();
    call.parameters(json!([
        {"name": "release-name", "string": "other"},
        {"name": "namespace", "string": "kube-system"},
        {"name": "kube-version", "string": "v1.30.0"},
        {"name": "api-versions", "array": ["a.b/v1"]},
        {"name": "include-crds", "string": "false"},
        {"name": "skip-tests", "string": "false"},
        {"name": "skip-schema-validation", "string": "true"},
    ]));
    call.generated();
    assert_eq!(
        call.logged("arguments"),
        [
            "template",
            "--namespace=kube-system",
            "--kube-version=v1.30.0",
            "--api-versions=a.b/v1",
            "--skip-schema-validation",
            "--",
            "other",
            ".",
        ]
    );
}

#[test]
fn a_name_that_is_too_long_is_told_with_the_way_out() {
    let mut call = Call::scripted();
    call.set("ARGOCD_APP_NAME", "x".repeat(54));
    let said = call.refused_before_helm();
    assert!(said.starts_with("error[release-name-invalid]"), "{said}");
    assert!(said.contains("54 bytes") && said.contains("`release-name`"), "{said}");
    call.parameters(json!([{"name": "release-name", "string": "short"}]));
    call.generated();
}

/// The home is `/` or missing, and the environment full of what would change a rendering.
#[test]
fn helm_has_homes_of_its_own() {
    for home in [Some("/"), None] {
        let mut call = Call::scripted();
        call.unset("HOME");
        if let Some(home) = home {
            call.set("HOME", home);
        }
        call.set("HELM_NAMESPACE", "elsewhere");
        call.set("HELM_PLUGINS", "/plugins");
        call.set("XDG_CACHE_HOME", "/cache");
        call.set("KUBERNETES_SERVICE_HOST", "10.96.0.1");
        call.set("ARGOCD_ENV_SECRET", "hunter2");
        call.set("HTTPS_PROXY", "http://proxy");
        call.generated();
        let environment = call.logged("environment");
        let value = |name: &str| {
            let found = environment.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            found.map(str::to_owned)
        };
        for name in ["HOME", "HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "XDG_CACHE_HOME"] {
            let value = value(name).unwrap();
            assert!(value.starts_with(call.place().join("tmp").to_str().unwrap()), "{name}={value}");
        }
        for name in ["HELM_NAMESPACE", "HELM_PLUGINS", "KUBERNETES_SERVICE_HOST", "ARGOCD_ENV_SECRET"] {
            assert_eq!(value(name), None);
        }
        assert_eq!(value("HTTPS_PROXY").as_deref(), Some("http://proxy"));
        assert!(call.left_behind().is_empty());
    }
}
