//! What is found out before anything is done.

use crate::world::World;

#[test]
fn a_context_has_to_be_named_and_known() {
    let Some(world) = World::one() else { return };
    let none = world.end(world.start(&[]));
    assert_eq!(none.code, 2);
    for said in ["no kubectl context is given", "contexts: test", "--current-context"] {
        assert!(none.stderr.contains(said), "{}", none.stderr);
    }
    let wrong = world.end(world.start(&["--context=tets"]));
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("there is no kubectl context `tets`"), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("did you mean `test`?"), "{}", wrong.stderr);
    let current = world.end(world.start(&["--current-context", "--dry-run"]));
    assert!(current.stdout.starts_with(b"context test, "), "{}", current.summary());
    assert_eq!(world.revisions().0, 0);
}

#[test]
fn missing_programs_and_a_silent_server_are_told_early() {
    let Some(world) = World::one() else { return };
    let run = |change: &dyn Fn(&mut std::process::Command)| {
        let mut command = world.command(env!("CARGO_BIN_EXE_germ-post"));
        command.args(["bootstrap", world.chart.path(), "--profile=talos", "--context=test", "--offline"]);
        change(&mut command);
        let run = world.end(command.spawn().unwrap());
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{}", run.stderr);
        run.stderr
    };
    let no_helm = run(&|command| {
        command.env_remove("HELM_BIN").env("PATH", "/none");
    });
    assert!(no_helm.contains("there is no `helm` in PATH"), "{no_helm}");
    let no_kubectl = run(&|command| {
        command.env("PATH", "/none");
    });
    assert!(no_kubectl.contains("there is no `kubectl` in PATH"), "{no_kubectl}");
    let text = std::fs::read_to_string(world.cluster.kubeconfig()).unwrap();
    let port = text.split("127.0.0.1:").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let silent = world.cluster.kubeconfig().with_file_name("silent");
    std::fs::write(&silent, text.replace(&port, "1")).unwrap();
    let no_server = run(&|command| {
        command.env("KUBECONFIG", &silent);
    });
    assert!(no_server.contains("kubectl failed in context test"), "{no_server}");
    assert!(no_server.contains("refused"), "{no_server}");
}

/// A kind that nobody is going to register would fail the release half-way.
#[test]
fn an_object_of_a_kind_that_nobody_registers_is_refused() {
    let Some(world) = World::one() else { return };
    let template = std::path::Path::new(world.chart.path()).join("templates/thing.yaml");
    std::fs::write(&template, "apiVersion: example.org/v1\nkind: Thing\nmetadata:\n  name: thing\n").unwrap();
    let run = world.bootstrap(&[]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("does not serve Thing of example.org/v1"), "{}", run.stderr);
    assert_eq!(world.revisions().0, 0);
}

#[test]
fn offline_nothing_is_fetched() {
    let Some(world) = World::one() else { return };
    std::fs::remove_dir_all(std::path::Path::new(world.chart.path()).join("charts")).unwrap();
    let run = world.bootstrap(&[]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("charts/ lacks cilium"), "{}", run.stderr);
}

/// A lock that is stale, and a repository that is a folder: `build` refuses, `update` does it.
#[test]
fn dependencies_are_fetched_as_the_lock_says_or_anew() {
    let Some(world) = World::one() else { return };
    let chart = std::path::Path::new(world.chart.path());
    let beside = chart.with_file_name("vendored");
    std::fs::rename(chart.join("charts/cilium"), &beside).unwrap();
    let description = std::fs::read_to_string(chart.join("Chart.yaml")).unwrap();
    let local = description.replace("https://helm.cilium.io/", "file://../vendored");
    assert_ne!(local, description);
    std::fs::write(chart.join("Chart.yaml"), local).unwrap();
    let stale = "dependencies: []\ndigest: sha256:00\ngenerated: \"2026-01-01T00:00:00Z\"\n";
    std::fs::write(chart.join("Chart.lock"), stale).unwrap();
    let mut command = world.command(env!("CARGO_BIN_EXE_germ-post"));
    command.args(["bootstrap", world.chart.path(), "--profile=talos", "--context=test", "--dry-run"]);
    let run = world.end(command.spawn().unwrap());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(chart.join("charts/cilium-1.20.2.tgz").exists());
    assert!(String::from_utf8_lossy(&run.stdout).contains("DaemonSet/cilium"));
}
