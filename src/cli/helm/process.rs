//! One child process to its end, whatever happens: its output is read while it runs,
//! and a signal that ends germ-post is passed on and waited for, so that neither Helm
//! nor its temporary folders outlive us. When time is up argocd-cmp-server kills the
//! plugin itself at once, and sends the rest of its process group SIGTERM and, five seconds
//! later, SIGKILL; a pod that ends, or a user, sends SIGTERM to us alone.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use germ_post::diagnostic::Diagnostic;
use signal_hook::consts::{SIGINT, SIGTERM};

/// How often a signal is looked for.
const POLL: Duration = Duration::from_millis(50);

/// How often it is looked whether a child has ended that nothing is read of.
const POLL_OF_FOREGROUND: Duration = Duration::from_millis(10);

/// How long a child may take to end by itself: less than anybody waits for us.
const GRACE: Duration = Duration::from_secs(2);

/// The same for a child that is changing a cluster: Helm marks its release as failed first,
/// and a release that it could not mark is in everybody's way.
pub const GRACE_OF_RELEASES: Duration = Duration::from_secs(30);

/// Signals that ask us to end, from the time on that this is made.
#[derive(Debug, Clone, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Listens for SIGTERM and SIGINT. They do not end the process any more.
    pub fn listen() -> Self {
        let interrupts = Self::default();
        for signal in [SIGTERM, SIGINT] {
            let number = usize::try_from(signal).unwrap_or_default();
            // Without a handler the signal ends us at once, as it ends most programs.
            let _ = signal_hook::flag::register_usize(signal, Arc::clone(&interrupts.0), number);
        }
        interrupts
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<i32> {
        i32::try_from(self.0.load(Ordering::SeqCst)).ok().filter(|signal| *signal != 0)
    }
}

/// What a child left behind.
#[derive(Debug)]
pub struct Output {
    /// Whether it exited with 0.
    pub success: bool,
    /// All of stdout.
    pub stdout: Vec<u8>,
    /// All of stderr.
    pub stderr: Vec<u8>,
}

/// How it ended.
#[derive(Debug)]
pub enum Ended {
    /// Because it was done.
    ByItself(Output),
    /// Because we were told to stop.
    Interrupted,
}

/// Runs a command to its end.
pub fn run(command: &mut Command, interrupts: &Interrupts) -> io::Result<Ended> {
    run_with_grace(command, interrupts, GRACE)
}

/// The error of a run that was told to stop.
pub fn interrupted() -> Diagnostic {
    Diagnostic::input("interrupted", "germ-post was told to stop")
}

/// Runs a command to its end; told to stop, it gets so much time to do so.
pub fn run_with_grace(command: &mut Command, interrupts: &Interrupts, grace: Duration) -> io::Result<Ended> {
    if interrupts.signal().is_some() {
        return Ok(Ended::Interrupted);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (sender, finished) = channel();
    read(child.stdout.take(), Pipe::Stdout, sender.clone());
    read(child.stderr.take(), Pipe::Stderr, sender);
    let collected = collect(&mut child, &finished, interrupts, grace);
    let status = child.wait()?;
    if interrupts.signal().is_some() {
        return Ok(Ended::Interrupted);
    }
    let (stdout, stderr) = collected?;
    Ok(Ended::ByItself(Output { success: status.success(), stdout, stderr }))
}

/// Runs a command that has our standard streams to its end; its exit code, or 128 and the
/// number of the signal that ended it, as shells have it.
pub fn run_in_the_foreground(
    command: &mut Command,
    interrupts: &Interrupts,
    grace: Duration,
) -> io::Result<u8> {
    let mut child = command.spawn()?;
    let mut passed_on = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(exit_code(status));
        }
        heed(&mut child, interrupts, grace, &mut passed_on)?;
        std::thread::sleep(POLL_OF_FOREGROUND);
    }
}

fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let by_signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let by_signal = None;
    let code = status.code().or(by_signal);
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pipe {
    Stdout,
    Stderr,
}

type Finished = (Pipe, io::Result<Vec<u8>>);

/// Reads a pipe to its end, in the background.
fn read(pipe: Option<impl Read + Send + 'static>, which: Pipe, sender: Sender<Finished>) {
    let Some(mut pipe) = pipe else { return };
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // Nobody waits any more once the child was killed.
        let _ = sender.send((which, result));
    });
}

/// Waits for both pipes; a signal in the meantime is passed on, and after a while the
/// child is killed.
fn collect(
    child: &mut Child,
    finished: &Receiver<Finished>,
    interrupts: &Interrupts,
    grace: Duration,
) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (mut stdout, mut stderr) = (None, None);
    let mut passed_on: Option<Instant> = None;
    while stdout.is_none() || stderr.is_none() {
        match finished.recv_timeout(POLL) {
            Ok((Pipe::Stdout, bytes)) => stdout = Some(bytes?),
            Ok((Pipe::Stderr, bytes)) => stderr = Some(bytes?),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if heed(child, interrupts, grace, &mut passed_on)? {
            // A process of the child's may still hold the pipes; that is not waited for.
            break;
        }
    }
    Ok((stdout.unwrap_or_default(), stderr.unwrap_or_default()))
}

/// Passes a signal on to the child, and kills it when it takes longer than `grace` to end.
/// Whether it was killed.
fn heed(
    child: &mut Child,
    interrupts: &Interrupts,
    grace: Duration,
    passed_on: &mut Option<Instant>,
) -> io::Result<bool> {
    match (interrupts.signal(), *passed_on) {
        (Some(signal), None) => {
            pass_on(child, signal);
            *passed_on = Some(Instant::now());
            Ok(false)
        }
        (Some(_), Some(since)) if since.elapsed() > grace => child.kill().map(|()| true),
        _ => Ok(false),
    }
}

/// Sends the child a signal. It is ours and not yet waited for, so its number is its own.
#[cfg(unix)]
fn pass_on(child: &mut Child, signal: i32) {
    use rustix::process::{Pid, Signal, kill_process};

    let signal = if signal == SIGINT { Signal::INT } else { Signal::TERM };
    if let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It fails only if the child has ended, which is what is wanted.
        let _ = kill_process(process, signal);
    }
}

#[cfg(not(unix))]
fn pass_on(child: &mut Child, _: i32) {
    // There is no gentle way.
    let _ = child.kill();
}
