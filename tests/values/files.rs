//! Values files without a chart, and what in them is never touched.

use crate::folder::{Folder, chart_yaml};
use crate::support::run::Run;

/// A values file under `talos` with nothing known but what it says.
fn alone(text: &str) -> Run {
    Folder::with(&[]).values_of(&["--profile", "talos", "-f", "-"], text)
}

#[track_caller]
fn becomes(text: &str, wanted: &str) {
    assert_eq!(alone(text).expect_ok(), wanted);
}

#[track_caller]
fn stays(text: &str) -> String {
    let run = alone(text);
    let said = run.stderr.clone();
    assert_eq!(run.expect_ok(), text);
    said
}

#[test]
fn only_keys_that_are_there_are_edited() {
    becomes("cilium:\n  k8sServiceHost: 10.0.0.1 # api\n", "cilium:\n  k8sServiceHost: localhost # api\n");
    stays("cilium:\n  hubble: {enabled: true}\n");
    stays("a: 1\n");
    stays("");
    stays("# nothing\n");
    // At any depth.
    becomes("net:\n  cilium: {ipam: {mode: cluster-pool}}\n", "net:\n  cilium: {ipam: {mode: kubernetes}}\n");
}

#[test]
fn lists_of_capabilities_lose_entries_and_never_gain() {
    let at = |list: &str| {
        format!("cilium:\n  securityContext:\n    capabilities:\n      cleanCiliumState: {list}\n")
    };
    becomes(&at("[NET_ADMIN, SYS_MODULE]"), &at("[NET_ADMIN]"));
    stays(&at("[NET_ADMIN]"));
    stays(&at("[]"));
    becomes(
        &at("# none yet"),
        &at("[NET_ADMIN, SYS_ADMIN, SYS_RESOURCE] # none yet").replace(
            "cleanCiliumState: [NET_ADMIN, SYS_ADMIN, SYS_RESOURCE] # none yet",
            "cleanCiliumState: # none yet\n      - NET_ADMIN\n      - SYS_ADMIN\n      - SYS_RESOURCE",
        ),
    );
    // `refused` leaves what Talos does not refuse.
    let list = at("[NET_ADMIN, SYS_MODULE, SYSLOG]");
    let run = Folder::with(&[])
        .values_of(&["--profile", "talos", "--set", "capabilities=refused", "-f", "-"], &list);
    assert_eq!(run.expect_ok(), at("[NET_ADMIN, SYSLOG]"));
}

/// A file that names no chart is taken for the chart's own, and that is said.
#[test]
fn a_file_of_the_chart_itself_is_known_by_its_keys() {
    let run = alone("kubeProxyReplacement: false\nk8sServicePort: \"6443\"\n");
    assert!(run.stderr.contains("taken for values of the chart cilium"), "{}", run.stderr);
    assert_eq!(run.expect_ok(), "kubeProxyReplacement: true\nk8sServicePort: \"7445\"\n");
    // Where a key has the chart's name, the rest is the wrapper's own.
    stays("kubeProxyReplacement: false\ncilium: {}\n");
}

/// A port stays text where it is text; a switch never is.
#[test]
fn types_are_those_of_the_file_where_they_mean_the_same() {
    becomes("cilium: {k8sServicePort: '6443'}\n", "cilium: {k8sServicePort: '7445'}\n");
    becomes("cilium: {k8sServicePort: 6443}\n", "cilium: {k8sServicePort: 7445}\n");
    becomes("cilium: {k8sServicePort: \"\"}\n", "cilium: {k8sServicePort: 7445}\n");
    stays("cilium: {k8sServicePort: \"7445\"}\n");
    becomes("cilium: {kubeProxyReplacement: \"false\"}\n", "cilium: {kubeProxyReplacement: true}\n");
}

#[test]
fn what_another_program_reads_is_never_touched() {
    for value in [
        "ref+vault://secret/cilium#/host",
        "\"secretref+awsssm://host\"",
        "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]",
        "\"{{ .Values.host }}\"",
    ] {
        let said = stays(&format!("cilium:\n  k8sServiceHost: {value}\n"));
        assert!(said.contains("talos/kubeprism leaves cilium.k8sServiceHost: it is "), "{said}");
    }
    let said = stays(
        "cilium:\n  securityContext:\n    capabilities:\n      ciliumAgent: [\"{{ .x }}\", SYS_MODULE]\n",
    );
    assert!(said.contains("it is a template"), "{said}");
    // Where the whole of a mapping comes from elsewhere, nothing is written into it.
    let folder = chart();
    folder.write("f.yaml", b"cgroup: ref+file://cgroup.yaml\n");
    let run =
        folder.values(&["--profile", "talos", "--only", "talos/cgroup", "--chart", "c", "-f", "f.yaml"]);
    assert!(run.stderr.contains("`cgroup` is in its way: it is a reference"), "{}", run.stderr);
    assert_eq!(run.expect_ok(), "cgroup: ref+file://cgroup.yaml\n");
    // Nor does an overlay take its place.
    let args =
        ["--profile", "talos", "--only", "talos/kubeprism", "--chart", "c", "-f", "g.yaml", "--overlay"];
    folder.write("g.yaml", b"k8sServiceHost: ref+vault://host\n");
    let overlay = folder.values(&args).expect_ok();
    assert!(!overlay.contains("k8sServiceHost") && overlay.contains("k8sServicePort"), "{overlay}");
}

fn chart() -> Folder {
    Folder::with(&[
        ("c/Chart.yaml", &chart_yaml("cilium", "1.20.0", "")),
        (
            "c/values.yaml",
            "k8sServiceHost: \"\"\nk8sServicePort: \"\"\ncgroup: {autoMount: {enabled: true}, hostRoot: /run/x}\n",
        ),
    ])
}

#[test]
fn a_file_that_is_signed_as_a_whole_is_not_edited() {
    let signed = "cilium:\n  k8sServiceHost: 10.0.0.1\n  password: ENC[AES256_GCM,data:x,type:str]\nsops:\n  mac: ENC[AES256_GCM,data:y,type:str]\n";
    let run = alone(signed);
    assert_eq!((run.code, run.stdout.len()), (3, 0), "{}", run.summary());
    assert!(
        run.stderr.contains("signed by SOPS") && run.stderr.contains("cilium.k8sServiceHost"),
        "{}",
        run.stderr
    );
    // What the error's help says works.
    let args = ["--profile", "talos", "-f", "-", "--overlay"];
    let overlay = Folder::with(&[]).values_of(&args, signed).expect_ok();
    assert!(overlay.contains("k8sServiceHost: localhost") && !overlay.contains("ENC["), "{overlay}");
    // As the profile wants it, it passes; and SOPS can be told to sign what is encrypted alone.
    stays(&signed.replace("10.0.0.1", "localhost"));
    let partly = signed.replace("sops:\n", "sops:\n  mac_only_encrypted: true\n");
    becomes(&partly, &partly.replace("10.0.0.1", "localhost"));
}

#[test]
fn what_is_no_values_file_is_refused_without_showing_a_line_of_it() {
    for (text, said) in [
        ("a: {{ .Values.x }}\n{{- if .y }}\nb: 1\n{{- end }}\n", "no YAML until it is filled in"),
        ("- hunter2\n", "it holds no mapping"),
        ("hunter2\n", "it holds no mapping"),
        ("a: 1\n---\npassword: hunter2\n", "several documents"),
        ("password: [hunter2\n", "cannot be read"),
    ] {
        let run = alone(text);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{text}: {}", run.summary());
        assert!(run.stderr.contains(said) && !run.stderr.contains("hunter2"), "{text}: {}", run.stderr);
    }
}

/// A `null` took the chart's defaults away; a value in its place brings them back.
#[test]
fn null_is_a_value_that_can_be_replaced() {
    becomes("cilium: {k8sServiceHost: null}\n", "cilium: {k8sServiceHost: localhost}\n");
    let folder = chart();
    let args = ["--profile", "talos", "--only", "talos/cgroup", "--chart", "c", "-f", "-"];
    let run = folder.values_of(&args, "cgroup:\na: 1\n");
    assert!(run.stderr.contains("cgroup was null"), "{}", run.stderr);
    assert_eq!(
        run.expect_ok(),
        "cgroup:\n  autoMount:\n    enabled: false\n  hostRoot: /sys/fs/cgroup\na: 1\n"
    );
}

#[test]
fn bom_line_ends_json_and_markers_stay() {
    becomes("\u{feff}cilium: {k8sServiceHost: x}\r\n", "\u{feff}cilium: {k8sServiceHost: localhost}\r\n");
    becomes("---\ncilium:\r\n  k8sServiceHost: x\r\n", "---\ncilium:\r\n  k8sServiceHost: localhost\r\n");
    becomes("{\"cilium\": {\"k8sServiceHost\": \"x\"}}", "{\"cilium\": {\"k8sServiceHost\": \"localhost\"}}");
}

/// What an alias shares is not edited for the others.
#[test]
fn a_shared_value_is_an_error() {
    let run = alone("x: &host 10.0.0.1\ncilium:\n  k8sServiceHost: *host\nother: *host\n");
    let out = String::from_utf8(run.stdout.clone()).unwrap();
    assert!(out.is_empty() || out.contains("k8sServiceHost: localhost\nother: *host\n"), "{out}");
    let run = alone("cilium: &c\n  k8sServiceHost: 10.0.0.1\nother: *c\n");
    assert_eq!((run.code, run.stdout.len()), (3, 0), "{}", run.summary());
    assert!(run.stderr.contains("shared"), "{}", run.stderr);
}
