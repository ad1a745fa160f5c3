//! The stages of a check in order.

use sha2::{Digest, Sha256};

use super::finding::{Checked, Finding, RuleInfo};
use super::input::{Input, Joined};
use super::node_config;
use super::rules::Draft;
use super::scene::{Scene, Source};
use super::suppress::{self, ConfigIgnore, annotation, comment};
use super::{builtin, edits, rules, values};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::profile::compile::compile_for_check;
use crate::profile::embedded;
use crate::profile::load;
use crate::profile::matching::Matcher;
use crate::profile::rule::{Rule, meant};
use crate::rewrite;
use crate::rewrite::document::PlannedDocument;
use crate::rewrite::plan::{self, KEEP_ANNOTATION};
use crate::rewrite::run::{Prepared, prepare};
use crate::rewrite::survey::Survey;

/// What is asked of a check.
#[derive(Debug, Default)]
pub struct Request {
    /// The profiles with their checks, parameters, and the rules that are left out.
    pub rewrite: rewrite::Request,
    /// Rule ids and prefixes of ids: findings of these rules alone. Empty: all.
    pub only: Vec<String>,
    /// The configuration's suppressions.
    pub ignores: Vec<ConfigIgnore>,
    /// `YYYY-MM-DD`.
    pub today: String,
    /// Whether an input without any object is fine.
    pub allow_empty: bool,
    /// Whether findings name the chart values that make them go away.
    pub values: bool,
}

/// Checks manifests and, beside them, configurations of nodes. An error means that
/// there was nothing to check by, or nothing readable to check.
pub fn check(manifests: &[Input], nodes: &[Input], request: &Request) -> Result<Checked, Vec<Diagnostic>> {
    let mut joined = Joined::new(manifests);
    let mut joined_nodes = Joined::new(nodes);
    if let (Err(errors), Err(more)) = (&mut joined, &mut joined_nodes) {
        errors.append(more);
    }
    let (joined, joined_nodes) = (joined?, joined_nodes?);
    let one = |error: Diagnostic| vec![error];
    let Prepared { mut survey, rules, documents, report, mut warnings } =
        prepare(joined.bytes(), &request.rewrite, compile_for_check).map_err(|run| {
            let mut errors = run.diagnostics;
            errors.iter_mut().filter_map(|error| error.place.as_mut()).for_each(|place| {
                if place.file == crate::rewrite::survey::STDIN {
                    joined.bring_home(place);
                }
            });
            errors
        })?;
    if report.documents == 0 && nodes.is_empty() && !request.allow_empty {
        let error = Diagnostic::input("nothing-to-check", "the input holds no object")
            .note("a failed rendering looks like this, too")
            .help("`--allow-empty` makes it no error");
        return Err(vec![error]);
    }
    let only = chosen(&rules, &request.only).map_err(one)?;
    let more = builtin::matchers(&rules, !nodes.is_empty()).map_err(one)?;
    let mut documents = with_more(&survey, documents, &more).map_err(one)?;
    survey.releases = (0..survey.heads.len())
        .map(|index| {
            let start = survey.document(index).text.start;
            joined.home(survey.stream.line_and_column(start).0).0
        })
        .collect();
    for document in &mut documents {
        document.release = survey.release(document.index);
    }
    let mut plan = plan::plan(&survey, documents, &rules);
    let diagnostics = std::mem::take(&mut plan.diagnostics);
    let mut sources = vec![Source { joined: &joined, of_nodes: false, survey, documents: plan.documents }];
    let mut derived = Vec::new();
    if !nodes.is_empty() {
        let (source, made) = node_source(&joined_nodes)?;
        sources.push(source);
        derived = made;
    }
    let sharers: Vec<&Matcher> = rules.iter().flat_map(Rule::pod_sharers).collect();
    let scene = Scene::new(sources, derived, &sharers);
    let mut drafts = edits::changes(&scene, &rules, &plan.rules);
    let (misses, mut others) = edits::misses(&scene, &rules, diagnostics);
    drafts.extend(misses);
    drafts.extend(rules::run(&scene, &rules).map_err(one)?);
    let known = |id: &str| is_known(&rules, id);
    suppress::apply(&scene, &rules, &request.ignores, &request.today, &known, &mut drafts);
    warnings.append(&mut others);
    if request.values {
        let mut findings: Vec<&mut Finding> = drafts.iter_mut().map(|draft| &mut draft.finding).collect();
        values::name(&rules, &mut findings);
    }
    Ok(result(&scene, rules, drafts, &only, report.params, warnings))
}

/// Parses what computed checks ask about, and what may hold a suppression.
fn with_more<'s>(
    survey: &Survey<'s>,
    mut documents: Vec<PlannedDocument<'s>>,
    matchers: &[Matcher],
) -> Result<Vec<PlannedDocument<'s>>, Diagnostic> {
    let marks = [annotation::IGNORE_ANNOTATION, KEEP_ANNOTATION, comment::MARK];
    for (index, head) in survey.heads.iter().enumerate().filter(|(_, head)| head.has_content) {
        let is_there = |at: usize| documents.get(at).is_some_and(|document| document.index == index);
        let at = documents.partition_point(|document| document.index < index);
        let text = survey.text(index).as_bytes();
        let wanted = || {
            matchers.iter().any(|matcher| matcher.may_match(head))
                || marks.iter().any(|mark| memchr::memmem::find(text, mark.as_bytes()).is_some())
        };
        if !is_there(at) && wanted() {
            let (tree, value) = survey.parse(index)?;
            documents.insert(at, PlannedDocument::new(index, tree, value));
        }
    }
    Ok(documents)
}

/// The nodes' configurations as objects.
#[allow(clippy::type_complexity)]
fn node_source(joined: &Joined) -> Result<(Source<'_>, Vec<(usize, node_config::Derived)>), Vec<Diagnostic>> {
    let survey = Survey::new(joined.bytes())?;
    let mut documents: Vec<PlannedDocument<'_>> = Vec::new();
    let mut derived = Vec::new();
    let mut errors = Vec::new();
    for index in 0..survey.heads.len() {
        if !survey.heads[index].has_content {
            continue;
        }
        let (tree, value) = survey.parse(index).map_err(|error| vec![error])?;
        let start = survey.document(index).text.start;
        let (file, line) = joined.home(survey.stream.line_and_column(start).0);
        let Some(identity) = node_config::identify(&value, joined.name(file)) else {
            let message = format!("{}: no configuration of a node that is known", joined.name(file));
            errors.push(
                Diagnostic::input("node-config-unknown", message)
                    .note(format!("it is the document from line {line} on"))
                    .help("`--node-config` takes Talos machine configurations, k3s' config.yaml and k3d's"),
            );
            continue;
        };
        derived.extend(node_config::of_k3d(&identity, &value).map(|derived| (documents.len(), derived)));
        let mut document = PlannedDocument::new(index, tree, value);
        document.objects = vec![crate::manifest::ObjectRef { at: Vec::new(), identity }];
        documents.push(document);
    }
    if errors.is_empty() {
        Ok((Source { joined, of_nodes: true, survey, documents }, derived))
    } else {
        Err(errors)
    }
}

/// The ids that `--only` means; empty for all.
fn chosen(rules: &[Rule], only: &[String]) -> Result<Vec<String>, Diagnostic> {
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    let mut out = Vec::new();
    for pattern in only {
        let found = meant(pattern, ids.iter().copied());
        if found.is_empty() {
            let diagnostic = Diagnostic::input("rule-unknown", format!("no rule is called `{pattern}`"));
            return Err(match did_you_mean(pattern, ids.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help("`germ-post profiles show PROFILE --resolved` lists the rules"),
            });
        }
        out.extend(found.into_iter().map(str::to_owned));
    }
    Ok(out)
}

/// Whether some rule of this run, or of any shipped profile, has the id.
fn is_known(rules: &[Rule], id: &str) -> bool {
    let shipped = || {
        embedded::PROFILES
            .iter()
            .filter_map(|(name, text)| load::parse(name, text).ok())
            .any(|(file, _)| file.rules.iter().any(|rule| crate::profile::glob::matches(id, &rule.id)))
    };
    rules.iter().any(|rule| crate::profile::glob::matches(id, &rule.id)) || shipped()
}

fn result(
    scene: &Scene<'_>,
    rules: Vec<Rule>,
    drafts: Vec<Draft>,
    only: &[String],
    params: Vec<crate::rewrite::outcome::ParamReport>,
    warnings: Vec<Diagnostic>,
) -> Checked {
    let mut findings: Vec<Finding> = drafts.into_iter().map(|draft| draft.finding).collect();
    findings.retain(|finding| only.is_empty() || only.contains(&finding.rule));
    let order = |finding: &Finding| {
        let place = finding.location.as_ref().map(|location| &location.place);
        (
            place.map(|place| (place.file.clone(), place.line, place.column)),
            finding.rule.clone(),
            finding.message.clone(),
        )
    };
    findings.sort_by_cached_key(order);
    fingerprint(&mut findings);
    let (suppressed, findings) = findings.into_iter().partition(|finding| finding.suppressed.is_some());
    Checked {
        findings,
        suppressed,
        rules: rules
            .into_iter()
            .map(|rule| RuleInfo {
                ran: rule.inactive.is_none() && (only.is_empty() || only.contains(&rule.id)),
                id: rule.id,
                title: rule.title,
                why: rule.why.split_whitespace().collect::<Vec<_>>().join(" "),
                sources: rule.sources,
                severity: rule.severity,
                profile: rule.profile,
            })
            .collect(),
        documents: scene
            .sources
            .iter()
            .map(|source| source.survey.heads.iter().filter(|head| head.has_content).count())
            .sum(),
        files: scene.sources.iter().map(|source| source.joined.len()).sum(),
        params,
        warnings,
    }
}

/// What stays the same when lines move: rule, object and path, and which of several.
fn fingerprint(findings: &mut [Finding]) {
    let mut seen: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for finding in findings {
        let object = finding.object.as_ref();
        let key = format!(
            "{}\n{}\n{}\n{}",
            finding.rule,
            object.map(|object| format!("{}/{object}", object.group)).unwrap_or_default(),
            finding.path.as_deref().unwrap_or_default(),
            if object.is_none() { finding.message.as_str() } else { "" },
        );
        let count = seen.entry(key.clone()).or_default();
        let digest = Sha256::digest(format!("{key}\n{count}"));
        *count += 1;
        finding.fingerprint = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    }
}
