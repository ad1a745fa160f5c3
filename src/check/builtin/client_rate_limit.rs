//! A client rate limit that is too low for the leases that L2 announcements keep:
//! each Service has one, renewed once in the renew deadline. Source: Cilium's
//! documentation, L2 announcements, "Sizing client rate limit".

use serde::Deserialize;
use serde_json::Value;

use super::{Builtin, matcher, path};
use crate::check::rules::{Hit, meant};
use crate::check::scene::Scene;
use crate::profile::file::MatchFile;
use crate::profile::matching::Matcher;
use crate::profile::path::PathExpr;
use crate::profile::rule::Check;

/// What the profile tells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Told {
    /// The Services that are counted.
    services: MatchFile,
    /// How many there are that are not in the stream.
    more: u64,
    /// Where the queries per second stand.
    qps: String,
    /// Their number where they stand nowhere.
    default_qps: f64,
    /// Where the deadline stands within which a lease is renewed.
    renew: String,
    /// The deadline where it stands nowhere, in seconds.
    default_renew: f64,
}

pub(super) struct ClientRateLimit {
    told: Told,
    services: Matcher,
    qps: PathExpr,
    renew: PathExpr,
}

impl ClientRateLimit {
    pub(super) fn new(told: Told) -> Result<Self, String> {
        Ok(Self {
            services: matcher(&told.services)?,
            qps: path(&told.qps)?,
            renew: path(&told.renew)?,
            told,
        })
    }
}

impl Builtin for ClientRateLimit {
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit> {
        let services = scene.matching(&self.services).count() as u64 + self.told.more;
        let mut out = Vec::new();
        for actor in meant(scene, check) {
            let Some(view) = scene.view(actor) else { continue };
            let first = |path: &PathExpr| path.values("", view.value).first().copied().cloned();
            let qps = first(&self.qps);
            let have = qps.as_ref().and_then(number).unwrap_or(self.told.default_qps);
            let renew = first(&self.renew)
                .and_then(|value| seconds(value.as_str()?))
                .filter(|renew| *renew > 0.0)
                .unwrap_or(self.told.default_renew);
            let needed = services as f64 / renew;
            if needed <= have {
                continue;
            }
            let at = self.qps.targets("", view.value).into_iter().next();
            out.push(Hit {
                actor,
                at: at.map(crate::profile::path::Target::place).unwrap_or_default(),
                path: Some(self.told.qps.clone()),
                message: Some(format!(
                    "{services} LoadBalancer Services take {needed:.1} queries a second, and the client may make {have}{}",
                    if qps.is_some() { "" } else { " by default" }
                )),
                value: qps,
                related: Vec::new(),
                notes: vec![format!("each lease is renewed every {renew} s")],
            });
        }
        out
    }

    fn matchers(&self) -> Vec<&Matcher> {
        vec![&self.services]
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// A duration as Go writes it, `1m30s`, in seconds.
fn seconds(text: &str) -> Option<f64> {
    const UNITS: &[(&str, f64)] =
        &[("ms", 0.001), ("us", 0.000_001), ("ns", 1e-9), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    let mut rest = text.trim();
    let mut total = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (unit, factor) = UNITS.iter().find(|(unit, _)| rest[end..].starts_with(unit))?;
        total += rest[..end].parse::<f64>().ok()? * factor;
        rest = &rest[end + unit.len()..];
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        assert_eq!(seconds("5s"), Some(5.0));
        assert_eq!(seconds("1m30s"), Some(90.0));
        assert_eq!(seconds("1.5h"), Some(5400.0));
        assert_eq!(seconds("500ms"), Some(0.5));
        assert_eq!(seconds("5"), None);
        assert_eq!(seconds("soon"), None);
        assert_eq!(seconds(""), None);
    }
}
