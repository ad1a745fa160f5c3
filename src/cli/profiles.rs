//! `germ-post profiles`: looking at what ships.

use std::process::ExitCode;

use germ_post::profile::{embedded, load};

use super::args::Profiles;
use super::say;

/// Runs one of the subcommands.
pub fn run(command: &Profiles) -> ExitCode {
    let printed = match command {
        Profiles::List => list(),
        Profiles::Show { name } => match embedded::text(name) {
            Some(text) => text.to_owned(),
            None => {
                let error =
                    load::load(std::slice::from_ref(name), &|_| Err(std::io::ErrorKind::NotFound.into()))
                        .err();
                say::diagnostics(&error.into_iter().collect::<Vec<_>>());
                return ExitCode::from(2);
            }
        },
    };
    match say::result(printed.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::line(&format!("error: cannot write to stdout: {error}"));
            ExitCode::from(2)
        }
    }
}

fn list() -> String {
    let mut out = String::new();
    for (name, text) in embedded::PROFILES {
        let file = load::parse(name, text).ok();
        let about = file.as_ref().and_then(|file| file.about.clone()).unwrap_or_default();
        let version = file.as_ref().and_then(|file| file.version.clone()).unwrap_or_default();
        let about = about.lines().next().unwrap_or_default();
        out.push_str(&format!("{name:<14} {version:<8} {about}\n"));
    }
    out
}
