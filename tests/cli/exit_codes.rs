//! The table of exit codes in `docs/compatibility.md`, held against the program: every code
//! that the table names is provoked, and no other comes out. The proof's own is left out,
//! since nobody can provoke it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::program::{germ_post, run};

/// What a command line ends with: words, stdin, the exit code.
type Case = (&'static [&'static str], &'static str, i32);

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: edge}\n\
    spec: {type: LoadBalancer, externalTrafficPolicy: Local}\n";
const UNREADABLE: &str = "a: [b\n";

const CASES: &[(&str, &[Case])] = &[
    (
        "germ-post",
        &[
            (&["--profile=talos"], SERVICE, 0),
            (&["--profile=nonsense"], SERVICE, 2),
            (&["--profile=talos"], UNREADABLE, 2),
            (&["--profile=misses.yaml"], SERVICE, 3),
        ],
    ),
    (
        "germ-post template",
        &[
            (&["edge", "chart", "--profile=none"], "", 0),
            (&["edge", "nowhere", "--profile=none"], "", 2),
            (&["edge", "chart", "--profile=misses.yaml"], "", 3),
        ],
    ),
    (
        "germ-post export",
        &[
            (&["--as=kustomize", "--profile=talos"], SERVICE, 0),
            (&["--as=kustomize", "--profile=talos"], UNREADABLE, 2),
            (&["--as=kustomize", "--profile=misses.yaml"], SERVICE, 3),
        ],
    ),
    (
        "germ-post check",
        &[
            (&["--profile=none", "fine.yaml"], "", 0),
            (&["--profile=misses.yaml", "service.yaml"], "", 1),
            (&["--profile=misses.yaml", "--exit-zero", "service.yaml"], "", 0),
            (&["--profile=talos", "nowhere.yaml"], "", 2),
        ],
    ),
    (
        "germ-post diff",
        &[
            (&["fine.yaml", "service.yaml"], "", 0),
            (&["--exit-code", "service.yaml", "service.yaml"], "", 0),
            (&["--exit-code", "fine.yaml", "service.yaml"], "", 1),
            (&["fine.yaml", "nowhere.yaml"], "", 2),
            (&["--profile=misses.yaml", "service.yaml"], "", 3),
        ],
    ),
    (
        "germ-post values",
        &[
            (&["--profile=values.yaml", "--chart=chart"], "", 0),
            (&["--profile=values.yaml", "--chart=chart", "--check"], "", 1),
            (&["--profile=values.yaml", "--chart=nowhere"], "", 2),
            (&["--profile=values.yaml", "--chart=strict"], "", 3),
        ],
    ),
    (
        "germ-post policy graph",
        &[
            (&["fine.yaml"], "", 0),
            (&["nowhere.yaml"], "", 2),
            (&["--profile=misses.yaml", "service.yaml"], "", 3),
        ],
    ),
    (
        "germ-post profiles lint",
        &[(&["talos"], "", 0), (&["misses.yaml"], "", 1), (&["nowhere.yaml"], "", 2)],
    ),
    (
        "germ-post profiles test",
        &[(&["talos-os"], "", 0), (&["fails.yaml"], "", 1), (&["nowhere.yaml"], "", 2)],
    ),
    (
        "germ-post profiles lock",
        &[
            (&["--config=lock.yaml"], "", 0),
            (&["--config=lock.yaml", "--check"], "", 0),
            (&["--config=unlocked.yaml", "--check"], "", 3),
            (&["--config=nowhere.yaml"], "", 2),
        ],
    ),
    ("germ-post explain", &[(&["talos/"], "", 0), (&["nonsense"], "", 2)]),
    ("germ-post last", &[(&[], "", 0)]),
];

const MISSES: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: misses\nrules:\n\
    - id: own/misses\n  title: Set what is not there\n  why: A test.\n  \
      match: {group: '', kind: Service}\n  edit: [{set: spec.type, value: ClusterIP, was: NodePort}]\n";

#[test]
fn the_table_says_what_the_program_does() {
    let table = table();
    let mut provoked: BTreeMap<&str, BTreeSet<i32>> = BTreeMap::new();
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let helm = crate::support::tools::helm3();
    for (command, cases) in CASES {
        for (words, stdin, code) in *cases {
            if *command == "germ-post template" && helm.is_none() {
                provoked.entry(command).or_default().insert(*code);
                continue;
            }
            let mut call = germ_post(folder.path());
            call.args(command.split(' ').skip(1)).args(*words);
            call.envs(helm.iter().map(|helm| ("HELM_BIN", helm)));
            let output = run(&mut call, stdin);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(*code), "{command} {words:?}\n{stderr}");
            if *code >= 2 {
                assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{command} {words:?}");
            }
            provoked.entry(command).or_default().insert(*code);
        }
    }
    let mut lost = germ_post(folder.path());
    let output = run(lost.arg("last").env_remove("HOME"), "");
    assert_eq!(output.status.code(), Some(2));
    provoked.entry("germ-post last").or_default().insert(2);
    let provoked = provoked.into_iter().map(|(command, codes)| (command.to_owned(), codes)).collect();
    assert_eq!(table, provoked, "left: what the table says, right: what was provoked");
}

/// The codes of each command in the table, but the proof's.
fn table() -> BTreeMap<String, BTreeSet<i32>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compatibility.md");
    let page = fs::read_to_string(page).unwrap();
    let mut table = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| `germ-post")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let codes = cells[1..5].iter().zip(0..).filter(|(cell, _)| **cell != "–").map(|(_, code)| code);
        table.insert(cells[0].trim_matches('`').to_owned(), codes.collect());
    }
    assert!(table.len() > 10, "the table is not found");
    table
}

fn prepare(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("service.yaml", SERVICE);
    write("fine.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine}\ndata: {a: b}\n");
    write("misses.yaml", MISSES);
    let test = "tests:\n- name: wrong\n  input: |\n    a: b\n  output: |\n    a: c\n";
    write(
        "fails.yaml",
        &format!("apiVersion: germ-post.dev/v1\nkind: Profile\nname: fails\nrules: []\n{test}"),
    );
    write(
        "values.yaml",
        "apiVersion: germ-post.dev/v1\nkind: Profile\nname: values\nrules:\n- id: own/replicas\n  \
         title: Run two\n  why: A test.\n  values: {chart: edge, set: {replicas: 2}}\n",
    );
    for chart in ["chart", "strict"] {
        write(&format!("{chart}/Chart.yaml"), "apiVersion: v2\nname: edge\nversion: 1.0.0\n");
        write(&format!("{chart}/values.yaml"), "replicas: 1\n");
        write(&format!("{chart}/templates/service.yaml"), SERVICE);
    }
    write("strict/values.schema.json", "{\"properties\": {\"replicas\": {\"maximum\": 1}}}");
    for name in ["lock.yaml", "unlocked.yaml"] {
        write(name, "apiVersion: germ-post.dev/v1\nkind: Config\nprofile: talos\n");
    }
}

/// Reports and everything else for programs begin with their version.
#[test]
fn json_has_a_version() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    for words in [
        &["--profile=talos", "--report=report.json"][..],
        &["check", "--profile=talos", "--format=json", "service.yaml"],
        &["diff", "--profile=talos", "--format=json", "service.yaml"],
        &["policy", "graph", "--format=json", "fine.yaml"],
        &["last"],
    ] {
        let output = run(germ_post(folder.path()).args(words), SERVICE);
        let text = match words[0] {
            "--profile=talos" => fs::read_to_string(folder.path().join("report.json")).unwrap(),
            _ => String::from_utf8(output.stdout).unwrap(),
        };
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let (first, version) = value.as_object().unwrap().iter().next().unwrap();
        assert_eq!((first.as_str(), version), ("version", &serde_json::json!(1)), "{words:?}");
    }
    run(germ_post(folder.path()).args(["profiles", "lock", "--config=lock.yaml"]), "");
    let lock = fs::read_to_string(folder.path().join("lock.lock.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&lock).unwrap()["version"], 1);
}
