//! germ-post as a KRM function: through the real kustomize, the same objects come out
//! as from the post-renderer.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{self, release::Release, run::germ_post, tools};

const LIST: &str = "# from kpt\napiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n\
    - apiVersion: v1\n  kind: Service\n  metadata:\n    name:   a   # odd\n    annotations:\n      \
    internal.config.kubernetes.io/path: 'svc.yaml'\n      internal.config.kubernetes.io/index: '2'\n  \
    spec: {type: LoadBalancer, externalTrafficPolicy: Local}\n\
    - apiVersion: v1\n  kind: Secret\n  metadata: {name: s}\n  stringData: {password: hunter2}\n";

fn config(data: &str) -> String {
    format!(
        "{LIST}functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: f}}\n  data: {data}\n"
    )
}

fn yaml(text: &str) -> Value {
    germ_post::yaml::parse(text).unwrap().read().unwrap()
}

#[test]
fn items_are_rewritten_in_place_with_results() {
    let list = config("{profile: talos, networkPolicies: none}");
    let text = germ_post(&["krm"], list.as_bytes()).expect_ok();
    let rewritten = list.replace("externalTrafficPolicy: Local", "externalTrafficPolicy: Cluster");
    let (kept, results) = text.split_once("results:\n").unwrap();
    assert_eq!(kept, rewritten);
    let results = yaml(&format!("results:\n{results}"));
    let result = &results["results"][0];
    assert_eq!(result["severity"], "info");
    assert_eq!(result["tags"]["rule"], "lb/external-traffic-policy");
    assert_eq!(result["resourceRef"]["name"], "a");
    assert_eq!(result["field"]["path"], "spec.externalTrafficPolicy");
    assert_eq!(
        (&result["field"]["currentValue"], &result["field"]["proposedValue"]),
        (&"Local".into(), &"Cluster".into())
    );
    assert_eq!((&result["file"]["path"], &result["file"]["index"]), (&"svc.yaml".into(), &2.into()));
    // Without the word, the list is known for what it is.
    assert_eq!(germ_post::<&str>(&[], list.as_bytes()).expect_ok(), text);
    // Nothing to do: nothing is written anew.
    let again = germ_post(&["krm"], kept.as_bytes()).expect_ok();
    assert_eq!(again, kept);
}

#[test]
fn errors_are_results_and_exit_code_1() {
    let run = germ_post(&["krm"], config("{profile: nowhere}").as_bytes());
    let list = yaml(&String::from_utf8(run.stdout).unwrap());
    assert_eq!(run.code, 1);
    assert_eq!(list["results"][0]["severity"], "error");
    assert!(list["results"][0]["message"].as_str().unwrap().contains("there is no profile `nowhere`"));
    assert_eq!(list["items"].as_array().unwrap().len(), 2);

    let broken = config("{profile: talos}")
        .replace("externalTrafficPolicy: Local", "externalTrafficPolicy: Sometimes");
    let run = germ_post(&["krm"], broken.as_bytes());
    let list = yaml(&String::from_utf8(run.stdout).unwrap());
    assert_eq!(run.code, 1);
    let result = &list["results"][0];
    assert_eq!(
        (&result["resourceRef"]["kind"], &result["file"]["path"]),
        (&"Service".into(), &"svc.yaml".into())
    );
    assert!(!result.to_string().contains("hunter2"));
    assert_eq!(germ_post(&["krm", "--profile=talos"], b"kind: Service\n").code, 2);
}

/// The block of the page that is called so.
fn block(what: &str) -> String {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/other-doors.md")).unwrap();
    let (_, rest) = page.split_once(&format!("```yaml {what}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_page_configures_it_in_two_ways() {
    let answers = ["transformer", "function"].map(|what| {
        let config: String = block(what).lines().map(|line| format!("  {line}\n")).collect();
        germ_post(&["krm"], format!("{LIST}functionConfig:\n{config}").as_bytes()).expect_ok()
    });
    let results = answers.map(|answer| yaml(&answer)["results"].clone());
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0].as_array().unwrap().len(), 1);
}

#[test]
fn kustomize_makes_the_same_of_it() {
    let (Some(corpus), Some(kustomize)) = (support::corpus(), tools::kustomize()) else { return };
    for (name, data) in [
        ("cilium/cilium-1.20.0-vanilla.yaml", "profile: talos, networkPolicies: all, ipam: kubernetes"),
        // A parameter of which the rules make objects to add.
        ("", "profile: network-policy, fqdnEgress: \"true\", ciliumVersion: 1.20.0"),
    ] {
        let text = match name {
            "" => WORKLOAD.to_owned(),
            name => fs::read_to_string(corpus.join(name)).unwrap(),
        };
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        write("rendered.yaml", &text);
        write("kustomization.yaml", "resources: [rendered.yaml]\ntransformers: [germ-post.yaml]\n");
        let of_page = block("transformer").split_once("\ndata:\n").unwrap().0.to_owned();
        write("germ-post.yaml", &format!("{of_page}\ndata: {{{data}}}\n"));
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_germ-post"), folder.path().join("function")).unwrap();
        let output = Command::new(&kustomize)
            .args(["build", "--enable-alpha-plugins", "--enable-exec", "."])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let sets: Vec<String> = data
            .split(", ")
            .map(|pair| pair.replace(": ", "=").replace('"', ""))
            .map(|pair| match pair.strip_prefix("profile=") {
                Some(name) => format!("--profile={name}"),
                None => format!("--set={pair}"),
            })
            .collect();
        let own = germ_post(&sets, text.as_bytes()).expect_ok();
        Release::of(&String::from_utf8(output.stdout).unwrap()).assert_same(&Release::of(&own), "kustomize");
    }
}

const WORKLOAD: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n  \
    annotations: {germ-post.dev/allowed-hosts: api.example.org}\nspec:\n  selector: {matchLabels: {app: web}}\n  \
    template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: \"web:1.0.0\"}]}\n";
