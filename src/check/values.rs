//! Which chart values make a finding go away at the source, in the words of the file
//! that `helm` is given: below a parent chart, under the keys of the charts between.

use super::finding::{ChartValue, Finding};
use crate::edit::Path;
use crate::profile::rule::Rule;
use crate::profile::values_face::{Keys, ValuesFace, Wish};
use crate::values::dotted;

/// Adds to each finding the values that its rule knows.
pub fn name(rules: &[Rule], findings: &mut [&mut Finding]) {
    for finding in findings.iter_mut() {
        let Some(rule) = rules.iter().find(|rule| rule.id == finding.rule) else { continue };
        let way = finding.template.as_deref().map(charts_on_the_way);
        for face in &rule.values {
            of_face(face, way.as_deref(), &mut finding.values);
        }
    }
}

/// The charts that a template lies in, from the top one on: `a/charts/b/templates/x` is
/// in `a` and `b`.
fn charts_on_the_way(template: &str) -> Path {
    let folder = template.split("/templates/").next().unwrap_or(template);
    folder.split("/charts/").map(|part| part.rsplit('/').next().unwrap_or(part).to_owned()).collect()
}

fn of_face(face: &ValuesFace, way: Option<&[String]>, out: &mut Vec<ChartValue>) {
    let own = way.and_then(<[String]>::last);
    let is_meant = own.is_none_or(|own| face.charts.iter().any(|chart| chart.means_name(own)));
    let by_alias =
        way.is_some_and(|way| way.len() > 1) && !face.charts.iter().any(|chart| chart.name().contains('*'));
    // The folder of a chart below is called by its alias.
    let is_by_alias = by_alias && face.each.is_empty();
    if !(is_meant || is_by_alias) {
        return;
    }
    let chart = match (own, face.charts.as_slice()) {
        (Some(own), _) if is_meant => own.clone(),
        (_, [only]) => only.name().to_owned(),
        (Some(own), _) => own.clone(),
        (None, charts) => charts.iter().map(|chart| chart.name()).collect::<Vec<_>>().join(", "),
    };
    let above = way.map_or(&[] as &[String], |way| way.get(1..).unwrap_or(&[]));
    let mut add = |path: String, wish: &Wish, where_it_is: bool| {
        let value = match wish {
            Wish::Is(value) => value.to_json().to_string(),
            Wish::Among(value) => format!("none but {}", value.to_json()),
            Wish::Without(items) => format!("without {}", serde_json::Value::Array(items.clone())),
            Wish::Gone => "not there".to_owned(),
        };
        let value = ChartValue { chart: chart.clone(), path, value, where_it_is };
        if !out.contains(&value) {
            out.push(value);
        }
    };
    for (path, wish) in &face.wishes {
        let keys: Path = above.iter().chain(path).cloned().collect();
        add(dotted(&keys), wish, false);
    }
    for each in &face.each {
        let concerns = |keys: &Keys| match (&keys.charts, own) {
            (None, _) => true,
            (Some(charts), Some(own)) => charts.iter().any(|chart| chart.means_name(own)),
            (Some(_), None) => false,
        };
        if concerns(&each.keys) {
            let prefix: String =
                above.iter().map(|key| format!("{}.", dotted(std::slice::from_ref(key)))).collect();
            let within: String = each.keys.within.iter().map(|step| format!("{step}.")).collect();
            add(format!("{prefix}{within}{}", dotted(&each.keys.key)), &each.wish, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_tells_the_charts_it_lies_in() {
        let way = |text: &str| charts_on_the_way(text).join(" ");
        assert_eq!(way("cilium/templates/cilium-agent/daemonset.yaml"), "cilium");
        assert_eq!(way("platform/charts/net/charts/cilium/templates/x.yaml"), "platform net cilium");
    }
}
