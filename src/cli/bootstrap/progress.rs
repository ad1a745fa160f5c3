//! What a person sees of a bootstrap: each step as a line, and while something is waited for
//! one line that says for what and how long. Where nobody watches, a line for every change.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use germ_post::bootstrap::Readiness;
use germ_post::diagnostic::Diagnostic;

use crate::cli::helm::process::{self, Interrupts};
use crate::cli::say;

/// How often is looked.
const EVERY: Duration = Duration::from_secs(2);

/// How long nothing may be said where nobody watches.
const SILENCE: Duration = Duration::from_secs(30);

/// Tells of steps and waits.
#[derive(Debug)]
pub struct Progress {
    watched: bool,
    interrupts: Interrupts,
}

impl Progress {
    /// On stderr.
    pub fn new(interrupts: &Interrupts) -> Self {
        Self { watched: std::io::stderr().is_terminal(), interrupts: interrupts.clone() }
    }

    /// A step that begins or is done.
    pub fn step(&self, text: &str) {
        say::line(&format!("germ-post: {text}"));
    }

    /// Looks until something is ready, and tells what it waits for. An error of `look` is
    /// taken for a hiccup until time is up: a cluster that comes up answers now and then.
    pub fn wait(
        &self,
        what: &str,
        limit: Duration,
        mut look: impl FnMut() -> Result<Readiness, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let start = Instant::now();
        let mut said: Option<(String, Instant)> = None;
        loop {
            if self.interrupts.signal().is_some() {
                self.clear();
                return Err(process::interrupted().note(format!("it was waiting for {what}")));
            }
            let state = look();
            let waited = start.elapsed();
            let missing = match &state {
                Ok(Readiness::Ready(found)) => {
                    self.clear();
                    let after =
                        if waited < EVERY { String::new() } else { format!(", after {}", short(waited)) };
                    self.step(&format!("{what}: {found}{after}"));
                    return Ok(());
                }
                Ok(Readiness::Waiting(missing)) => missing.clone(),
                Err(error) => error.message.clone(),
            };
            if waited >= limit {
                self.clear();
                let message = format!("{what}: {missing}, after {}", short(waited));
                let cause = state.err();
                let timeout = Diagnostic::input("wait-timeout", message);
                return Err(cause.into_iter().flat_map(|error| error.notes).fold(timeout, Diagnostic::note));
            }
            if self.watched {
                self.rewrite(&format!("{what}: {missing} ({} of {})", short(waited), short(limit)));
            } else if said.as_ref().is_none_or(|(text, at)| *text != missing || at.elapsed() > SILENCE) {
                self.step(&format!("waiting for {what}: {missing}"));
                said = Some((missing, Instant::now()));
            }
            self.pause(limit.saturating_sub(waited).min(EVERY));
        }
    }

    /// Sleeps, but not through a signal.
    fn pause(&self, time: Duration) {
        const SHORT: Duration = Duration::from_millis(100);
        let start = Instant::now();
        while start.elapsed() < time && self.interrupts.signal().is_none() {
            std::thread::sleep(SHORT.min(time));
        }
    }

    fn rewrite(&self, text: &str) {
        // Nobody is left to tell when the terminal is gone.
        let _ = write!(std::io::stderr(), "\r\x1b[Kgerm-post: {text}");
    }

    fn clear(&self) {
        if self.watched {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// `95s` as `1m35s`.
fn short(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{seconds}s"),
        seconds => format!("{}m{:02}s", seconds / 60, seconds % 60),
    }
}
