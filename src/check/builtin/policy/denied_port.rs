//! Ports that somebody asks and that no rule lets anybody reach, on pods that are denied
//! by default what is not allowed.

use serde::Deserialize;

use super::{Asker, Look, hit, related};
use crate::check::rules::Hit;
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::policy::Network;
use crate::policy::model::Direction;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeniedPort {
    /// Who asks.
    of: Asker,
    /// The Services that are reached by proxy.
    #[serde(default)]
    services: Vec<String>,
}

impl Look for DeniedPort {
    fn look(&self, scene: &Scene<'_>, network: &Network) -> Vec<Hit> {
        let mut out = Vec::new();
        for asked in self.of.asked(network, &self.services) {
            let workload = &network.workloads[asked.workload];
            let about = network.about(asked.workload);
            let denying = about.iter().find(|(_, spec)| spec.side(Direction::Ingress).denies_by_default);
            let Some((policy, spec)) = denying else { continue };
            if !network.admitting(asked.workload, &asked.port).is_empty() {
                continue;
            }
            // The place that is nearest to the port: where the container declares it.
            let declared = workload.ports.iter().find(|served| served.port == asked.port);
            let at =
                declared.map(|served| served.at.clone()).unwrap_or_else(|| match asked.id == workload.id {
                    true => asked.at.clone(),
                    false => Path::new(),
                });
            let message = format!("no policy lets anybody reach port {}", asked.port);
            let mut found = hit(scene, workload.id, &at, message);
            if asked.id != workload.id {
                found.related.extend(related(scene, asked.id, &asked.at, self.of.in_words()));
            }
            let note = format!("{} denies what no policy allows", policy.identity);
            found.related.extend(related(scene, policy.id, &spec.at, note));
            out.push(found);
        }
        out
    }
}
