//! Values compared as Kubernetes reads them, and what is left out of a comparison.

use super::found::{diff_with, folder, run};

const OLD: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {helm.sh/chart: web-1.0.0}, annotations: null}
spec:
  replicas: 1
  template:
    metadata: {annotations: {checksum/config: aaaaaaaaaaaaaaaa}}
    spec:
      containers:
        - name: web
          image: "web:1"
          args: [--one, --two]
          env: [{name: A, value: "1"}, {name: B, value: "2"}]
          ports: [{containerPort: 80}, {containerPort: 443, protocol: TCP}]
          resources: {limits: {cpu: 1500m, memory: 1Gi}}
          securityContext: {capabilities: {add: [NET_ADMIN, CHOWN]}}
          volumeMounts: [{name: a, mountPath: /a}, {name: b, mountPath: /b}]
"#;

const SAME: &str = "# A comment.\r\nkind: Deployment\r\napiVersion: 'apps/v1'\r\nmetadata: {name: web, labels: {helm.sh/chart: web-1.1.0}, annotations: {}}\r
spec:\r
  template:\r
    metadata: {annotations: {checksum/config: bbbbbbbbbbbbbbbb}}\r
    spec:\r
      containers:\r
      - image: web:1\r
        name: web\r
        args: ['--one', \"--two\"]\r
        env: [{name: B, value: '2'}, {name: A, value: '1'}]\r
        ports: [{containerPort: 443}, {containerPort: 80, protocol: TCP}]\r
        resources: {limits: {cpu: 1.5, memory: 1024Mi}}\r
        securityContext: {capabilities: {add: [CHOWN, NET_ADMIN]}}\r
        volumeMounts: [{mountPath: /b, name: b}, {mountPath: /a, name: a}]\r
  replicas: 1\r
";

#[test]
fn what_means_the_same_is_no_change() {
    let found = diff_with("same", OLD, SAME, &["--exit-code"]);
    // `protocol: TCP` is the default, and yet a field that is new or gone.
    let ports = [
        "+ spec.template.spec.containers[name=web].ports[containerPort=80].protocol",
        "- spec.template.spec.containers[name=web].ports[containerPort=443].protocol",
    ];
    let mut changes = found.changes();
    changes.sort();
    assert_eq!(changes, ports);
    let ignored = &found.group()["summary"]["ignored"]["churn"];
    assert_eq!(ignored.to_string(), r#"[{"kind":"checksum","count":1},{"kind":"chart-label","count":1}]"#);
}

#[test]
fn churn_alone_is_no_difference_and_still_restarts_pods() {
    let new = OLD.replace("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb").replace("web-1.0.0", "web-1.0.1");
    let found = diff_with("churn", OLD, &new, &["--exit-code"]);
    assert_eq!((found.code, found.objects().len()), (0, 0));
    assert_eq!(found.group()["restarts"][0]["name"], "web");
    assert_eq!(found.group()["summary"]["ignored"]["churnObjects"], 1);
    let shown = diff_with("churn-shown", OLD, &new, &["--exit-code", "--no-ignore"]);
    assert_eq!(shown.code, 1);
    assert_eq!(
        shown.changes(),
        ["± metadata.labels.\"helm.sh/chart\"", "± spec.template.metadata.annotations.checksum/config"]
    );
    assert_eq!(shown.group()["objects"][0]["changes"][0]["churn"], "chart-label");
}

#[test]
fn style_is_told_when_it_is_asked_for() {
    let new = OLD.replace("image: \"web:1\"", "image: web:1 # quoted no more");
    let found = diff_with("style-off", OLD, &new, &["--exit-code"]);
    assert_eq!(found.code, 0);
    let found = diff_with("style-on", OLD, &new, &["--exit-code", "--style"]);
    assert_eq!(found.code, 1);
    assert_eq!(found.group()["styled"][0]["lines"], 2);
    let text = run(&folder("style-human"), OLD, &new, &["--style"]).expect_ok();
    assert!(text.contains("+          image: web:1 # quoted no more"), "{text}");
}

#[test]
fn lists_are_told_by_item() {
    let new = OLD
        .replace("[--one, --two]", "[--one, --between, --two]")
        .replace("value: \"2\"", "value: \"3\"")
        .replace("CHOWN]", "SYS_ADMIN]")
        .replace("mountPath: /b", "mountPath: /c");
    let found = diff_with("lists-by-item", OLD, &new, &[]);
    let container = "spec.template.spec.containers[name=web]";
    let expected = [
        format!("+ {container}.args[1]"),
        format!("± {container}.env[name=B].value"),
        format!("- {container}.securityContext.capabilities.add[=CHOWN]"),
        format!("+ {container}.securityContext.capabilities.add[=SYS_ADMIN]"),
        format!("± {container}.volumeMounts[name=b].mountPath"),
    ];
    assert_eq!(found.changes(), expected);
}

#[test]
fn the_order_of_init_containers_counts() {
    let pod = |order: &str| {
        format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{initContainers: [{order}]}}\n")
    };
    let (one, two) = ("{name: one, image: i}", "{name: two, image: i}");
    let found =
        diff_with("init", &pod(&format!("{one}, {two}")), &pod(&format!("{two}, {one}")), &["--exit-code"]);
    assert_eq!((found.code, found.changes()), (1, vec!["⇆ spec.initContainers".to_owned()]));
}

#[test]
fn fields_and_objects_can_be_left_out() {
    let new = OLD.replace("replicas: 1", "replicas: 2").replace("web:1", "web:2");
    let key = r#"metadata.annotations."a.b/c""#;
    let with_key = new.replace("annotations: null", r#"annotations: {a.b/c: "x"}"#);
    let base =
        with_key.replace("\"x\"", "\"y\"").replace("replicas: 2", "replicas: 1").replace("web:2", "web:1");
    let left = |args: &[&str]| diff_with("ignored", &base, &with_key, args).changes();
    let image = "± spec.template.spec.containers[name=web].image";
    assert_eq!(left(&["--ignore", key, "--ignore", "/spec/replicas"]), [image]);
    assert_eq!(left(&["--ignore", "$pod.containers[*].image", "--ignore", key]), ["± spec.replicas"]);
    let found =
        diff_with("ignored-object", &base, &with_key, &["--exit-code", "--ignore-object", "deployment/w*"]);
    assert_eq!((found.code, found.objects().len()), (0, 0));
    assert_eq!(found.group()["summary"]["ignored"]["objects"], 1);
    let wrong = run(&folder("ignored-wrong"), &base, &with_key, &["--ignore", "a..b"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("--ignore a..b") && wrong.stderr.contains("a path reads like"),
        "{}",
        wrong.stderr
    );
}
