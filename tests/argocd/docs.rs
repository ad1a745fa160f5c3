//! `docs/argocd.md` names every parameter of an application, with its shape, and
//! everything that the operator can decide.

use serde_json::Value;

use crate::support::argocd::Call;

const PAGE: &str = include_str!("../../docs/argocd.md");

#[test]
fn every_parameter_is_described() {
    let announced: Value = serde_json::from_str(&Call::at("a").run("parameters").expect_ok()).unwrap();
    for entry in announced.as_array().unwrap() {
        let name = format!("`{}`", entry["name"].as_str().unwrap());
        let row = PAGE.lines().find(|line| line.split('|').nth(1).is_some_and(|cell| cell.contains(&name)));
        let row = row.unwrap_or_else(|| panic!("{name} is not in the table"));
        let shape = row.split('|').nth(2).unwrap();
        let wanted = entry["collectionType"].as_str().unwrap();
        let is_switch = shape.contains("`true`") || shape.contains("`false`") || name == "`hooks`";
        assert!(shape.contains(wanted) || is_switch, "{row}");
    }
}

#[test]
fn every_decision_of_the_operator_is_described() {
    let help = crate::support::run::germ_post(&["argocd", "generate", "--help"], b"").expect_ok();
    let variables: Vec<&str> =
        help.split("[env: ").skip(1).map(|rest| rest.split(['=', ']']).next().unwrap()).collect();
    assert!(variables.len() > 5, "{help}");
    for variable in variables {
        assert!(PAGE.contains(&format!("`{variable}`")), "{variable}");
    }
}
