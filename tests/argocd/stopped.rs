//! Time is up: SIGTERM reaches Helm, nothing is printed, and no folder stays behind, not
//! even after a SIGKILL, for longer than until the next call.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::support::argocd::{Call, finish};

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until the scripted Helm has begun.
fn wait_for_helm(call: &Call) {
    wait_for(|| !call.logged("environment").is_empty());
}

fn wait_for(done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never happened");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_signal_is_passed_on_to_helm() {
    for name in ["TERM", "INT"] {
        let script =
            "trap 'echo told >> told; exit 1' TERM INT\necho 'kind: Half'\nwhile true; do sleep 0.05; done";
        let call = Call::with_script("apps/demo", script);
        let child = call.command("generate").spawn().unwrap();
        wait_for_helm(&call);
        // The trap is set after the environment is written down.
        std::thread::sleep(Duration::from_millis(200));
        signal(&child, name);
        let run = finish(child);
        assert_eq!(run.code, 2, "{}", run.summary());
        assert!(run.stdout.is_empty());
        assert!(run.stderr.starts_with("error[interrupted]: germ-post was told to stop"), "{}", run.stderr);
        assert!(call.folder().join("told").exists(), "Helm was not told");
        assert!(call.left_behind().is_empty(), "{:?}", call.left_behind());
    }
}

#[test]
fn a_helm_that_does_not_listen_is_killed() {
    let call = Call::with_script("apps/demo", "trap '' TERM\nwhile true; do sleep 0.05; done");
    let child = call.command("generate").spawn().unwrap();
    wait_for_helm(&call);
    signal(&child, "TERM");
    let run = finish(child);
    assert_eq!(run.code, 2, "{}", run.summary());
    assert!(call.left_behind().is_empty());
}

#[test]
fn what_a_killed_one_left_is_cleared_away_by_the_next() {
    let call = Call::with_script("apps/demo", "[ ! -e slow ] || sleep 2\necho 'kind: Thing'");
    call.write("slow", "");
    let mut child = call.command("generate").spawn().unwrap();
    wait_for_helm(&call);
    assert_eq!(call.left_behind().len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(call.folder().join("slow")).unwrap();
    call.generated();
    assert!(call.left_behind().is_empty(), "{:?}", call.left_behind());
}
