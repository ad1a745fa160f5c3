//! What a package puts beside the program: completions that a shell accepts, a page for each
//! command, and a version that names the profiles.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::run::{germ_post, scratch};

#[test]
fn the_version_names_every_profile_with_its_own() {
    for flag in ["--version", "-V"] {
        let text = germ_post(&[flag], b"").expect_ok();
        let first = text.lines().next().unwrap();
        assert!(first.starts_with(&format!("germ-post {}", env!("CARGO_PKG_VERSION"))), "{text}");
        let profiles = germ_post(&["profiles", "list"], b"").expect_ok();
        for name in profiles.lines().filter_map(|line| line.split_whitespace().next()) {
            let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name} ")));
            let version = line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
            assert_eq!(version.split('.').count(), 3, "{name}: {text}");
        }
    }
}

#[test]
fn bash_accepts_its_completions() {
    let script = germ_post(&["completions", "bash"], b"").expect_ok();
    let Ok(mut bash) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else { return };
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
    for shell in ["elvish", "fish", "powershell", "zsh"] {
        assert!(germ_post(&["completions", shell], b"").expect_ok().contains("profile"), "{shell}");
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir_in(scratch()).unwrap();
    germ_post(&["man", "--out", folder.path().to_str().unwrap()], b"").expect_ok();
    let help = germ_post(&["--help"], b"").expect_ok();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"check"), "{help}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = folder.path().join(format!("germ-post-{command}.1"));
        assert!(std::fs::read_to_string(&page).is_ok_and(|text| text.contains(".TH")), "{}", page.display());
    }
    assert!(germ_post(&["man"], b"").expect_ok().contains(".SH"));
}

/// Colours are asked for by one option everywhere, and the environment is heard where nothing
/// is asked for.
#[test]
fn colours_are_shown_where_they_are_wanted() {
    use crate::program;
    let folder = tempfile::tempdir_in(scratch()).unwrap();
    std::fs::write(folder.path().join("bad.yaml"), "a: [b\n").unwrap();
    std::fs::write(
        folder.path().join("service.yaml"),
        "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: LoadBalancer, externalTrafficPolicy: Local}\n",
    )
    .unwrap();
    let has_colours = |args: &[&str], variable: Option<(&str, &str)>| {
        let mut command = program::germ_post(folder.path());
        let output = program::run(command.args(args).envs(variable), "a: [b\n");
        let text = [output.stdout, output.stderr].concat();
        assert!(text.len() > 20, "{args:?}");
        text.contains(&b'\x1b')
    };
    for args in [
        &["--profile=none"][..],
        &["check", "--profile=talos", "service.yaml"],
        &["check", "bad.yaml"],
        &["diff", "--profile=talos", "service.yaml"],
        &["diff", "--profile=talos", "--format=unified", "service.yaml"],
        &["explain", "no-such-rule"],
        &["policy", "graph", "bad.yaml"],
    ] {
        let with = |color: &str| has_colours(&[args, &[color]].concat(), None);
        assert!(!has_colours(args, None), "{args:?}: no terminal shows them");
        assert!(with("--color=always"), "{args:?}");
        assert!(!with("--color=never"), "{args:?}");
        assert!(has_colours(args, Some(("CLICOLOR_FORCE", "1"))), "{args:?}");
        assert!(!has_colours(args, Some(("NO_COLOR", "1"))), "{args:?}");
        // Who types an option means it more than who set a variable once.
        assert!(has_colours(&[args, &["--color=always"]].concat(), Some(("NO_COLOR", "1"))), "{args:?}");
    }
    assert!(has_colours(&["--color", "always", "check", "bad.yaml"], None), "in front of a command");
    assert!(!has_colours(&["--color=never", "check", "bad.yaml"], Some(("CLICOLOR_FORCE", "1"))));
    // What is read by programs has none, whatever is asked for.
    for format in ["json", "sarif", "junit", "gitlab"] {
        let format = format!("--format={format}");
        let args = ["check", "--profile=talos", "--color=always", &format, "service.yaml"];
        assert!(!has_colours(&args, None), "{format}");
    }
}
