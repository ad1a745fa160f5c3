//! Changes that may hurt a running cluster, as rules say them: which object, what
//! happens to it, and which field goes from what to what. What is folded or ignored
//! hurts all the same, so that dangers are looked for in everything.

use std::collections::BTreeMap;

use serde_json::Value;

use super::mask::Masked;
use super::model::{Danger, Origin};
use super::options::Options;
use super::side::Object;
use super::walk;
use crate::check::finding::in_a_message;
use crate::edit::Path;
use crate::profile::file::EventWord;
use crate::profile::matching::{Alone, ObjectView};
use crate::profile::path::{PathExpr, Target, get, spell};
use crate::profile::rule::{self, Rule};

/// Something that happened to an object.
#[derive(Debug, Clone, Copy)]
pub struct Event<'e> {
    /// What.
    pub what: EventWord,
    /// The object before.
    pub old: Option<&'e Object>,
    /// The object now.
    pub new: Option<&'e Object>,
}

/// Tells who made a change, given the place on the old and on the new side.
pub type WhoseChange<'w> = &'w dyn Fn(&[String], &[String]) -> Option<Origin>;

/// A place on the old and on the new side, as far as it is there.
type Places = (Option<Path>, Option<Path>);

/// What the rules know of an event.
pub fn of_event(rules: &[Rule], event: Event<'_>, options: &Options, origin: WhoseChange<'_>) -> Vec<Danger> {
    let mut out = Vec::new();
    for rule in rules.iter().filter(|rule| rule.inactive.is_none()) {
        for danger in rule.dangers.iter().filter(|danger| danger.events.contains(&event.what)) {
            out.extend(of_danger(rule, danger, event, options, origin));
        }
    }
    out
}

fn of_danger(
    rule: &Rule,
    danger: &rule::Danger,
    event: Event<'_>,
    options: &Options,
    origin: WhoseChange<'_>,
) -> Vec<Danger> {
    let Some(object) = event.old.or(event.new) else { return Vec::new() };
    let shown = event.new.or(event.old).unwrap_or(object);
    let view = ObjectView {
        identity: &object.identity,
        value: &object.value,
        template: object.template.as_deref(),
        release: 0,
    };
    if !danger.matcher.matches(view, &Alone) {
        return Vec::new();
    }
    let told = |path: Option<String>, message: String, origin: Option<Origin>| Danger {
        rule: rule.id.clone(),
        severity: danger.severity,
        message,
        object: shown.identity.clone(),
        path,
        why: rule.why.split_whitespace().collect::<Vec<_>>().join(" "),
        help: danger.help.clone(),
        sources: rule.sources.clone(),
        origin,
        spot: Some(shown.spot.clone()),
        template: shown.template.clone(),
    };
    let message = danger.message.as_deref().unwrap_or(&rule.title);
    match &danger.find {
        None => vec![told(None, message.to_owned(), origin(&[], &[]))],
        Some(find) => fields(find, danger, event, options)
            .into_iter()
            .map(|field| {
                let text = message.replace("{old}", &field.old).replace("{new}", &field.new);
                told(Some(field.path), text, origin(&field.old_at, &field.new_at))
            })
            .collect(),
    }
}

/// A field that changes.
struct Field {
    path: String,
    old_at: Vec<String>,
    new_at: Vec<String>,
    old: String,
    new: String,
}

/// The fields that a path means on either side, as far as they change the way that the
/// danger says.
fn fields(find: &PathExpr, danger: &rule::Danger, event: Event<'_>, options: &Options) -> Vec<Field> {
    let mut places: BTreeMap<String, Places> = BTreeMap::new();
    let of = |object: Option<&Object>| -> Vec<(String, Vec<String>)> {
        let Some(object) = object else { return Vec::new() };
        let targets = find.targets(&object.identity.kind, &object.value);
        let present = targets.into_iter().filter_map(|target| match target {
            Target::Present(at) => Some((spell(&object.value, &at), at)),
            _ => None,
        });
        present.collect()
    };
    for (path, at) in of(event.old) {
        places.entry(path).or_default().0 = Some(at);
    }
    for (path, at) in of(event.new) {
        places.entry(path).or_default().1 = Some(at);
    }
    let mut out = Vec::new();
    for (path, (old_at, new_at)) in places {
        let value = |object: Option<&Object>, at: &Option<Vec<String>>| -> Option<Value> {
            get(&object?.value, at.as_ref()?).filter(|value| !value.is_null()).cloned()
        };
        let (old, new) = (value(event.old, &old_at), value(event.new, &new_at));
        let kind = event.old.or(event.new).map_or("", |object| object.identity.kind.as_str());
        let at = new_at.clone().or_else(|| old_at.clone()).unwrap_or_default();
        let changes =
            event.old.is_none() || event.new.is_none() || walk::differ(kind, &at, old.as_ref(), new.as_ref());
        let fits = danger.was.as_ref().is_none_or(|test| test.holds(old.as_ref()))
            && danger.is.as_ref().is_none_or(|test| test.holds(new.as_ref()));
        if changes && fits {
            let say = |object: Option<&Object>, at: &Option<Vec<String>>, value: &Option<Value>| {
                let (Some(object), Some(at), Some(value)) = (object, at, value) else {
                    return "absent".to_owned();
                };
                let masked = Masked::of(options, &object.identity, &object.value);
                in_a_message(&masked.show(options, at, value))
            };
            out.push(Field {
                path,
                old: say(event.old, &old_at, &old),
                new: say(event.new, &new_at, &new),
                old_at: old_at.clone().or_else(|| new_at.clone()).unwrap_or_default(),
                new_at: new_at.or(old_at).unwrap_or_default(),
            });
        }
    }
    out
}
