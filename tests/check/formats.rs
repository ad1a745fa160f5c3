//! The formats: each says the same, with true regions, and ends with the same exit
//! code; nothing forged gets through, and nothing of a Secret.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::found::TODAY;
use crate::support::run::{Run, germ_post_in, scratch};

const STREAM: &str = "\
# Source: shop/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec:
      containers:
        - name: wéb
          image: web
          ports: [{containerPort: 1, hostPort: 31100}, {containerPort: 2, hostPort: 31200}] # germ-post: ignore[x/y]
---
# Source: shop/templates/lb.yaml
apiVersion: v1
kind: Service
metadata: {name: \"we%b,:|<b>\"}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  healthCheckNodePort: 31234
";

/// A folder with the stream in `web.yaml`.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = scratch().join(format!("check-formats-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("web.yaml"), STREAM).unwrap();
    folder
}

fn run(folder: &Path, args: &[&str], stdin: &str) -> Run {
    let mut all = vec!["check", "--today", TODAY, "--profile=lb-l2"];
    all.extend(args);
    germ_post_in(folder, &all, stdin.as_bytes())
}

fn text(run: &Run) -> String {
    String::from_utf8(run.stdout.clone()).unwrap()
}

const FORMATS: [&str; 6] = ["human", "json", "sarif", "junit", "github", "gitlab"];

#[test]
fn the_exit_code_is_the_same_in_every_format() {
    let folder = folder("exit");
    for format in FORMATS {
        let of = |args: &[&str]| {
            let mut all = vec!["--format", format];
            all.extend(args);
            run(&folder, &all, "").code
        };
        assert_eq!(of(&["web.yaml"]), 1, "{format}");
        assert_eq!(of(&["web.yaml", "--exit-zero"]), 0, "{format}");
        assert_eq!(of(&["web.yaml", "--fail-on=never"]), 0, "{format}");
        assert_eq!(of(&["web.yaml", "--fail-on=error"]), 1, "{format}");
        assert_eq!(of(&["web.yaml", "--only=suppression", "--fail-on=error"]), 0, "{format}");
        assert_eq!(of(&["web.yaml", "--only=suppression"]), 1, "{format}");
        assert_eq!(of(&["none.yaml"]), 2, "{format}");
    }
}

#[test]
fn several_formats_are_written_in_one_run() {
    let folder = folder("several");
    let mut args: Vec<String> =
        FORMATS.iter().map(|format| format!("--output={format}=out.{format}")).collect();
    args.push("web.yaml".to_owned());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let human = run(&folder, &args, "");
    for format in FORMATS {
        let written = fs::read_to_string(folder.join(format!("out.{format}"))).unwrap();
        let printed = text(&run(&folder, &["--format", format, "web.yaml"], ""));
        assert!(!written.is_empty() && written == printed, "{format}");
    }
    assert_eq!(fs::read(folder.join("out.human")).unwrap(), human.stdout);
    let wrong = run(&folder, &["--output=pdf=x", "web.yaml"], "");
    assert!(wrong.code == 2 && wrong.stderr.contains("pdf"), "{}", wrong.summary());
}

#[test]
fn people_see_the_place_the_reason_and_the_fix() {
    let folder = folder("human");
    let text = text(&run(&folder, &["web.yaml"], ""));
    for wanted in [
        "error[cilium/host-port-in-node-port-range]: hostPort 31100 lies among the NodePorts, 30000-32767\n",
        "--> web.yaml:11:48\n",
        "in Deployment shop/web, at spec.template.spec.containers[name=wéb].ports[0].hostPort (from shop/templates/web.yaml)",
        "= help: move the port out of 30000-32767",
        "see: https://",
        "    -  externalTrafficPolicy: Local\n    -  healthCheckNodePort: 31234\n    +  externalTrafficPolicy: Cluster\n",
        "warning[suppression/unknown-rule]",
        "germ-post: 3 errors, 1 warning in 2 documents [lb-l2]\n",
    ] {
        assert!(text.contains(wanted), "`{wanted}` is not in\n{text}");
    }
    let reasons = text.matches("Cilium's replacement of kube-proxy refuses a hostPort").count();
    assert_eq!(reasons, 1, "a reason is given once:\n{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn sarif_has_true_regions() {
    let folder = folder("sarif");
    let sarif: Value =
        serde_json::from_slice(&run(&folder, &["--format=sarif", "web.yaml"], "").stdout).unwrap();
    let run = &sarif["runs"][0];
    let lines: Vec<&str> = STREAM.lines().collect();
    let shown: Vec<String> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let physical = &result["locations"][0]["physicalLocation"];
            assert_eq!(physical["artifactLocation"]["uri"], "web.yaml");
            let number = |field: &str| physical["region"][field].as_u64().unwrap() as usize;
            assert_eq!(number("startLine"), number("endLine"));
            let line = lines[number("startLine") - 1].chars();
            let text = line.skip(number("startColumn") - 1).take(number("endColumn") - number("startColumn"));
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            format!("{} {}", result["ruleId"].as_str().unwrap(), text.collect::<String>())
        })
        .collect();
    assert_eq!(
        shown,
        [
            "cilium/host-port-in-node-port-range 31100",
            "cilium/host-port-in-node-port-range 31200",
            "suppression/unknown-rule # germ-post: ignore[x/y]",
            "lb/external-traffic-policy Local",
        ]
    );
    let fix = &run["results"][3]["fixes"][0]["artifactChanges"][0];
    assert_eq!(fix["replacements"].as_array().unwrap().len(), 2, "{fix}");
    assert_eq!(fix["replacements"][0]["insertedContent"]["text"], "Cluster", "{fix}");
}

/// Applies what a SARIF viewer would, and compares with the post-renderer.
#[test]
fn a_sarif_fix_is_what_germ_post_makes_of_it() {
    let folder = folder("fix");
    let sarif: Value =
        serde_json::from_slice(&run(&folder, &["--format=sarif", "web.yaml"], "").stdout).unwrap();
    let offset = |line: &Value, column: &Value| {
        let start: usize =
            STREAM.split_inclusive('\n').take(line.as_u64().unwrap() as usize - 1).map(str::len).sum();
        let column = column.as_u64().unwrap() as usize - 1;
        start + STREAM[start..].char_indices().nth(column).map_or(STREAM.len() - start, |(at, _)| at)
    };
    let mut new = STREAM.to_owned();
    let changes = &sarif["runs"][0]["results"][3]["fixes"][0]["artifactChanges"][0]["replacements"];
    for change in changes.as_array().unwrap().iter().rev() {
        let region = &change["deletedRegion"];
        let range = offset(&region["startLine"], &region["startColumn"])
            ..offset(&region["endLine"], &region["endColumn"]);
        new.replace_range(range, change["insertedContent"]["text"].as_str().unwrap());
    }
    let rendered = germ_post_in(&folder, &["--profile=lb-l2", "--quiet"], STREAM.as_bytes()).expect_ok();
    assert_eq!(new, rendered);
}

#[test]
fn a_finding_on_stdin_is_shown_at_its_template() {
    let folder = folder("root");
    let with = |format: &str| {
        let args = ["--source-root=./charts/", "--format", format, "--only=lb/external-traffic-policy"];
        text(&run(&folder, &args, STREAM))
    };
    let template = "charts/shop/templates/lb.yaml";
    assert!(
        with("github").starts_with(&format!("::error file={template},line=1,title=")),
        "{}",
        with("github")
    );
    let sarif: Value = serde_json::from_str(&with("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], template);
    assert_eq!(place["region"], serde_json::json!({"startLine": 1}));
    assert!(result["fixes"].is_null(), "the fix is one of the rendering, not of the template");
    let gitlab: Value = serde_json::from_str(&with("gitlab")).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], template);
    let plain = text(&run(&folder, &["--format=github", "--only=lb/external-traffic-policy"], STREAM));
    assert!(plain.starts_with("::error file=stdin,line=19,endLine=19,col=26,endColumn=31,"), "{plain}");
}

#[test]
fn commands_for_github_put_the_worst_first_and_the_rest_in_the_summary() {
    let folder = folder("github");
    let many: String = (0..30)
        .map(|at| STREAM.replace("name: web,", &format!("name: web-{at},")))
        .collect::<Vec<_>>()
        .join("---\n");
    fs::write(folder.join("web.yaml"), many).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_germ-post"));
    command.current_dir(&folder).env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    let out = command
        .args(["check", "--profile=lb-l2", "--format=github", "--today", TODAY, "web.yaml"])
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let kinds: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let errors = kinds.iter().take_while(|kind| **kind == "::error").count();
    assert!(errors > 30 && kinds[errors..].iter().all(|kind| *kind == "::warning"), "{kinds:?}");
    assert!(text.contains("in Service we%25b,:|<b>%0A"), "{text}");
    let summary = fs::read_to_string(folder.join("summary.md")).unwrap();
    assert_eq!(summary.matches("| error |").count() + summary.matches("| warning |").count(), kinds.len());
    assert!(summary.contains("we%b,:\\|&lt;b>"), "{summary}");
}

#[test]
fn junit_is_well_formed_and_agrees_with_the_exit_code() {
    let folder = folder("junit");
    let xml = text(&run(&folder, &["--format=junit", "web.yaml"], ""));
    let names = elements(&xml);
    let count = |name: &str| names.iter().filter(|element| *element == name).count();
    assert!(count("testsuite") == 4 && count("failure") == 3 && count("testcase") > 10, "{xml}");
    assert!(xml.contains("<testsuite name=\"Service we%b,:|&lt;b&gt;\" tests=\"1\" failures=\"1\""), "{xml}");
    let lenient = text(&run(&folder, &["--format=junit", "--fail-on=never", "web.yaml"], ""));
    let names = elements(&lenient);
    assert!(!names.contains(&"failure".to_owned()) && names.contains(&"system-out".to_owned()), "{lenient}");
}

/// The elements of an XML text, in order of their start; panics when it is not well
/// formed.
fn elements(xml: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a `>` in text");
        let end = rest.find('>').unwrap();
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<'), "a `<` in a tag");
        let name = tag.trim_matches('/').split(' ').next().unwrap().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop().unwrap(), name);
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            all.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    for (at, _) in xml.match_indices('&') {
        let entity = xml[at..].split(';').next().unwrap();
        assert!(["&lt", "&gt", "&amp", "&quot", "&#10", "&#9"].contains(&entity), "{entity}");
    }
    all
}

#[test]
fn gitlab_gets_fingerprints_that_stay() {
    let folder = folder("gitlab");
    let prints = |text: &str| {
        fs::write(folder.join("web.yaml"), text).unwrap();
        let report: Value =
            serde_json::from_slice(&run(&folder, &["--format=gitlab", "web.yaml"], "").stdout).unwrap();
        let prints: Vec<String> =
            report.as_array().unwrap().iter().map(|item| item["fingerprint"].to_string()).collect();
        let mut unique = prints.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), prints.len(), "{report}");
        prints
    };
    let before = prints(STREAM);
    assert_eq!(before, prints(&format!("# a line\n\n{STREAM}")), "lines that move are the same findings");
    assert_ne!(before, prints(&STREAM.replace("name: web,", "name: shop,")));
}

#[test]
fn json_tells_everything_and_its_version() {
    let folder = folder("json");
    let json: Value =
        serde_json::from_slice(&run(&folder, &["--format=json", "web.yaml"], "").stdout).unwrap();
    assert_eq!((&json["version"], &json["exit"]), (&Value::from(1), &Value::from(1)));
    let last = json["findings"].as_array().unwrap().last().unwrap();
    assert_eq!(last["object"]["name"], "we%b,:|<b>");
    assert_eq!(
        last["location"],
        serde_json::json!({"file": "web.yaml", "line": 19, "column": 26, "endLine": 19, "endColumn": 31})
    );
    assert_eq!(last["fix"]["edits"][0]["new"], "Cluster");
    assert_eq!(json["params"][0]["name"], "ciliumVersion");
}
