//! The program as its users call it: the built binary, bytes in, bytes out.
//! The environment's own germ-post settings are kept away from it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one run left behind.
#[derive(Debug, Clone)]
pub struct Run {
    /// The exit code; -1 when a signal ended the process.
    pub code: i32,
    /// All of stdout.
    pub stdout: Vec<u8>,
    /// All of stderr; what is not UTF-8 is replaced.
    pub stderr: String,
}

impl Run {
    /// What a run printed that must have gone well.
    pub fn expect_ok(self) -> String {
        assert_eq!(self.code, 0, "{}", self.summary());
        String::from_utf8(self.stdout).unwrap()
    }

    /// The end of the run in one line, for failure messages.
    pub fn summary(&self) -> String {
        let lines: Vec<&str> = self.stderr.lines().take(6).collect();
        format!("exit {}, {} bytes on stdout, stderr: {}", self.code, self.stdout.len(), lines.join(" / "))
    }
}

/// A folder without a `germ-post.yaml` and without the user's state.
pub fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Runs the binary with `args` on `stdin`, in `folder`.
pub fn germ_post_in<S: AsRef<str>>(folder: &Path, args: &[S], stdin: &[u8]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_germ-post"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GERM_POST_") {
            command.env_remove(name);
        }
    }
    let mut child = command
        .args(args.iter().map(AsRef::as_ref))
        .current_dir(folder)
        .env("XDG_STATE_HOME", scratch().join("state"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A run that ends before it has read everything breaks the pipe; what
        // it printed tells the rest.
        scope.spawn(move || pipe.write_all(stdin).ok());
        child.wait_with_output().unwrap()
    });
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the binary with `args` on `stdin`, in a folder of no importance.
pub fn germ_post<S: AsRef<str>>(args: &[S], stdin: &[u8]) -> Run {
    germ_post_in(&scratch(), args, stdin)
}
