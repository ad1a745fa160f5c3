//! The param policyAudit does to Cilium what its chart does with `policyAuditMode`.

use std::fs;

use serde_json::Value;

use crate::support::objects::objects;
use crate::support::{corpus, run::germ_post};

#[test]
fn audit_is_what_the_chart_renders_for_it() {
    let Some(corpus) = corpus() else { return };
    for version in ["1.17.17", "1.18.12", "1.19.6", "1.20.0"] {
        let file = |end: &str| corpus.join(format!("cilium/cilium-{version}-vanilla{end}.yaml"));
        let (plain, wanted) = (fs::read(file("")).unwrap(), file("-audit"));
        let Ok(wanted) = fs::read_to_string(wanted) else { continue };
        let args = ["--profile=network-policy", "--set=policyAudit=true"];
        let run = germ_post(&args, &plain);
        assert!(run.stderr.contains("policies audit only"), "{}", run.summary());
        assert!(run.stderr.contains("rollout restart"), "{}", run.summary());
        let values = |text: &str| -> Vec<Value> {
            objects(text.as_bytes()).into_iter().map(|object| object.value).collect()
        };
        let output = run.expect_ok();
        let differing = |a: &[Value], b: &[Value]| a.iter().filter(|value| !b.contains(value)).count();
        let (made, wanted) = (values(&output), values(&wanted));
        assert_eq!((differing(&made, &wanted), differing(&wanted, &made)), (0, 0), "{version}");
    }
}
