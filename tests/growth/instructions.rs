//! Work in instructions, as valgrind's callgrind counts them in the built program,
//! from where it has read its input to where it has the output. Skipped, also in CI,
//! where there is no valgrind: it is not built like the other tools.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shapes::{Case, SHAPES, Shape, TIMES, rules};

/// Instructions of `rewrite::run` with everything it calls.
fn run(case: &Case, folder: &Path) -> f64 {
    let (profile, stream, counts) =
        (folder.join("growth.yaml"), folder.join("stream.yaml"), folder.join("counts"));
    fs::write(&profile, &case.profile).unwrap();
    fs::write(&stream, &case.stream).unwrap();
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=germ_post::rewrite::run::run*"])
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(env!("CARGO_BIN_EXE_germ-post"))
        .arg("--profile")
        .arg(&profile)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .stdin(File::open(&stream).unwrap())
        .stdout(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(&counts).unwrap_or_else(|error| panic!("{error}: {said}"));
    let counted = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    let counted: f64 = counted.unwrap_or_else(|| panic!("nothing was counted: {said}"));
    assert!(counted > 10_000.0, "the program was not seen to run: {counted} instructions, {said}");
    counted
}

fn is_there() -> bool {
    let version =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = version.is_ok_and(|status| status.success());
    if !is_there {
        println!("skipped: valgrind is missing; the allocations alone are counted");
    }
    is_there
}

#[test]
fn instructions_grow_no_faster_than_what_is_asked_for() {
    if !is_there() {
        return;
    }
    let faster = |shape: &Shape| {
        let folder = tempfile::tempdir().unwrap();
        let small = run(&(shape.case)(shape.from), folder.path());
        let large = run(&(shape.case)(shape.from * TIMES), folder.path());
        let ratio = large / small;
        let line = format!("{}: {ratio:.2} times the instructions ({small:.0}, {large:.0})", shape.name);
        println!("{line}");
        (ratio > shape.limit).then_some(line)
    };
    // Two at a time: each is a process.
    let (one, other) = SHAPES.split_at(SHAPES.len() / 2);
    let faster: Vec<String> = std::thread::scope(|scope| {
        let one = scope.spawn(|| one.iter().filter_map(faster).collect::<Vec<_>>());
        let other: Vec<String> = other.iter().filter_map(faster).collect();
        one.join().unwrap().into_iter().chain(other).collect()
    });
    assert!(faster.is_empty(), "for {TIMES} times as much: {faster:#?}");
}

#[test]
fn a_thousand_rules_cost_a_stream_no_more_than_a_hundred() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // What the rules themselves cost is in both, and is no part of it.
    let cost = |count| run(&rules(count, 1600), folder.path()) - run(&rules(count, 400), folder.path());
    let (few, many) = (cost(100), cost(1000));
    println!("{few:.0} instructions for a stream with 100 rules, {many:.0} with 1,000");
    assert!(many < few * 1.3, "{few} instructions for a stream with 100 rules, {many} with 1,000");
}
