//! `--report`, `GERM_POST_REPORT` and `germ-post last`.

use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use crate::program::{fails, germ_post, run, succeeds};

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: edge\nspec:\n  type: LoadBalancer\n  externalTrafficPolicy: Local\n";

#[test]
fn the_report_names_rule_object_operation_values_and_line() {
    let folder = tempdir().unwrap();
    let mut command = germ_post(folder.path());
    succeeds(command.args(["--profile", "talos", "--report", "report.json"]), SERVICE);
    let report: Value =
        serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(report["exit"], 0);
    assert_eq!(report["edits"], 1);
    let rules = report["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["id"] == "lb/external-traffic-policy").unwrap();
    assert_eq!(rule["state"], "changed");
    assert!(rule["why"].as_str().unwrap().contains("announces"));
    assert!(rule["sources"][0].as_str().unwrap().starts_with("https://"));
    let object = &rule["objects"][0];
    assert_eq!((object["kind"].as_str(), object["name"].as_str()), (Some("Service"), Some("edge")));
    let operation = &object["operations"][0];
    assert_eq!(operation["op"], "replace");
    assert_eq!(operation["pointer"], "/spec/externalTrafficPolicy");
    assert_eq!((operation["old"].as_str(), operation["new"].as_str()), (Some("Local"), Some("Cluster")));
    assert_eq!(operation["line"], 7);
    // Every rule of the profile is in it, whatever became of it.
    assert!(rules.iter().any(|rule| rule["id"] == "talos/cgroup" && rule["state"] == "not-applicable"));
}

#[test]
fn an_error_is_in_the_report_and_in_the_last_one() {
    let folder = tempdir().unwrap();
    let mut command = germ_post(folder.path());
    command.args(["--profile", "talos"]).env("GERM_POST_REPORT", "from-env.json");
    fails(&mut command, "a: [b\n", 2, &["not readable"]);
    let report: Value =
        serde_json::from_slice(&fs::read(folder.path().join("from-env.json")).unwrap()).unwrap();
    assert_eq!(report["exit"], 2);
    assert_eq!(report["diagnostics"][0]["code"], "unreadable-document");
    let last = run(germ_post(folder.path()).arg("last"), "");
    let last: Value = serde_json::from_slice(&last.stdout).unwrap();
    assert_eq!(last, report);
}

#[test]
fn without_a_home_or_a_run_last_says_so() {
    let folder = tempdir().unwrap();
    fails(germ_post(folder.path()).arg("last"), "", 2, &["no run is on record"]);
    fails(germ_post(folder.path()).env_remove("HOME").arg("last"), "", 2, &["XDG_STATE_HOME"]);
}

#[test]
fn a_home_that_cannot_be_written_is_not_in_the_way() {
    let folder = tempdir().unwrap();
    // A file in the place of the state folder: no user, not even root, can write below it.
    fs::write(folder.path().join("state"), "").unwrap();
    let mut command = germ_post(folder.path());
    command.env("XDG_STATE_HOME", folder.path().join("state"));
    let (stdout, stderr) = succeeds(command.args(["--profile", "talos"]), SERVICE);
    assert!(stdout.contains("Cluster"));
    assert!(!stderr.contains("error"), "{stderr}");
}

#[test]
fn a_report_that_was_asked_for_and_cannot_be_written_is_an_error() {
    let folder = tempdir().unwrap();
    let mut command = germ_post(folder.path());
    fails(
        command.args(["--profile", "talos", "--report", "no/such/folder.json"]),
        SERVICE,
        2,
        &["cannot write the report"],
    );
}

#[test]
fn the_report_says_where_a_parameter_came_from() {
    let folder = tempdir().unwrap();
    let origin = |variable: &str, args: &[&str]| {
        let mut command = germ_post(folder.path());
        command.env("PLAT_FQDN_EGRESS", variable).args(["--profile", "talos", "--report", "report.json"]);
        succeeds(command.args(args), SERVICE);
        let report: Value =
            serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
        let params = report["params"].as_array().unwrap();
        let param = params.iter().find(|param| param["name"] == "fqdnEgress").unwrap();
        format!("{} {}", param["value"], param["origin"].as_str().unwrap())
    };
    assert_eq!(origin("true", &[]), "true environment variable PLAT_FQDN_EGRESS");
    assert_eq!(origin("true", &["--set", "fqdnEgress=false"]), "false --set");
    let mut command = germ_post(folder.path());
    command.env("PLAT_FQDN_EGRESS", "yes").args(["--profile", "talos"]);
    fails(&mut command, SERVICE, 2, &["takes `true` or `false`", "PLAT_FQDN_EGRESS"]);
}
