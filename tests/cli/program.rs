//! Running the program with a clean environment and a given stdin.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A command that sees nothing of the environment of the test run: no profile, no
/// configuration, its own home.
pub fn germ_post(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_germ-post"));
    command.env_clear().env("HOME", folder).env("PATH", "/usr/bin:/bin").current_dir(folder);
    command
}

/// Starts it with all three standard streams as pipes.
pub fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs it on some bytes.
pub fn run_bytes(command: &mut Command, input: &[u8]) -> Output {
    let mut child = start(command);
    // The child may be gone before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Runs it on a text.
pub fn run(command: &mut Command, input: &str) -> Output {
    run_bytes(command, input.as_bytes())
}

/// Runs it and expects a failure: this exit code, nothing on stdout, and these
/// texts on stderr.
pub fn fails(command: &mut Command, input: &str, code: i32, texts: &[&str]) -> String {
    let output = run(command, input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{stderr}");
    for text in texts {
        assert!(stderr.contains(text), "`{text}` is not in\n{stderr}");
    }
    stderr
}

/// Runs it and expects success; stdout and stderr.
pub fn succeeds(command: &mut Command, input: &str) -> (String, String) {
    let output = run(command, input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}
