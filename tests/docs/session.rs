//! A folder in which the commands of one page are run, in the order of the page, with the
//! programs that it names and nothing else of the user's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{corpus, run::scratch, tools};

/// A command of a block and what it is said to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// As it is typed, over several lines perhaps.
    pub command: String,
    /// What follows it.
    pub output: String,
}

/// The folder.
pub struct Session {
    place: tempfile::TempDir,
}

/// Ends what a command printed; with the exit code between two of them.
const MARK: char = '\u{1e}';

impl Session {
    /// An empty folder, with germ-post in `PATH`.
    pub fn new() -> Self {
        let place = tempfile::tempdir_in(scratch()).unwrap();
        for folder in ["work", "bin", "home"] {
            fs::create_dir(place.path().join(folder)).unwrap();
        }
        let session = Self { place };
        session.program("germ-post", Path::new(env!("CARGO_BIN_EXE_germ-post")));
        session
    }

    fn below(&self, path: &str) -> PathBuf {
        self.place.path().join(path)
    }

    fn program(&self, name: &str, path: &Path) {
        let link = self.below("bin").join(name);
        fs::remove_file(&link).ok();
        std::os::unix::fs::symlink(path, link).unwrap();
    }

    /// Puts what a block needs into `PATH`; false if it cannot be had here.
    pub fn provide(&self, need: &str) -> bool {
        let found = match need {
            "helm" => tools::helm4(),
            "helm3" => tools::helm3(),
            "kustomize" => tools::kustomize(),
            "yq" => tools::yq(),
            "dyff" => tools::dyff(),
            "corpus" => return corpus().is_some(),
            other => panic!("nothing is known of the need `{other}`"),
        };
        let Some(path) = found else { return false };
        self.program(if need == "helm3" { "helm" } else { need }, &path);
        true
    }

    /// Writes a file of the page.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.below("work").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Copies a file or folder of the repository, or of the corpus.
    pub fn copy(&self, source: &str, name: &str) {
        let source = match source.strip_prefix("corpus:") {
            Some(path) => match corpus() {
                Some(corpus) => corpus.join(path),
                None => return,
            },
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join(source),
        };
        assert!(source.exists(), "there is no {}", source.display());
        for entry in walkdir::WalkDir::new(&source).into_iter().map(Result::unwrap) {
            let rest = entry.path().strip_prefix(&source).unwrap();
            let to = self.below("work").join(name);
            let to = if rest.as_os_str().is_empty() { to } else { to.join(rest) };
            if entry.file_type().is_dir() {
                fs::create_dir_all(to).unwrap();
            } else {
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }

    /// Runs commands one after the other in one shell, and gives the output (both streams, as
    /// a terminal shows them) and exit code of each.
    pub fn run(&self, commands: &[&str]) -> Vec<(String, i32)> {
        let mut script = String::from("exec 2>&1 </dev/null\n");
        for command in commands {
            script
                .push_str(&format!("{command}\n__code=$?; printf '\\036%d\\036' $__code; (exit $__code)\n"));
        }
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.below("bin").display());
        let home = self.below("home");
        let output = Command::new("bash")
            .args(["--norc", "-c", &script])
            .current_dir(self.below("work"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", &home)
            .env("TMPDIR", self.place.path())
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let pieces: Vec<&str> = text.split(MARK).collect();
        let mut ran = Vec::new();
        for pair in pieces.chunks_exact(2) {
            ran.push((pair[0].to_owned(), pair[1].parse().unwrap()));
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(ran.len(), commands.len(), "the shell stopped: {text}\n{stderr}");
        ran
    }
}

/// The steps of a block: lines that begin with `$ `, the lines that continue them behind `> `,
/// and what stands below. Without any `$ `, every line is a command.
pub fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    if !text.lines().any(|line| line.starts_with("$ ")) {
        let mut command = String::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            command.push_str(line);
            if line.ends_with('\\') {
                command.push('\n');
            } else {
                steps.push(Step { command: std::mem::take(&mut command), output: String::new() });
            }
        }
        return steps;
    }
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                let mut command = command.to_owned();
                while command.ends_with('\\') || command.contains("<<") {
                    let Some(more) = lines.next_if(|line| line.starts_with('>')) else { break };
                    command.push('\n');
                    command.push_str(more.strip_prefix("> ").unwrap_or(&more[1..]));
                }
                steps.push(Step { command, output: String::new() });
            }
            (None, Some(step)) => {
                step.output.push_str(line);
                step.output.push('\n');
            }
            (None, None) => panic!("output before any command: {line}"),
        }
    }
    steps
}

/// Whether `actual` is what is `shown`, where a line `…` stands for any lines, and a `…` in a
/// line for any text.
pub fn is_shown(shown: &str, actual: &str) -> bool {
    fn lines(shown: &[&str], actual: &[&str]) -> bool {
        match shown.split_first() {
            None => actual.is_empty(),
            Some((first, rest)) if first.trim() == "…" => {
                (0..=actual.len()).any(|skipped| lines(rest, &actual[skipped..]))
            }
            Some((first, rest)) => {
                actual.split_first().is_some_and(|(line, others)| words(first, line) && lines(rest, others))
            }
        }
    }
    fn words(shown: &str, actual: &str) -> bool {
        let mut pieces = shown.split('…');
        let Some(mut rest) = actual.trim_end().strip_prefix(pieces.next().unwrap_or("").trim_end()) else {
            return false;
        };
        let mut ends_open = false;
        for piece in pieces {
            ends_open = piece.is_empty();
            let Some(at) = rest.find(piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        ends_open || rest.is_empty()
    }
    let shown: Vec<&str> = shown.lines().collect();
    let actual: Vec<&str> = actual.lines().collect();
    lines(&shown, &actual)
}

#[test]
fn a_block_is_read_as_a_terminal_shows_it() {
    let read = steps("$ one \\\n>   more\nout\n$ cat <<END\n> x\n> END\nx\n");
    assert_eq!(read[0], Step { command: "one \\\n  more".to_owned(), output: "out\n".to_owned() });
    assert_eq!(read[1], Step { command: "cat <<END\nx\nEND".to_owned(), output: "x\n".to_owned() });
    assert_eq!(steps("a \\\n  b\n\n# why\nc\n").len(), 2);
}

#[test]
fn what_is_left_out_may_be_anything_and_nothing_else() {
    for (shown, actual) in
        [("a\n…\nd\n", "a\nb\nc\nd\n"), ("a … c\n", "a b c\n"), ("…\n", ""), ("a…\n", "abc\n")]
    {
        assert!(is_shown(shown, actual), "{shown:?} {actual:?}");
    }
    for (shown, actual) in
        [("a\n", "a\nb\n"), ("a\n…\n", "b\n"), ("a …c\n", "a b d\n"), ("", "a\n"), ("a\n", "ab\n")]
    {
        assert!(!is_shown(shown, actual), "{shown:?} {actual:?}");
    }
}

#[test]
fn a_command_that_fails_is_told_by_its_code() {
    let ran = Session::new().run(&["printf a; false", "echo $?", "germ-post --nonsense 2>/dev/null"]);
    assert_eq!(ran, [("a".to_owned(), 1), ("1\n".to_owned(), 0), (String::new(), 2)]);
}
