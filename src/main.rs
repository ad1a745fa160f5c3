//! The germ-post program: hands the command line to [`cli`] and turns what comes
//! back into an exit code.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
