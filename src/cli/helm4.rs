//! Helm 4 throws a plugin's stderr away. An error still reaches the terminal if
//! there is one, and on demand Helm itself: it fails on a document that is a
//! block scalar and prints it.

use std::io::Write;

use germ_post::diagnostic::Diagnostic;
use germ_post::manifest::template::FILENAME_ANNOTATION;
use germ_post::report::human;

/// Whether Helm 4 runs us: it names the plugin's folder, and marks every document
/// with an annotation.
pub fn is_caller(input: &[u8]) -> bool {
    std::env::var_os("HELM_PLUGIN_DIR").is_some()
        && memchr::memmem::find(input, FILENAME_ANNOTATION.as_bytes()).is_some()
}

/// Whether errors go to stdout as a document that Helm 4 refuses. Any other
/// reader would take it for a release, so it must be asked for.
pub fn wants_document() -> bool {
    std::env::var_os("GERM_POST_HELM4_ERRORS").is_some_and(|value| value == "document")
}

/// The errors as a literal block scalar.
pub fn document(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::from("|\n");
    for diagnostic in diagnostics {
        for line in human::diagnostic(diagnostic, false).lines() {
            out.push_str("  germ-post: ");
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

/// Writes the errors to the controlling terminal, if there is one.
pub fn to_terminal(diagnostics: &[Diagnostic]) {
    let Ok(mut terminal) = std::fs::OpenOptions::new().write(true).open("/dev/tty") else { return };
    for diagnostic in diagnostics {
        // The terminal is a courtesy; the exit code carries the error.
        let _ = writeln!(terminal, "{}", human::diagnostic(diagnostic, false));
    }
}
