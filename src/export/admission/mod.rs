//! Rules as policies that the API server carries out itself, on objects that never
//! pass through a post-renderer. What a rule says is data; this translates it to CEL,
//! and names what CEL cannot say.

mod cel;
mod edit;
mod mutating;
mod others;
mod path;
mod resource;
mod rule;
mod subject;
mod test;
mod unsaid;
mod validating;

use serde_json::{Value, json};

use super::text;
use crate::diagnostic::Diagnostic;
use crate::profile::compile::compile_for_check;
use crate::profile::rule::Rule;
use crate::rewrite;
use crate::rewrite::run::select;

pub use mutating::ApiVersion;
pub use unsaid::LeftOut;
pub use validating::Deny;

use resource::Resource;

/// An object that is going away has to be let go, whatever it looks like.
const NOT_BEING_DELETED: &str = "!has(object.metadata.deletionTimestamp)";

/// What came of an export.
#[derive(Debug)]
pub struct Exported {
    /// A YAML stream of policies and bindings; comments name what is left out.
    pub text: String,
    /// What is left out.
    pub left_out: Vec<LeftOut>,
}

/// The rules in force as ValidatingAdmissionPolicies. The request's profiles have to be
/// loaded with their checks.
pub fn validating(request: &rewrite::Request, deny: &[String]) -> Result<Exported, Diagnostic> {
    let rules = rules(request)?;
    let all = deny.iter().any(|word| word == "all");
    let mut denied = Vec::new();
    for pattern in deny.iter().filter(|word| *word != "all") {
        let meant = crate::profile::rule::meant(pattern, rules.iter().map(|rule| rule.id.as_str()));
        if meant.is_empty() {
            return Err(Diagnostic::input("rule-unknown", format!("no rule is called `{pattern}`"))
                .help("`--deny all` refuses what any rule calls wrong"));
        }
        denied.extend(meant.into_iter().map(str::to_owned));
    }
    let deny = Deny { all, rules: denied };
    written(rules.iter().map(|rule| validating::policies(rule, &deny)))
}

/// The edits in force as MutatingAdmissionPolicies of a version.
pub fn mutating(request: &rewrite::Request, version: ApiVersion) -> Result<Exported, Diagnostic> {
    let mut rules = rules(request)?;
    rules.retain(|rule| !rule.only_checks);
    written(rules.iter().map(|rule| mutating::policies(rule, version)))
}

/// The rules that are in force.
fn rules(request: &rewrite::Request) -> Result<Vec<Rule>, Diagnostic> {
    let mut rules = compile_for_check(&request.loaded, &request.params)?;
    select(&mut rules, request)?;
    rules.retain(|rule| rule.inactive.is_none());
    Ok(rules)
}

fn written(policies: impl Iterator<Item = (Vec<Value>, Option<LeftOut>)>) -> Result<Exported, Diagnostic> {
    let mut objects = Vec::new();
    let mut left_out: Vec<LeftOut> = Vec::new();
    for (policies, left) in policies {
        objects.extend(policies);
        left_out.extend(left);
    }
    let mut text = String::new();
    for left in &left_out {
        text.push_str(&format!("# {}\n", left.in_words()));
    }
    text.push_str(&text::stream(&objects)?);
    Ok(Exported { text, left_out })
}

/// A name for a policy of a rule; with the resource where the rule has several.
fn name_of(rule: &Rule, resource: Option<&Resource>) -> String {
    let name = format!("germ-post-{}", rule.id.replace('/', "-"));
    match resource {
        Some(resource) if resource.kind.is_some() => format!("{name}-{}", resource.plural()),
        Some(resource) => format!("{name}-{}", resource.group),
        None => name,
    }
}

fn metadata(rule: &Rule, name: &str) -> Value {
    json!({
        "name": name,
        "labels": {"app.kubernetes.io/managed-by": "germ-post"},
        "annotations": {"germ-post.dev/rule": rule.id},
    })
}

/// Binds a policy to the object that its rule reads. Where that is not there, the
/// policy says nothing.
fn bound(rule: &Rule, spec: &mut Value) {
    if let Some(read) = &rule.reads {
        spec["paramRef"] =
            json!({"name": read.name, "namespace": read.namespace, "parameterNotFoundAction": "Allow"});
    }
}
