//! A command line of Helm: which command it is, whether a post-renderer belongs to it, and
//! what of it cannot go together with one of ours.

use std::ffi::{OsStr, OsString};

use super::Version;
use crate::diagnostic::Diagnostic;

/// The commands of Helm that take a post-renderer. Source: `helm COMMAND --help` of 3.22 and 4.3.
const POST_RENDERED: &[&str] = &["install", "template", "upgrade"];

/// Helm's flags for every command that take a value in a word of its own, so that the word
/// behind one is no command. Source: `helm --help` of 3.22 and 4.3.
const VALUED: &[&str] = &[
    "-n",
    "--burst-limit",
    "--color",
    "--colour",
    "--content-cache",
    "--kube-apiserver",
    "--kube-as-group",
    "--kube-as-user",
    "--kube-ca-file",
    "--kube-context",
    "--kube-tls-server-name",
    "--kube-token",
    "--kubeconfig",
    "--namespace",
    "--qps",
    "--registry-config",
    "--repository-cache",
    "--repository-config",
];

/// The words behind `helm`.
#[derive(Debug, Clone, Copy)]
pub struct CommandLine<'w> {
    words: &'w [OsString],
    /// Where the command is, which flags may stand in front of.
    command: Option<usize>,
}

impl<'w> CommandLine<'w> {
    /// Looks for the command among the words.
    pub fn new(words: &'w [OsString]) -> Self {
        let mut command = None;
        let mut index = 0;
        while let Some(word) = words.get(index) {
            let word = word.to_string_lossy();
            if !word.starts_with('-') {
                command = Some(index);
                break;
            }
            index += if VALUED.contains(&word.as_ref()) { 2 } else { 1 };
        }
        Self { words, command }
    }

    /// Whether the command takes a post-renderer.
    pub fn is_post_rendered(&self) -> bool {
        self.command().is_some_and(|command| POST_RENDERED.iter().any(|name| command == *name))
    }

    /// Refuses what does not go together with a post-renderer of ours.
    pub fn check(&self, version: Version) -> Result<(), Diagnostic> {
        let has = |flag: &str| {
            let valued = format!("{flag}=");
            self.words.iter().any(|word| {
                let word = word.to_string_lossy();
                word == flag || word.starts_with(&valued)
            })
        };
        if let Some(flag) = ["--post-renderer", "--post-renderer-args"].into_iter().find(|flag| has(flag)) {
            let message = format!("Helm is given {flag}, and germ-post is the post-renderer here");
            return Err(Diagnostic::input("post-renderer-given", message)
                .note("Helm takes one post-renderer")
                .help(format!("leave {flag} out, and give germ-post its options in front of the `--`"))
                .help("or call Helm itself, and germ-post in that post-renderer"));
        }
        // It writes them before it runs the post-renderer, which then gets nothing to read.
        let is_template = self.command().is_some_and(|command| command == "template");
        if version.major < 4 && is_template && has("--output-dir") {
            let message = "Helm 3 does not post-render what it writes to --output-dir";
            return Err(Diagnostic::input("not-post-rendered", message)
                .help("leave --output-dir out, and write stdout to a file; or take Helm 4"));
        }
        Ok(())
    }

    /// The words with the post-renderer's flags behind the command, where neither a `--` nor a
    /// flag's missing value can get hold of them.
    pub fn with(&self, flags: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let split = self.command.map_or(0, |index| index + 1);
        let mut words = self.words[..split].to_vec();
        words.extend(flags);
        words.extend_from_slice(&self.words[split..]);
        words
    }

    fn command(&self) -> Option<&'w OsStr> {
        self.command.map(|index| self.words[index].as_os_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(Into::into).collect()
    }

    const THREE: Version = Version { major: 3, minor: 22, patch: None };
    const FOUR: Version = Version { major: 4, minor: 3, patch: None };

    #[test]
    fn the_command_is_found_behind_flags() {
        for (text, expected) in [
            ("upgrade --install cilium charts/cilium", true),
            ("-n kube-system install cilium charts/cilium", true),
            ("--namespace=kube-system --debug template cilium .", true),
            ("--kube-context upgrade list", false),
            ("get values upgrade", false),
            ("list", false),
            ("--help", false),
            ("-n", false),
        ] {
            assert_eq!(CommandLine::new(&words(text)).is_post_rendered(), expected, "{text}");
        }
    }

    #[test]
    fn flags_come_behind_the_command() {
        let given = words("-n kube-system upgrade cilium -- charts/cilium");
        let with = CommandLine::new(&given).with(words("--post-renderer=x"));
        assert_eq!(with, words("-n kube-system upgrade --post-renderer=x cilium -- charts/cilium"));
    }

    #[test]
    fn another_post_renderer_is_refused() {
        for flags in ["--post-renderer x", "--post-renderer=x", "--post-renderer-args --profile=talos"] {
            let given = words(&format!("upgrade cilium . {flags}"));
            let error = CommandLine::new(&given).check(FOUR).unwrap_err();
            assert_eq!(error.code, "post-renderer-given", "{flags}");
        }
        assert!(CommandLine::new(&words("upgrade cilium . --post-renderers x")).check(FOUR).is_ok());
    }

    #[test]
    fn helm_3_writes_a_folder_before_it_post_renders() {
        let given = words("template cilium . --output-dir out");
        assert_eq!(CommandLine::new(&given).check(THREE).unwrap_err().code, "not-post-rendered");
        assert!(CommandLine::new(&given).check(FOUR).is_ok());
        assert!(CommandLine::new(&words("install cilium .")).check(THREE).is_ok());
    }
}
