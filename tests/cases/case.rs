//! One case folder as it lies on the disk.
//!
//! `input.yaml` is the input; `args` the arguments, `--profile talos` without it;
//! `expect.yaml` the exact output of a run that succeeds, or `expect.exit` the
//! exit code and `expect.stderr` texts, one a line, that stderr must hold;
//! `expect.md` says the trouble, the right result and why.

use std::path::{Path, PathBuf};

use crate::support::run::{self, Run};

/// A case with an `input.yaml`.
#[derive(Debug)]
pub struct Case {
    pub folder: PathBuf,
    pub args: Vec<String>,
    pub input: Vec<u8>,
    pub expect: Expect,
}

/// What the folder says must come out.
#[derive(Debug)]
pub enum Expect {
    /// Exit 0 and this on stdout.
    Output(Vec<u8>),
    /// This exit code, nothing on stdout, and these texts on stderr.
    Error { code: i32, texts: Vec<String> },
    /// Only the prose says it.
    Prose,
}

/// What a folder of another kind is about, when it is not about post-rendering.
pub fn other_kind(folder: &Path) -> Option<&'static str> {
    let has = |name: &str| folder.join(name).is_file();
    if has("input.yaml") {
        None
    } else if has("values.yaml") {
        Some("a values file")
    } else if has("before.yaml") && has("after.yaml") {
        Some("two streams to compare")
    } else {
        Some("nothing that is known")
    }
}

/// The folders in `folder`, in order.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

impl Case {
    /// Reads the folder; a folder that contradicts itself is an error.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        let output = std::fs::read(folder.join("expect.yaml")).ok();
        let expect = match (output, text("expect.exit"), text("expect.stderr")) {
            (Some(output), None, None) => Expect::Output(output),
            (None, Some(code), Some(texts)) => {
                let code: i32 = code
                    .trim()
                    .parse()
                    .map_err(|error| format!("expect.exit: {error}"))?;
                let texts: Vec<String> = texts.lines().map(str::to_owned).collect();
                if code == 0 || texts.is_empty() || texts.iter().any(|text| text.trim().is_empty())
                {
                    return Err(
                        "expect.exit and expect.stderr must tell a failure apart".to_owned()
                    );
                }
                Expect::Error { code, texts }
            }
            (None, None, None) => Expect::Prose,
            _ => return Err("either expect.yaml, or expect.exit and expect.stderr".to_owned()),
        };
        if text("expect.md").is_none_or(|prose| prose.trim().is_empty()) {
            return Err("expect.md is missing".to_owned());
        }
        let args = text("args").unwrap_or_else(|| "--profile talos".to_owned());
        Ok(Self {
            folder: folder.to_owned(),
            args: args.split_whitespace().map(str::to_owned).collect(),
            input: std::fs::read(folder.join("input.yaml")).map_err(|error| error.to_string())?,
            expect,
        })
    }

    /// Runs the case's arguments in its folder on `input`.
    pub fn run_on(&self, input: &[u8]) -> Run {
        run::germ_post_in(&self.folder, &self.args, input)
    }

    /// Runs the case.
    pub fn run(&self) -> Run {
        self.run_on(&self.input)
    }
}
