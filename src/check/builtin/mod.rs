//! Checks that take computing, by the name that a profile's `use` gives. Each is a
//! file; what it is told stands in the profile, under `with`.

use serde::de::DeserializeOwned;

use super::rules::Hit;
use super::scene::Scene;
use crate::diagnostic::Diagnostic;
use crate::profile::matching::Matcher;
use crate::profile::rule::{Check, Computed, Rule};

/// The name of the check that the suppressions themselves are; see
/// [`super::suppress`].
pub const SUPPRESSIONS: &str = "suppressions";

/// Runs a computed check.
pub fn run(scene: &Scene<'_>, check: &Check, computed: &Computed) -> Result<Vec<Hit>, Diagnostic> {
    let _ = (scene, check);
    match computed.name.as_str() {
        SUPPRESSIONS => Ok(Vec::new()),
        other => Err(fault(computed, format!("there is no computed check `{other}`"))),
    }
}

/// The objects that computed checks ask about beside those of their `match`.
pub fn matchers(rules: &[Rule]) -> Result<Vec<Matcher>, Diagnostic> {
    let _ = rules;
    Ok(Vec::new())
}

/// What a computed check is told, as it wants to be told.
fn told<T: DeserializeOwned>(computed: &Computed) -> Result<T, Diagnostic> {
    serde_json::from_value(computed.with.clone())
        .map_err(|error| fault(computed, format!("`with` does not fit `{}`: {error}", computed.name)))
}

fn fault(computed: &Computed, message: String) -> Diagnostic {
    let diagnostic = Diagnostic::input("profile-invalid", message);
    match &computed.place {
        Some(place) => diagnostic.at(place.clone()),
        None => diagnostic,
    }
}
