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
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"check"), "{help}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = folder.path().join(format!("germ-post-{command}.1"));
        assert!(std::fs::read_to_string(&page).is_ok_and(|text| text.contains(".TH")), "{}", page.display());
    }
    assert!(germ_post(&["man"], b"").expect_ok().contains(".SH"));
}
