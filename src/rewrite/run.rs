//! The stages in order, with the parameters that only the stream can tell.

use super::document::PlannedDocument;
use super::outcome::{DiagnosticReport, ObjectState, ParamReport, Report};
use super::plan::{self, Plan};
use super::prove::{self, Proved};
use super::splice;
use super::survey::Survey;
use crate::diagnostic::{Class, Diagnostic, did_you_mean};
use crate::manifest::template;
use crate::profile::file::DetectAs;
use crate::profile::load::Loaded;
use crate::profile::matching::{Alone, Matcher, split_image};
use crate::profile::params::{Origin, Params};
use crate::profile::path::PathExpr;
use crate::profile::rule::{self, Rule, id_matches};
use crate::profile::version::parse_version;

/// What is asked of a run.
#[derive(Debug, Default)]
pub struct Request {
    /// The profiles.
    pub loaded: Loaded,
    /// Their parameters, with everything set that the user set.
    pub params: Params,
    /// Rule ids and prefixes of ids: these rules alone. Empty: all.
    pub only: Vec<String>,
    /// Rule ids and prefixes of ids: not these rules.
    pub skip: Vec<String>,
}

/// What came of a run.
#[derive(Debug)]
pub struct Run {
    /// The rewritten stream, unless something went wrong.
    pub output: Option<Proved>,
    /// What was done, rule by rule.
    pub report: Report,
    /// Warnings and errors.
    pub diagnostics: Vec<Diagnostic>,
}

impl Run {
    /// The worst class of all diagnostics.
    pub fn class(&self) -> Class {
        self.diagnostics.iter().map(|diagnostic| diagnostic.class).max().unwrap_or(Class::Warning)
    }

    fn failed(report: Report, diagnostics: Vec<Diagnostic>) -> Self {
        let mut report = report;
        report.diagnostics = diagnostics.iter().map(DiagnosticReport::from).collect();
        Self { output: None, report, diagnostics }
    }
}

/// Rewrites a stream.
pub fn run(bytes: &[u8], request: &Request) -> Run {
    let mut report = Report::default();
    let survey = match Survey::new(bytes) {
        Ok(survey) => survey,
        Err(errors) => return Run::failed(report, errors),
    };
    report.documents = survey.heads.iter().filter(|head| head.has_content).count();
    let prepared = detect(&survey, &request.loaded, request.params.clone()).and_then(|params| {
        report.params = param_reports(&params);
        let mut rules = rule::compile(&request.loaded, &params)?;
        select(&mut rules, request)?;
        let documents = candidates(&survey, &rules)?;
        Ok((rules, documents))
    });
    let (rules, documents) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return Run::failed(report, vec![error]),
    };
    let mut plan = plan::plan(&survey, documents, &rules);
    let diagnostics = std::mem::take(&mut plan.diagnostics);
    count(&mut report, &plan);
    report.rules = std::mem::take(&mut plan.rules);
    if diagnostics.iter().any(|diagnostic| diagnostic.class > Class::Warning) {
        return Run::failed(report, diagnostics);
    }
    plan.rules = report.rules.clone();
    let proved = splice::splice(&survey, &plan).and_then(|spliced| prove::prove(&survey, &plan, spliced));
    match proved {
        Ok(output) => {
            report.diagnostics = diagnostics.iter().map(DiagnosticReport::from).collect();
            Run { output: Some(output), report, diagnostics }
        }
        Err(errors) => Run::failed(report, errors),
    }
}

/// Fills parameters that nobody decided on from the stream.
fn detect(survey: &Survey<'_>, loaded: &Loaded, mut params: Params) -> Result<Params, Diagnostic> {
    for file in &loaded.files {
        for (name, declared) in &file.file.params {
            let open = params.get(name).is_some_and(|param| !param.is_decided());
            if !open || declared.detect.is_empty() {
                continue;
            }
            for (index, source) in declared.detect.iter().enumerate() {
                let at = ["params", name, "detect", &index.to_string()].map(str::to_owned);
                let matcher = Matcher::compile(&source.matches, &params)
                    .map_err(|error| file.fault(&at, error.message))?;
                let path =
                    PathExpr::parse(&source.path).map_err(|error| file.fault(&at, error.to_string()))?;
                if let Some((value, object)) = find(survey, &matcher, &path, source.how)? {
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

fn find(
    survey: &Survey<'_>,
    matcher: &Matcher,
    path: &PathExpr,
    how: DetectAs,
) -> Result<Option<(String, String)>, Diagnostic> {
    for index in (0..survey.heads.len()).filter(|index| matcher.may_match(&survey.heads[*index])) {
        let (tree, value) = survey.parse(index)?;
        let document = PlannedDocument::new(index, tree, value);
        for object in (0..document.objects.len()).filter_map(|at| document.original_object(at)) {
            if !matcher.matches(object, &Alone) {
                continue;
            }
            let found = path.values(&object.identity.kind, object.value);
            let text = found.first().and_then(|value| value.as_str()).and_then(|text| match how {
                DetectAs::Value => Some(text.to_owned()),
                DetectAs::ImageTag => split_image(text)
                    .1
                    .filter(|tag| parse_version(tag).is_some())
                    .map(|tag| tag.trim_start_matches('v').to_owned()),
                DetectAs::ChartLabel => template::split_chart_label(text).1.map(str::to_owned),
            });
            if let Some(text) = text {
                return Ok(Some((text, object.identity.to_string())));
            }
        }
    }
    Ok(None)
}

/// `--only` and `--skip`.
fn select(rules: &mut [Rule], request: &Request) -> Result<(), Diagnostic> {
    for pattern in request.only.iter().chain(&request.skip) {
        if !rules.iter().any(|rule| id_matches(pattern, &rule.id)) {
            let diagnostic = Diagnostic::input("rule-unknown", format!("no rule is called `{pattern}`"));
            let near = did_you_mean(pattern, rules.iter().map(|rule| rule.id.as_str()));
            let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
            return Err(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("the profile's rules: {}", ids.join(", "))),
            });
        }
    }
    for rule in rules.iter_mut().filter(|rule| rule.inactive.is_none()) {
        let chosen = request.only.is_empty()
            || rule.consequence
            || request.only.iter().any(|only| id_matches(only, &rule.id));
        if !chosen {
            rule.inactive = Some("not chosen by --only".to_owned());
        } else if let Some(skip) = request.skip.iter().find(|skip| id_matches(skip, &rule.id)) {
            rule.inactive = Some(format!("--skip {skip}"));
        }
    }
    Ok(())
}

/// Parses the documents that some rule in force may match or ask about.
fn candidates<'s>(survey: &Survey<'s>, rules: &[Rule]) -> Result<Vec<PlannedDocument<'s>>, Diagnostic> {
    let active = || rules.iter().filter(|rule| rule.inactive.is_none());
    let mut matchers: Vec<&Matcher> = Vec::new();
    let mut needs_pods = false;
    for rule in active() {
        matchers.extend(rule.when.matchers());
        for part in &rule.parts {
            matchers.push(&part.matcher);
            let sharers = part.pod_sharers();
            needs_pods |= !sharers.is_empty();
            matchers.extend(sharers);
            for edit in &part.edits {
                if let rule::Operation::Restamp { of, .. } = &edit.operation {
                    matchers.push(of);
                }
            }
        }
    }
    let mut documents = Vec::new();
    for (index, head) in survey.heads.iter().enumerate() {
        let makes_pods = needs_pods && crate::manifest::selector::pod_template(&head.kind).is_some();
        if head.has_content && (makes_pods || matchers.iter().any(|matcher| matcher.may_match(head))) {
            let (tree, value) = survey.parse(index)?;
            documents.push(PlannedDocument::new(index, tree, value));
        }
    }
    Ok(documents)
}

fn count(report: &mut Report, plan: &Plan<'_>) {
    report.edits = plan
        .documents
        .iter()
        .flat_map(|document| {
            // A removal that drops a list item is counted as a drop.
            document
                .operations
                .iter()
                .filter(|op| !document.objects.iter().any(|o| o.at == op.operation.path))
        })
        .count();
    report.dropped = plan
        .rules
        .iter()
        .flat_map(|rule| &rule.objects)
        .filter(|object| object.state == ObjectState::Dropped)
        .count();
}

fn param_reports(params: &Params) -> Vec<ParamReport> {
    params
        .iter()
        .map(|(name, param)| ParamReport {
            name: name.to_owned(),
            value: param.value.clone(),
            origin: param.origin.to_string(),
        })
        .collect()
}
