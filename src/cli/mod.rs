//! The command line: arguments, standard streams, environment and exit codes.
//! Everything that touches the outside world is here.

mod argocd;
mod args;
mod bootstrap;
mod chart_files;
mod check;
mod choice;
#[cfg(test)]
mod command_pages;
mod config;
mod dangers;
mod diff;
mod diff_chart;
mod diff_sides;
mod explain;
mod export;
mod git;
#[allow(dead_code, reason = "what is not used yet is for the Argo CD plugin")]
mod helm;
mod helm4;
mod helm_plugin;
mod init;
mod inputs;
mod krm;
mod kubectl;
mod last;
mod lock;
mod lock_file;
mod manual;
mod policy;
mod profile_tests;
mod profiles;
mod render;
mod report_file;
mod run_helm;
mod say;
mod stdin;
mod template;
mod values;
#[cfg(test)]
mod voice;

use std::process::ExitCode;

/// Runs the program. Help and version go to stdout and are success; a usage
/// error is 2, as everywhere.
pub fn main() -> ExitCode {
    let args = match args::parse(diff_sides::in_our_order(std::env::args_os().collect())) {
        Ok(args) => args,
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayVersion => {
            return say::answer(Ok(manual::version(&error.to_string())));
        }
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Nobody is left to tell when the terminal is gone.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    say::colours(args.color);
    let run = std::panic::catch_unwind(|| match &args.command {
        None if !args.helm.is_empty() => run_helm::run(&args.render, &args.helm),
        None => render::run(&args.render),
        Some(args::Command::Helm(args)) => run_helm::run(&args.render, &args.command),
        Some(args::Command::Template(args)) => template::run(args),
        Some(args::Command::HelmPlugin(command)) => helm_plugin::run(command),
        Some(args::Command::Bootstrap(args)) => bootstrap::run(args),
        Some(args::Command::Argocd(command)) => argocd::run(command),
        Some(args::Command::Last) => last::run(),
        Some(args::Command::Profiles(command)) => profiles::run(command),
        Some(args::Command::Check(args)) => check::run(args),
        Some(args::Command::Diff(args)) => diff::run(args),
        Some(args::Command::Values(args)) => values::run(args),
        Some(args::Command::Policy(command)) => policy::run(command),
        Some(args::Command::Explain(args)) => say::answer(explain::run(args)),
        Some(args::Command::Export(args)) => export::run(args),
        Some(args::Command::Krm(args)) => krm::run(&args.choice),
        Some(args::Command::Completions { shell }) => say::answer(Ok(manual::completions(*shell))),
        Some(args::Command::Man { out }) => say::answer(manual::pages(out.as_deref())),
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
