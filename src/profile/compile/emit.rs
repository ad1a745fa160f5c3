//! What a rule adds to the stream: the objects of a file, or a template that is
//! filled in when the object that it is made for is known.

use serde_json::{Map, Value};

use super::super::file::{EmitFile, RuleFile};
use super::super::matching::Matcher;
use super::super::params::{ParamError, whole_reference};
use super::super::path::{PathExpr, get};
use super::super::rule::Emit;
use super::super::template::{Piece, has_fields, pieces};
use super::Compiler;
use super::at::At;
use crate::diagnostic::Diagnostic;
use crate::edit::{NewValue, Quotes};
use crate::manifest::objects::objects;
use crate::yaml;

/// The objects that the program computes: their type, by the name of what computes
/// them.
fn computed_kind(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "fqdn-egress" => Some(("cilium.io/v2", "CiliumNetworkPolicy")),
        _ => None,
    }
}

impl Compiler<'_> {
    pub(super) fn emit(&self, rule: &RuleFile, at: &At<'_>) -> Result<Option<Emit>, Diagnostic> {
        let Some(emit) = &rule.emit else { return Ok(None) };
        let at = at.below(&["emit"]);
        match (&emit.file, &emit.object, &emit.computed) {
            (Some(file), None, None) => self.stream(file, &at.below(&["file"])).map(Some),
            (None, Some(_), None) => self.template(emit, rule, &at.below(&["object"])).map(Some),
            (None, None, Some(name)) => self.computed(name, rule, &at).map(Some),
            _ => Err(self.fault(&at, "`emit` takes one of `file`, `object` and `use`")),
        }
    }

    fn computed(&self, name: &str, rule: &RuleFile, at: &At<'_>) -> Result<Emit, Diagnostic> {
        let place = at.below(&["use"]);
        let Some((api_version, kind)) = computed_kind(name) else {
            return Err(self.fault(&place, format!("there are no computed objects `{name}`")));
        };
        if rule.matches.is_none() {
            return Err(self.fault(&place, "computed objects are made for those that a `match` means"));
        }
        let mut with = Map::new();
        let told = rule.emit.iter().flat_map(|emit| emit.with.keys());
        for key in told {
            let at = at.entry("with", key);
            let raw = self.raw_at(&at).unwrap_or_default();
            let param = raw.as_str().and_then(whole_reference).and_then(|name| self.params.get(name));
            if param.is_some_and(|param| param.value.is_none()) {
                continue;
            }
            with.extend(self.filled_at(&at)?.map(|value| (key.clone(), value)));
        }
        let matcher = Box::new(Matcher::of_kind(api_version, kind));
        Ok(Emit::Computed { name: name.to_owned(), with: Value::Object(with), matcher })
    }

    fn stream(&self, file: &str, at: &At<'_>) -> Result<Emit, Diagnostic> {
        let text = self
            .file
            .emitted
            .get(file)
            .ok_or_else(|| self.fault(at, "a shipped profile cannot read files"))?;
        let unreadable =
            |message: &str| self.fault(at, format!("the file cannot be added to a stream: {message}"));
        let stream = yaml::Stream::cut(text.as_bytes())
            .map_err(|_| unreadable("it does not read as a YAML stream"))?;
        let mut found = Vec::new();
        for document in stream.documents() {
            let tree =
                yaml::parse(stream.document_text(document)).map_err(|error| unreadable(&error.message))?;
            let value = tree.read().map_err(|_| unreadable("it cannot be read"))?;
            for object in objects(&value) {
                if let Some(value) = get(&value, &object.at) {
                    found.push((object.identity, value.clone()));
                }
            }
        }
        let matchers = found.iter().map(|(identity, _)| Matcher::of(identity)).collect();
        let text = text.trim_start_matches("---\n").to_owned();
        Ok(Emit::Stream { text, objects: found, matchers })
    }

    fn template(&self, emit: &EmitFile, rule: &RuleFile, at: &At<'_>) -> Result<Emit, Diagnostic> {
        let id = at.node(self.tree).ok_or_else(|| self.fault(at, "there is no object"))?;
        let object = self
            .styled_by(id, &|text, quotes| self.with_fields(text, quotes))
            .map_err(|error| self.param_fault(at, &error))?;
        let is_for_each = rule.matches.is_some() || !rule.parts.is_empty();
        let mut fault = None;
        each_text(&object, &mut |text| {
            for piece in pieces(text) {
                let Piece::Field(path) = piece else { continue };
                if !is_for_each {
                    fault
                        .get_or_insert(format!("the rule has no `match`, so `{path}` is a field of nothing"));
                } else if let Err(error) = PathExpr::parse(path) {
                    fault.get_or_insert(format!("`{path}`: {error}"));
                }
            }
        });
        let text = |name: &str| emit.object.as_ref()?.get(name)?.as_str().filter(|text| !has_fields(text));
        let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
            return Err(self.fault(at, "the object needs an `apiVersion` and a `kind` of its own"));
        };
        if let Some(fault) = fault {
            return Err(self.fault(at, fault));
        }
        Ok(Emit::Template { object, matcher: Box::new(Matcher::of_kind(api_version, kind)) })
    }

    /// A text with parameters filled in and the fields of the object left open.
    fn with_fields(&self, text: &str, quotes: Quotes) -> Result<NewValue, ParamError> {
        if !has_fields(text) {
            return self.filled(text, quotes);
        }
        let mut out = String::new();
        let mut rest = text;
        // Parameters stand within paths as well: `${.ports[hostPort=${port}].name}`.
        while let Some(at) = rest.find("${") {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(field) = rest.strip_prefix("${.") {
                out.push_str("${.");
                rest = field;
                continue;
            }
            let length = rest.find('}').ok_or(ParamError::Unclosed)? + 1;
            out.push_str(&self.params.fill_text(&rest[..length])?);
            rest = &rest[length..];
        }
        out.push_str(rest);
        Ok(NewValue::Str { text: out, quotes })
    }
}

fn each_text(value: &NewValue, visit: &mut dyn FnMut(&str)) {
    match value {
        NewValue::Plain(_) => {}
        NewValue::Str { text, .. } => visit(text),
        NewValue::Sequence(items) => items.iter().for_each(|item| each_text(item, visit)),
        NewValue::Mapping(entries) => entries.iter().for_each(|(_, value)| each_text(value, visit)),
    }
}
