//! The stages in order, with the parameters that only the stream can tell.

use std::collections::HashMap;

use super::document::PlannedDocument;
use super::outcome::{DiagnosticReport, ObjectState, ParamReport, Report};
use super::plan::{self, Plan};
use super::prove::{self, Proved};
use super::survey::Survey;
use super::tested::Tested;
use super::unseen::Unseen;
use super::{detect, splice};
use crate::diagnostic::{Class, Diagnostic, did_you_mean};
use crate::manifest::objects;
use crate::profile::compile;
use crate::profile::head_index::HeadIndex;
use crate::profile::load::Loaded;
use crate::profile::params::Params;
use crate::profile::rule::{self, Rule};

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
    /// The documents that no rule gets to see.
    pub unseen: Unseen,
}

/// What came of a run.
#[derive(Debug)]
pub struct Run<'s> {
    /// The rewritten stream, unless something went wrong.
    pub output: Option<Proved<'s>>,
    /// What was done, rule by rule.
    pub report: Report,
    /// Warnings and errors.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether an object comes out of it. Items of lists count, lists do not: Argo CD makes
    /// nothing of an empty one.
    pub leaves_objects: bool,
    /// What it was made with, for the caller to free or not.
    pub remains: Option<Remains<'s>>,
}

/// A stream and a plan, used up by the proof.
#[derive(Debug)]
pub struct Remains<'s> {
    _survey: Survey<'s>,
    _plan: Plan<'s>,
}

impl Run<'_> {
    /// The worst class of all diagnostics.
    pub fn class(&self) -> Class {
        self.diagnostics.iter().map(|diagnostic| diagnostic.class).max().unwrap_or(Class::Warning)
    }

    fn failed(report: Report, diagnostics: Vec<Diagnostic>) -> Self {
        let mut report = report;
        report.diagnostics = diagnostics.iter().map(DiagnosticReport::from).collect();
        Self { output: None, report, diagnostics, leaves_objects: false, remains: None }
    }
}

/// A stream with its plan, not yet spliced.
#[derive(Debug)]
pub struct Planned<'s> {
    /// The stream.
    pub survey: Survey<'s>,
    /// What is to be done to it.
    pub plan: Plan<'s>,
    /// What is known of the run so far.
    pub report: Report,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// A stream with the rules that it is to be planned by.
#[derive(Debug)]
pub struct Prepared<'s> {
    /// The stream.
    pub survey: Survey<'s>,
    /// The rules, with final parameters.
    pub rules: Vec<Rule>,
    /// The documents that some rule may match or ask about.
    pub documents: Vec<PlannedDocument<'s>>,
    /// What is known of the run so far.
    pub report: Report,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Makes rules of profiles, with final parameters.
pub type Compile = fn(&Loaded, &Params) -> Result<Vec<Rule>, Diagnostic>;

/// Reads a stream and compiles the rules for it; an error comes as a finished run
/// without output.
pub fn prepare<'s>(
    bytes: &'s [u8],
    request: &Request,
    compile: Compile,
) -> Result<Prepared<'s>, Box<Run<'s>>> {
    let mut report = Report::default();
    let failed = |report, diagnostics| Err(Box::new(Run::failed(report, diagnostics)));
    let mut survey = match Survey::new(bytes) {
        Ok(survey) => survey,
        Err(errors) => return failed(report, errors),
    };
    if let Err(error) = request.unseen.hide(&mut survey) {
        return failed(report, vec![error]);
    }
    report.documents = survey.heads.iter().filter(|head| head.has_content).count();
    let mut parsed = HashMap::new();
    let mut tested = Tested::new(&request.loaded);
    let detected = detect::detect(&survey, &request.loaded, request.params.clone(), &mut parsed);
    let prepared = detected.and_then(|params| {
        report.params = param_reports(&params);
        let mut rules = compile(&request.loaded, &params)?;
        select(&mut rules, request)?;
        let documents = candidates(&survey, &rules, parsed, &mut tested)?;
        Ok((rules, documents))
    });
    match prepared {
        Ok((rules, documents)) => {
            let warnings = tested.warnings();
            Ok(Prepared { survey, rules, documents, report, warnings })
        }
        Err(error) => failed(report, vec![error]),
    }
}

/// Plans a stream; an error comes as a finished run without output.
pub fn plan<'s>(bytes: &'s [u8], request: &Request) -> Result<Planned<'s>, Box<Run<'s>>> {
    let for_rewriting: Compile = |loaded, params| {
        let mut rules = compile::compile(loaded, params)?;
        rules.retain(|rule| !rule.only_checks);
        Ok(rules)
    };
    let prepared = prepare(bytes, request, for_rewriting)?;
    let Prepared { survey, rules, documents, mut report, warnings: mut diagnostics } = prepared;
    let mut plan = plan::plan(&survey, documents, &rules);
    diagnostics.append(&mut plan.diagnostics);
    count(&mut report, &plan);
    report.rules.clone_from(&plan.rules);
    if diagnostics.iter().any(|diagnostic| diagnostic.class > Class::Warning) {
        return Err(Box::new(Run::failed(report, diagnostics)));
    }
    Ok(Planned { survey, plan, report, warnings: diagnostics })
}

/// Rewrites a stream.
pub fn run<'s>(bytes: &'s [u8], request: &Request) -> Run<'s> {
    match plan(bytes, request) {
        Ok(planned) => finish(planned),
        Err(run) => *run,
    }
}

/// Carries out what is planned, and proves it.
pub fn finish(planned: Planned<'_>) -> Run<'_> {
    let Planned { survey, mut plan, mut report, warnings } = planned;
    let leaves_objects = leaves_objects(&survey, &plan);
    plan.documents.iter_mut().for_each(PlannedDocument::is_planned);
    let proved = splice::splice(&survey, &plan).and_then(|spliced| prove::prove(&survey, &mut plan, spliced));
    match proved {
        Ok(output) => {
            report.diagnostics = warnings.iter().map(DiagnosticReport::from).collect();
            let remains = Some(Remains { _survey: survey, _plan: plan });
            Run { output: Some(output), report, diagnostics: warnings, leaves_objects, remains }
        }
        Err(errors) => Run::failed(report, errors),
    }
}

fn leaves_objects(survey: &Survey<'_>, plan: &Plan<'_>) -> bool {
    let planned: HashMap<usize, &PlannedDocument<'_>> =
        plan.documents.iter().map(|document| (document.index, document)).collect();
    let holds_some = |index: usize| match planned.get(&index) {
        Some(document) => document.dropped.len() < document.objects.len(),
        // An unseen document has no head; whether it holds something is read.
        None if survey.heads[index].has_content && !survey.heads[index].is_list => true,
        None => survey.parse(index).is_ok_and(|(_, value)| !objects::objects(&value).is_empty()),
    };
    !plan.emitted.is_empty() || (0..survey.heads.len()).any(holds_some)
}

/// `--only` and `--skip`.
pub fn select(rules: &mut [Rule], request: &Request) -> Result<(), Diagnostic> {
    let ids: Vec<String> = rules.iter().map(|rule| rule.id.clone()).collect();
    let meant = |pattern: &String| match rule::meant(pattern, ids.iter().map(String::as_str)) {
        none if none.is_empty() => Err(unknown_rule(pattern, &ids)),
        some => Ok(some),
    };
    let only = request.only.iter().map(meant).collect::<Result<Vec<_>, _>>()?;
    let skip = request.skip.iter().map(meant).collect::<Result<Vec<_>, _>>()?;
    for rule in rules.iter_mut().filter(|rule| rule.inactive.is_none()) {
        let id = rule.id.as_str();
        let chosen = only.is_empty() || rule.consequence || only.iter().any(|ids| ids.contains(&id));
        let skipped = skip.iter().position(|ids| ids.contains(&id));
        if !chosen {
            rule.inactive = Some("not chosen by --only".to_owned());
        } else if let Some(skip) = skipped.and_then(|at| request.skip.get(at)) {
            rule.inactive = Some(format!("--skip {skip}"));
        }
    }
    Ok(())
}

fn unknown_rule(pattern: &str, ids: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::input("rule-unknown", format!("no rule is called `{pattern}`"));
    match did_you_mean(pattern, ids.iter().map(String::as_str)) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("the profile's rules: {}", ids.join(", "))),
    }
}

/// Parses the documents that some rule in force may match or ask about.
fn candidates<'s>(
    survey: &Survey<'s>,
    rules: &[Rule],
    mut parsed: HashMap<usize, PlannedDocument<'s>>,
    tested: &mut Tested<'_>,
) -> Result<Vec<PlannedDocument<'s>>, Diagnostic> {
    let active: Vec<&Rule> = rules.iter().filter(|rule| rule.inactive.is_none()).collect();
    let wanted = HeadIndex::new(active.iter().flat_map(|rule| rule.matchers()));
    let mut documents = Vec::new();
    for (index, head) in survey.heads.iter().enumerate() {
        if !head.has_content || !wanted.may_match(head) {
            continue;
        }
        let document = match parsed.remove(&index) {
            Some(document) => document,
            None => {
                let (tree, value) = survey.parse(index)?;
                PlannedDocument::new(index, tree, value)
            }
        };
        tested.see(&document);
        let mut objects = (0..document.objects.len()).filter_map(|object| document.original_object(object));
        // What no rule means after all is not kept: a fleet has much of it.
        if objects.any(|object| wanted.may_mean(object)) {
            documents.push(document);
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
    let in_state = |state: ObjectState| {
        plan.rules.iter().flat_map(|rule| &rule.objects).filter(|object| object.state == state).count()
    };
    report.dropped = in_state(ObjectState::Dropped);
    report.added = in_state(ObjectState::Added);
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
