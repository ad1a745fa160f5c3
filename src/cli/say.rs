//! Talking to people on stderr, and giving the result on stdout.

use std::io::{IsTerminal, Write};

use germ_post::diagnostic::Diagnostic;
use germ_post::report::human;

/// Prints a line on stderr. A closed stderr is nobody listening.
pub fn line(text: &str) {
    let mut out = anstream::stderr();
    let _ = writeln!(out, "{text}");
}

/// Prints diagnostics on stderr.
pub fn diagnostics(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        // anstream strips the colours where there is no terminal for them.
        line(&human::diagnostic(diagnostic, true));
    }
}

/// Writes the result in one go. A reader that has gone is no error.
pub fn result(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Whether stdin is a terminal, so that reading from it would hang.
pub fn stdin_is_terminal() -> bool {
    std::io::stdin().is_terminal()
}
