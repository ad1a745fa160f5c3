//! The plugin in the real argocd-cmp-server, asked over its socket as the repo-server
//! asks: check, match, parameters, generate; many at once, failing, slow, killed, and with
//! a large repository.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::argocd::Call;
use crate::support::cmp::Server;
use crate::support::helm::Helm;

const PLUGIN: &str = include_str!("../../deploy/argocd/plugin.yaml");

const APPLICATION: &[(&str, &str)] = &[
    ("ARGOCD_APP_NAME", "team_demo"),
    ("ARGOCD_APP_NAMESPACE", "there"),
    ("ARGOCD_APP_PARAMETERS", "null"),
    ("ARGOCD_APP_SOURCE_PATH", "apps/demo"),
    ("KUBE_VERSION", "1.34.0"),
    ("KUBE_API_VERSIONS", "v1,apps/v1"),
    ("ARGOCD_ENV_GERM_POST_PROFILE", "lb-l2"),
];

/// The application's variables, with some of them others.
fn with<'v>(others: &[(&'v str, &'v str)]) -> Vec<(&'v str, &'v str)> {
    let kept = APPLICATION.iter().filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    kept.chain(others).copied().collect()
}

/// A repository with a chart that has a load balancer.
fn repository() -> Call {
    let call = Call::at("apps/demo");
    call.write(
        "templates/service.yaml",
        "apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}\n\
         spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: {{ .Values.port | default 80 }}}]}\n",
    );
    call
}

fn generate(
    server: &Server,
    call: &Call,
    variables: &[(&str, &str)],
    timeout: &str,
) -> Result<Vec<Value>, String> {
    let answer = server.ask("generate", Some((&call.root(), "apps/demo")), variables, timeout)?;
    let manifests = answer["manifests"].as_array().cloned().unwrap_or_default();
    Ok(manifests.iter().map(|text| serde_json::from_str(text.as_str().unwrap()).unwrap()).collect())
}

fn service(manifests: &[Value]) -> &Value {
    manifests.iter().find(|object| object["kind"] == "Service").unwrap()
}

#[test]
fn questions_are_answered() {
    for helm in Helm::both() {
        let Some(server) = Server::start(PLUGIN, &helm.program, &[]) else { return };
        let call = repository();
        let check = server.ask("check", None, &[], "60s").unwrap();
        assert_eq!(check["isDiscoveryConfigured"], json!(null), "{check}");

        let application = Some((call.root(), "apps/demo"));
        let application = application.as_ref().map(|(root, path)| (root.as_path(), *path));
        let announced = server.ask("parameters", application, &with(&[]), "60s").unwrap();
        let announced = announced["parameters"].as_array().unwrap();
        let named = |name: &str| announced.iter().find(|entry| entry["name"] == name).unwrap();
        assert_eq!(named("profile")["array"], json!(["lb-l2"]));
        assert_eq!(named("params")["map"]["l2InterfaceNames"], "predictable");
        assert_eq!(named("release-name")["string"], "demo");
        assert_eq!(named("values-files")["collectionType"], "array");

        let manifests = generate(&server, &call, &with(&[]), "60s").unwrap();
        assert_eq!(manifests.len(), 2);
        let found = service(&manifests);
        assert_eq!(found["metadata"], json!({"name": "demo", "namespace": "there"}));
        assert_eq!(found["spec"]["externalTrafficPolicy"], "Cluster");

        let parameters = r#"[{"name":"profile","array":["none"]},{"name":"set","map":{"port":"81"}}]"#;
        let manifests =
            generate(&server, &call, &with(&[("ARGOCD_APP_PARAMETERS", parameters)]), "60s").unwrap();
        assert_eq!(service(&manifests)["spec"]["externalTrafficPolicy"], "Local");
        assert_eq!(service(&manifests)["spec"]["ports"][0]["port"], 81);
        assert_eq!(server.left_behind(), 0);
    }
}

#[test]
fn applications_are_discovered_by_their_configuration_where_that_is_asked_for() {
    let Some(helm) = Helm::four() else { return };
    let config = crate::support::run::germ_post(&["argocd", "plugin-config", "--discover"], b"").expect_ok();
    let Some(server) = Server::start(&config, &helm.program, &[]) else { return };
    assert_eq!(server.ask("check", None, &[], "60s").unwrap()["isDiscoveryConfigured"], true);
    let call = repository();
    let matches = || server.ask("match", Some((&call.root(), "apps/demo")), &with(&[]), "60s").unwrap();
    assert_eq!(matches(), json!({"isDiscoveryEnabled": true}));
    call.write("germ-post.yaml", "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: lb-l2\n");
    assert_eq!(matches(), json!({"isSupported": true, "isDiscoveryEnabled": true}));
}

#[test]
fn twenty_at_once_get_the_same() {
    let Some(helm) = Helm::four() else { return };
    let Some(server) = Server::start(PLUGIN, &helm.program, &[]) else { return };
    let call = repository();
    let one = generate(&server, &call, &with(&[]), "300s").unwrap();
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..20).map(|_| scope.spawn(|| generate(&server, &call, &with(&[]), "300s"))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.iter().all(|manifests| manifests.as_ref() == Ok(&one)), "{all:?}");
    assert_eq!(server.left_behind(), 0);
}

#[test]
fn a_failing_one_tells_its_cause() {
    let Some(helm) = Helm::four() else { return };
    let Some(server) = Server::start(PLUGIN, &helm.program, &[]) else { return };
    let call = repository();
    call.write("templates/bad.yaml", "{{ fail (printf \"no address for %s\" .Values.password) }}\n");
    let parameters = r#"[{"name":"set","map":{"password":"hunter2"}}]"#;
    let said = generate(&server, &call, &with(&[("ARGOCD_APP_PARAMETERS", parameters)]), "60s").unwrap_err();
    assert!(said.contains("error[helm-failed]: Helm cannot render the chart: "), "{said}");
    assert!(said.contains("no address for ***") && !said.contains("hunter2"), "{said}");

    fs::write(call.folder().join("templates/bad.yaml"), "").unwrap();
    let said =
        generate(&server, &call, &with(&[("ARGOCD_ENV_GERM_POST_PROFILE", "talso")]), "60s").unwrap_err();
    assert!(said.contains("error[profile-unknown]"), "{said}");
    fs::remove_file(call.folder().join("templates/config.yaml")).unwrap();
    fs::remove_file(call.folder().join("templates/service.yaml")).unwrap();
    let said = generate(&server, &call, &with(&[]), "60s").unwrap_err();
    assert!(said.contains("error[empty-result]"), "{said}");
    assert_eq!(server.left_behind(), 0);
}

#[test]
fn links_that_lead_out_are_refused_by_the_server_already() {
    let Some(helm) = Helm::four() else { return };
    let Some(server) = Server::start(PLUGIN, &helm.program, &[]) else { return };
    let call = repository();
    std::os::unix::fs::symlink("/etc/passwd", call.folder().join("link.yaml")).unwrap();
    let parameters = r#"[{"name":"values-files","array":["link.yaml"]}]"#;
    generate(&server, &call, &with(&[("ARGOCD_APP_PARAMETERS", parameters)]), "60s").unwrap_err();
}

/// A Helm that takes forever the first time, and tells its process and its parent's.
fn slow_helm(place: &Path) -> std::path::PathBuf {
    let helm = place.join("slow-helm");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = version ]; then echo v4.3.1; exit; fi\nif [ ! -e {place}/pids ]; then\n\
         echo $$ $PPID > {place}/pids.new; mv {place}/pids.new {place}/pids\n\
         while true; do sleep 0.1; done\nfi\necho 'kind: Thing'\n",
        place = place.display()
    );
    fs::write(&helm, text).unwrap();
    Command::new("chmod").arg("755").arg(&helm).status().unwrap();
    helm
}

fn wait_for(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn pids(place: &Path) -> Vec<String> {
    let text = fs::read_to_string(place.join("pids")).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_slow_one_ends_with_its_helm() {
    let call = repository();
    let helm = slow_helm(call.place());
    let Some(server) = Server::start(PLUGIN, &helm, &[]) else { return };
    let said = generate(&server, &call, &with(&[]), "3s").unwrap_err();
    // The same deadline ends the plugin and the call, and either may be the first to tell.
    let told = ["`germ-post argocd generate` failed signal: killed", "DeadlineExceeded"];
    assert!(told.iter().any(|told| said.contains(told)), "{said}");
    for pid in pids(call.place()) {
        wait_for("a process outlives its call", || {
            let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            status.is_empty() || status.contains(") Z ")
        });
    }
    // Argo CD kills the plugin at once, so it is the next call that clears up.
    assert_eq!(generate(&server, &call, &with(&[]), "60s").unwrap(), [json!({"kind": "Thing"})]);
    assert_eq!(server.left_behind(), 0);
}

#[test]
fn a_killed_one_is_an_error_and_the_next_works() {
    let call = repository();
    let helm = slow_helm(call.place());
    let Some(server) = Server::start(PLUGIN, &helm, &[]) else { return };
    let said = std::thread::scope(|scope| {
        let running = scope.spawn(|| generate(&server, &call, &with(&[]), "60s"));
        wait_for("Helm never began", || call.place().join("pids").exists());
        let [helm, plugin] = &pids(call.place())[..] else { panic!("two processes") };
        Command::new("kill").args(["-KILL", plugin, helm]).status().unwrap();
        running.join().unwrap().unwrap_err()
    });
    assert!(said.contains("signal: killed"), "{said}");
    assert_eq!(generate(&server, &call, &with(&[]), "60s").unwrap(), [json!({"kind": "Thing"})]);
    assert_eq!(server.left_behind(), 0);
}

#[test]
fn a_repository_of_50_megabytes() {
    let Some(helm) = Helm::four() else { return };
    let Some(server) = Server::start(PLUGIN, &helm.program, &[]) else { return };
    let call = repository();
    // Bytes that no compression makes less of, from a small generator.
    let mut state = 1u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()
    })
    .take(50 * 1024 * 1024 / 8)
    .flatten()
    .collect();
    fs::write(call.root().join("large"), bytes).unwrap();
    let manifests = generate(&server, &call, &with(&[]), "300s").unwrap();
    assert_eq!(service(&manifests)["spec"]["externalTrafficPolicy"], "Cluster");
}
