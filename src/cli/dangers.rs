//! The rules that know which changes hurt: the shipped ones, and those of the profile
//! that was chosen.

use germ_post::diagnostic::Diagnostic;
use germ_post::profile::compile;
use germ_post::profile::params::Params;
use germ_post::profile::rule::Rule;

use super::choice;

/// Profiles of dangers that hold for every cluster.
const SHIPPED: &[&str] = &["dangers-kubernetes", "dangers-cilium", "dangers-argocd"];

/// The rules. `located` are the profiles that were chosen, `params` their parameters as
/// far as they are decided.
pub fn rules(located: &[String], params: Option<&Params>) -> Result<Vec<Rule>, Diagnostic> {
    let mut names: Vec<String> = SHIPPED.iter().map(|name| (*name).to_owned()).collect();
    names.extend(located.iter().cloned());
    let loaded = choice::load_with_checks(&names)?;
    let mut own = loaded.params()?;
    let decided = params.into_iter().flat_map(Params::iter);
    for (name, param) in decided.filter(|(_, param)| param.is_decided()) {
        if let Some(value) = &param.value {
            // It was set before without an error.
            let _ = own.set(name, value, param.origin.clone());
        }
    }
    let mut rules = compile::compile_for_check(&loaded, &own)?;
    rules.retain(|rule| !rule.dangers.is_empty() && rule.inactive.is_none());
    Ok(rules)
}
