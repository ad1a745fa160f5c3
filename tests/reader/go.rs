//! Kubernetes' reader as a program: built once from tests/go-reader into a cache
//! outside the checkout, and asked about many documents in one run.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use crate::support;

/// What the reader says about one document: its JSON, or why it has none.
pub type Answer = Result<String, String>;

/// What the reader takes each document to be. `None` when there is no Go to build
/// it with.
pub fn read_all(documents: &[String]) -> Option<Vec<Answer>> {
    ask(&[], documents)
}

/// Whether the reader reads each document to its end: it reads the first node
/// only, and an error tells what it ignores behind that.
pub fn reads_to_the_end(documents: &[String]) -> Option<Vec<bool>> {
    Some(ask(&["rest"], documents)?.iter().map(Result::is_ok).collect())
}

fn ask(arguments: &[&str], documents: &[String]) -> Option<Vec<Answer>> {
    let mut child = Command::new(program()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the reader that was just built starts");
    let mut input = child.stdin.take().unwrap();
    let mut output = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for document in documents {
                input.write_all(&(document.len() as u32).to_be_bytes()).unwrap();
                input.write_all(document.as_bytes()).unwrap();
            }
        });
        child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    });
    assert!(child.wait().unwrap().success(), "the reader failed");
    let answers: Vec<Answer> = frames(&output).map(answer).collect();
    assert_eq!(answers.len(), documents.len());
    Some(answers)
}

fn frames(mut output: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = output.split_first_chunk::<4>()?;
        let (frame, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        output = rest;
        Some(frame)
    })
}

fn answer(frame: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(&frame[1..]).into_owned();
    if frame[0] == b'J' { Ok(text) } else { Err(text) }
}

/// The built program; its name carries a hash of its sources.
fn program() -> Option<PathBuf> {
    static BUILT: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    BUILT.get_or_init(build).clone()
}

fn build() -> Option<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go-reader");
    let mut hash = Sha256::new();
    for file in ["main.go", "go.mod", "go.sum"] {
        hash.update(std::fs::read(sources.join(file)).unwrap());
    }
    let name: String = hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let program = support::cache_folder()?.join(format!("go-reader-{name}"));
    if program.is_file() {
        return Some(program);
    }
    // Built beside and moved, so that a program in the cache is always whole.
    let scratch = program.with_extension(format!("{}", std::process::id()));
    let built = Command::new("go")
        .args(["build", "-mod=readonly", "-trimpath", "-o"])
        .arg(&scratch)
        .arg(".")
        .current_dir(&sources)
        .status();
    match built {
        Ok(status) if status.success() => {}
        Ok(_) | Err(_) => {
            support::skip("a Go that builds tests/go-reader");
            return None;
        }
    }
    std::fs::rename(&scratch, &program).unwrap();
    Some(program)
}
