//! Running programs in turn, and what each took.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

use super::Result;

/// A program with its arguments and its stdin.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name in tables.
    pub name: String,
    pub command: PathBuf,
    pub arguments: Vec<OsString>,
    pub stdin: PathBuf,
    /// Whether it runs only once.
    pub once: bool,
}

impl Program {
    pub fn new(name: &str, command: impl Into<PathBuf>, stdin: &Path) -> Self {
        Self {
            name: name.to_owned(),
            command: command.into(),
            arguments: Vec::new(),
            stdin: stdin.to_owned(),
            once: false,
        }
    }

    pub fn args<S: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub fn once(mut self, once: bool) -> Self {
        self.once = once;
        self
    }

    /// The program as it is called, with nothing of the user's own settings.
    pub fn to_command(&self, folder: &Path) -> Result<Command> {
        let mut command = Command::new(&self.command);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GERM_POST_") {
                command.env_remove(name);
            }
        }
        command
            .args(&self.arguments)
            .current_dir(folder)
            .env("XDG_STATE_HOME", folder.join("state"))
            .stdin(File::open(&self.stdin)?);
        Ok(command)
    }
}

/// What a run took.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// User and system time of the process with its children, in milliseconds.
    pub cpu: f64,
    /// From start to end, in milliseconds.
    pub wall: f64,
    /// The most memory that was resident, in MiB.
    pub peak: f64,
}

/// Runs every program once as a warm-up and then `rounds` times, all of them in
/// turn so that none has the quieter machine. Medians; `None` for a program that
/// fails.
pub fn in_turn(programs: &[Program], rounds: usize, folder: &Path) -> Result<Vec<Option<Figures>>> {
    let mut runs: Vec<Vec<Figures>> = vec![Vec::new(); programs.len()];
    let mut failed = vec![false; programs.len()];
    for round in 0..=rounds {
        for (index, program) in programs.iter().enumerate() {
            if failed[index] || (program.once && round > 0) {
                continue;
            }
            match run(program, folder)? {
                Some(_) if round == 0 && !program.once => {}
                Some(figures) => runs[index].push(figures),
                None => failed[index] = true,
            }
        }
    }
    Ok(runs
        .into_iter()
        .zip(failed)
        .map(|(runs, failed)| if failed { None } else { medians(&runs) })
        .collect())
}

fn run(program: &Program, folder: &Path) -> Result<Option<Figures>> {
    let errors = folder.join("stderr");
    let mut command = program.to_command(folder)?;
    command.stdout(Stdio::null()).stderr(File::create(&errors)?);
    let start = Instant::now();
    let ended = command.spawn()?.wait4()?;
    let wall = start.elapsed();
    if !ended.status.success() {
        let said = std::fs::read_to_string(&errors)?;
        eprintln!("{} failed: {}", program.name, said.lines().last().unwrap_or_default());
        return Ok(None);
    }
    Ok(Some(Figures {
        cpu: (ended.rusage.utime + ended.rusage.stime).as_secs_f64() * 1e3,
        wall: wall.as_secs_f64() * 1e3,
        peak: ended.rusage.maxrss as f64 / f64::from(1 << 20),
    }))
}

fn medians(runs: &[Figures]) -> Option<Figures> {
    let median = |figure: fn(&Figures) -> f64| {
        let mut all: Vec<f64> = runs.iter().map(figure).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    Some(Figures {
        cpu: median(|run| run.cpu)?,
        wall: median(|run| run.wall)?,
        peak: median(|run| run.peak)?,
    })
}
