//! The object that a condition is about, and a profile's `match` as a condition on it.
//! Its kind is known when the policy is written; the rest is asked at admission.

use super::cel::{self, Cel};
use super::path::{self, Nowhere};
use super::test;
use super::unsaid::Unsaid;
use crate::manifest::selector::pod_template;
use crate::profile::glob;
use crate::profile::matching::{Matcher, Versioned};
use crate::profile::path::PathExpr;
use crate::profile::test_value::ValueTest;

/// An object that is not there yet.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'s> {
    /// The expression for it: `object`, `params`.
    pub object: &'s str,
    /// Its API group.
    pub group: &'s str,
    /// Its kind.
    pub kind: &'s str,
    /// Its namespace and name, where they are known.
    pub known: Option<(&'s str, &'s str)>,
}

/// Whether leaving out one of several alternatives does no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// Fewer objects are meant: some that are wrong pass.
    Fewer,
    /// More objects would be meant, which may be right.
    More,
}

impl Subject<'_> {
    /// Whether it is meant. What is left out of alternatives is put into `left`.
    pub fn matches(&self, matcher: &Matcher, left: &mut Vec<Unsaid>) -> Result<Cel, Unsaid> {
        self.meant(matcher, Sense::Fewer, left)
    }

    /// The same where more than is meant would be wrong.
    pub fn matches_exactly(&self, matcher: &Matcher) -> Result<Cel, Unsaid> {
        self.meant(matcher, Sense::More, &mut Vec::new())
    }

    fn meant(&self, matcher: &Matcher, sense: Sense, left: &mut Vec<Unsaid>) -> Result<Cel, Unsaid> {
        let object = self.object;
        let listed = |list: &Option<Vec<String>>, name: &str| {
            list.as_ref().is_none_or(|list| list.iter().any(|pattern| glob::matches(pattern, name)))
        };
        let makes_pods = || pod_template(self.kind).is_some();
        if !listed(&matcher.groups, self.group)
            || !listed(&matcher.kinds, self.kind)
            || (matcher.pod_template && !makes_pods())
        {
            return Ok(Cel::Known(false));
        }
        let mut all = Vec::new();
        if let Some(versions) = &matcher.versions {
            let in_group = |version: &String| match self.group {
                "" => version.clone(),
                group => format!("{group}/{version}"),
            };
            let versions: Vec<String> = versions.iter().map(in_group).collect();
            all.push(cel::is_one_of(&format!("{object}.apiVersion"), &versions));
        }
        let name = |list: &Option<Vec<String>>, known: Option<&str>, asked: String| match (list, known) {
            (None, _) => Cel::Known(true),
            (Some(_), Some(known)) => Cel::Known(listed(list, known)),
            (Some(list), None) => cel::is_one_of(&asked, list),
        };
        let known = self.known;
        all.push(name(
            &matcher.names,
            known.map(|(_, name)| name),
            format!("{object}.metadata.?name.orValue(\"\")"),
        ));
        all.push(name(
            &matcher.namespaces,
            known.map(|(namespace, _)| namespace),
            "request.namespace".to_owned(),
        ));
        for (part, tests) in [("labels", &matcher.labels), ("annotations", &matcher.annotations)] {
            for (key, test) in tests {
                let found = format!("{object}.metadata.?{part}[?{}]", cel::quoted(key));
                all.push(optional(&found, test)?);
            }
        }
        for (path, test) in &matcher.fields {
            all.push(self.condition(path, test)?);
        }
        if let Some(hook) = matcher.hook {
            let is = Cel::atom(format!("{object}.metadata.?annotations[?\"helm.sh/hook\"].hasValue()"));
            all.push(if hook { is } else { is.negated() });
        }
        if let Some(charts) = &matcher.charts {
            all.push(of_chart(object, charts)?);
        }
        if let Some(images) = &matcher.images {
            all.push(self.has_image(images)?);
        }
        if matcher.shares_pods_with.is_some() {
            return Err(Unsaid::new("it compares which pods several objects select"));
        }
        for not in &matcher.not {
            let other = if sense == Sense::Fewer { Sense::More } else { Sense::Fewer };
            // A part that is left out of what is not meant would make more meant.
            let mut inner = Vec::new();
            let meant = self.meant(not, other, &mut inner)?;
            if let Some(unsaid) = inner.into_iter().next() {
                return Err(unsaid);
            }
            all.push(meant.negated());
        }
        if !matcher.any.is_empty() {
            all.push(self.one_of(&matcher.any, sense, left)?);
        }
        Ok(Cel::all(all))
    }

    fn one_of(&self, any: &[Matcher], sense: Sense, left: &mut Vec<Unsaid>) -> Result<Cel, Unsaid> {
        let mut said = Vec::new();
        let mut unsaid = Vec::new();
        for matcher in any {
            match self.meant(matcher, sense, left) {
                Ok(condition) => said.push(condition),
                Err(reason) => unsaid.push(reason),
            }
        }
        if let Some(first) = unsaid.first()
            && (said.is_empty() || sense == Sense::More)
        {
            return Err(first.clone());
        }
        left.append(&mut unsaid);
        Ok(Cel::any(said))
    }

    /// Whether a condition on a path holds: for one of the fields that it means, or
    /// for no field at all.
    pub fn condition(&self, path: &PathExpr, test: &ValueTest) -> Result<Cel, Unsaid> {
        let present = |_: &str| Ok(Cel::Known(true));
        let there = || path::some(path, self.kind, self.object, Nowhere::all(false), &present);
        Ok(match test {
            ValueTest::Absent => there()?.negated(),
            ValueTest::Not(inner) => self.some(path, inner)?.negated(),
            test => self.some(path, test)?,
        })
    }

    fn some(&self, path: &PathExpr, test: &ValueTest) -> Result<Cel, Unsaid> {
        let leaf = |value: &str| test::holds(test, value);
        let none = test.holds(None);
        let is_single = !path.text().contains(['[', '{']);
        if none && is_single {
            return path::some(path, self.kind, self.object, Nowhere::all(true), &leaf);
        }
        let one = path::some(path, self.kind, self.object, Nowhere::all(false), &leaf)?;
        if !none {
            return Ok(one);
        }
        let present = |_: &str| Ok(Cel::Known(true));
        let there = path::some(path, self.kind, self.object, Nowhere::all(false), &present)?;
        Ok(Cel::any([one, there.negated()]))
    }

    fn has_image(&self, images: &[Versioned]) -> Result<Cel, Unsaid> {
        if images.iter().any(|image| image.range.is_some()) {
            return Err(Unsaid::new("it compares versions of images"));
        }
        let names: Vec<String> = images.iter().map(|image| cel::pattern(image.name())).collect();
        let expression = cel::quoted(&format!("^({})(:[^/]*)?(@.*)?$", names.join("|")));
        let Ok(path) = PathExpr::parse("$pod.{initContainers,containers}[*].image") else {
            return Ok(Cel::Known(false));
        };
        let leaf = |value: &str| Ok(Cel::atom(format!("{value}.matches({expression})")));
        path::some(&path, self.kind, self.object, Nowhere::all(false), &leaf)
    }
}

/// Whether an optional text passes a test.
fn optional(found: &str, test: &ValueTest) -> Result<Cel, Unsaid> {
    let missing = test.holds(None);
    Ok(match test::holds(test, "v1")? {
        Cel::Known(inner) if inner == missing => Cel::Known(inner),
        Cel::Known(true) => Cel::atom(format!("{found}.hasValue()")),
        Cel::Known(false) => Cel::atom(format!("!{found}.hasValue()")),
        asked => Cel::atom(format!("{found}.optMap(v1, {}).orValue({missing})", asked.text())),
    })
}

/// Whether the object's label is that of one of these charts. What a template was called
/// nobody tells the API server.
fn of_chart(object: &str, charts: &[Versioned]) -> Result<Cel, Unsaid> {
    if charts.iter().any(|chart| chart.range.is_some()) {
        return Err(Unsaid::new("it compares versions of charts"));
    }
    let names: Vec<String> = charts.iter().map(|chart| cel::pattern(chart.name())).collect();
    let expression = cel::quoted(&format!("^({})(-v?[0-9]+\\..*)?$", names.join("|")));
    let label = format!("{object}.metadata.?labels[?\"helm.sh/chart\"]");
    Ok(Cel::atom(format!("{label}.optMap(v1, v1.matches({expression})).orValue(false)")))
}
