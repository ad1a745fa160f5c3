//! Parameters that nobody decided on and the stream can tell, such as the
//! version of Cilium in it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::document::PlannedDocument;
use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Head, template};
use crate::profile::file::DetectAs;
use crate::profile::load::Loaded;
use crate::profile::matching::{Alone, Matcher, split_image};
use crate::profile::params::{Origin, Params};
use crate::profile::path::PathExpr;
use crate::profile::version::parse_version;

/// Fills parameters that nobody decided on from the stream.
///
/// Documents that had to be parsed for it are left in `parsed`, by index.
pub fn detect<'s>(
    survey: &Survey<'s>,
    loaded: &Loaded,
    mut params: Params,
    parsed: &mut HashMap<usize, PlannedDocument<'s>>,
) -> Result<Params, Diagnostic> {
    for file in &loaded.files {
        for (name, declared) in &file.file.params {
            if params.get(name).is_none_or(|param| param.is_decided()) {
                continue;
            }
            for (index, source) in declared.detect.iter().enumerate() {
                let at = ["params", name, "detect", &index.to_string()].map(str::to_owned);
                let matcher = Matcher::compile(&source.matches, &params)
                    .map_err(|error| file.fault(&at, error.message))?;
                let path =
                    PathExpr::parse(&source.path).map_err(|error| file.fault(&at, error.to_string()))?;
                if let Some((value, object)) = find(survey, &matcher, &path, source.how, parsed)? {
                    // A value that does not fit the type tells nothing.
                    if params.set_text(name, &value, Origin::Detected(object)).is_ok() {
                        break;
                    }
                }
            }
        }
    }
    Ok(params)
}

fn find<'s>(
    survey: &Survey<'s>,
    matcher: &Matcher,
    path: &PathExpr,
    how: DetectAs,
    parsed: &mut HashMap<usize, PlannedDocument<'s>>,
) -> Result<Option<(String, String)>, Diagnostic> {
    let may_match = |head: &Head<'_>| head.has_content && matcher.may_match(head);
    for index in (0..survey.heads.len()).filter(|index| may_match(&survey.heads[*index])) {
        let document = match parsed.entry(index) {
            Entry::Occupied(document) => document.into_mut(),
            Entry::Vacant(place) => {
                let (tree, value) = survey.parse(index)?;
                place.insert(PlannedDocument::new(index, tree, value))
            }
        };
        for object in (0..document.objects.len()).filter_map(|at| document.original_object(at)) {
            if !matcher.matches(object, &Alone) {
                continue;
            }
            let found = path.values(&object.identity.kind, object.value);
            let text = found.first().and_then(|value| value.as_str()).and_then(|text| take(text, how));
            if let Some(text) = text {
                return Ok(Some((text, object.identity.to_string())));
            }
        }
    }
    Ok(None)
}

fn take(text: &str, how: DetectAs) -> Option<String> {
    match how {
        DetectAs::Value => Some(text.to_owned()),
        DetectAs::ImageTag => {
            let tag = split_image(text).1.filter(|tag| parse_version(tag).is_some())?;
            Some(tag.trim_start_matches('v').to_owned())
        }
        DetectAs::ChartLabel => template::split_chart_label(text).1.map(str::to_owned),
    }
}
