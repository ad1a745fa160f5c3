//! The command line: arguments, standard streams, environment and exit codes.
//! Everything that touches the outside world is here.

mod argocd;
mod args;
mod check;
mod choice;
mod config;
mod explain;
mod export;
mod helm;
mod helm4;
mod init;
mod inputs;
mod last;
mod lock;
mod lock_file;
mod policy;
mod profile_tests;
mod profiles;
mod render;
mod report_file;
mod say;
mod stdin;
mod template;

use std::process::ExitCode;

use clap::Parser;

/// Runs the program. Help and version go to stdout and are success; a usage
/// error is 2, as everywhere.
pub fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Nobody is left to tell when the terminal is gone.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let run = std::panic::catch_unwind(|| match &args.command {
        None => render::run(&args.render),
        Some(args::Command::Template(args)) => template::run(args),
        Some(args::Command::Argocd(command)) => argocd::run(command),
        Some(args::Command::Last) => last::run(),
        Some(args::Command::Profiles(command)) => profiles::run(command),
        Some(args::Command::Check(args)) => check::run(args),
        Some(args::Command::Policy(command)) => policy::run(command),
        Some(args::Command::Explain(args)) => say::answer(explain::run(args)),
        Some(args::Command::Export(args)) => export::run(args),
        Some(args::Command::Init(args)) => say::answer(init::run(args)),
    });
    match run {
        Ok(code) => code,
        Err(_) => {
            say::line("germ-post: this is a bug; nothing was written to stdout. Please report it.");
            ExitCode::from(4)
        }
    }
}
