//! `germ-post helm -- …` with both real Helms: the same rendering as with Helm's own flags,
//! the cause of a failure for both, and everything else of Helm left as it is.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use crate::support::{
    self,
    helm::{Helm, KUBE_VERSION},
    replay::Chart,
};

/// Both Helms, without any plugin.
fn helms() -> impl Iterator<Item = Helm> {
    [Helm::three(), Helm::four_without_plugin()].into_iter().flatten()
}

fn template(chart: &Chart) -> [&str; 5] {
    ["template", "release", chart.path().to_str().unwrap(), "--namespace=kube-system", KUBE_VERSION]
}

#[test]
fn it_renders_as_with_the_flags_and_tells_the_summary() {
    for helm in helms() {
        let chart = Chart::of_fixture("hooks.yaml");
        let flags = if helm.major == 3 { Helm::three() } else { Helm::four() }.unwrap();
        let expected = flags.post_render(&chart, &["--profile=talos"], &[]).expect_ok();
        let choice = ["helm", "--profile=talos", "--"];
        let run = helm.germ_post(choice.iter().chain(&template(&chart)));
        assert!(run.stderr.contains("germ-post: ") && run.stderr.contains("[talos]"), "{}", run.stderr);
        assert_eq!(run.expect_ok(), expected, "Helm {}", helm.major);
        // The same without the command's name, as a plugin is called.
        let run = helm.germ_post(["--profile=talos", "--quiet", "--"].iter().chain(&template(&chart)));
        assert_eq!(run.stderr, "", "Helm {}", helm.major);
        assert_eq!(run.expect_ok(), expected);
    }
}

#[test]
fn a_failure_has_its_cause_once() {
    let Some(corpus) = support::corpus() else { return };
    let vanilla = fs::read_to_string(corpus.join("cilium/cilium-1.20.0-vanilla.yaml")).unwrap();
    let chart = Chart::replaying(&vanilla.replace("- name: cilium-agent\n", "- name: agent\n"));
    for helm in helms() {
        let report = helm.working_directory().join("report.json");
        let run = helm.germ_post(
            ["helm", "--profile=talos", "--report=report.json", "--"].iter().chain(&template(&chart)),
        );
        assert_eq!(run.code, Some(1), "the exit code is Helm's");
        let stderr = run.expect_failure();
        for part in ["error[rule-missed]", "DaemonSet kube-system/cilium", "cilium-agent", "= help: "] {
            assert!(stderr.contains(part), "Helm {}: no {part} in\n{stderr}", helm.major);
        }
        let first = stderr.lines().find(|line| line.starts_with("error[rule-missed]")).unwrap();
        assert_eq!(stderr.matches(first).count(), 1, "Helm {} told it twice:\n{stderr}", helm.major);
        assert!(fs::read_to_string(&report).unwrap().contains("\"exit\": 3"));
    }
}

#[test]
fn what_is_wrong_with_the_profile_is_told_before_helm_runs() {
    for helm in helms() {
        let chart = Chart::of_fixture("hooks.yaml");
        let run = helm.germ_post(["helm", "--profile=talso", "--"].iter().chain(&template(&chart)));
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("did you mean `talos`?"), "{}", run.stderr);
        let run = helm.germ_post(["helm", "--"].iter().chain(&template(&chart)));
        assert!(run.stderr.starts_with("error[no-profile]"), "{}", run.stderr);
    }
}

#[test]
fn another_post_renderer_is_refused_and_so_is_what_would_not_be_post_rendered() {
    for helm in helms() {
        let chart = Chart::of_fixture("hooks.yaml");
        let with = |more: &str| {
            let words = ["helm", "--profile=talos", "--"];
            helm.germ_post(words.iter().chain(&template(&chart)).chain(&[more]))
        };
        let run = with("--post-renderer=/bin/cat");
        assert_eq!(run.code, Some(2));
        assert!(run.expect_failure().starts_with("error[post-renderer-given]"));
        let run = with("--output-dir=out");
        let out = helm.working_directory().join("out");
        if helm.major == 3 {
            assert!(run.expect_failure().starts_with("error[not-post-rendered]"));
            assert!(!out.exists());
        } else {
            run.expect_ok();
            let files = walkdir::WalkDir::new(&out).into_iter().flatten();
            let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok()).collect::<String>();
            assert!(texts.contains("externalTrafficPolicy: Cluster"), "{texts}");
        }
    }
}

/// Commands without a post-renderer are Helm's, words, streams and exit code.
#[test]
fn everything_else_is_left_to_helm() {
    for helm in helms() {
        for (words, code) in [
            (&["version", "--short"][..], 0),
            (&["env", "HELM_NAMESPACE"], 0),
            (&["show", "chart", "nowhere"], 1),
            (&["no-such-command"], 1),
            (&["plugin", "list"], 0),
        ] {
            let own = helm.run(words);
            let run = helm.germ_post(["helm", "--"].iter().chain(words));
            assert_eq!(run.code, Some(code), "{words:?}: {}", run.stderr);
            assert_eq!((run.stdout, run.stderr), (own.stdout, own.stderr), "{words:?}");
        }
    }
}

/// Values from stdin go to Helm, which is asked for them by `-f -`.
#[test]
fn stdin_is_helms() {
    for helm in helms() {
        let chart = Chart::of_fixture("hooks.yaml");
        let words = ["helm", "--profile=talos", "--", "template", "release"];
        let mut child = helm
            .germ_post_command(words.iter().chain(&[
                chart.path().to_str().unwrap(),
                "--values=-",
                KUBE_VERSION,
            ]))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        use std::io::Write as _;
        child.stdin.take().unwrap().write_all(b"a: [\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains("parse"), "Helm {}: {stderr}", helm.major);
    }
}

/// A signal reaches Helm, and its exit code comes back: a release that is being written must
/// be able to say that it failed.
#[test]
fn a_signal_is_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let helm = folder.path().join("helm");
    let text = "#!/bin/sh\ntrap 'echo told >&2; exit 7' TERM\necho begun\nwhile :; do sleep 0.05; done\n";
    fs::write(&helm, text).unwrap();
    fs::set_permissions(&helm, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_germ-post"))
        .args(["helm", "--", "list"])
        .env("HELM_BIN", &helm)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut begun = [0; 6];
    use std::io::Read as _;
    child.stdout.as_mut().unwrap().read_exact(&mut begun).unwrap();
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "told\n");
}
