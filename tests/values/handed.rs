//! The handed cases that are about values files.

use std::fs;

use crate::support::run::germ_post_in;
use crate::support::{handed_cases, parallel};

#[test]
fn every_handed_values_file_comes_out_as_it_says() {
    let Some(root) = handed_cases() else { return };
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(&root).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(before) = fs::read(folder.join("values.yaml")) else { continue };
        count += 1;
        let args = fs::read_to_string(folder.join("args")).unwrap_or_default();
        let mut args: Vec<&str> = args.split_whitespace().collect();
        if args.is_empty() {
            args = vec!["values", "--profile", "talos", "-f", "values.yaml"];
        }
        // Without an exact answer: no rule of the profile concerns the file.
        let wanted = fs::read(folder.join("expect.yaml")).unwrap_or(before);
        let run = germ_post_in(&folder, &args, b"");
        if run.code != 0 || run.stdout != wanted {
            failures.push(format!("{}: {}", folder.display(), run.summary()));
        }
    }
    let metrics =
        germ_post_in(&root.join("B70-hubble-metrics"), &["values", "-p", "talos", "-f", "values.yaml"], b"");
    let note = "cilium.hubble.metrics.enabled.3 holds `\\,`";
    assert!(metrics.stderr.contains(note), "{}", metrics.stderr);
    assert!(count >= 3, "{count} cases have a values file");
    parallel::report("handed values files", count, &failures);
}
