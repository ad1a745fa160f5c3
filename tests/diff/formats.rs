//! One snapshot a format, of one comparison that has something of everything
//! (`GERM_UPDATE=1` writes them; read them as a user would).

use std::fs;
use std::path::Path;

use super::found::{folder, run};
use super::masking::FORMATS;

const OLD: &str = "\
# Source: shop/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: cilium-config, namespace: kube-system}
data:
  ipam: kubernetes
  debug: \"false\"
  script: |
    one
    two
    three
    four
    five
    six
---
# Source: shop/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {helm.sh/chart: shop-1.0.0}}
spec:
  replicas: 1
  template:
    spec:
      initContainers: [{name: a, image: a}, {name: b, image: b}]
      containers:
        - name: web
          image: quay.io/web:1.0.0
          env: [{name: A, value: \"1\"}]
---
apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: shop}
stringData: {password: hunter-1}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: old-name, namespace: shop}
data: {one: x, two: y, three: z}
---
# Source: shop/templates/lb.yaml
apiVersion: v1
kind: Service
metadata: {name: edge, namespace: shop}
spec: {type: LoadBalancer, ports: [{port: 80}]}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 1}
";

const NEW: &str = "\
# Source: shop/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: cilium-config, namespace: kube-system}
data:
  ipam: cluster-pool
  debug: \"false\"
  script: |
    one
    two
    three
    4
    five
    six
---
# Source: shop/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {helm.sh/chart: shop-1.1.0}}
spec:
  replicas: 1
  template:
    spec:
      initContainers: [{name: b, image: b}, {name: a, image: a}]
      containers:
        - name: web
          image: quay.io/web:1.1.0
          env: [{name: A, value: \"1\"}, {name: B, value: <b>}]
---
apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: shop}
stringData: {password: hunter-2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: new-name, namespace: shop}
data: {one: x, two: y, three: w}
---
# Source: shop/templates/job.yaml
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: quay.io/web:1.1.0, command: [sh, -c, \"a\\nb\\n\"]}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 1}
";

const PROFILE: &str = "\
apiVersion: germ-post.dev/v1
kind: Profile
name: mirror
rules:
  - id: mirror/quay
    title: Images come from the mirror
    why: The nodes do not reach quay.io.
    match: {podTemplate: any}
    edit: [{replace: '$pod.containers[*].image', from: quay.io/, to: mirror.example/, optional: true}]
  - id: mirror/replicas
    title: Two of everything
    why: One is none.
    match: {kind: Deployment}
    edit: [{set: spec.replicas, value: 2}]
";

#[test]
fn every_format_is_as_it_was_read() {
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/diff");
    for format in FORMATS {
        let folder = folder("formats");
        fs::write(folder.join("mirror.yaml"), PROFILE).unwrap();
        let args = ["--format", format, "--profile=./mirror.yaml", "--width=100", "--source-root=charts"];
        let text = steady(&run(&folder, OLD, NEW, &args).expect_ok());
        let ending = match format {
            "markdown" => "md",
            "html" => "html",
            "json" | "gitlab" => "json",
            "unified" => "patch",
            _ => "txt",
        };
        let file = snapshots.join(format!("{format}.{ending}"));
        if std::env::var_os("GERM_UPDATE").is_some() {
            fs::create_dir_all(&snapshots).unwrap();
            fs::write(&file, &text).unwrap();
        }
        let wanted = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(text, wanted, "{format} is not as {} says", file.display());
    }
}

/// The text with every hash of a masked value the same in every run.
fn steady(text: &str) -> String {
    let mut parts = text.split("‹masked ");
    let mut out = parts.next().unwrap().to_owned();
    let mut seen: Vec<&str> = Vec::new();
    for part in parts {
        let hash = &part[..8];
        let number = seen.iter().position(|known| *known == hash).unwrap_or_else(|| {
            seen.push(hash);
            seen.len() - 1
        });
        out.push_str(&format!("‹masked {number:08}{}", &part[8..]));
    }
    out
}

#[test]
fn formats_for_machines_hold_to_their_shape() {
    let folder = folder("formats-shape");
    let gitlab = run(&folder, OLD, NEW, &["--format=gitlab"]).expect_ok();
    let items: Vec<serde_json::Value> = serde_json::from_str(&gitlab).unwrap();
    let mut prints: Vec<&str> = items.iter().map(|item| item["fingerprint"].as_str().unwrap()).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), items.len(), "fingerprints tell the items apart");
    assert_eq!(items[0]["location"]["path"], "new.yaml");
    let github = run(&folder, OLD, NEW, &["--format=github"]).expect_ok();
    let commands: Vec<&str> = github.lines().filter(|line| line.starts_with("::")).collect();
    assert!(
        commands[0].starts_with("::error file=new.yaml,line=1,title=cilium/ipam-changed::"),
        "{}",
        commands[0]
    );
    assert_eq!(commands.len() + 1, github.lines().count(), "one line a command, and the summary");
}

#[test]
fn several_formats_come_of_one_run_with_the_same_marks() {
    let folder = folder("formats-files");
    let args = ["--output=json=a.json", "--output=html=a.html", "--output=markdown=a.md"];
    let text = run(&folder, OLD, NEW, &args).expect_ok();
    let mark = text.split("‹masked ").nth(1).unwrap().split('›').next().unwrap().to_owned();
    for name in ["a.json", "a.html", "a.md"] {
        assert!(fs::read_to_string(folder.join(name)).unwrap().contains(&mark), "{name}");
    }
    let wrong = run(&folder, OLD, NEW, &["--output=a.json"]);
    assert_eq!(wrong.code, 2);
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let folder = folder("formats-colour");
    let coloured = run(&folder, OLD, NEW, &["--color=always"]).expect_ok();
    assert!(coloured.contains("\u{1b}["));
    let plain = run(&folder, OLD, NEW, &["--color=auto"]).expect_ok();
    assert!(!plain.contains("\u{1b}["));
    let header = plain.lines().next().unwrap();
    assert_eq!(header, "old.yaml → new.yaml");
    let bare = run(&folder, OLD, NEW, &["--omit-header"]).expect_ok();
    assert!(!bare.contains(header));
}
