//! A value that ought to be named elsewhere as well, such as a host that a
//! certificate must name.

use serde::Deserialize;

use super::{Builtin, Fields, FieldsFile};
use crate::check::finding::Related;
use crate::check::rules::{Hit, bad, meant};
use crate::check::scene::Scene;
use crate::profile::matching::Matcher;
use crate::profile::rule::Check;
use crate::profile::test_value::ValueTest;

/// What the profile tells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    /// Values that need not be named.
    values: Vec<String>,
    /// Where values are named; of a URL, its host counts.
    fields: Vec<FieldsFile>,
}

pub(super) struct ValueNotAmong {
    values: Vec<String>,
    fields: Vec<Fields>,
}

impl ValueNotAmong {
    pub(super) fn new(told: Told) -> Result<Self, String> {
        let fields = told.fields.into_iter().map(Fields::new).collect::<Result<_, _>>()?;
        Ok(Self { values: told.values, fields })
    }
}

/// `https://a:6443/` → `a`; `[::1]:6443` → `::1`.
fn host(text: &str) -> &str {
    let Some((_, rest)) = text.split_once("://") else { return text };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => authority.split(':').next().unwrap_or(authority),
    }
}

impl Builtin for ValueNotAmong {
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit> {
        let Some(find) = &check.find else { return Vec::new() };
        let mut named = self.values.clone();
        let mut places = Vec::new();
        for fields in &self.fields {
            for (actor, at, value) in fields.found(scene) {
                let texts = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                named.extend(texts.iter().filter_map(|text| Some(host(text.as_str()?).to_owned())));
                if let Some(location) = scene.spot(actor, &at).and_then(|spot| scene.location(&spot)) {
                    places.push(Related { note: fields.note.clone(), location });
                }
            }
        }
        places.truncate(1);
        let mut out = Vec::new();
        for actor in meant(scene, check) {
            for (at, path, value) in bad(scene, actor, find, &ValueTest::Present) {
                let is_named = value.as_ref().and_then(|value| value.as_str()).is_none_or(|value| {
                    named.iter().any(|name| name.trim_matches(['[', ']']).eq_ignore_ascii_case(value))
                });
                if !is_named {
                    out.push(Hit {
                        actor,
                        at,
                        path: Some(path),
                        message: None,
                        value,
                        related: places.clone(),
                        notes: Vec::new(),
                    });
                }
            }
        }
        out
    }

    fn matchers(&self) -> Vec<&Matcher> {
        self.fields.iter().map(|fields| &fields.matcher).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts_are_taken_out_of_urls() {
        assert_eq!(host("https://api.corp.lan:6443/"), "api.corp.lan");
        assert_eq!(host("https://[2001:db8::1]:6443"), "2001:db8::1");
        assert_eq!(host("https://user@api"), "api");
        assert_eq!(host("192.0.2.1"), "192.0.2.1");
        assert_eq!(host("2001:db8::1"), "2001:db8::1");
    }
}
