//! `values.schema.json` of the charts of a tree, held against the values that a run
//! writes, as Helm does it before rendering. What was wrong before is the user's own.

use serde_json::{Map, Value};

use super::chart::Branch;
use super::coalesce;
use super::dotted;
use super::model::Pin;
use crate::diagnostic::{Class, Diagnostic};
use crate::edit::Path;
use crate::profile::path::get;

/// What a schema does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Complaint {
    /// The place, from the top of the values on.
    at: Path,
    /// Where the schema says so.
    schema: String,
    /// What is wrong, the value itself left out.
    message: String,
    /// The chart with the schema.
    chart: String,
}

/// Errors for what the values did not do wrong before, and a warning for each schema
/// that cannot be used.
pub fn check(
    (before, old): (&Branch<'_>, &Map<String, Value>),
    (after, new): (&Branch<'_>, &Map<String, Value>),
    pins: &[Pin],
    rule_of: &dyn Fn(&Pin) -> String,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let mut warnings = Vec::new();
    let known = complaints(before, old, &mut Vec::new());
    let all = Value::Object(coalesce::with_defaults(after, new.clone()));
    let errors = complaints(after, new, &mut warnings)
        .into_iter()
        .filter(|complaint| {
            !known.iter().any(|known| known.at == complaint.at && known.schema == complaint.schema)
        })
        .map(|complaint| {
            let overlaps =
                |pin: &&Pin| pin.keys.starts_with(&complaint.at) || complaint.at.starts_with(&pin.keys);
            let pin = pins.iter().filter(overlaps).max_by_key(|pin| pin.keys.len()).or(pins.first());
            let place = pin.map_or(complaint.at.as_slice(), |pin| pin.keys.as_slice());
            let wanted = get(&all, place).filter(|value| !value.is_object()).map(Value::to_string);
            let wanted = wanted.map(|value| format!(": {value}")).unwrap_or_default();
            let mut diagnostic = Diagnostic::contract(
                "schema-forbids",
                format!("the schema of the chart {} forbids `{}{wanted}`", complaint.chart, dotted(place)),
            )
            .note(format!("values.schema.json{}: {}", complaint.schema, complaint.message))
            .help("leave the rule out with --skip, or take a chart whose schema allows it");
            if let Some(pin) = pin {
                let id = rule_of(pin);
                diagnostic = diagnostic.note(format!("rule {id} wants it")).rule(id);
            }
            diagnostic
        })
        .collect();
    (errors, warnings)
}

fn complaints(
    tree: &Branch<'_>,
    user: &Map<String, Value>,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<Complaint> {
    let all = Value::Object(coalesce::with_defaults(tree, user.clone()));
    let mut out = Vec::new();
    for branch in tree.all().into_iter().filter(|branch| branch.off.is_none()) {
        let Some(bytes) = &branch.chart.schema else { continue };
        let values = get(&all, &branch.keys).cloned().unwrap_or_else(|| Value::Object(Map::new()));
        match validate(bytes, &values) {
            Ok(found) => out.extend(found.into_iter().map(|(at, schema, message)| Complaint {
                at: branch.keys.iter().cloned().chain(at).collect(),
                schema,
                message,
                chart: format!("{} {}", branch.chart.name, branch.chart.version),
            })),
            Err(reason) => warnings.push(
                Diagnostic::new(
                    "schema-unusable",
                    Class::Warning,
                    format!(
                        "{}/values.schema.json is not held against the values: {reason}",
                        branch.chart.shown_as
                    ),
                )
                .note("`helm template` does so"),
            ),
        }
    }
    out
}

type Fault = (Path, String, String);

/// Where values break a schema: the place, the place in the schema, what is wrong.
fn validate(schema: &[u8], values: &Value) -> Result<Vec<Fault>, String> {
    let schema: Value = serde_json::from_slice(schema).map_err(|error| format!("it is no JSON: {error}"))?;
    let validator = jsonschema::validator_for(&schema).map_err(|error| error.masked().to_string())?;
    let unescape = |token: &str| token.replace("~1", "/").replace("~0", "~");
    Ok(validator
        .iter_errors(values)
        .map(|error| {
            let at = error.instance_path().to_string().split('/').skip(1).map(unescape).collect();
            // Values may be passwords: an error says what is wanted, not what is there.
            (at, error.schema_path().to_string(), error.masked().to_string())
        })
        .collect())
}
