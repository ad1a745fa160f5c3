//! Work in allocations: how many there are, and of how many bytes. That of this
//! thread alone, so a test that finds nothing to count fails.

use allocation_counter::{AllocationInfo, measure};
use germ_post::profile::load;
use germ_post::rewrite::{self, Request};

use crate::shapes::{Case, SHAPES, Shape, TIMES, rules};

fn request(profile: &str) -> Request {
    let loaded = load::load(&["./growth.yaml".to_owned()], &|_| Ok(profile.to_owned())).unwrap();
    let params = loaded.params().unwrap();
    Request { loaded, params, ..Request::default() }
}

/// What a run allocates, its result included.
fn run(case: &Case) -> AllocationInfo {
    let request = request(&case.profile);
    measure(|| drop(rewrite::run(case.stream.as_bytes(), &request)))
}

#[test]
fn allocations_grow_no_faster_than_what_is_asked_for() {
    let faster = |shape: &Shape| {
        let (small, large) = (run(&(shape.case)(shape.from)), run(&(shape.case)(shape.from * TIMES)));
        // Buffers that double may have doubled once more.
        let ratio = |small: u64, large: u64| large as f64 / small as f64;
        let (count, bytes) =
            (ratio(small.count_total, large.count_total), ratio(small.bytes_total, large.bytes_total));
        assert!(small.count_total > 10, "{}: nothing was counted", shape.name);
        println!("{}: {count:.2} times the allocations, {bytes:.2} times the bytes", shape.name);
        let limit = TIMES as f64 * 1.25;
        (count > limit || bytes > limit)
            .then(|| format!("{}: {count:.2} times the allocations, {bytes:.2} times the bytes", shape.name))
    };
    let faster: Vec<String> = SHAPES.iter().filter_map(faster).collect();
    assert!(faster.is_empty(), "for {TIMES} times as much: {faster:#?}");
}

#[test]
fn a_document_that_no_rule_means_allocates_nothing() {
    let documents = SHAPES.iter().find(|shape| shape.name == "untouched documents").unwrap();
    let (small, large) = (run(&(documents.case)(500)), run(&(documents.case)(2000)));
    let more = large.count_total - small.count_total;
    // The lists of documents double a few times.
    assert!(more <= 8, "{more} allocations more for 1,500 documents more");
}

#[test]
fn a_thousand_rules_cost_a_stream_no_more_allocations_than_a_hundred() {
    let cost = |count: usize| run(&rules(count, 1600)).count_total - run(&rules(count, 400)).count_total;
    let (few, many) = (cost(100), cost(1000));
    assert!(many <= few + 20, "{few} allocations for a stream with 100 rules, {many} with 1,000");
}
