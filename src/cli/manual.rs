//! `germ-post --version`, `completions` and `man`: what a package puts beside the program, made
//! from the same description of the command line as `--help`.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use germ_post::diagnostic::Diagnostic;
use germ_post::profile::embedded;

use super::args::Args;

/// What `--version` prints: the program's line, and below it the profiles that ship, whose
/// versions tell rules apart that one program or another would apply.
pub fn version(line: &str) -> String {
    let profiles = embedded::versions().map(|(name, version)| format!("  {name} {version}\n"));
    format!("{}\nprofiles:\n{}", line.trim_end(), profiles.collect::<String>())
}

/// The completions for a shell, as the text that it sources.
pub fn completions(shell: Shell) -> String {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "germ-post", &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// The page of the program itself, or one file for each page into a folder.
pub fn pages(folder: Option<&Path>) -> Result<String, Diagnostic> {
    let failed = |error: std::io::Error| {
        Diagnostic::input("man-pages-failed", format!("cannot write the man pages: {error}"))
    };
    match folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page).map_err(failed)?;
            Ok(String::from_utf8_lossy(&page).into_owned())
        }
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(Args::command(), folder).map_err(failed)?;
            Ok(String::new())
        }
    }
}
