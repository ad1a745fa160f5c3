//! Every block of README.md and docs/ that shows a command or what one prints is run, or says
//! why it is not.
//!
//! | fence | what happens |
//! |---|---|
//! | `console`, `console NEED…` | each line behind `$ ` is run, and what stands below must be what it prints |
//! | `sh`, `sh NEED…` | each line is run and must end with 0 |
//! | `sh WHY`, `console WHY` | is not run; what it says to germ-post must be understood |
//! | `yaml FILE`, `json FILE`, … | is a file, which is written for the commands below |
//! | `yaml`, `json` | must be that, and be read by germ-post where it is for it |
//! | `LANGUAGE WORD` | another test takes it by this word |
//!
//! Needs are programs and the corpus; without them a block is skipped, and with `GERM_CI=1` that
//! is a failure. A page says what lies in its folder by comments: `<!-- file: NAME = SOURCE -->`
//! copies something of the repository, `<!-- run: COMMAND -->` runs a command that is not shown.
//! `GERM_UPDATE=1` writes what was printed into the page.

use std::fmt::Write as _;

use germ_post::yaml;

use super::session::{Session, is_shown, steps};
use crate::support::page::{Block, Page, Part, update};
use crate::support::run::germ_post;

/// What a block may need to be run.
const NEEDS: &[&str] = &["helm", "helm3", "kustomize", "yq", "dyff", "corpus"];

/// Why a block is not run.
const REASONS: &[(&str, &str)] = &[
    ("cluster", "it needs a cluster"),
    ("network", "it needs the network"),
    ("build", "it builds or measures the program"),
    ("place", "it names files of the reader's"),
];

/// The words by which other tests take blocks.
const TAKEN: &[(&str, &[&str])] = &[
    ("docs/check.md", &["profile", "input", "finds"]),
    ("docs/diff.md", &["old", "new", "brief"]),
    ("docs/other-doors.md", &["transformer", "function"]),
    ("docs/profiles.md", &["profile", "input", "output", "error"]),
    ("docs/values.md", &["profile", "prints", "overlay"]),
];

/// Blocks of these languages show nothing that could go stale here: pictures, other programs'
/// configuration.
const FREE: &[&str] = &["dockerfile", "hcl"];

#[test]
fn what_pages_show_is_what_happens() {
    let mut wrong = Vec::new();
    let mut ran = 0;
    for page in Page::for_users() {
        let session = Session::new();
        let mut written = page.text.clone();
        for part in page.parts() {
            match part {
                Part::Comment { text, line } => set_up(&session, &text, &format!("{}:{line}", page.name)),
                Part::Block(block) => {
                    if let Some(name) = file_name(&block) {
                        session.write(name, &block.text);
                        continue;
                    }
                    let shown = match block.language() {
                        "console" | "sh" if reason(&block).is_none() => run(&session, &block),
                        _ => continue,
                    };
                    ran += 1;
                    match shown {
                        Ok(()) => {}
                        Err(actual) if update() && block.language() == "console" => {
                            let indented = |text: &str| -> String {
                                text.lines().map(|line| format!("{}{line}\n", block.indent)).collect()
                            };
                            written = written.replacen(&indented(&block.text), &indented(&actual), 1);
                        }
                        Err(actual) => wrong.push(format!("{}:{}\n{actual}", page.name, block.line)),
                    }
                }
                Part::Line { .. } => {}
            }
        }
        if written != page.text {
            std::fs::write(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&page.name), written)
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{} blocks are not what happens:\n{}", wrong.len(), wrong.join("\n"));
    println!("{ran} blocks were run");
    assert!(ran >= 30, "only {ran} blocks were run");
}

/// Does what a comment asks for, if it asks for something.
fn set_up(session: &Session, comment: &str, place: &str) {
    if let Some((name, source)) = comment.strip_prefix("file: ").and_then(|rest| rest.split_once(" = ")) {
        session.copy(source, name);
    } else if let Some(command) = comment.strip_prefix("run: ") {
        let (output, code) = session.run(&[command]).remove(0);
        assert_eq!(code, 0, "{place}: {output}");
    }
}

/// Runs the commands of a block; if something else came of them, the block as it would be right.
fn run(session: &Session, block: &Block) -> Result<(), String> {
    let provided = block.words().iter().all(|need| session.provide(need));
    if !provided {
        return Ok(());
    }
    let steps = steps(&block.text);
    let commands: Vec<&str> = steps.iter().map(|step| step.command.as_str()).collect();
    let ran = session.run(&commands);
    if block.language() == "sh" {
        let failed = steps.iter().zip(&ran).find(|(_, (_, code))| *code != 0);
        return match failed {
            None => Ok(()),
            Some((step, (output, code))) => Err(format!("{} ends with {code}: {output}", step.command)),
        };
    }
    if steps.iter().zip(&ran).all(|(step, (output, _))| is_shown(&step.output, output)) {
        return Ok(());
    }
    let mut actual = String::new();
    for (step, (output, _)) in steps.iter().zip(&ran) {
        let shown = if is_shown(&step.output, output) { &step.output } else { output };
        writeln!(actual, "$ {}", step.command.replace('\n', "\n> ")).unwrap();
        actual.push_str(shown);
        if !shown.is_empty() && !shown.ends_with('\n') {
            actual.push('\n');
        }
    }
    Err(actual)
}

/// The file that a block is, if it is one.
fn file_name(block: &Block) -> Option<&'static str> {
    let words = block.words();
    let word = words.first().filter(|word| word.contains('.'))?;
    Some(Box::leak((*word).to_owned().into_boxed_str()))
}

/// Why a block is not run, if it is not.
fn reason(block: &Block) -> Option<&'static str> {
    let words = block.words();
    REASONS.iter().find(|(word, _)| words.contains(word)).map(|(_, reason)| *reason)
}

#[test]
fn no_block_is_left_alone() {
    let mut wrong = Vec::new();
    let mut unrun = Vec::new();
    for page in Page::for_users() {
        let taken = TAKEN.iter().find(|(name, _)| *name == page.name).map_or(&[][..], |(_, words)| words);
        for block in page.blocks() {
            let words = block.words();
            let fine = match block.language() {
                "console" | "sh" => {
                    if let Some(reason) = reason(&block).filter(|_| !page.name.starts_with("docs/commands/"))
                    {
                        unrun.push(format!("{}:{}: {reason}", page.name, block.line));
                    }
                    words
                        .iter()
                        .all(|word| NEEDS.contains(word) || REASONS.iter().any(|(reason, _)| reason == word))
                }
                _ if file_name(&block).is_some() || words.iter().any(|word| taken.contains(word)) => true,
                "yaml" | "json" => words.is_empty(),
                // On pages that are made from the code.
                "text" | "diff" => {
                    words == ["made"]
                        && ["docs/rules/", "docs/commands/"].iter().any(|made| page.name.starts_with(made))
                }
                language => FREE.contains(&language),
            };
            if !fine {
                wrong.push(format!("{}:{}: ```{}", page.name, block.line, block.info));
            }
        }
    }
    assert!(wrong.is_empty(), "no test knows what to do with\n{}", wrong.join("\n"));
    println!("{} blocks are not run:\n{}", unrun.len(), unrun.join("\n"));
}

#[test]
fn what_is_not_run_is_understood() {
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for page in Page::for_users() {
        for block in page.blocks().filter(|block| reason(block).is_some()) {
            for step in steps(&block.text) {
                for call in calls(&step.command) {
                    looked_at += 1;
                    if let Err(flag) = understood(&call) {
                        wrong.push(format!("{}:{}: {flag} in {}", page.name, block.line, call.join(" ")));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(looked_at >= 10, "{looked_at} calls");
}

/// The calls of germ-post in a command line, each as its words.
fn calls(command: &str) -> Vec<Vec<String>> {
    let line = command.replace("\\\n", " ");
    let mut calls = Vec::new();
    for simple in line.split(['|', ';', '(', ')']).flat_map(|part| part.split("&&")) {
        let words: Vec<&str> = simple.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        // Variables may stand in front, and `--` ends what is germ-post's.
        let Some(at) = words.iter().position(|word| !word.contains('=')) else { continue };
        if words[at] == "germ-post" {
            let own = words[at + 1..].iter().take_while(|word| **word != "--" && !word.contains(['<', '>']));
            calls.push(own.map(|word| (*word).to_owned()).collect());
        }
    }
    calls
}

/// Whether there is such a command, and its `--help` knows every flag; else the unknown word.
fn understood(call: &[String]) -> Result<(), String> {
    let mut asked: Vec<&str> = vec!["--help"];
    let mut help = germ_post(&asked, b"").expect_ok();
    for word in call.iter().take_while(|word| !word.starts_with('-')) {
        asked.insert(asked.len() - 1, word);
        let run = germ_post(&asked, b"");
        if run.code != 0 {
            return Err(word.clone());
        }
        help = run.expect_ok();
    }
    for word in call.iter().filter(|word| word.starts_with('-') && word.len() > 1) {
        let flag = word.split('=').next().unwrap();
        let known =
            help.lines().any(|line| line.trim_start().split([' ', ',', '=', '[']).any(|known| known == flag));
        if !known {
            return Err(flag.to_owned());
        }
    }
    Ok(())
}

#[test]
fn a_flag_that_is_not_there_is_found() {
    let calls = calls("X=1 germ-post values --profile talos \\\n  --nonsense > out | germ-post -q # -z");
    assert_eq!(calls.len(), 2);
    assert_eq!(understood(&calls[0]), Err("--nonsense".to_owned()));
    assert_eq!(understood(&calls[1]), Ok(()));
    assert_eq!(understood(&["profiles".to_owned(), "lsit".to_owned()]), Err("lsit".to_owned()));
}

#[test]
fn yaml_of_pages_is_yaml() {
    let folder = tempfile::tempdir().unwrap();
    for page in Page::for_users() {
        for block in page.blocks().filter(|block| block.language() == "yaml") {
            let place = format!("{}:{}", page.name, block.line);
            let stream = yaml::Stream::cut(block.text.as_bytes()).unwrap_or_else(|_| panic!("{place}"));
            for document in stream.documents() {
                let text = stream.document_text(document);
                assert!(yaml::parse(text).is_ok(), "{place} is not YAML");
            }
            if block.text.contains("\nkind: Config\n") && block.words().is_empty() {
                let config = folder.path().join("germ-post.yaml");
                std::fs::write(&config, &block.text).unwrap();
                let args = ["profiles", "lock", "--check", "--config", config.to_str().unwrap()];
                let run = germ_post(&args, b"");
                let unknown = ["unknown field", "config-invalid", "param-unknown"];
                assert!(!unknown.iter().any(|word| run.stderr.contains(word)), "{place}: {}", run.stderr);
            }
        }
    }
}
