//! What each stage of a run costs, on the release of Cilium and on a larger
//! stream: `cargo bench --bench stages`. Whole processes are compared with other
//! programs by `benches/compare.sh`.
//!
//! The streams come from the corpus (`GERM_CORPUS`, or `../shared/corpus`). Without
//! one the example release stands in for both.
#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing better to say")]

use std::collections::HashMap;
use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use germ_post::profile::{compile, load, rule::Rule};
use germ_post::rewrite::{
    self, Planned, Request, detect, document::PlannedDocument, plan, prove, splice, survey::Survey,
};
use germ_post::yaml::{self, parse::parse_events};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    profile_loading(&mut criterion);
    for (name, path) in [
        ("cilium", "cilium/cilium-1.20.0-vanilla.yaml"),
        ("fleet", "platform/kube-prometheus-stack-88.5.3-crds.yaml"),
    ] {
        let text = stream(path);
        let group = criterion.benchmark_group(name);
        stages(group, &text);
    }
    criterion.final_summary();
}

fn stream(path: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("GERM_CORPUS").map_or_else(|| here.join("../shared/corpus"), Into::into);
    let read = std::fs::read_to_string(corpus.join(path));
    read.or_else(|_| std::fs::read_to_string(here.join("examples/release.yaml"))).expect("an input")
}

fn talos() -> Request {
    let no_files = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let loaded = load::load(&["talos".to_owned()], &no_files).expect("a shipped profile");
    let params = loaded.params().expect("its parameters");
    Request { loaded, params, ..Request::default() }
}

fn profile_loading(criterion: &mut Criterion) {
    criterion.bench_function("profile/load talos", |bench| bench.iter(talos));
    let request = talos();
    criterion.bench_function("profile/compile talos", |bench| {
        bench.iter(|| compile::compile(&request.loaded, &request.params));
    });
}

fn stages(mut group: BenchmarkGroup<'_, WallTime>, text: &str) {
    let request = talos();
    let planned = rewrite::plan(text.as_bytes(), &request).expect("the profile fits the stream");
    let Planned { survey, plan: done, .. } = planned;
    let rules = rules(&survey, &request);

    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("cut", |bench| bench.iter(|| yaml::Stream::cut(text.as_bytes())));
    group.bench_function("scan", |bench| {
        let documents: Vec<&str> = (0..survey.heads.len()).map(|index| survey.text(index)).collect();
        bench.iter(|| {
            documents.iter().for_each(|text| {
                black_box(yaml::scan(text));
            });
        });
    });
    group.bench_function("survey (cut, scan, parse what is unusual)", |bench| {
        bench.iter(|| Survey::new(text.as_bytes()));
    });
    group.bench_function("run under none", |bench| {
        let none = Request::default();
        bench.iter(|| rewrite::run(text.as_bytes(), &none));
    });
    group.bench_function("run under talos", |bench| bench.iter(|| rewrite::run(text.as_bytes(), &request)));

    // The stages behind the survey see only what some rule means.
    let candidates: Vec<usize> = match done.documents.iter().map(|document| document.index).collect() {
        // Where none is, the longest documents show what parsing costs.
        none if Vec::is_empty(&none) => longest(&survey),
        some => some,
    };
    let bytes: usize = candidates.iter().map(|index| survey.text(*index).len()).sum();
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("parse of candidates", |bench| {
        bench.iter(|| candidates.iter().map(|index| survey.parse(*index)).collect::<Vec<_>>());
    });
    group.bench_function("parse of candidates, tree alone", |bench| {
        bench.iter(|| candidates.iter().map(|index| yaml::parse(survey.text(*index))).collect::<Vec<_>>());
    });
    group.bench_function("parse of candidates, by the library's events", |bench| {
        bench.iter(|| candidates.iter().map(|index| parse_events(survey.text(*index))).collect::<Vec<_>>());
    });
    let fresh = || candidates.iter().map(|index| document(&survey, *index)).collect::<Vec<_>>();
    group.bench_function("plan", |bench| {
        bench.iter_batched(fresh, |documents| plan::plan(&survey, documents, &rules), BatchSize::LargeInput);
    });
    group.bench_function("splice", |bench| bench.iter(|| splice::splice(&survey, &done)));
    group.bench_function("proof", |bench| {
        let spliced = || {
            let Planned { plan, .. } =
                rewrite::plan(text.as_bytes(), &request).expect("the profile fits the stream");
            let spliced = splice::splice(&survey, &plan).expect("the plan can be carried out");
            (plan, spliced)
        };
        let prove = |(mut plan, spliced)| prove::prove(&survey, &mut plan, spliced).map(drop);
        bench.iter_batched(spliced, prove, BatchSize::LargeInput);
    });
    group.finish();
}

fn rules(survey: &Survey<'_>, request: &Request) -> Vec<Rule> {
    let params = detect::detect(survey, &request.loaded, request.params.clone(), &mut HashMap::new());
    compile::compile(&request.loaded, &params.expect("a readable stream")).expect("a right profile")
}

fn document<'s>(survey: &Survey<'s>, index: usize) -> PlannedDocument<'s> {
    let (tree, value) = survey.parse(index).expect("a readable document");
    PlannedDocument::new(index, tree, value)
}

fn longest(survey: &Survey<'_>) -> Vec<usize> {
    let mut all: Vec<usize> = (0..survey.heads.len()).collect();
    all.sort_by_key(|index| std::cmp::Reverse(survey.text(*index).len()));
    all.truncate(4);
    all
}
