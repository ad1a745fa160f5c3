//! A temporary folder as a user's repository, with the program run in it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::run::{Run, germ_post_in};

/// A stream of one object that most tests need no more than.
pub const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: \"1\"\n";

/// A folder with files in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders that it is in.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs the program in the folder.
    pub fn run(&self, args: &[&str], stdin: &str) -> Run {
        germ_post_in(self.path(), args, stdin.as_bytes())
    }

    /// Runs the program in a folder below, with environment variables.
    pub fn run_with(&self, below: &str, environment: &[(&str, &str)], args: &[&str], stdin: &str) -> Run {
        use std::io::Write as _;
        let mut child = Command::new(env!("CARGO_BIN_EXE_germ-post"))
            .args(args)
            .current_dir(self.path().join(below))
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A run that fails early does not read it.
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).ok();
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A profile of one rule that sets `data.<key>` of every ConfigMap.
pub fn setter(name: &str, key: &str, value: &str) -> String {
    format!(
        "apiVersion: germ-post.dev/v1\nkind: Profile\nname: {name}\nrules:\n  - id: {name}/{key}\n    \
         title: Sets {key}\n    why: A test needs it.\n    match: {{kind: ConfigMap}}\n    \
         edit: [{{set: data.{key}, value: {value}, was: present}}]\n"
    )
}

/// Asserts that a run failed with this code, printed nothing, and said all this.
#[track_caller]
pub fn fails(run: &Run, code: i32, says: &[&str]) {
    assert_eq!(run.code, code, "{}", run.stderr);
    assert_eq!(String::from_utf8_lossy(&run.stdout), "");
    for text in says {
        assert!(run.stderr.contains(text), "`{text}` is not in\n{}", run.stderr);
    }
}
