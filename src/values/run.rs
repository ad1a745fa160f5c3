//! The stages in order: compile, plan, write, prove, hold against the schemas.

use serde_json::{Map, Value};

use super::chart::{Branch, Chart, grow};
use super::model::{Change, Outcome, Pin};
use super::plan::{self, Subject};
use super::source::Source;
use super::{dotted, opaque, overlay, schema, write};
use crate::diagnostic::{Class, Diagnostic};
use crate::edit::Action;
use crate::profile::compile;
use crate::profile::load::Loaded;
use crate::profile::path::get;
use crate::profile::rule::Rule;
use crate::profile::version::{Range, parse_version};
use crate::rewrite;

/// What is asked of a run.
#[derive(Debug)]
pub struct Request<'r> {
    /// The profiles, parameters and the rules that are left out.
    pub rewrite: &'r rewrite::Request,
    /// The profiles as the user named them.
    pub names: &'r [String],
    /// The chart that the values are for.
    pub chart: Option<&'r Chart>,
    /// The file with its name; without one, the chart's own `values.yaml`.
    pub file: Option<(&'r str, &'r [u8])>,
}

/// Works out what becomes of a values file.
pub fn run(request: &Request<'_>) -> Result<Outcome, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let rewrite = request.rewrite;
    let mut rules = compile::compile_for_values(&rewrite.loaded, &rewrite.params).map_err(one)?;
    rewrite::run::select(&mut rules, rewrite).map_err(one)?;
    let own_name = request.chart.map(|chart| format!("{}/values.yaml", chart.shown_as)).unwrap_or_default();
    let own_bytes = request.chart.and_then(|chart| chart.values_file.as_deref()).unwrap_or_default();
    let (shown_as, bytes) = request.file.unwrap_or((&own_name, own_bytes));
    let source = Source::read(shown_as, bytes).map_err(one)?;
    // A file lies over the chart's own values; without one, these are what is written.
    let user = if request.file.is_some() { source.values.clone() } else { Map::new() };
    let tree = request.chart.map(|chart| grow(chart, &user));
    let subject = tree.as_ref().map_or(Subject::File, Subject::Tree);
    let seen = if request.chart.is_some() { &user } else { &source.values };
    let planned = plan::plan(&rules, subject, seen)?;
    let rule_of = |pin: &Pin| name_of(&rules, pin);
    let written = write::operations(&planned.pins, &source, &rule_of)?;
    let is_signed =
        !written.operations.is_empty() && opaque::is_signed(&Value::Object(source.values.clone()));
    let signed = is_signed.then(|| signed(&source, &planned.pins, &written));
    let after = write::text(&source, &planned.pins, &written, &rule_of).map_err(one)?;
    let mut warnings = tree.as_ref().map(|tree| untested(&rewrite.loaded, tree)).unwrap_or_default();
    if let (Some(chart), Some(tree)) = (request.chart, &tree) {
        let mut changed = chart.clone();
        let new_user = match (request.file, &written.value) {
            (Some(_), Value::Object(new)) => new.clone(),
            (None, Value::Object(new)) => {
                changed.values.clone_from(new);
                Map::new()
            }
            _ => user.clone(),
        };
        let grown = grow(&changed, &new_user);
        let (errors, more) = schema::check((tree, &user), (&grown, &new_user), &planned.pins, &rule_of);
        if !errors.is_empty() {
            return Err(errors);
        }
        warnings.extend(more);
    }
    let file_value = Value::Object(source.values.clone());
    let of_file = request.chart.is_none().then_some(&file_value);
    let header = header(request);
    let (overlay, overlaid) = overlay::overlay(&header, &planned.pins, &rules, of_file);
    let mut notes = planned.notes;
    notes.extend(written.revived.iter().map(|path| {
        format!(
            "{} was null, which took the chart's defaults below it away; with a value in it they are back",
            dotted(path)
        )
    }));
    escaped_commas(&file_value, &mut Vec::new(), &mut notes);
    let mut left = planned.left;
    left.extend(written.left.iter().cloned());
    Ok(Outcome {
        before: source.text.to_owned(),
        after,
        overlay,
        overlaid,
        changes: changes(&rules, &planned.pins, &written),
        already: written.already,
        signed,
        left,
        notes,
        warnings,
    })
}

fn name_of(rules: &[Rule], pin: &Pin) -> String {
    pin.rules.first().and_then(|rule| rules.get(*rule)).map(|rule| rule.id.clone()).unwrap_or_default()
}

/// One change for each pin, however many operations it took.
fn changes(rules: &[Rule], pins: &[Pin], written: &write::Written) -> Vec<Change> {
    let mut indices: Vec<usize> = written.operations.iter().map(|(index, _)| *index).collect();
    indices.dedup();
    let change = |index: usize| {
        let pin = pins.get(index)?;
        Some(Change {
            keys: pin.keys.clone(),
            rules: pin.rules.iter().filter_map(|rule| rules.get(*rule)).map(|rule| rule.id.clone()).collect(),
            value: get(&written.value, &pin.keys).map(Into::into),
        })
    };
    indices.into_iter().filter_map(change).collect()
}

fn header(request: &Request<'_>) -> String {
    let profiles = request.names.join(", ");
    let profile = if request.names.len() == 1 { "profile" } else { "profiles" };
    let of = match (request.chart, request.file) {
        (Some(chart), _) => format!("the chart {} {}", chart.name, chart.version),
        (None, Some((name, _))) => name.to_owned(),
        (None, None) => "nothing".to_owned(),
    };
    format!("What the {profile} {profiles} wants of {of}, by `germ-post values --overlay`.")
}

/// Names texts with `\,` in them, which somebody has copied from `--set`: there the
/// backslash keeps Helm from splitting, in a file it stays.
fn escaped_commas(value: &Value, path: &mut Vec<String>, notes: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        Value::String(text) if text.contains("\\,") => {
            notes.push(format!(
                "{} holds `\\,`: Helm's `--set` takes the backslash away, in a values file it stays",
                dotted(path)
            ));
            return;
        }
        _ => return,
    };
    for (key, value) in below {
        path.push(key);
        escaped_commas(value, path, notes);
        path.pop();
    }
}

/// Any edit of a file that SOPS signed makes it unreadable.
fn signed(source: &Source<'_>, pins: &[Pin], written: &write::Written) -> Diagnostic {
    let mut places: Vec<String> = written
        .operations
        .iter()
        .filter(|(_, operation)| !matches!(operation.action, Action::Remove))
        .filter_map(|(index, _)| pins.get(*index))
        .map(|pin| dotted(&pin.keys))
        .collect();
    places.dedup();
    Diagnostic::contract(
        "values-signed",
        format!("{} is signed by SOPS, and an edit would make it unreadable", source.shown_as),
    )
    .note(format!("these values are not as the profile wants them: {}", places.join(", ")))
    .help("`--overlay` prints a file of its own to lay over it")
    .help("or set them with `sops edit`, which signs the file again")
}

/// A warning for each rendered chart whose version a profile was not tested with.
fn untested(loaded: &Loaded, tree: &Branch<'_>) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for branch in tree.all().into_iter().filter(|branch| branch.off.is_none()) {
        for file in &loaded.files {
            let Some(text) = file.file.tested.get(&branch.chart.name) else { continue };
            let (Ok(range), Some(version)) = (Range::parse(text), parse_version(&branch.chart.version))
            else {
                continue;
            };
            if range.contains(&version) {
                continue;
            }
            let message = format!(
                "profile {} was tested with {} {text}, this one is {}",
                file.file.name, branch.chart.name, branch.chart.version
            );
            let warning = Diagnostic::new("chart-untested", Class::Warning, message)
                .note("what its values are called may have changed");
            if !out.contains(&warning) {
                out.push(warning);
            }
        }
    }
    out
}
