//! The plain pairs of every Cilium version, held to the text: what comes out is
//! byte for byte what Helm renders with the platform's values.

use crate::pairs::{Pair, pairs};
use crate::support::{self, parallel, run};

/// The chart writes this line only into the Talos rendering, with different
/// indentation in different versions.
const ONLY_THERE: &str = "# Check for duplicate mounts before mounting";

#[test]
fn talos_renderings_are_reached_byte_for_byte() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let plain: Vec<Pair> = pairs(&corpus).into_iter().filter(is_plain).collect();
    assert!(plain.len() >= 6, "only {} plain pairs", plain.len());
    let failures: Vec<String> = parallel::map(&plain, |pair| {
        let run = run::germ_post(&pair.args, &std::fs::read(corpus.join(&pair.before)).unwrap());
        if run.code != 0 {
            return Some(format!("{}: {}", pair.before, run.summary()));
        }
        let after = std::fs::read_to_string(corpus.join(&pair.after)).unwrap();
        let out = String::from_utf8(run.stdout).unwrap();
        first_difference(&out, &after).map(|what| format!("{}: {what}", pair.before))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report("plain pairs", plain.len(), &failures);
}

#[test]
fn k3s_renderings_are_reached_line_by_line() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let mut seen = 0;
    for pair in pairs(&corpus).iter().filter(|pair| pair.rule.starts_with("k3s-")) {
        seen += 1;
        let run = run::germ_post(&pair.args, &std::fs::read(corpus.join(&pair.before)).unwrap());
        let (out, after) = (run.expect_ok(), std::fs::read_to_string(corpus.join(&pair.after)).unwrap());
        if pair.rule == "k3s-kpr" {
            assert!(out == after, "{}: {:?}", pair.before, first_different(&out, &after));
        } else {
            // Only the chart explains what chaining is.
            let (out, after) = (without_comments(&out), without_comments(&after));
            assert!(out == after, "{}: {:?}", pair.before, first_different(&out, &after));
        }
    }
    assert!(seen >= 4, "only {seen} pairs");
}

fn without_comments(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with('#')).collect()
}

/// `cilium/cilium-<version>-vanilla.yaml` → `cilium/cilium-<version>-talos.yaml`.
fn is_plain(pair: &Pair) -> bool {
    pair.rule == "talos"
        && pair.before.strip_suffix("-vanilla.yaml").is_some_and(|stem| {
            stem.starts_with("cilium/cilium-") && pair.after == format!("{stem}-talos.yaml")
        })
}

/// The first line that differs, once the chart's own line is taken out of
/// `after`, where it must stand exactly once.
fn first_difference(out: &str, after: &str) -> Option<String> {
    let own: Vec<&str> = after.split_inclusive('\n').filter(|line| line.trim() == ONLY_THERE).collect();
    if own.len() != 1 {
        return Some(format!("the chart's own comment line stands {} times in the after side", own.len()));
    }
    if out.lines().any(|line| line.trim() == ONLY_THERE) {
        return Some("the chart's own comment line is in the output".to_owned());
    }
    let wanted: String = after.split_inclusive('\n').filter(|line| line.trim() != ONLY_THERE).collect();
    first_different(out, &wanted)
}

fn first_different(out: &str, wanted: &str) -> Option<String> {
    if out == wanted {
        return None;
    }
    let same = out.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    Some(format!(
        "line {}: `{}` instead of `{}`",
        same + 1,
        out.lines().nth(same).unwrap_or("(end)"),
        wanted.lines().nth(same).unwrap_or("(end)")
    ))
}
